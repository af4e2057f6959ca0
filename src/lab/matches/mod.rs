//! Matches: games between two engines, and what their results say of strength.
//!
//! Comes in: two [`Contestant`]s, searchers of this program or [`Program`]s that speak USI, and the
//! way their games go ([`SelfplayConfig`](crate::lab::selfplay::SelfplayConfig), an opening, perhaps
//! a [`TimeControl`]). Goes out: a [`PlayedMatchGame`] each, and their
//! [`MatchReport`].
//!
//! The games themselves are those of [`selfplay`](crate::lab::selfplay) with two engines in place of
//! one, and so are their rules. Games `2 k` and `2 k + 1` are a pair: they begin alike, and the
//! colours change. What goes wrong in a program loses its game and is counted; a fault of this
//! program's own searchers is an error.

mod pairing;
mod program;
mod report;
mod score;
mod usage;

pub use pairing::{Contestant, Pairing, PlayedMatchGame, TimeControl, draw_opening};
pub use program::{Failure, Program, ProgramSpec};
pub use report::{MatchReport, record};
pub use score::MatchScore;
pub use usage::Usage;
