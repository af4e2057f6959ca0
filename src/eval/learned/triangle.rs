//! Tables of pairs of piece indices: as a triangle with each pair once, or as a square.

use crate::eval::index::{PieceIndex, PieceRow};

/// Number of pairs of different piece indices.
pub const TRIANGLE: usize = PieceIndex::COUNT * (PieceIndex::COUNT - 1) / 2;

/// Index of the pair i < j in a triangle, 0..[`TRIANGLE`].
#[inline]
pub fn triangle_index(i: PieceIndex, j: PieceIndex) -> usize {
    debug_assert!(i < j);
    j.index() * j.index().saturating_sub(1) / 2 + i.index()
}

/// Index of a pair in either order.
#[inline]
pub fn unordered_index(i: PieceIndex, j: PieceIndex) -> usize {
    triangle_index(i.min(j), i.max(j))
}

/// The pairs i < j in the order of a triangle.
pub fn triangle_pairs() -> impl Iterator<Item = (PieceIndex, PieceIndex)> {
    PieceIndex::all().flat_map(|j| PieceIndex::all().take(j.index()).map(move |i| (i, j)))
}

/// Copies a triangle to both halves of a square, shape `[1548][1548]`. Returns false if an empty
/// slot has a weight.
pub(super) fn unfold(triangle: &[i16], square: &mut [PieceRow]) -> bool {
    for ((i, j), &weight) in triangle_pairs().zip(triangle) {
        square[i.index()][j.index()] = weight;
        square[j.index()][i.index()] = weight;
    }
    square[PieceIndex::NONE.index()].iter().all(|&weight| weight == 0)
}

/// Extracts the triangle from a square.
pub(super) fn fold(square: &[PieceRow]) -> Vec<i16> {
    square.iter().enumerate().flat_map(|(j, row)| &row[..j]).copied().collect()
}
