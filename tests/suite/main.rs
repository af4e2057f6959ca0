//! Integration tests, one module per subject, linked once.

mod usi_declaration;
mod usi_garbage;
mod usi_play;
mod usi_session;
mod usi_support;
