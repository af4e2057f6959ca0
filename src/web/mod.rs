//! The engine in a web page, as WebAssembly with WASI (preview 1).
//!
//! `package` has the JavaScript that runs the program. It calls the functions of `exports.rs`, which
//! read from standard input and write to standard output: `kankei_usi` and `kankei_run` serve a USI
//! session, and `kankei_ask` answers questions about rules and records ([`answer`]), so that a page
//! needs no rules of its own. `play`, `analysis` and `shared` are the pages of `kankei play` and
//! `kankei analyze`, `tests` their tests, which `.ci/web` runs.

#[cfg(target_family = "wasm")]
mod exports;
mod questions;

pub use questions::answer;
