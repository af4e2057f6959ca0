//! The weights of a learned evaluation, ready for use.

use super::{KingPairs, KingView, TRIANGLE, triangle_index};
use crate::eval::PieceIndex;
use crate::eval::kernel::Row;

/// All weights of one learned evaluation, in fixed point: [`UNIT`](super::UNIT) of a centipawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    single: SingleWeights,
    /// Shape `[1548][1548]`, symmetric, Black's view.
    pairs: Vec<Row<i16>>,
    king_pairs: KingPairs,
}

/// The weights of the kings and of one piece with them.
#[derive(Clone, Debug, PartialEq)]
pub struct SingleWeights {
    /// Both kings. Shape `[3645]` by [`KingView::pair`], Black's view.
    pub kings: Vec<i16>,
    /// Having the move, by the kings as the side to move sees them. Shape `[3645]`.
    pub turn: Vec<i16>,
    /// Both kings and a piece. Shape `[3645][1548]`, Black's view.
    pub king_pieces: Vec<Row<i16>>,
}

impl Weights {
    /// `pairs`: the king-free pairs, shape `[TRIANGLE]`, Black's view. `None` if a shape is wrong or
    /// an empty slot has a weight.
    pub fn new(single: SingleWeights, pairs: &[i16], king_pairs: KingPairs) -> Option<Weights> {
        let shaped = single.kings.len() == KingView::PAIRS
            && single.turn.len() == KingView::PAIRS
            && single.king_pieces.len() == KingView::PAIRS
            && pairs.len() == TRIANGLE;
        if !shaped {
            return None;
        }
        let mut rows = vec![[0; PieceIndex::COUNT]; PieceIndex::COUNT];
        for j in PieceIndex::all() {
            for i in PieceIndex::all().take(j.index()) {
                let weight = pairs[triangle_index(i, j)];
                rows[i.index()][j.index()] = weight;
                rows[j.index()][i.index()] = weight;
            }
        }
        let empty = PieceIndex::NONE.index();
        let empty_slots_are_zero = rows[empty].iter().all(|&w| w == 0)
            && single.king_pieces.iter().all(|row| row[empty] == 0);
        empty_slots_are_zero.then_some(Weights { single, pairs: rows, king_pairs })
    }

    /// The weights of the kings and of one piece with them.
    pub fn single(&self) -> &SingleWeights {
        &self.single
    }

    /// The weights of a king and two pieces.
    #[inline]
    pub fn king_pairs(&self) -> &KingPairs {
        &self.king_pairs
    }

    /// Both kings, Black's view.
    #[inline]
    pub(super) fn kings(&self, view: KingView) -> i32 {
        i32::from(self.single.kings[view.pair()])
    }

    /// Having the move. `view`: of the side to move.
    #[inline]
    pub(super) fn turn(&self, view: KingView) -> i32 {
        i32::from(self.single.turn[view.pair()])
    }

    /// Both kings with every piece, Black's view.
    #[inline]
    pub(super) fn king_piece_row(&self, view: KingView) -> &Row<i16> {
        &self.single.king_pieces[view.pair()]
    }

    /// A piece with every other piece, Black's view.
    #[inline]
    pub(super) fn pair_row(&self, index: PieceIndex) -> &Row<i16> {
        &self.pairs[index.index()]
    }

    /// The king-free pairs, shape `[TRIANGLE]`, Black's view.
    pub fn pair_triangle(&self) -> Vec<i16> {
        let mut triangle = vec![0; TRIANGLE];
        for j in PieceIndex::all() {
            let row = &self.pairs[j.index()][..j.index()];
            triangle[triangle_index(PieceIndex::NONE, j)..][..row.len()].copy_from_slice(row);
        }
        triangle
    }
}
