//! King-relative pairs as products: w(k, i, j) = sum over lanes r of s_r u_r(k, i) u_r(k, j).
//!
//! With a_r = sum over pieces of u_r(k, i), the sum of w over all pairs is
//! 1/2 * (sum of s_r a_r^2 - sum over pieces of s_r u_r(k, i)^2). The last sum belongs to single
//! pieces: learning leaves it in the square and balances it with the king-piece weights, so a half
//! is 1/2 * sum of s_r a_r^2. A move costs two rows of additions, and pairs that no game has shown
//! still have a value.
//!
//! s_r is +1 in the first half of the lanes and -1 in the second.

use super::king_pairs::{PairForm, SideView, Step};
use super::{KingView, UNIT_BITS};
use crate::eval::kernel::portable::{LARGEST_LANE, MAX_LANES};
use crate::eval::kernel::{Aligned, Kernel};
use crate::eval::{PieceIndex, PieceList};

/// Rows of factors, one for each king square and piece.
#[derive(Clone, Debug, PartialEq)]
pub struct Factored {
    lanes: usize,
    fraction_bits: u32,
    /// Shape `[45][1548][lanes]`.
    rows: Aligned<i16>,
}

impl Factored {
    /// Largest absolute factor: 38 of them stay within a lane's bound.
    pub const LARGEST: i16 = LARGEST_LANE / PieceList::SLOTS as i16;
    /// Possible numbers of fraction bits. Below, a half could leave 32 bits; above, factors are too
    /// small to matter.
    pub const FRACTION_BITS: std::ops::RangeInclusive<u32> = 4..=10;

    /// `fraction_bits`: factors are in 2^-bits of the square root of a centipawn. `None` if the
    /// number of lanes is not 32, 64, ... 256, the shape or the number of bits is wrong, a
    /// factor is too large or an empty slot has one.
    pub fn new(lanes: usize, fraction_bits: u32, rows: Vec<i16>) -> Option<Factored> {
        let shaped = lanes > 0
            && lanes.is_multiple_of(32)
            && lanes <= MAX_LANES
            && rows.len() == KingView::KINGS * PieceIndex::COUNT * lanes
            && Factored::FRACTION_BITS.contains(&fraction_bits);
        let bounded = rows.iter().all(|factor| factor.abs_diff(0) <= Factored::LARGEST as u16);
        let form = Factored { lanes, fraction_bits, rows: rows[..].into() };
        let empty_slots_are_zero = || {
            (0..KingView::KINGS)
                .all(|king| form.row(king, PieceIndex::NONE).iter().all(|&u| u == 0))
        };
        (shaped && bounded && empty_slots_are_zero()).then_some(form)
    }

    /// Factors are in 2^-bits of the square root of a centipawn.
    pub fn fraction_bits(&self) -> u32 {
        self.fraction_bits
    }

    /// All rows, shape `[45][1548][lanes]`.
    pub fn rows(&self) -> &[i16] {
        &self.rows
    }

    #[inline]
    fn row(&self, king: usize, index: PieceIndex) -> &[i16] {
        let first = (king * PieceIndex::COUNT + index.index()) * self.lanes;
        &self.rows[first..first + self.lanes]
    }

    /// Half of the signed squares, in weight units.
    #[inline]
    fn half(&self, kernel: Kernel, lanes: &[i16]) -> i32 {
        (kernel.signed_squares(lanes) >> (2 * self.fraction_bits + 1 - UNIT_BITS)) as i32
    }
}

impl PairForm for Factored {
    #[inline]
    fn lanes(&self) -> usize {
        self.lanes
    }

    fn refresh(&self, kernel: Kernel, side: SideView<'_>, lanes: &mut [i16]) -> i32 {
        lanes.fill(0);
        for index in side.normal_pieces() {
            kernel.add(lanes, self.row(side.kings.king(), index));
        }
        self.half(kernel, lanes)
    }

    #[inline]
    fn follow(
        &self,
        kernel: Kernel,
        side: SideView<'_>,
        steps: &[Step],
        before: (i32, &[i16]),
        lanes: &mut [i16],
    ) -> i32 {
        match steps {
            [] => {
                lanes.copy_from_slice(before.1);
                return before.0;
            }
            [first, rest @ ..] => {
                let king = side.kings.king();
                let rows = |step: &Step| (self.row(king, step.old), self.row(king, step.new));
                let (old, new) = rows(first);
                kernel.replace(lanes, before.1, old, new);
                for step in rest {
                    let (old, new) = rows(step);
                    kernel.replace_in_place(lanes, old, new);
                }
            }
        }
        self.half(kernel, lanes)
    }

    fn weight(&self, king: usize, i: PieceIndex, j: PieceIndex) -> f64 {
        let products = self.row(king, i).iter().zip(self.row(king, j));
        let products = products.map(|(&i, &j)| f64::from(i) * f64::from(j));
        let signed = products
            .enumerate()
            .map(|(lane, product)| if lane < self.lanes / 2 { product } else { -product });
        let unit = f64::from(1 << (2 * self.fraction_bits - UNIT_BITS));
        signed.sum::<f64>() / unit
    }
}
