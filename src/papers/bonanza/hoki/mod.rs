//! The evaluation of Hoki (2006): material, places of the king and other pieces, and interactions
//! of pieces, as listed in the appendix of the paper.
//!
//! The value is own minus enemy: one side's sum of weights minus that of the other side, which sees
//! the board rotated by 180 degrees. Rotating the board and swapping the colours negates the value.
//! No weight rewards having the move.
//!
//! The paper names eleven features without further detail. Each is a group of weights here
//! ([`HokiGroup`]), whose documentation gives our interpretation. A [`mod@file`] without a group
//! disables the group.
//!
//! Squares around a king are those of the side's normalized view, which is mirrored if the king is
//! beyond the 5th file. A mirrored board therefore has the same value. The exception is a king on
//! the 5th file, whose two wings have separate weights.
//!
//! [`walk()`] finds the weights of a position. The value, its parts and the learning methods all
//! sum over it.
//!
//! Input: a [`Position`](crate::shogi::Position), and weights from a file. Output: scores, and
//! occurrences of weights.
//!
//! Source: Hoki, "Full-width search in computer shogi", IPSJ Magazine 47-8 (2006), appendix.

mod attack_counts;
pub mod file;
mod form;
mod group;
mod side;
#[cfg(test)]
mod tests;
mod text;
mod walk;
mod weights;

pub use file::READER;
pub use group::{HokiGroup, HokiGroups};
pub(crate) use text::table;
pub use walk::{Occurrence, walk};
pub use weights::{HokiTables, HokiWeights, UNIT};
