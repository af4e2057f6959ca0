//! The weights of all relations.

use super::piece::{PairList, PairPiece};
use crate::shogi::Delta;

/// Number of relations, including impossible ones.
pub const RELATIONS: usize = PairPiece::COUNT * (PairPiece::COUNT + 1) / 2;

/// Length of a row of weights: all pieces, the empty slot, and padding up to the end of a cache
/// line.
const ROW: usize = PairPiece::COUNT.next_multiple_of(64);

/// Weights in centipawns, from Black's view. Shape `[2296][2296]`, symmetric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairWeights {
    rows: Vec<[i8; ROW]>,
}

/// Index of the relation of two pieces, in either order, 0..[`RELATIONS`].
#[inline]
pub fn relation_index(a: PairPiece, b: PairPiece) -> usize {
    let (low, high) = (a.index().min(b.index()), a.index().max(b.index()));
    high * (high + 1) / 2 + low
}

/// All relations in index order.
pub fn relations() -> impl Iterator<Item = (PairPiece, PairPiece)> {
    let upto = |high: PairPiece| PairPiece::all().take(high.index() + 1);
    PairPiece::all().flat_map(move |high| upto(high).map(move |low| (low, high)))
}

impl PairWeights {
    /// Creates weights from those of the relations in index order, shape `[RELATIONS]`. Returns
    /// `None` if the length is different.
    pub fn new(weights: &[i8]) -> Option<PairWeights> {
        if weights.len() != RELATIONS {
            return None;
        }
        let mut rows = vec![[0; ROW]; PairPiece::COUNT];
        for ((low, high), &weight) in relations().zip(weights) {
            rows[low.index()][high.index()] = weight;
            rows[high.index()][low.index()] = weight;
        }
        Some(PairWeights { rows })
    }

    /// Weights that are all 0, so that the value is material alone.
    pub fn zero() -> PairWeights {
        PairWeights { rows: vec![[0; ROW]; PairPiece::COUNT] }
    }

    /// The weight of a relation.
    #[inline]
    pub fn get(&self, a: PairPiece, b: PairPiece) -> i8 {
        self.rows[a.index()][b.index()]
    }

    /// The weights of the relations in index order.
    pub fn triangle(&self) -> Vec<i8> {
        self.rows.iter().enumerate().flat_map(|(high, row)| &row[..=high]).copied().collect()
    }

    /// Sum of the weights between one piece and all pieces of a list, including the piece if the
    /// list contains it.
    #[inline]
    pub fn sum(&self, piece: PairPiece, list: &PairList) -> i32 {
        let row = &self.rows[piece.index()];
        list.pieces().iter().map(|other| i32::from(row[other.index()])).sum()
    }

    /// Applies a move to a list, and returns the change of the sum over all its relations.
    #[inline]
    pub fn follow(&self, list: &mut PairList, delta: &Delta) -> i32 {
        // The captured piece is first, because the mover takes over its square.
        let mut sum = 0;
        for change in delta.captured.iter().chain([&delta.moved]) {
            sum -= self.sum(PairPiece::new(change.before), list);
            list.apply_change(change);
            sum += self.sum(PairPiece::new(change.after), list);
        }
        sum
    }
}
