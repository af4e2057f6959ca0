//! Evaluation of positions.
//!
//! Main types:
//! - [`Evaluation`]: the evaluation in use;
//! - [`Evaluator`]: follows a line of moves;
//! - [`Score`]: a value of a position;
//! - [`PieceIndex`] and [`PieceList`]: the numbering of pieces that learned weights use.
//!
//! Input: a [`Position`](crate::shogi::Position) and the [`Delta`](crate::shogi::Delta) of each
//! move. Output: scores, and the values that the search prunes with ([`see_values`],
//! [`PAWN_EXCHANGE`]).
//!
//! The value is [`material`] plus relations of the pieces. The relations are [`learned`] (from the
//! [`embedded`] weights or a file) or [`hand_made`]. Each evaluation computes its value from scratch
//! in its module `full`. Along a line, the module `incremental` updates the value. Networks from
//! [`nnue`] files, which users supply, give the whole value without material. Other forms are
//! defined elsewhere and [registered](register_forms). [`kernel`] contains the inner loops.

mod accumulators;
mod embedded;
mod evaluation;
pub mod hand_made;
mod index;
pub mod kernel;
pub mod learned;
pub(crate) mod line_stack;
pub mod material;
pub mod nnue;
mod piece_list;
mod recorded_line;
mod refresh_cache;
mod registered;
mod score;
mod source;

pub use evaluation::{Evaluation, Evaluator};
pub use index::PieceIndex;
pub use kernel::Kernel;
pub use material::{PAWN_EXCHANGE, see_values};
pub use piece_list::{PieceList, places, places_of};
pub use registered::{FormReader, ReadForm, RegisteredForm, RegisteredLine, register_forms};
pub use score::Score;
pub use source::EvaluationSource;
