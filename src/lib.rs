//! Kankei (関係, "relation"): a USI shogi engine that values a position by the relations between
//! its pieces.
pub mod cli;
pub mod engine;
pub mod eval;
pub mod rng;
pub mod search;
pub mod shogi;
pub mod usi;
