//! Matches between two engines, and the strength that their results show.
//!
//! Input: two [`Contestant`]s and the conditions of the games
//! ([`SelfplayConfig`](crate::lab::selfplay::SelfplayConfig), an opening, optionally a
//! [`TimeControl`]). A contestant is a searcher of this program or a [`Program`] that speaks USI.
//! Output: a [`PlayedMatchGame`] for each game, and the [`MatchReport`]. A [`Tournament`] is a list
//! of matches between several engines.
//!
//! The games are those of [`selfplay`](crate::lab::selfplay), by the same rules, with two engines
//! instead of one. Games `2 k` and `2 k + 1` are a pair: they have the same opening with colors
//! swapped. A program that fails loses the game, and its failures are counted. A fault of this
//! program's own searchers is an error.

mod failure;
mod pairing;
mod pgn;
mod program;
mod report;
mod score;
mod start_error;
mod tournament;
mod usage;

pub use failure::Failure;
pub use pairing::{Contestant, Pairing, PlayedMatchGame, TimeControl, draw_opening};
pub use pgn::pgn;
pub use program::{Program, ProgramSpec};
pub use report::{MatchReport, record};
pub use score::MatchScore;
pub use start_error::StartError;
pub use tournament::{Schedule, Standing, Tournament};
pub use usage::Usage;
