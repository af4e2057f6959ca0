//! KPP, the relations of a king and two pieces.
//!
//! A *half* belongs to one side's king. It is the sum of the weights w(k, i, j) over all pairs of
//! pieces in its normalized view, in weight units ([`UNIT`](super::UNIT)). The factored form stores
//! as many partial sums as its rank, and computes the half from them.

mod factored;
mod table;

pub use factored::Factored;
pub use table::KppTable;

use super::features::{IndexChange, SideView};
use crate::eval::index::PieceIndex;
use crate::eval::kernel::Kernel;

/// The weights w(k, i, j) of a king k and two pieces i and j, in one of several forms.
#[derive(Clone, Debug, PartialEq)]
pub enum Kpp {
    /// A table of 16-bit weights.
    Wide(KppTable<i16>),
    /// A table of 8-bit weights.
    Narrow(KppTable<i8>),
    /// Products of piece vectors.
    Factored(Factored),
}

impl Kpp {
    /// Number of partial sums of a half: the rank of the factored form, a multiple of 32, or 0.
    #[inline]
    pub fn rank(&self) -> usize {
        match self {
            Kpp::Factored(form) => form.rank(),
            _ => 0,
        }
    }

    /// Computes a half from scratch, and fills `sums`. Costs all pieces or all pairs.
    #[inline]
    pub fn refresh(&self, kernel: Kernel, side: SideView<'_>, sums: &mut [i16]) -> i32 {
        match self {
            Kpp::Wide(form) => form.half(side),
            Kpp::Narrow(form) => form.half(side),
            Kpp::Factored(form) => form.refresh(kernel, side, sums),
        }
    }

    /// Computes a half after `changes`, which led to `side`, and fills `sums`. `before` contains
    /// the previous half and partial sums.
    #[inline]
    pub(super) fn follow(
        &self,
        kernel: Kernel,
        side: SideView<'_>,
        changes: &[IndexChange],
        before: (i32, &[i16]),
        sums: &mut [i16],
    ) -> i32 {
        match self {
            Kpp::Wide(form) => before.0 + form.change(side, changes),
            Kpp::Narrow(form) => before.0 + form.change(side, changes),
            Kpp::Factored(form) => form.follow(kernel, side, changes, before, sums),
        }
    }

    /// w(k, i, j) in weight units, rounded. 0 for the empty slot.
    pub fn weight(&self, king: usize, i: PieceIndex, j: PieceIndex) -> f64 {
        match self {
            Kpp::Wide(form) => form.weight(king, i, j),
            Kpp::Narrow(form) => form.weight(king, i, j),
            Kpp::Factored(form) => form.weight(king, i, j),
        }
    }
}
