//! Learning: games to learn from, and what is learned from them.
//!
//! [`selfplay`] makes labelled games with any [`Engine`](crate::engine::Engine).

pub mod selfplay;
