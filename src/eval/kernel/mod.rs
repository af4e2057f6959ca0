//! The inner loops of the learned evaluation, portable and per CPU.
//!
//! [`portable`] defines the results. Its functions are inlined into copies that are compiled for
//! wider registers (`x86_64`). The products of network layers have their own code for each CPU
//! architecture (`x86_64`, `aarch64`, `wasm32`). All kernels give the same integers. An evaluator
//! chooses its [`Kernel`] once, when it is built.

#[cfg(target_arch = "aarch64")]
mod aarch64;
mod aligned;
pub(super) mod portable;
#[cfg(any(target_arch = "aarch64", all(target_arch = "wasm32", target_feature = "simd128")))]
mod quads;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm32;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use std::fmt;

pub(super) use aligned::Aligned;
pub use portable::LARGEST_FACTOR;

/// The instruction set of the inner loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// Instructions that every CPU has.
    Portable,
    /// 256-bit registers, or 512-bit registers if the CPU has them.
    #[cfg(target_arch = "x86_64")]
    Avx2(x86_64::Avx2),
    /// 128-bit registers for products of bytes.
    #[cfg(target_arch = "aarch64")]
    Neon,
    /// 128-bit registers for products of bytes.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
}

/// The name of the instruction set.
impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kernel::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(kernel) if kernel.is_wide() => "AVX-512",
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(_) => "AVX2",
            #[cfg(target_arch = "aarch64")]
            Kernel::Neon => "NEON",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kernel::Simd128 => "SIMD128",
        })
    }
}

impl Kernel {
    /// The fastest kernel on this CPU.
    pub fn detect() -> Kernel {
        Kernel::available().pop().expect("the portable kernel is always available")
    }

    /// All kernels that run on this CPU, the fastest last.
    pub fn available() -> Vec<Kernel> {
        let mut kernels = vec![Kernel::Portable];
        #[cfg(target_arch = "x86_64")]
        kernels.extend(x86_64::Avx2::available().map(Kernel::Avx2));
        #[cfg(target_arch = "aarch64")]
        kernels.push(Kernel::Neon);
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        kernels.push(Kernel::Simd128);
        kernels
    }

    /// Sum of the squares of the first half of `sums`, minus that of the second half. Exact if no
    /// absolute value exceeds [`LARGEST_SUM`](portable::LARGEST_SUM).
    #[inline]
    pub(super) fn signed_squares(self, sums: &[i16]) -> i64 {
        match self {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(avx2) => avx2.signed_squares(sums),
            _ => portable::signed_squares(sums),
        }
    }

    /// Computes `accumulator = before`, with up to two rows replaced, unit by unit. `rows` contains
    /// pairs of an old and a new row. All have the same length, a multiple of 32.
    #[inline]
    pub(super) fn replace_rows(
        self,
        accumulator: &mut [i16],
        before: &[i16],
        rows: &[[&[i16]; 2]],
    ) {
        match *rows {
            [] => accumulator.copy_from_slice(before),
            [rows] => self.replace_row(accumulator, before, rows),
            [first, second, ..] => self.replace_two_rows(accumulator, before, [first, second]),
        }
    }

