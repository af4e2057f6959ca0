//! Learning the [move ratings](crate::papers::mcts::ratings), which make the moves of games the most
//! probable ones.
//!
//! The probability of a move is the softmax of the ratings of all moves that a search tries; the
//! loss is the cross-entropy of the move played. AdaGrad updates the weights after batches of whole
//! games. Moves that were forced or chosen at random are skipped.
//!
//! Input: games and a [`RatingsConfig`]. Output:
//! [`MoveRatings`](crate::papers::mcts::ratings::MoveRatings), by a [`RatingsObjective`] in a
//! [`Trainer`](crate::lab::learn::Trainer). The same games and seed give the same bits with any
//! number of threads.

mod objective;

pub use objective::{RatingsConfig, RatingsMeasure, RatingsObjective};
