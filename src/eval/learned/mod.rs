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
//! +- tempo(k, K')                                      for the side to move
//! ```
//!
//! KK, KKP and PP are read in Black's view and are antisymmetric under turning the board; a half is
//! the sum of w(k, i, j) over all pairs in a side's own [`KingView`], and w has several forms
//! ([`kpp`]): a table or a factored product. In place of halves there may be a [`network`], a
//! function of all pieces in both sides' views; its value is the side to move's. A *standalone* network
//! is the whole value, without material and the other parts. Empty slots of the list weigh nothing;
//! with a king missing, material is all.
//!
//! [`features`] lists what has weights, [`Weights`] holds the numbers, [`mod@file`] reads and writes
//! them, [`RealWeights`] is what learning hands over; [`full`] is the value from scratch,
//! [`incremental`] keeps it along a line.
//!
//! Source: the features of Bonanza (Hoki, Kaneko: "Large-scale optimization for evaluation functions
//! with minimax search", JAIR 49, 2014); pairs of pieces: Kaneko, Tanaka, Yamaguchi, Kawai (2007);
//! the factored form: factorization machines (Rendle 2010).

pub mod explain;
pub mod features;
pub mod file;
pub mod full;
pub(super) mod incremental;
mod king_view;
pub mod kpp;
pub mod network;
mod real;
mod triangle;
mod unit;
mod weights;

pub use king_view::KingView;
pub use kpp::Kpp;
pub use network::Network;
pub use real::{Quantized, RealHead, RealKpp, RealNetwork, RealTop, RealWeights};
pub use triangle::{TRIANGLE, triangle_index, triangle_pairs};
pub use unit::{UNIT, UNIT_BITS};
pub use weights::{SingleWeights, Weights};
