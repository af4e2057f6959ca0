//! Evaluation: what a position is worth.
//!
//! Main types: [`Evaluation`], which of them is used; [`Evaluator`], which follows a line of moves;
//! [`Score`]; [`PieceIndex`] and [`PieceList`], the numbering of pieces on which learned weights are
//! laid. Comes in: a [`Position`](crate::shogi::Position) and the [`Delta`](crate::shogi::Delta) of
//! each move. Goes out: scores, and the values the search prunes with ([`see_values`],
//! [`PAWN_EXCHANGE`], [`Evaluator::piece_king_change`]).
//!
//! The value is [`material`] plus relations of the pieces: [`learned`] ones from the weights inside
//! the program ([`embedded`]) or a file, those of [`pairs`] from a file, or a few [`hand_made`] ones.
//! That of [`features`] has few weights, piece values among them, that of [`hoki`] many, of three
//! places. Each evaluation sums its value from scratch in its module `full`; along a line it is kept up
//! to date in `incremental`, or, these last two, made `from_scratch`. The networks of [`nnue`] files,
//! which players own, are values by themselves, without material. [`kernel`] holds the inner loops.

mod embedded;
mod evaluation;
pub mod features;
mod from_scratch;
pub mod hand_made;
pub mod hoki;
mod index;
pub mod kernel;
pub mod learned;
mod line_stack;
pub mod material;
pub mod nnue;
pub mod pairs;
mod piece_list;
pub mod ratings;
mod score;
mod source;

pub use evaluation::{Evaluation, Evaluator};
pub use index::PieceIndex;
pub use kernel::Kernel;
pub use material::{PAWN_EXCHANGE, see_values};
pub use piece_list::{PieceList, SlotChange, SlotChanges, places};
pub use score::Score;
pub use source::{EvaluationCache, EvaluationSource};
