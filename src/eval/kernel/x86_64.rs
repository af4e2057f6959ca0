//! Copies of the inner loops for x86-64 CPUs with wider registers.
//!
//! The loops share the source of [`portable`]; only the instructions differ. Network layers have
//! their own source, because compilers do not use the instruction for products of bytes.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256i, __m512i, _mm256_add_epi32, _mm256_castsi256_ps, _mm256_cmpeq_epi32,
    _mm256_loadu_si256, _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_movemask_ps,
    _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setzero_si256, _mm256_storeu_si256,
    _mm512_add_epi32, _mm512_dpbusd_epi32, _mm512_loadu_si512, _mm512_set1_epi32,
    _mm512_setzero_si512, _mm512_storeu_si512,
};

use bytemuck::NoUninit;

use super::portable::{self, GROUP};

/// Proof that this CPU has AVX2. Only [`available`](Avx2::available) creates it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx2 {
    /// Whether to use the registers of AVX-512 and its instruction for products of bytes. True only
    /// if the CPU has them.
    wide: bool,
}

impl Avx2 {
    /// The variants without and with AVX-512 that this CPU supports.
    pub fn available() -> impl Iterator<Item = Avx2> {
        let avx2 = std::arch::is_x86_feature_detected!("avx2");
        let wide = avx2
            && std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512bw")
            && std::arch::is_x86_feature_detected!("avx512vnni");
        [(avx2, false), (wide, true)]
            .into_iter()
            .filter_map(|(known, wide)| known.then_some(Avx2 { wide }))
    }

    /// Whether it uses AVX-512.
    pub fn is_wide(self) -> bool {
        self.wide
    }

    #[inline]
    pub fn add_products(self, sums: &mut [i32], weights: &[i8], input: &[u8]) {
        match (sums.len(), self.wide) {
            // SAFETY: `self` exists only if the CPU has AVX2, and `wide` is true only with AVX-512.
            (16, false) => unsafe { add_products::<2>(sums, weights, input) },
            // SAFETY: as above.
            (32, false) => unsafe { add_products::<4>(sums, weights, input) },
            // SAFETY: as above.
            (16, true) => unsafe { add_products_vnni::<1>(sums, weights, input) },
            // SAFETY: as above.
            (32, true) => unsafe { add_products_vnni::<2>(sums, weights, input) },
            _ => portable::add_products(sums, weights, input),
        }
    }
}

