//! KPP, the relations of a king and two pieces.
//!
//! A *half* belongs to one side's king. It is the sum of the weights w(k, i, j) over all pairs of
//! pieces in its normalized view, in weight units ([`UNIT`](super::UNIT)). The factored form
//! computes it from as many partial sums as its rank.

mod factored;
mod table;

pub use factored::Factored;
pub use table::KppTable;

use super::features::SideView;
use crate::eval::index::PieceIndex;
use crate::eval::kernel::Kernel;

/// The weights w(k, i, j) of a king k and two pieces i and j, in one of two forms.
#[derive(Clone, Debug, PartialEq)]
pub enum Kpp {
    /// A table of weights.
    Table(KppTable),
    /// Products of piece vectors.
    Factored(Factored),
}

impl Kpp {
    /// Computes a half from scratch. Costs all pieces or all pairs.
    pub fn half(&self, side: SideView<'_>) -> i32 {
        match self {
            Kpp::Table(form) => form.half(side),
            Kpp::Factored(form) => form.half(Kernel::Portable, side),
        }
    }

    /// w(k, i, j) in weight units, rounded. 0 for the empty slot.
    pub fn weight(&self, king: usize, i: PieceIndex, j: PieceIndex) -> f64 {
        match self {
            Kpp::Table(form) => form.weight(king, i, j),
            Kpp::Factored(form) => form.weight(king, i, j),
        }
    }
}
