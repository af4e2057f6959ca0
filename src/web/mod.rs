//! The engine in a web page, as WebAssembly (WASI preview 1).
//!
//! The page's JavaScript calls the functions of [`exports`](self), each of which reads its input
//! from standard input and writes to standard output. `kankei_usi` handles lines of a USI session.
//! `kankei_ask` answers questions about rules and records ([`answer`]), so that a page needs no
//! rules of its own. `package` has the JavaScript for this, `play` and `analysis` the pages.

#[cfg(target_family = "wasm")]
mod exports;
mod questions;

pub use questions::answer;
