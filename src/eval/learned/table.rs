//! King-relative pairs, every weight by itself: the KPP of Bonanza.

use super::king_pairs::{PairForm, SideView, Step};
use super::{KingView, TRIANGLE, triangle_index};
use crate::eval::PieceIndex;
use crate::eval::kernel::{Cell, Kernel, Row};

/// Every weight w(k, i, j), square for each king: `[k][i][j]` = `[k][j][i]`.
#[derive(Clone, Debug, PartialEq)]
pub enum Table {
    /// 215 MB.
    Wide(Vec<Row<i16>>),
    /// 108 MB; each cell counts [`NARROW_UNIT`](Table::NARROW_UNIT) weight units.
    Narrow(Vec<Row<i8>>),
}

impl Table {
    /// Weight units of one unit of a narrow cell: 1/4 centipawn, so cells reach 32 centipawns.
    pub const NARROW_UNIT: i32 = 8;

    /// From triangles, shape `[45][TRIANGLE]`, in weight units. `None` if the shape is wrong or an
    /// empty slot has a weight.
    pub fn wide(triangles: &[i16]) -> Option<Table> {
        unfold(triangles).map(Table::Wide)
    }

    /// The same in narrow cells.
    pub fn narrow(triangles: &[i8]) -> Option<Table> {
        unfold(triangles).map(Table::Narrow)
    }
}

fn unfold<T: Cell>(triangles: &[T]) -> Option<Vec<Row<T>>> {
    if triangles.len() != KingView::KINGS * TRIANGLE {
        return None;
    }
    let mut rows = vec![[T::default(); PieceIndex::COUNT]; KingView::KINGS * PieceIndex::COUNT];
    let squares = rows.chunks_exact_mut(PieceIndex::COUNT);
    for (square, triangle) in squares.zip(triangles.chunks_exact(TRIANGLE)) {
        for j in PieceIndex::all() {
            for i in PieceIndex::all().take(j.index()) {
                let weight = triangle[triangle_index(i, j)];
                if i == PieceIndex::NONE && weight != T::default() {
                    return None;
                }
                square[i.index()][j.index()] = weight;
                square[j.index()][i.index()] = weight;
            }
        }
    }
    Some(rows)
}

impl PairForm for Table {
    fn lanes(&self) -> usize {
        0
    }

    fn refresh(&self, kernel: Kernel, side: SideView<'_>, _: &mut [i16]) -> i32 {
        match self {
            Table::Wide(rows) => all_pairs(rows, kernel, side),
            Table::Narrow(rows) => all_pairs(rows, kernel, side) * Table::NARROW_UNIT,
        }
    }

    fn follow(
        &self,
        kernel: Kernel,
        side: SideView<'_>,
        steps: &[Step],
        before: (i32, &[i16]),
        _: &mut [i16],
    ) -> i32 {
        before.0
            + match self {
                Table::Wide(rows) => change(rows, kernel, side, steps),
                Table::Narrow(rows) => change(rows, kernel, side, steps) * Table::NARROW_UNIT,
            }
    }

    fn weight(&self, king: usize, i: PieceIndex, j: PieceIndex) -> f64 {
        f64::from(match self {
            Table::Wide(rows) => i32::from(row(rows, king, i)[j.index()]),
            Table::Narrow(rows) => i32::from(row(rows, king, i)[j.index()]) * Table::NARROW_UNIT,
        })
    }
}

#[inline]
fn row<T>(rows: &[Row<T>], king: usize, index: PieceIndex) -> &Row<T> {
    &rows[king * PieceIndex::COUNT + index.index()]
}

fn all_pairs<T: Cell>(rows: &[Row<T>], kernel: Kernel, side: SideView<'_>) -> i32 {
    let pieces = side.normal_pieces();
    let row = |index| row(rows, side.kings.king(), index);
    let earlier = pieces.iter().enumerate().skip(1);
    earlier.map(|(n, &index)| kernel.row_sum(row(index), &pieces[..n])).sum()
}

/// What the steps change, one piece after the other; the others stand where they stood before or
/// after it.
fn change<T: Cell>(rows: &[Row<T>], kernel: Kernel, side: SideView<'_>, steps: &[Step]) -> i32 {
    let row = |index| row(rows, side.kings.king(), index);
    let mut standing = side.normal_pieces();
    for step in steps {
        standing[usize::from(step.slot)] = step.old;
    }
    let mut sum = 0;
    for step in steps {
        let slot = usize::from(step.slot);
        // Nothing is related to the empty slot: the piece does not meet itself.
        standing[slot] = PieceIndex::NONE;
        sum += kernel.row_change(row(step.old), row(step.new), &standing);
        standing[slot] = step.new;
    }
    sum
}
