//! The matrix products of network layers for 64-bit ARM CPUs, all of which have NEON.
//!
//! For the other loops, compilers vectorise [`portable`](super::portable) well without help.
#![allow(unsafe_code)]

use std::arch::aarch64::{
    int8x16_t, int16x8_t, int32x4_t, vaddq_s32, vdupq_n_s32, vget_low_s8, vld1q_s8, vld1q_s32,
    vmull_high_s8, vmull_s8, vpadalq_s16, vpaddq_s16, vreinterpretq_s8_s32, vst1q_s32,
};

use super::portable::GROUP;
use super::quads::{Quads, REGISTER};

/// The kernel for [`quads::add_products`](super::quads::add_products).
pub struct Neon;

impl Quads for Neon {
    /// Keeps the sums of all outputs in `N` registers.
    #[inline]
    fn add_products<const N: usize>(sums: &mut [i32], weights: &[i8], input: &[u8]) {
        assert!(sums.len() == N * REGISTER && weights.len() == input.len() * sums.len());
        let mut totals = [zeros(); N];
        let weights = weights.as_chunks::<16>().0.as_chunks::<N>().0;
        for (&group, weights) in input.as_chunks::<GROUP>().0.iter().zip(weights) {
            let four = repeated(group);
            for (total, weights) in totals.iter_mut().zip(weights) {
                *total = add_four_products(*total, load(weights), four);
            }
        }
        for (sums, total) in sums.as_chunks_mut::<REGISTER>().0.iter_mut().zip(totals) {
            add(sums, total);
        }
    }
}

/// Adds the products of four bytes to each number.
#[inline]
fn add_four_products(total: int32x4_t, weights: int8x16_t, inputs: int8x16_t) -> int32x4_t {
    // SAFETY: every CPU of this architecture has these instructions.
    unsafe {
        let low: int16x8_t = vmull_s8(vget_low_s8(weights), vget_low_s8(inputs));
        let high = vmull_high_s8(weights, inputs);
        // The sum of two products of at most 127 * 128 fits in 16 bits.
        vpadalq_s16(total, vpaddq_s16(low, high))
    }
}

#[inline]
fn zeros() -> int32x4_t {
    // SAFETY: every CPU of this architecture has this instruction.
    unsafe { vdupq_n_s32(0) }
}

/// A group of inputs, each at most 127, repeated four times.
#[inline]
fn repeated(group: [u8; GROUP]) -> int8x16_t {
    // SAFETY: every CPU of this architecture has this instruction.
    unsafe { vreinterpretq_s8_s32(vdupq_n_s32(i32::from_le_bytes(group))) }
}

#[inline]
fn load(bytes: &[i8; 16]) -> int8x16_t {
    // SAFETY: the slice has 16 bytes, and the load needs no alignment.
    unsafe { vld1q_s8(bytes.as_ptr()) }
}

#[inline]
fn add(sums: &mut [i32; REGISTER], total: int32x4_t) {
    // SAFETY: the slice has four numbers to read and write.
    unsafe { vst1q_s32(sums.as_mut_ptr(), vaddq_s32(vld1q_s32(sums.as_ptr()), total)) }
}
