//! The weights of an evaluation by temporal differences at principal leaves, TD-leaf: the engine plays
//! itself, and what a search says is corrected by what the side's later searches say, and at the end
//! by the result.
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
//! The negative gradient is the sum of (G_t - P_t) grad P_t. For weights that do not change within a
//! sequence that is exactly the sum of TD(lambda), eq. (1) of
//! [`learn::td`](crate::lab::learn::td), its terms in another order; a test shows it. The
//! learning rate alpha is left to AdaGrad (relations) and Adam (network).
//!
//! * A *principal leaf* is the end of the line a search expects, with its exchanges played out. Where
//!   that is no quiet position (mates, checks, repetitions) the prediction is the search's own score,
//!   and has no gradient.
//! * Sequences begin behind the last varied move of a game: nobody could predict those. Forced moves are
//!   played without a search, and make no prediction.
//! * The loss is the squared error, as TD(lambda) has it, and not the cross-entropy that
//!   [`value`](crate::lab::learn::value) takes: its factor P (1 - P) is almost 0 where a game is
//!   decided. There the result says more of the rule by which sides resign than of the position.
//! * The scale is fitted to the first weights and the results of the held-out games, so that learning
//!   does not begin by making all values larger or smaller.
//! * Every game is learned as it was played and as its mirror image.
//! * A step begins with no memory of gradients, and AdaGrad and Adam overrate the first: rates rise from
//!   nothing in a line over a warm-up, and fall to nothing at the end. The weights that remain are the
//!   mean over the last rounds.
//!
//! Comes in: [`Weights`](crate::eval::learned::Weights) and a [`TdLeafConfig`]. Goes out: weights, by a
//! [`TdLeafObjective`] in a [`Trainer`](crate::lab::learn::Trainer) whose batches are rounds of games.
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
