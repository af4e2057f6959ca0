//! KPP as a table of weights, as in Bonanza.

use crate::eval::index::{PieceIndex, PieceRow};
use crate::eval::kernel::portable;
use crate::eval::learned::features::{IndexChange, SideView, pairs, pairs_change};
use crate::eval::learned::king_view::KingView;
use crate::eval::learned::triangle::{TRIANGLE, unfold};

/// All weights w(k, i, j), as a square for each king: `[k][i][j]` = `[k][j][i]`. The table takes
/// 215 MB.
#[derive(Clone, Debug, PartialEq)]
pub struct KppTable(Vec<PieceRow>);

impl KppTable {
    /// Creates a table from triangles with the shape `[45][TRIANGLE]`, in weight units. Returns
    /// `None` if the shape is wrong or an empty slot has a weight.
    pub fn new(triangles: &[i16]) -> Option<KppTable> {
        if triangles.len() != KingView::KINGS * TRIANGLE {
            return None;
        }
        let mut rows = vec![[0; PieceIndex::COUNT]; KingView::KINGS * PieceIndex::COUNT];
        let mut squares =
            rows.chunks_exact_mut(PieceIndex::COUNT).zip(triangles.chunks_exact(TRIANGLE));
        squares.all(|(square, triangle)| unfold(triangle, square)).then_some(KppTable(rows))
    }

    /// All rows in weight units, one per king and piece.
    pub fn rows(&self) -> &[PieceRow] {
        &self.0
    }

    #[inline]
    fn row(&self, king: usize, index: PieceIndex) -> &PieceRow {
        &self.0[king * PieceIndex::COUNT + index.index()]
    }

    /// Computes a half from scratch.
    pub(in crate::eval::learned) fn half(&self, side: SideView<'_>) -> i32 {
        let row = |index| self.row(side.kings.king(), index);
        let pieces = side.normal_pieces();
        let sums = pairs(&pieces).map(|(index, others)| portable::row_sum(row(index), others));
        sums.sum()
    }

    /// Change of the half by `changes`, which led to `side`.
    pub(in crate::eval::learned) fn change(
        &self,
        side: SideView<'_>,
        changes: &[IndexChange],
    ) -> i32 {
        let row = |index| self.row(side.kings.king(), index);
        pairs_change(side.normal_pieces(), changes, |old, new, others| {
            portable::row_change(row(old), row(new), others)
        })
    }

    /// w(k, i, j) in weight units.
    pub fn weight(&self, king: usize, i: PieceIndex, j: PieceIndex) -> f64 {
        f64::from(self.row(king, i)[j.index()])
    }
}
