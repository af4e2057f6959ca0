//! The network and its value of a position.

use arrayvec::ArrayVec;

use crate::eval::{PieceIndex, PieceList};
use crate::shogi::Square;

/// Accumulator values of one side's view.
pub(super) const WIDTH: usize = 256;
/// Inputs of the first hidden layer: the side to move's accumulator, then the other's.
pub(super) const INPUTS: usize = 2 * WIDTH;
/// Hidden units of each of the two hidden layers.
pub(super) const HIDDEN: usize = 32;
/// Features of a view at a time: the pieces and, in K-P, the two kings.
const ACTIVE: usize = PieceList::SLOTS + 2;
/// Inputs and hidden units are clipped to `0..=CLIP`.
const CLIP: i16 = 127;

/// What the rows of the first layer stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelFeatures {
    /// K-P, 1,710 features: the piece indices, then the squares of the own king, then those of the
    /// enemy king.
    KP,
    /// HalfKP, 81 x 1,548 features: a piece index for each square of the own king.
    HalfKP,
}

impl LabelFeatures {
    /// Number of features.
    pub const fn count(self) -> usize {
        match self {
            LabelFeatures::KP => PieceIndex::COUNT + 2 * Square::COUNT,
            LabelFeatures::HalfKP => Square::COUNT * PieceIndex::COUNT,
        }
    }

    /// The features of one side's view.
    fn active(
        self,
        pieces: impl Iterator<Item = PieceIndex>,
        own_king: Square,
        enemy_king: Square,
    ) -> ArrayVec<usize, ACTIVE> {
        let (own_king, enemy_king) = (own_king.index(), enemy_king.index());
        let pieces = pieces.filter(|&piece| piece != PieceIndex::NONE);
        match self {
            LabelFeatures::KP => {
                let kings = [own_king, Square::COUNT + enemy_king].map(|at| PieceIndex::COUNT + at);
                pieces.map(PieceIndex::index).chain(kings).collect()
            }
            LabelFeatures::HalfKP => {
                let first = PieceIndex::COUNT * own_king;
                pieces.map(|piece| first + piece.index()).collect()
            }
        }
    }
}

/// A network of the shape features -> 256 x 2 -> 32 -> 32 -> 1, in integers.
///
/// Memory: 0.9 MB for K-P, 64 MB for HalfKP.
#[derive(Clone, Debug)]
pub struct LabelNetwork {
    pub(super) features: LabelFeatures,
    pub(super) bias: LabelRow,
    /// Shape `[feature][256]`.
    pub(super) rows: Vec<LabelRow>,
    pub(super) first: LabelLayer<INPUTS>,
    pub(super) second: LabelLayer<HIDDEN>,
    pub(super) last_bias: i32,
    pub(super) last: [i16; HIDDEN],
}

/// What one feature adds to an accumulator. Aligned so that no vector load crosses a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct LabelRow(pub(super) [i16; WIDTH]);

/// A fully connected layer of 32 units. The weights are bytes in the file; in 16 bits two products
/// and their sum are one instruction on many CPUs.
#[derive(Clone, Debug)]
pub(super) struct LabelLayer<const N: usize> {
    pub(super) bias: [i32; HIDDEN],
    /// Shape `[unit][input]`.
    pub(super) weights: Vec<[i16; N]>,
}

impl LabelNetwork {
    /// The value for the side to move, in the network's own units (those of its engine's score).
    ///
    /// `pieces`: all pieces but the kings as the side to move sees them, in any order;
    /// [`PieceIndex::NONE`] is skipped. Kings: their squares as the side to move sees them (turned
    /// by 180 degrees for White). Panics if there are more than 38 pieces. Cost: 76 rows of 256
    /// added up and 17,440 products, about a microsecond.
    pub fn evaluate(&self, pieces: &[PieceIndex], own_king: Square, enemy_king: Square) -> i32 {
        let own = self.features.active(pieces.iter().copied(), own_king, enemy_king);
        let turned = pieces.iter().map(|piece| piece.turned());
        let other = self.features.active(turned, enemy_king.flip(), own_king.flip());
        let mut inputs = [0; INPUTS];
        for (half, active) in inputs.chunks_exact_mut(WIDTH).zip([own, other]) {
            let sums = self.accumulate(&active);
            for (input, sum) in half.iter_mut().zip(sums.0) {
                *input = sum.clamp(0, CLIP);
            }
        }
        let hidden = self.second.units(&self.first.units(&inputs));
        // Towards zero, as the format's engines divide.
        self.last_bias.wrapping_add(dot(&self.last, &hidden)) / 16
    }

    /// The bias and the rows of these features added up. The format is in 16 bits; sums that leave
    /// them wrap, which those of sound networks never do.
    fn accumulate(&self, active: &[usize]) -> LabelRow {
        let mut sums = self.bias;
        let mut fours = active.chunks_exact(4);
        // Four rows at a time: a quarter of the loads and stores of the sums.
        for four in &mut fours {
            let [a, b, c, d] = [0, 1, 2, 3].map(|at| &self.rows[four[at]].0);
            for (at, sum) in sums.0.iter_mut().enumerate() {
                let (ab, cd) = (a[at].wrapping_add(b[at]), c[at].wrapping_add(d[at]));
                *sum = sum.wrapping_add(ab.wrapping_add(cd));
            }
        }
        for &feature in fours.remainder() {
            for (sum, weight) in sums.0.iter_mut().zip(&self.rows[feature].0) {
                *sum = sum.wrapping_add(*weight);
            }
        }
        sums
    }
}

impl<const N: usize> LabelLayer<N> {
    /// The clipped values of the units.
    fn units(&self, inputs: &[i16; N]) -> [i16; HIDDEN] {
        let mut units = [0; HIDDEN];
        for ((unit, bias), weights) in units.iter_mut().zip(self.bias).zip(&self.weights) {
            let sum = bias.wrapping_add(dot(weights, inputs)) >> 6;
            *unit = sum.clamp(0, i32::from(CLIP)) as i16;
        }
        units
    }
}

/// At most 512 * 127 * 128 in absolute value.
fn dot<const N: usize>(a: &[i16; N], b: &[i16; N]) -> i32 {
    a.iter().zip(b).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum()
}
