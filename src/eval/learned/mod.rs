//! The learned evaluation: material plus relations between the pieces.
//!
//! Value of a position from Black's view, in centipawns:
//!
//! ```text
//!   material                                           piece values
//! + all terms                                          tables of weights: Term
//! + half(Black) - half(White)                          a king and two pieces, or
//! +- network(accumulators of both sides)               all pieces of a side's view together
//! ```
//!
//! The piece values are the engine's unless the weights have their own. One table lists the
//! [`Term`]s. They use Black's view and are antisymmetric under rotation of the board, except the
//! tempo and the [`threats`], which use the view of the side to move. A half is the sum of w(k, i, j) over all pairs
//! in a side's own [`KingView`]. The weight w has several forms ([`kpp`]): a table or a factored
//! product. A [`network`] can replace the halves. It is a function of all pieces in both sides'
//! views, and its value is from the side to move's view. A *standalone* network is the whole value,
//! without material and the other parts. Empty slots of the list have the weight 0. If a king is
//! missing, the value is material only.
//!
//! [`features`] lists the features, and [`Weights`] contains their weights. [`mod@file`] reads and
//! writes weights. [`full`] computes the value from
//! scratch, and [`incremental`] updates it along a line.
//!
//! Source: the features are those of Bonanza (Hoki, Kaneko: "Large-scale optimization for
//! evaluation functions with minimax search", JAIR 49, 2014). Pairs of pieces: Kaneko, Tanaka,
//! Yamaguchi, Kawai (2007). Factored form: factorization machines (Rendle 2010).

pub mod features;
pub mod file;
pub mod full;
pub(super) mod incremental;
mod king_view;
pub mod kpp;
pub mod network;
mod parts;
pub mod threats;
mod triangle;
mod weights;

pub use king_view::KingView;
pub use kpp::Kpp;
pub use network::Network;
pub use parts::{Term, TermShape, Terms};
pub use triangle::{TRIANGLE, triangle_index, triangle_pairs, unordered_index};
pub use weights::{Upper, Weights};

/// Number of fraction bits: weights are in 2^-5 of a centipawn.
pub const UNIT_BITS: u32 = 5;
/// Weight units per centipawn.
pub const UNIT: i32 = 1 << UNIT_BITS;
