//! The evaluation of Hoki (2006): material, places of the king and other pieces, and what the pieces
//! do to each other, as the appendix of the paper lists it.
//!
//! The value is own minus enemy: a side's sum of weights, less the same of the other side, who sees
//! the board turned by 180 degrees. So it negates when the board is turned with the colours changed;
//! it has nothing for having the move. The paper names eleven features and says no more of them; each
//! is a group of weights here ([`HokiGroup`]) that says how we read it, and a [`mod@file`] that leaves
//! a group out switches it off. Squares around a king are those of the side's normalized view,
//! mirrored if its king stands beyond the 5th file. With that the mirrored board has the same value,
//! but for a king on the 5th file, whose wings are learned each by itself.
//!
//! [`walk()`] finds the weights that a position has. The value, its parts, and learning all sum over
//! it.
//!
//! Comes in: a [`Position`](crate::shogi::Position), weights from a file. Goes out: scores,
//! occurrences of weights.
//!
//! Source: Hoki, "Full-width search in computer shogi", IPSJ Magazine 47-8 (2006), appendix.

mod attack_counts;
pub mod file;
pub mod full;
mod group;
mod in_search;
mod side;
#[cfg(test)]
mod tests;
mod walk;
mod weights;

pub use group::{HokiGroup, HokiGroups};
pub use walk::{Occurrence, walk};
pub use weights::{HokiTables, HokiWeights, UNIT};
