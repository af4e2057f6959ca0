//! KPP as products: w(k, i, j) = sum over r of s_r u_r(k, i) u_r(k, j).
//!
//! With a_r = sum over pieces of u_r(k, i), the sum of w over all pairs is
//! 1/2 * (sum of s_r a_r^2 - sum over pieces of s_r u_r(k, i)^2). The last sum depends on single
//! pieces only. Learning keeps it in the square and compensates for it with KKP, so that a half is
//! 1/2 * sum of s_r a_r^2. A move costs two additions of rows. Pairs that occur in no game still
//! get a value.
//!
//! The number of indices r is the *rank* of the form. s_r is +1 in the first half of the indices
//! and -1 in the second half.

use crate::eval::accumulators::FirstLayer;
use crate::eval::index::PieceIndex;
use crate::eval::kernel::portable::{LARGEST_SUM, MAX_RANK};
use crate::eval::kernel::{Aligned, Kernel};
use crate::eval::learned::UNIT_BITS;
use crate::eval::learned::features::SideView;
use crate::eval::learned::king_view::KingView;
use crate::eval::piece_list::PieceList;
use crate::shogi::Square;

/// Rows of factors, one per king square and piece.
#[derive(Clone, Debug, PartialEq)]
pub struct Factored {
    rank: usize,
    fraction_bits: u32,
    /// Shape `[45][1548][rank]`.
    rows: Aligned<i16>,
}

impl Factored {
    /// Largest absolute factor. Sums of 38 such factors stay within the bound of a sum.
    pub const LARGEST: i16 = LARGEST_SUM / PieceList::SLOTS as i16;
    /// Valid numbers of fraction bits. With fewer bits, a half can exceed 32 bits. With more bits,
    /// the largest factors are too small to be useful.
    pub const FRACTION_BITS: std::ops::RangeInclusive<u32> = 4..=10;

    /// Creates the form from factors in 2^-bits of the square root of a centipawn, with
    /// `fraction_bits` bits. Returns `None` if the rank is not 32, 64, ... 256, the shape or the
    /// number of bits is wrong, a factor is too large, or an empty slot has a factor.
    pub fn new(rank: usize, fraction_bits: u32, rows: Vec<i16>) -> Option<Factored> {
        let shaped = rank > 0
            && rank.is_multiple_of(32)
            && rank <= MAX_RANK
            && rows.len() == KingView::KINGS * PieceIndex::COUNT * rank
            && Factored::FRACTION_BITS.contains(&fraction_bits);
        let bounded = rows.iter().all(|factor| factor.abs_diff(0) <= Factored::LARGEST as u16);
        let form = Factored { rank, fraction_bits, rows: rows[..].into() };
        let empty_slots_are_zero = || {
            (0..KingView::KINGS)
                .all(|king| form.factors(king, PieceIndex::NONE).iter().all(|&u| u == 0))
        };
        (shaped && bounded && empty_slots_are_zero()).then_some(form)
    }

    /// Number of fraction bits: factors are in 2^-bits of the square root of a centipawn.
    pub fn fraction_bits(&self) -> u32 {
        self.fraction_bits
    }

    /// All rows, shape `[45][1548][rank]`.
    pub fn rows(&self) -> &[i16] {
        &self.rows
    }

    #[inline]
    fn factors(&self, king: usize, index: PieceIndex) -> &[i16] {
        let first = (king * PieceIndex::COUNT + index.index()) * self.rank;
        &self.rows[first..first + self.rank]
    }

    /// The half of these sums of factors, one per index r: half of the signed sum of squares, in
    /// weight units.
    #[inline]
    pub(in crate::eval::learned) fn half_of_sums(&self, kernel: Kernel, sums: &[i16]) -> i32 {
        (kernel.signed_squares(sums) >> (2 * self.fraction_bits + 1 - UNIT_BITS)) as i32
    }

    /// Number of factors per row.
    #[inline]
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Computes a half from scratch.
    pub fn half(&self, kernel: Kernel, side: SideView<'_>) -> i32 {
        let [first, rest @ ..] =
            &side.normal_pieces().map(|index| self.factors(side.kings.king(), index));
        let mut sums = vec![0; self.rank];
        kernel.sum_rows(&mut sums, first, rest);
        self.half_of_sums(kernel, &sums)
    }

    pub(super) fn weight(&self, king: usize, i: PieceIndex, j: PieceIndex) -> f64 {
        let products = self.factors(king, i).iter().zip(self.factors(king, j));
        let products = products.map(|(&i, &j)| f64::from(i) * f64::from(j));
        let signed = products
            .enumerate()
            .map(|(r, product)| if r < self.rank / 2 { product } else { -product });
        let unit = f64::from(1 << (2 * self.fraction_bits - UNIT_BITS));
        signed.sum::<f64>() / unit
    }
}

/// The accumulator of a side contains the sum a_r for each r.
impl FirstLayer for Factored {
    type View = KingView;

    #[inline]
    fn view(&self, own: Option<Square>, enemy: Option<Square>) -> Option<KingView> {
        Some(KingView::from_own_view(own?, enemy?))
    }

    #[inline]
    fn piece_row(&self, view: KingView, index: PieceIndex) -> u32 {
        (view.king() * PieceIndex::COUNT + view.normal(index).index()) as u32
    }

    #[inline]
    fn king_rows(&self, _: KingView) -> Option<[u32; 2]> {
        None
    }

    #[inline]
    fn shares_rows(&self, before: KingView, after: KingView) -> bool {
        before.own_square() == after.own_square()
    }

    #[inline]
    fn row(&self, row: u32) -> &[i16] {
        &self.rows[row as usize * self.rank..][..self.rank]
    }

    #[inline]
    fn bias(&self) -> &[i16] {
        self.factors(0, PieceIndex::NONE)
    }
}
