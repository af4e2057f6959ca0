//! The weights of [`features`](crate::eval::features) by temporal differences: TD(lambda) of the
//! games of a learner, Black, against an opponent with the weights of Table 2.
//!
//! ```text
//! W <- W + alpha (P_i+1 - P_i) e_i,   e_i = lambda e_i-1 + grad P_i       (1), (2)
//! P = 1 / (1 + e^(-E / 1000)),        E = sum of w_j x_j                  (3), (4)
//! grad P = P (1 - P) / 1000 grad E                                        (5), (6)
//! ```
//!
//! P_i is what the learner's search says before its i-th move, by a full-width search of depth 3
//! ([`DepthSearch`]); after the last move P is the result: 1, 0, or 1/2 for a draw. The weights move
//! at every own move, and at the end. Details, and where this is not the letter of the paper:
//!
//! * The text of eq. (1) weights by lambda^(j-1). Sutton's lambda^(i-j) is meant, the sum being the
//!   eligibility trace e_i ([`EligibilityTrace`]).
//! * x is own minus enemy (section 2.2; section 3.1 has it the other way round).
//! * E is the value of the principal leaf: the position at the end of the line that both sides are
//!   expected to play, where the search took its value from. x, and so the gradient of P, are those
//!   of that leaf. A mate is worth 100,000, the king of Table 2: P is 1 or 0 there and its gradient 0.
//! * P_i is not computed again with the weights that it has changed itself.
//! * The random numbers that vary the games belong to positions, anew for each search, so that the
//!   search is exact all the same; E is without them.
//! * What is learned begins at 1000, weights of the kings at 0 ([`TdConfig::new`] says why); the rest
//!   keeps its value of Table 2. What pieces in hand are worth while those on the board are learned
//!   the paper does not say: they follow ([`LearnedGroups::Pieces`]), or stay
//!   ([`LearnedGroups::Board`]).
//! * The learning rate falls in a straight line from the first game to the last.
//!
//! Beyond the paper: all weights at once, greater depth, quiescence behind it ([`Horizon`]), other
//! opponents and both sides of one's own games ([`Opponent`]), and rounds of games played in parallel
//! with the same weights, whose changes are summed up ([`TdConfig::round`]).
//!
//! Comes in: [`TdConfig`]. Goes out: weights, by a [`TdObjective`] in a
//! [`Trainer`](super::Trainer) whose batches are rounds of games, one game in the paper's.
//!
//! TD(lambda) at the leaves of real searches, with all weights: [`td_leaf`](crate::lab::td_leaf).
//!
//! Source: Usui, Suzuki, Kotani, "Parameter learning using temporal differences in shogi"; Sutton,
//! "Learning to predict by the methods of temporal differences" (1988).

mod config;
mod eligibility_trace;
mod game;
mod learned_groups;
mod objective;
mod search;

pub use config::{Opponent, Start, TdConfig};
pub use eligibility_trace::EligibilityTrace;
pub use game::{TdGame, play};
pub use learned_groups::LearnedGroups;
pub use objective::{TdMeasure, TdObjective, TdScore};
pub use search::{DepthSearch, Horizon, LeafNoise, PrincipalLine};
