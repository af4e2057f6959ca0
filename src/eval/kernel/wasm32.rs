//! The matrix products of network layers for WebAssembly with 128-bit registers.
//!
//! For the other loops, compilers vectorise [`portable`](super::portable) well without help.
#![allow(unsafe_code)]

use std::arch::wasm32::{
    i16x8_extend_high_i8x16, i16x8_extend_low_i8x16, i32x4, i32x4_add, i32x4_dot_i16x8,
    i32x4_shuffle, i32x4_splat, v128, v128_load, v128_store,
};

use super::portable::GROUP;
use super::quads::{Quads, REGISTER};

/// The kernel for [`quads::add_products`](super::quads::add_products).
pub struct Simd128;

impl Quads for Simd128 {
    /// Keeps the sums of all outputs in `2 * N` registers, two numbers for each output.
    #[inline]
    fn add_products<const N: usize>(sums: &mut [i32], weights: &[i8], input: &[u8]) {
        assert!(sums.len() == N * REGISTER && weights.len() == input.len() * sums.len());
        let mut totals = [[i32x4_splat(0); 2]; N];
        let weights = weights.as_chunks::<16>().0.as_chunks::<N>().0;
        for (&group, weights) in input.as_chunks::<GROUP>().0.iter().zip(weights) {
            if group == [0; GROUP] {
                continue;
            }
            let four = i16x8_extend_low_i8x16(i32x4_splat(i32::from_le_bytes(group)));
            for ([first, second], weights) in totals.iter_mut().zip(weights) {
                let weights = load(weights);
                *first = i32x4_add(*first, i32x4_dot_i16x8(i16x8_extend_low_i8x16(weights), four));
                *second =
                    i32x4_add(*second, i32x4_dot_i16x8(i16x8_extend_high_i8x16(weights), four));
            }
        }
        for (sums, [first, second]) in sums.as_chunks_mut::<REGISTER>().0.iter_mut().zip(totals) {
            let even = i32x4_shuffle::<0, 2, 4, 6>(first, second);
            let odd = i32x4_shuffle::<1, 3, 5, 7>(first, second);
            add(sums, i32x4_add(even, odd));
        }
    }
}

#[inline]
fn load(bytes: &[i8; 16]) -> v128 {
    // SAFETY: the slice has 16 bytes, and the load needs no alignment.
    unsafe { v128_load(bytes.as_ptr().cast()) }
}

#[inline]
fn add(sums: &mut [i32; REGISTER], total: v128) {
    let before = i32x4(sums[0], sums[1], sums[2], sums[3]);
    // SAFETY: the slice has four numbers to write.
    unsafe { v128_store(sums.as_mut_ptr().cast(), i32x4_add(before, total)) }
}
