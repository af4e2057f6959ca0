//! Evaluation: what a position is worth.

mod score;

pub use score::Score;
