//! Twins of the inner loops for x86-64 CPUs with wider registers.
//!
//! The text of the loops is [`portable`]'s; only the instructions differ.
#![allow(unsafe_code)]

use super::portable;

/// Proof that this CPU knows AVX2: made by [`detect`](Avx2::detect) alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx2(());

impl Avx2 {
    pub fn detect() -> Option<Avx2> {
        std::arch::is_x86_feature_detected!("avx2").then_some(Avx2(()))
    }

    #[inline]
    pub fn replace(self, lanes: &mut [i16], before: &[i16], old: &[i16], new: &[i16]) {
        // SAFETY: `self` exists only where AVX2 does.
        unsafe { replace(lanes, before, old, new) }
    }

    #[inline]
    pub fn signed_squares(self, lanes: &[i16]) -> i64 {
        // SAFETY: `self` exists only where AVX2 does.
        unsafe { signed_squares(lanes) }
    }
}

#[target_feature(enable = "avx2")]
fn replace(lanes: &mut [i16], before: &[i16], old: &[i16], new: &[i16]) {
    portable::replace(lanes, before, old, new);
}

#[target_feature(enable = "avx2")]
fn signed_squares(lanes: &[i16]) -> i64 {
    portable::signed_squares(lanes)
}
