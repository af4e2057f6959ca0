//! TD-leaf: learns the weights of an evaluation by temporal differences at principal leaves. The
//! engine plays itself, and each prediction of a search is corrected towards the side's later
//! predictions and the result.
//!
//! ```text
//! games on frozen weights --> leaves, two sequences a game --> gradients --> one step --+
//!       ^                                                                              |
//!       +------------------------------- next round -----------------------------------+
//! P_t = sigmoid(value of the leaf of own search t / scale), side's view; the last P is the result
//! G_t = P_t + sum over k >= t of lambda^(k - t) (P_k+1 - P_k)
//! step against the gradient of 1/2 sum over t of (G_t - P_t)^2, every G_t a constant
//! ```
//!
//! The negative gradient is the sum of (G_t - P_t) grad P_t. For weights that do not change within
//! a sequence it equals the sum of TD(lambda), eq. (1) of [`learner`](super::learner),
//! with its terms in another order; a test checks this. AdaGrad (relations) and Adam (network)
//! provide the learning rate alpha.
//!
//! * A *principal leaf* is the quiet position at the end of the principal variation, after its
//!   exchanges. If there is none (mates, checks, repetitions), the prediction is the search's own
//!   score, and has no gradient.
//! * Sequences start after the last random move of a game, because predictions cannot foresee
//!   random moves. Forced moves are played without a search, and make no prediction.
//! * The loss is the squared error, as in TD(lambda), not the cross-entropy of
//!   [`value`](crate::lab::learn::value). Its factor P (1 - P) is almost 0 where a game is decided.
//!   There the result depends more on the resignation rule than on the position.
//! * The scale is fitted to the initial weights and the results of the held-out games. Otherwise
//!   learning would start by scaling all values.
//! * Every game is learned once as played and once as its mirror image.
//! * AdaGrad and Adam start without gradient statistics and make the first steps too large. So the
//!   rates rise linearly from zero during a warm-up, and fall to zero at the end. The final weights
//!   are the mean over the last rounds.
//!
//! Input: [`Weights`](crate::eval::learned::Weights) and a [`TdLeafConfig`]. Output: weights, by a
//! [`TdLeafObjective`] in a [`Trainer`](crate::lab::learn::Trainer) whose batches are rounds of
//! games.
//!
//! Source: Baxter, Tridgell, Weaver, "TDLeaf(lambda): combining temporal difference learning with
//! game-tree search" (1998); Sutton, "Learning to predict by the methods of temporal differences"
//! (1988).

mod config;
mod game;
mod lambda_return;
mod objective;

pub use config::{LearnedParts, TdLeafConfig};
pub use objective::{TdLeafMeasure, TdLeafObjective};