/// Compiles each of these functions of [`portable`] twice, for narrow and for wide registers, and
/// selects one of the two copies.
macro_rules! twins {
    ($($name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        impl Avx2 {
            $(
                #[inline]
                pub fn $name(self, $($argument: $type),*) $(-> $result)? {
                    if self.wide {
                        // SAFETY: `wide` is true only if the CPU has AVX-512.
                        unsafe { wide::$name($($argument),*) }
                    } else {
                        // SAFETY: `self` exists only if the CPU has AVX2.
                        unsafe { narrow::$name($($argument),*) }
                    }
                }
            )*
        }

        mod narrow {
            use super::portable;

            $(
                #[target_feature(enable = "avx2")]
                pub fn $name($($argument: $type),*) $(-> $result)? {
                    portable::$name($($argument),*)
                }
            )*
        }

        mod wide {
            use super::portable;

            $(
                #[target_feature(enable = "avx512f,avx512bw")]
                pub fn $name($($argument: $type),*) $(-> $result)? {
                    portable::$name($($argument),*)
                }
            )*
        }
    };
}

twins! {
    signed_squares(sums: &[i16]) -> i64;
    replace_row(accumulator: &mut [i16], before: &[i16], rows: [&[i16]; 2]);
    replace_two_rows(accumulator: &mut [i16], before: &[i16], rows: [[&[i16]; 2]; 2]);
    sum_rows(accumulator: &mut [i16], bias: &[i16], rows: &[&[i16]]);
    change_rows(accumulator: &mut [i16], added: &[&[i16]], removed: &[&[i16]]);
    clip(activations: &mut [u8], accumulator: &[i16]);
    clip_products(activations: &mut [u8], accumulator: &[i16]);
    clamp_units(activations: &mut [u8], units: &[i16]);
    pair_products(activations: &mut [u8], units: &[i16]);
    clip_sums(activations: &mut [u8], sums: &[i32]);
    square_sums(activations: &mut [u8], sums: &[i32]);
    sum_products(weights: &[i16], activations: &[u8]) -> i32;
}

/// 32-bit numbers per register.
const REGISTER: usize = 8;
/// 32-bit numbers per wide register.
const WIDE_REGISTER: usize = 16;
/// Sets of sums that alternate, so that an addition does not wait for the previous one.
const SETS: usize = 4;
/// Groups that are tested for zeros at a time.
const BLOCK: usize = 64;

/// Keeps the sums of all outputs in `N` registers. Skips the groups of zeros, because most inputs
/// of a first layer are zero.
#[target_feature(enable = "avx2")]
fn add_products<const N: usize>(sums: &mut [i32], weights: &[i8], input: &[u8]) {
    assert!(sums.len() == N * REGISTER && weights.len() == input.len() * sums.len());
    let ones = _mm256_set1_epi16(1);
    let mut totals = [_mm256_setzero_si256(); N];
    let (groups, weights) = (groups(input), weights.as_chunks::<32>().0.as_chunks::<N>().0);
    for (groups, weights) in groups.chunks(BLOCK).zip(weights.chunks(BLOCK)) {
        // One bit for each group, because a loop over few bits would often end unpredictably.
        let (eights, rest) = groups.as_chunks::<REGISTER>();
        let mut nonzero = ((1u64 << rest.len()) - 1) << (eights.len() * REGISTER % BLOCK);
        for (at, eight) in eights.iter().enumerate() {
            let zero = _mm256_cmpeq_epi32(load(eight), _mm256_setzero_si256());
            let bits = !_mm256_movemask_ps(_mm256_castsi256_ps(zero)) & 0xff;
            nonzero |= (bits as u64) << (at * REGISTER);
        }
        while nonzero != 0 {
            let at = nonzero.trailing_zeros() as usize;
            let four = _mm256_set1_epi32(i32::from_le_bytes(groups[at]));
            for (total, weights) in totals.iter_mut().zip(&weights[at]) {
                // The sum of two products of at most 127 * 128 fits in 16 bits.
                let pairs = _mm256_maddubs_epi16(four, load(weights));
                *total = _mm256_add_epi32(*total, _mm256_madd_epi16(pairs, ones));
            }
            nonzero &= nonzero - 1;
        }
    }
    for (sums, total) in sums.as_chunks_mut::<REGISTER>().0.iter_mut().zip(totals) {
        let sum = _mm256_add_epi32(load(sums), total);
        // SAFETY: `sums` has 32 writable bytes, and the store needs no alignment.
        unsafe { _mm256_storeu_si256(std::ptr::from_mut(sums).cast(), sum) };
    }
}

/// As [`add_products`], with one instruction for all products of a register. With it, computing all
/// products takes less time than finding the groups that are not zero.
#[target_feature(enable = "avx512f,avx512vnni")]
fn add_products_vnni<const N: usize>(sums: &mut [i32], weights: &[i8], input: &[u8]) {
    assert!(sums.len() == N * WIDE_REGISTER && weights.len() == input.len() * sums.len());
    let mut sets = [[_mm512_setzero_si512(); N]; SETS];
    let (groups, weights) = (groups(input), weights.as_chunks::<64>().0.as_chunks::<N>().0);
    for (groups, weights) in groups.chunks(SETS).zip(weights.chunks(SETS)) {
        for ((sums, &group), weights) in sets.iter_mut().zip(groups).zip(weights) {
            let four = _mm512_set1_epi32(i32::from_le_bytes(group));
            for (sum, weights) in sums.iter_mut().zip(weights) {
                *sum = _mm512_dpbusd_epi32(*sum, four, load_wide(weights));
            }
        }
    }
    for (at, sums) in sums.as_chunks_mut::<WIDE_REGISTER>().0.iter_mut().enumerate() {
        let mut sum = load_wide(sums);
        for set in &sets {
            sum = _mm512_add_epi32(sum, set[at]);
        }
        // SAFETY: `sums` has 64 writable bytes, and the store needs no alignment.
        unsafe { _mm512_storeu_si512(std::ptr::from_mut(sums).cast(), sum) };
    }
}

#[inline]
fn groups(input: &[u8]) -> &[[u8; GROUP]] {
    input.as_chunks().0
}

/// Loads a register from 32 bytes of integers.
#[inline]
#[target_feature(enable = "avx2")]
fn load<T: NoUninit, const N: usize>(integers: &[T; N]) -> __m256i {
    const { assert!(size_of::<[T; N]>() == 32) };
    // SAFETY: the assertion guarantees 32 bytes, and the bound that all are initialized. The load
    // needs no alignment.
    unsafe { _mm256_loadu_si256(std::ptr::from_ref(integers).cast()) }
}

/// Loads a register from 64 bytes of integers.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_wide<T: NoUninit, const N: usize>(integers: &[T; N]) -> __m512i {
    const { assert!(size_of::<[T; N]>() == 64) };
    // SAFETY: as for `load`.
    unsafe { _mm512_loadu_si512(std::ptr::from_ref(integers).cast()) }
}
