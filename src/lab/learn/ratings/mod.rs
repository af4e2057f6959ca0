//! Learning the [move ratings](crate::eval::ratings): the moves of games are to be the most probable.
//!
//! The probability of a move is the softmax of the ratings of all moves that a search looks at; the
//! loss is the cross-entropy of the move played. Weights move by AdaGrad on batches of whole games.
//! Moves that were forced or drawn by lot are not learned from.
//!
//! Comes in: games and a [`RatingsConfig`]. Goes out: [`MoveRatings`](crate::eval::ratings::MoveRatings),
//! by a [`RatingsObjective`] in a [`Trainer`](super::Trainer); the same games and seed give the same bits
//! whatever the number of threads.

mod objective;

pub use objective::{RatingsConfig, RatingsMeasure, RatingsObjective};
