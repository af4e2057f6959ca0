//! Twins of the inner loops for x86-64 CPUs with wider registers.
//!
//! The text of the loops is [`portable`]'s; only the instructions differ. The layers of a network
//! have a text of their own: compilers do not find the instruction for products of bytes.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256i, _mm256_add_epi32, _mm256_castsi256_ps, _mm256_cmpeq_epi32, _mm256_loadu_si256,
    _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_movemask_ps, _mm256_set1_epi16,
    _mm256_set1_epi32, _mm256_setzero_si256, _mm256_storeu_si256,
};

use super::portable::{self, GROUP};

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

    #[inline]
    pub fn replace_row(self, accumulator: &mut [i16], before: &[i16], rows: [&[i16]; 2]) {
        // SAFETY: `self` exists only where AVX2 does.
        unsafe { replace_row(accumulator, before, rows) }
    }

    #[inline]
    pub fn replace_two_rows(self, accumulator: &mut [i16], before: &[i16], rows: [[&[i16]; 2]; 2]) {
        // SAFETY: `self` exists only where AVX2 does.
        unsafe { replace_two_rows(accumulator, before, rows) }
    }

    #[inline]
    pub fn sum_rows(self, accumulator: &mut [i16], bias: &[i16], rows: &[&[i16]]) {
        // SAFETY: `self` exists only where AVX2 does.
        unsafe { sum_rows(accumulator, bias, rows) }
    }

    #[inline]
    pub fn clip(self, activations: &mut [u8], accumulator: &[i16]) {
        // SAFETY: `self` exists only where AVX2 does.
        unsafe { clip(activations, accumulator) }
    }

    #[inline]
    pub fn clipped_products(self, weights: &[i16], own: &[i16], enemy: &[i16]) -> i64 {
        // SAFETY: `self` exists only where AVX2 does.
        unsafe { clipped_products(weights, own, enemy) }
    }

    #[inline]
    pub fn squared_products(self, weights: &[i16], own: &[i16], enemy: &[i16]) -> i64 {
        // SAFETY: `self` exists only where AVX2 does.
        unsafe { squared_products(weights, own, enemy) }
    }

    #[inline]
    pub fn add_products(self, sums: &mut [i32], weights: &[i8], input: &[u8]) {
        match sums.len() {
            // SAFETY: `self` exists only where AVX2 does.
            16 => unsafe { add_products::<2>(sums, weights, input) },
            // SAFETY: as above.
            32 => unsafe { add_products::<4>(sums, weights, input) },
            _ => portable::add_products(sums, weights, input),
        }
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

#[target_feature(enable = "avx2")]
fn replace_row(accumulator: &mut [i16], before: &[i16], rows: [&[i16]; 2]) {
    portable::replace_row(accumulator, before, rows);
}

#[target_feature(enable = "avx2")]
fn replace_two_rows(accumulator: &mut [i16], before: &[i16], rows: [[&[i16]; 2]; 2]) {
    portable::replace_two_rows(accumulator, before, rows);
}

#[target_feature(enable = "avx2")]
fn sum_rows(accumulator: &mut [i16], bias: &[i16], rows: &[&[i16]]) {
    portable::sum_rows(accumulator, bias, rows);
}

#[target_feature(enable = "avx2")]
fn clip(activations: &mut [u8], accumulator: &[i16]) {
    portable::clip(activations, accumulator);
}

#[target_feature(enable = "avx2")]
fn clipped_products(weights: &[i16], own: &[i16], enemy: &[i16]) -> i64 {
    portable::signed_products(weights, own, enemy, portable::clipped)
}

#[target_feature(enable = "avx2")]
fn squared_products(weights: &[i16], own: &[i16], enemy: &[i16]) -> i64 {
    portable::signed_products(weights, own, enemy, portable::squared)
}

/// Numbers of 32 bits in a register.
const REGISTER: usize = 8;
/// Groups of inputs whose bits fit a word.
const WORD: usize = 64;

/// The sums stay in `N` registers while the groups of inputs that are not all zero are visited.
#[target_feature(enable = "avx2")]
fn add_products<const N: usize>(sums: &mut [i32], weights: &[i8], input: &[u8]) {
    let outputs = N * REGISTER;
    assert!(sums.len() == outputs && weights.len() == input.len() * outputs);
    let ones = _mm256_set1_epi16(1);
    let mut registers = [_mm256_setzero_si256(); N];
    let mut others = registers;
    for (register, sums) in registers.iter_mut().zip(sums.as_chunks::<REGISTER>().0) {
        *register = load(sums);
    }
    let words = input.chunks(GROUP * WORD).zip(weights.chunks(GROUP * WORD * outputs));
    for (input, weights) in words {
        let (groups, weights) = (input.as_chunks::<GROUP>().0, weights.as_chunks::<32>().0);
        let mut mask = nonzero_groups(groups);
        // Two sets of sums take turns: an addition need not wait for the one before it.
        while mask != 0 {
            for registers in [&mut registers, &mut others] {
                // After the last group nothing is added.
                let group = mask.trailing_zeros() as usize % WORD;
                let four = if mask == 0 { 0 } else { i32::from_le_bytes(groups[group]) };
                let four = _mm256_set1_epi32(four);
                mask &= mask.wrapping_sub(1);
                for (register, weights) in registers.iter_mut().zip(&weights[group * N..][..N]) {
                    // Two products of at most 127 and 128 do not leave 16 bits.
                    let pairs = _mm256_maddubs_epi16(four, load(weights));
                    *register = _mm256_add_epi32(*register, _mm256_madd_epi16(pairs, ones));
                }
            }
        }
    }
    for (register, other) in registers.iter_mut().zip(others) {
        *register = _mm256_add_epi32(*register, other);
    }
    for (register, sums) in registers.iter().zip(sums.as_chunks_mut::<REGISTER>().0) {
        // SAFETY: `sums` is 32 bytes long, any of which may be written; no alignment is needed.
        unsafe { _mm256_storeu_si256(std::ptr::from_mut(sums).cast(), *register) };
    }
}

/// One bit for each of at most 64 groups.
#[inline]
#[target_feature(enable = "avx2")]
fn nonzero_groups(groups: &[[u8; GROUP]]) -> u64 {
    let (registers, rest) = groups.as_chunks::<REGISTER>();
    let mut mask = 0;
    for (at, eight) in registers.iter().enumerate() {
        let zero = _mm256_cmpeq_epi32(load(eight), _mm256_setzero_si256());
        let bits = !_mm256_movemask_ps(_mm256_castsi256_ps(zero)) as u8;
        mask |= u64::from(bits) << (at * REGISTER);
    }
    for (at, four) in rest.iter().enumerate() {
        mask |= u64::from(*four != [0; GROUP]) << (registers.len() * REGISTER + at);
    }
    mask
}

/// A register from 32 bytes of integers.
#[inline]
#[target_feature(enable = "avx2")]
fn load<T: Copy, const N: usize>(integers: &[T; N]) -> __m256i {
    const { assert!(size_of::<[T; N]>() == 32) };
    // SAFETY: 32 bytes are there, as just asserted; callers pass integers, which have no padding,
    // and no alignment is needed.
    unsafe { _mm256_loadu_si256(std::ptr::from_ref(integers).cast()) }
}
