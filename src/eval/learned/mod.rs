//! The learned evaluation: material plus the relations between the pieces.
//!
//! Value of a position from Black's view, in centipawns:
//!
//! ```text
//!   material
//! + KK(k, K') + sum over pieces i of KKP(k, K', i)     both kings; both kings and a piece
//! + sum over pairs of pieces of PP(i, j)               two pieces, wherever the kings are
//! + half(Black) - half(White)                          a king and two pieces, or
//! +- network(accumulators of both sides)               all pieces of a side's view at once
//! +- turn(k, K')                                       for the side to move
//! ```
//!
//! KK, KKP and PP are read in Black's view and are antisymmetric under turning the board; a half is
//! the sum of w(k, i, j) over all pairs in a side's own [`KingView`], and w has several forms
//! ([`king_pairs`]): a [`table`] or a [`factored`] product. In place of halves there may be a
//! [`network`], a function of all pieces in both sides' views; its value is the side to move's. Empty slots of the list weigh nothing;
//! with a king missing, material is all.
//!
//! [`Weights`] holds the numbers, [`mod@file`] reads and writes them, [`RealWeights`] is what learning
//! hands over; [`full`] is the value from scratch, [`incremental`] keeps it along a line.
//!
//! Source: the features of Bonanza (Hoki, Kaneko: "Large-scale optimization for evaluation functions
//! with minimax search", JAIR 49, 2014); pairs of pieces: Kaneko, Tanaka, Yamaguchi, Kawai (2007);
//! the factored form: factorization machines (Rendle 2010).

pub mod explain;
pub mod factored;
pub mod file;
pub mod full;
pub(super) mod incremental;
pub mod king_pairs;
mod king_view;
pub mod network;
mod real;
pub mod table;
mod weights;

pub use king_pairs::KingPairs;
pub use king_view::KingView;
pub use network::{Network, RealHead, RealNetwork, RealTop};
pub use real::{Quantized, RealKingPairs, RealWeights};
pub use weights::{SingleWeights, Weights};

use super::PieceIndex;

/// Weights are in 2^-5 of a centipawn.
pub const UNIT_BITS: u32 = 5;
/// Weight units of a centipawn.
pub const UNIT: i32 = 1 << UNIT_BITS;

/// Number of pairs of different piece indices.
pub const TRIANGLE: usize = PieceIndex::COUNT * (PieceIndex::COUNT - 1) / 2;

/// Place of the pair i < j in a triangle, 0..[`TRIANGLE`].
#[inline]
pub fn triangle_index(i: PieceIndex, j: PieceIndex) -> usize {
    debug_assert!(i < j);
    j.index() * j.index().saturating_sub(1) / 2 + i.index()
}
