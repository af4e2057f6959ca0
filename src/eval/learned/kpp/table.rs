//! KPP, every weight by itself: that of Bonanza.

use crate::eval::index::PieceIndex;
use crate::eval::kernel::{Cell, Kernel, PieceRow};
use crate::eval::learned::features::{IndexChange, SideView, pairs, pairs_change};
use crate::eval::learned::king_view::KingView;
use crate::eval::learned::triangle::{TRIANGLE, unfold};

/// Every weight w(k, i, j), square for each king: `[k][i][j]` = `[k][j][i]`.
#[derive(Clone, Debug, PartialEq)]
pub enum KppTable {
    /// 215 MB.
    Wide(Vec<PieceRow<i16>>),
    /// 108 MB; each cell counts [`NARROW_UNIT`](KppTable::NARROW_UNIT) weight units.
    Narrow(Vec<PieceRow<i8>>),
}

impl KppTable {
    /// Weight units of one unit of a narrow cell: 1/4 centipawn, so cells reach 32 centipawns.
    pub const NARROW_UNIT: i32 = 8;

    /// From triangles, shape `[45][TRIANGLE]`, in weight units. `None` if the shape is wrong or an
    /// empty slot has a weight.
    pub fn wide(triangles: &[i16]) -> Option<KppTable> {
        squares(triangles).map(KppTable::Wide)
    }

    /// The same in narrow cells.
    pub fn narrow(triangles: &[i8]) -> Option<KppTable> {
        squares(triangles).map(KppTable::Narrow)
    }

    pub(super) fn half(&self, kernel: Kernel, side: SideView<'_>) -> i32 {
        match self {
            KppTable::Wide(rows) => all_pairs(rows, kernel, side),
            KppTable::Narrow(rows) => all_pairs(rows, kernel, side) * KppTable::NARROW_UNIT,
        }
    }

    pub(super) fn change(
        &self,
        kernel: Kernel,
        side: SideView<'_>,
        changes: &[IndexChange],
    ) -> i32 {
        match self {
            KppTable::Wide(rows) => change(rows, kernel, side, changes),
            KppTable::Narrow(rows) => change(rows, kernel, side, changes) * KppTable::NARROW_UNIT,
        }
    }

    /// w(k, i, j) in weight units.
    pub fn weight(&self, king: usize, i: PieceIndex, j: PieceIndex) -> f64 {
        f64::from(match self {
            KppTable::Wide(rows) => i32::from(row(rows, king, i)[j.index()]),
            KppTable::Narrow(rows) => {
                i32::from(row(rows, king, i)[j.index()]) * KppTable::NARROW_UNIT
            }
        })
    }
}

fn squares<T: Cell>(triangles: &[T]) -> Option<Vec<PieceRow<T>>> {
    if triangles.len() != KingView::KINGS * TRIANGLE {
        return None;
    }
    let mut rows = vec![[T::default(); PieceIndex::COUNT]; KingView::KINGS * PieceIndex::COUNT];
    let mut squares =
        rows.chunks_exact_mut(PieceIndex::COUNT).zip(triangles.chunks_exact(TRIANGLE));
    squares.all(|(square, triangle)| unfold(triangle, square)).then_some(rows)
}

#[inline]
fn row<T>(rows: &[PieceRow<T>], king: usize, index: PieceIndex) -> &PieceRow<T> {
    &rows[king * PieceIndex::COUNT + index.index()]
}

fn all_pairs<T: Cell>(rows: &[PieceRow<T>], kernel: Kernel, side: SideView<'_>) -> i32 {
    let row = |index| row(rows, side.kings.king(), index);
    pairs(&side.normal_pieces()).map(|(index, others)| kernel.row_sum(row(index), others)).sum()
}

fn change<T: Cell>(
    rows: &[PieceRow<T>],
    kernel: Kernel,
    side: SideView<'_>,
    changes: &[IndexChange],
) -> i32 {
    let row = |index| row(rows, side.kings.king(), index);
    pairs_change(side.normal_pieces(), changes, |old, new, others| {
        kernel.row_change(row(old), row(new), others)
    })
}
