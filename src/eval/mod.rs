//! Evaluation: what a position is worth.
//!
//! Main types: [`Score`]; [`Evaluator`], which follows a line of moves; [`PieceIndex`] and
//! [`PieceList`], the numbering of pieces on which learned weights are laid. Comes in: a
//! [`Position`](crate::shogi::Position) and the [`Delta`](crate::shogi::Delta) of each move. Goes
//! out: scores, and the values the search prunes with ([`exchange_values`],
//! [`piece_king_change`], [`PAWN_EXCHANGE`]).
//!
//! The value is material plus the relations of every piece to either king, a sum of terms of one
//! king and one piece: [`material`] and [`king_relation`] define it, [`full`] sums it from
//! scratch, [`incremental`] keeps it along a line.
//!
//! Source: the split into material and king relations follows Hoki, "Optimal control of minimax
//! search results to learn positional evaluation" (2006).

pub mod full;
pub mod incremental;
mod index;
pub mod king_relation;
pub mod material;
mod piece_list;
mod score;

pub use full::explain;
pub use incremental::Evaluator;
pub use index::PieceIndex;
pub use king_relation::piece_king_change;
pub use material::{PAWN_EXCHANGE, exchange_values};
pub use piece_list::PieceList;
pub use score::Score;
