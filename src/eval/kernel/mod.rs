//! The inner loops of the learned evaluation, portable and per CPU.
//!
//! [`portable`] defines what is computed; its functions are inlined into twins compiled for wider
//! registers ([`x86_64`]), so all kernels add the same integers. A [`Kernel`] is chosen once, when
//! an evaluator is built.

pub(super) mod portable;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use super::PieceIndex;

/// The weights of one piece with every other, by piece index.
pub type Row<T> = [T; PieceIndex::COUNT];

/// A stored weight.
pub trait Cell: Copy + Default + PartialEq + Into<i32> {}

impl Cell for i8 {}
impl Cell for i16 {}

/// Which instructions the inner loops use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// Those that every CPU has.
    Portable,
    /// 256-bit registers.
    #[cfg(target_arch = "x86_64")]
    Avx2(x86_64::Avx2),
}

impl Kernel {
    /// The fastest on this CPU.
    pub fn detect() -> Kernel {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = x86_64::Avx2::detect() {
            return Kernel::Avx2(avx2);
        }
        Kernel::Portable
    }

    /// All that run on this CPU.
    pub fn available() -> Vec<Kernel> {
        let mut kernels = vec![Kernel::Portable];
        kernels.extend(Some(Kernel::detect()).filter(|&best| best != Kernel::Portable));
        kernels
    }

    /// Sum over the list of `row[index]`.
    #[inline]
    pub(super) fn row_sum<T: Cell>(self, row: &Row<T>, list: &[PieceIndex]) -> i32 {
        portable::row_sum(row, list)
    }

    /// Sum over the list of `new[index] - old[index]`: what it changes that a piece went from `old`
    /// to `new`.
    #[inline]
    pub(super) fn row_change<T: Cell>(
        self,
        old: &Row<T>,
        new: &Row<T>,
        list: &[PieceIndex],
    ) -> i32 {
        portable::row_change(old, new, list)
    }

    /// `lanes = before - old + new`, lane by lane. All of one length, a multiple of 16.
    #[inline]
    pub(super) fn replace(self, lanes: &mut [i16], before: &[i16], old: &[i16], new: &[i16]) {
        match self {
            Kernel::Portable => portable::replace(lanes, before, old, new),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(avx2) => avx2.replace(lanes, before, old, new),
        }
    }

    /// `lanes += new - old`, lane by lane.
    #[inline]
    pub(super) fn replace_in_place(self, lanes: &mut [i16], old: &[i16], new: &[i16]) {
        portable::replace_in_place(lanes, old, new);
    }

    /// `lanes += row`, lane by lane.
    #[inline]
    pub(super) fn add(self, lanes: &mut [i16], row: &[i16]) {
        portable::add(lanes, row);
    }

    /// Squares of the first half of the lanes minus squares of the second. Exact if no lane is
    /// beyond [`LARGEST_LANE`](portable::LARGEST_LANE).
    #[inline]
    pub(super) fn signed_squares(self, lanes: &[i16]) -> i64 {
        match self {
            Kernel::Portable => portable::signed_squares(lanes),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(avx2) => avx2.signed_squares(lanes),
        }
    }
}
