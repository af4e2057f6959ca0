//! The weights of [`features`](crate::papers::td::features) by temporal differences: TD(lambda) on the
//! games of a learner, Black, against an opponent with the weights of Table 2.
//!
//! ```text
//! W <- W + alpha (P_i+1 - P_i) e_i,   e_i = lambda e_i-1 + grad P_i       (1), (2)
//! P = 1 / (1 + e^(-E / 1000)),        E = sum of w_j x_j                  (3), (4)
//! grad P = P (1 - P) / 1000 grad E                                        (5), (6)
//! ```
//!
//! P_i is the prediction of the learner's search before its i-th move, a full-width search of depth
//! 3 ([`DepthSearch`]). After the last move P is the result: 1, 0, or 1/2 for a draw. The weights
//! change at every own move, and at the end. Details and deviations from the paper:
//!
//! * The text of eq. (1) weights by lambda^(j-1). This code uses Sutton's lambda^(i-j), with the
//!   sum as the eligibility trace e_i ([`EligibilityTrace`]).
//! * x is own minus enemy (section 2.2; section 3.1 has the opposite sign).
//! * E is the value of the principal leaf: the position at the end of the principal variation, from
//!   which the search takes its value. x and the gradient of P are those of that leaf. A mate has
//!   the value 100,000, the king of Table 2; there P is 1 or 0 and its gradient 0.
//! * P_i is not computed again with the weights that it has changed itself.
//! * The random numbers that vary the games are a function of the position, different in each
//!   search, so the search stays exact. E excludes them.
//! * Learned weights start at 1000, weights of the kings at 0 ([`TdConfig::new`] gives the reason);
//!   the others keep their value of Table 2. The paper does not give the values of pieces in hand
//!   while those on the board are learned. Here they follow ([`LearnedGroups::Pieces`]) or stay
//!   fixed ([`LearnedGroups::Board`]).
//! * The learning rate decreases linearly from the first game to the last.
//!
//! Additions to the paper: all weights at once, greater depth, quiescence search at the horizon
//! ([`Horizon`]), other opponents and self-play with learning from both sides ([`Opponent`]). In a
//! round, games are played in parallel with the same weights, and their changes are summed
//! ([`TdConfig::round`]).
//!
//! Input: [`TdConfig`]. Output: weights, by a [`TdObjective`] in a
//! [`Trainer`](crate::lab::learn::Trainer) whose batches are rounds of games; in the paper's
//! configuration a round is one game.
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