    #[inline]
    fn replace_row(self, accumulator: &mut [i16], before: &[i16], rows: [&[i16]; 2]) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(avx2) => avx2.replace_row(accumulator, before, rows),
            _ => portable::replace_row(accumulator, before, rows),
        }
    }

    #[inline]
    fn replace_two_rows(self, accumulator: &mut [i16], before: &[i16], rows: [[&[i16]; 2]; 2]) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(avx2) => avx2.replace_two_rows(accumulator, before, rows),
            _ => portable::replace_two_rows(accumulator, before, rows),
        }
    }

    /// Computes `accumulator = first + sum of rows`, unit by unit. All have the same length, a
    /// multiple of 32.
    #[inline]
    pub(super) fn sum_rows(self, accumulator: &mut [i16], first: &[i16], rows: &[&[i16]]) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(avx2) => avx2.sum_rows(accumulator, first, rows),
            _ => portable::sum_rows(accumulator, first, rows),
        }
    }

    /// Adds some rows to an accumulator and subtracts others, unit by unit. All have the same
    /// length, a multiple of 32.
    #[inline]
    pub(super) fn change_rows(self, accumulator: &mut [i16], added: &[&[i16]], removed: &[&[i16]]) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(avx2) => avx2.change_rows(accumulator, added, removed),
            _ => portable::change_rows(accumulator, added, removed),
        }
    }

    /// Clamps units to 0..=127.
    #[inline]
    pub(super) fn clamp_units(self, activations: &mut [u8], units: &[i16]) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(avx2) => avx2.clamp_units(activations, units),
            _ => portable::clamp_units(activations, units),
        }
    }

    /// Products `a * b >> 7` of each unit of the first half and its partner in the second half.
    /// Both factors are clamped to 0..=127.
    #[inline]
    pub(super) fn pair_products(self, activations: &mut [u8], units: &[i16]) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(avx2) => avx2.pair_products(activations, units),
            _ => portable::pair_products(activations, units),
        }
    }

    /// The clipped activations of hidden units: `clamp(unit >> 1, 0, 127)`.
    #[inline]
    pub(super) fn clip(self, activations: &mut [u8], accumulator: &[i16]) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(avx2) => avx2.clip(activations, accumulator),
            _ => portable::clip(activations, accumulator),
        }
    }

    /// The products of hidden units of the first half and their partners in the second half:
    /// `(a * b + 256) >> 9`, where both factors are clamped to 0..=255.
    #[inline]
    pub(super) fn clip_products(self, activations: &mut [u8], accumulator: &[i16]) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(avx2) => avx2.clip_products(activations, accumulator),
            _ => portable::clip_products(activations, accumulator),
        }
    }

    /// The clipped activations of sums: `clamp(sum >> 6, 0, 127)`.
    #[inline]
    pub(super) fn clip_sums(self, activations: &mut [u8], sums: &[i32]) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(avx2) => avx2.clip_sums(activations, sums),
            _ => portable::clip_sums(activations, sums),
        }
    }

    /// The squares of sums: `min(sum * sum >> 19, 127)`.
    #[inline]
    pub(super) fn square_sums(self, activations: &mut [u8], sums: &[i32]) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(avx2) => avx2.square_sums(activations, sums),
            _ => portable::square_sums(activations, sums),
        }
    }

    /// The sum of the products of weights and activations.
    #[inline]
    pub(super) fn sum_products(self, weights: &[i16], activations: &[u8]) -> i32 {
        match self {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(avx2) => avx2.sum_products(weights, activations),
            _ => portable::sum_products(weights, activations),
        }
    }

    /// Adds the products of weights and inputs to every output. `weights` has the shape `[inputs /
    /// 4][outputs][4]`. Each input is at most 127, and the number of inputs is a multiple of 4.
    #[inline]
    pub(super) fn add_products(self, outputs: &mut [i32], weights: &[i8], input: &[u8]) {
        match self {
            Kernel::Portable => portable::add_products(outputs, weights, input),
            #[cfg(target_arch = "aarch64")]
            Kernel::Neon => quads::add_products::<aarch64::Neon>(outputs, weights, input),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Kernel::Simd128 => quads::add_products::<wasm32::Simd128>(outputs, weights, input),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(avx2) => avx2.add_products(outputs, weights, input),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::portable::{GROUP, MAX_UNITS};
    use super::*;
    use crate::rng::Rng;

    /// Random numbers of all sizes, including the extremes.
    fn numbers<T>(rng: &mut Rng, count: usize, number: impl Fn(u64) -> T) -> Vec<T> {
        let extremes = [0, 1, u64::MAX, 0x7f7f_7f7f_7f7f_7f7f, 0x7fff, 0x8000, 0x80];
        let draw = |rng: &mut Rng| match rng.below(3) {
            0 => extremes[rng.below(extremes.len())],
            _ => rng.next_u64(),
        };
        (0..count).map(|_| number(draw(rng))).collect()
    }

    #[test]
    fn kernels_give_the_same_hidden_units() {
        let mut rng = Rng::from_seed(1);
        for units in (32..=MAX_UNITS).step_by(32) {
            let mut row = || numbers(&mut rng, units, |bits| bits as i16);
            let [before, a, b, c, d] = [(); 5].map(|()| row());
            let results = Kernel::available().into_iter().map(|kernel| {
                let mut accumulators = [(); 3].map(|()| vec![0; units]);
                kernel.replace_row(&mut accumulators[0], &before, [&a, &b]);
                kernel.replace_two_rows(&mut accumulators[1], &before, [[&a, &b], [&c, &d]]);
                kernel.sum_rows(&mut accumulators[2], &before, &[&a, &b, &c, &d]);
                let mut changed = before.clone();
                kernel.change_rows(&mut changed, &[&a, &b, &c], &[&d]);
                let mut activations = [(); 4].map(|()| vec![0; units]);
                kernel.clip(&mut activations[0], &before);
                kernel.clamp_units(&mut activations[1], &before);
                kernel.pair_products(&mut activations[2][..units / 2], &before);
                kernel.clip_products(&mut activations[3][..units / 2], &before);
                (accumulators, changed, activations)
            });
            let results: Vec<_> = results.collect();
            assert!(results.iter().all(|result| *result == results[0]), "{units}");
        }
    }

    #[test]
    fn activations_match_the_formulas() {
        for unit in i16::MIN..=i16::MAX {
            assert_eq!(i32::from(portable::clipped(unit)), (i32::from(unit) >> 1).clamp(0, 127));
            let (mut clamped, mut product) = ([0], [0]);
            portable::clamp_units(&mut clamped, &[unit]);
            portable::pair_products(&mut product, &[unit, 99]);
            assert_eq!(i32::from(clamped[0]), i32::from(unit).clamp(0, 127));
            assert_eq!(i32::from(product[0]), (i32::from(unit).clamp(0, 127) * 99) >> 7);
            for partner in [-1, 1, 100, 255, 256, i16::MAX] {
                portable::clip_products(&mut product, &[unit, partner]);
                let factors = [unit, partner].map(|unit| i32::from(unit).clamp(0, 255));
                assert_eq!(i32::from(product[0]), (factors[0] * factors[1] + 256) / 512);
                assert!(product[0] <= 127);
            }
        }
    }

    #[test]
    fn kernels_give_the_same_activations_of_sums() {
        let one = 1 << 13;
        let sums: Vec<i32> = (-2 * one..2 * one).chain([i32::MIN, i32::MAX]).collect();
        let mut rng = Rng::from_seed(3);
        let weights = numbers(&mut rng, sums.len(), |bits| bits as i16 >> 4);
        for kernel in Kernel::available() {
            let mut activations = [(); 2].map(|()| vec![0; sums.len()]);
            kernel.clip_sums(&mut activations[0], &sums);
            kernel.square_sums(&mut activations[1], &sums);
            for (at, &sum) in sums.iter().enumerate() {
                assert_eq!(i32::from(activations[0][at]), (sum >> 6).clamp(0, 127), "{sum}");
                let square = ((i64::from(sum) * i64::from(sum)) >> 19).min(127);
                assert_eq!(i64::from(activations[1][at]), square, "{sum}");
            }
            let products = weights.iter().zip(&activations[0]);
            let exact = products.map(|(&weight, &input)| i32::from(weight) * i32::from(input));
            assert_eq!(kernel.sum_products(&weights, &activations[0]), exact.sum::<i32>());
        }
    }

    #[test]
    fn kernels_add_the_same_products() {
        let mut rng = Rng::from_seed(2);
        for (inputs, outputs) in [(16, 32), (32, 32), (64, 16), (320, 32), (1024, 32), (1024, 16)] {
            let weights = numbers(&mut rng, inputs * outputs, |bits| bits as i8);
            let mut input = numbers(&mut rng, inputs, |bits| (bits & 0x7f) as u8);
            for group in input.chunks_mut(GROUP) {
                if rng.below(2) == 0 {
                    group.fill(0);
                }
            }
            let bias = numbers(&mut rng, outputs, |bits| bits as i32 >> 8);
            let exact = |output: usize| {
                let weight = |at| i32::from(weights[(at / 4 * outputs + output) * 4 + at % 4]);
                let product = |(at, &input)| weight(at) * i32::from(input);
                bias[output] + input.iter().enumerate().map(product).sum::<i32>()
            };
            let exact: Vec<i32> = (0..outputs).map(exact).collect();
            for kernel in Kernel::available() {
                let mut sums = bias.clone();
                kernel.add_products(&mut sums, &weights, &input);
                assert_eq!(sums, exact, "{kernel:?}, {inputs} inputs, {outputs} outputs");
            }
        }
    }
}
