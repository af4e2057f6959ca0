//! Loops over floats of a fixed length, in blocks that the compiler vectorizes. Without the blocks
//! it unrolls the loops float by float.

/// Number of floats in a block.
const WIDTH: usize = 8;

/// `sum += row`.
#[inline(always)]
pub(super) fn add<const N: usize>(sum: &mut [f32; N], row: &[f32; N]) {
    for (sum, row) in sum.as_chunks_mut::<WIDTH>().0.iter_mut().zip(row.as_chunks::<WIDTH>().0) {
        *sum = std::array::from_fn(|lane| sum[lane] + row[lane]);
    }
}

/// `sum += factor * row`.
#[inline(always)]
pub(super) fn add_scaled<const N: usize>(sum: &mut [f32; N], factor: f32, row: &[f32; N]) {
    for (sum, row) in sum.as_chunks_mut::<WIDTH>().0.iter_mut().zip(row.as_chunks::<WIDTH>().0) {
        *sum = std::array::from_fn(|lane| sum[lane] + factor * row[lane]);
    }
}

/// The sum of the products, block by block: the order of a plain sum would prevent vectorization.
#[inline(always)]
pub(super) fn dot<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
    let mut sums = [0.0; WIDTH];
    for (a, b) in a.as_chunks::<WIDTH>().0.iter().zip(b.as_chunks::<WIDTH>().0) {
        sums = std::array::from_fn(|lane| sums[lane] + a[lane] * b[lane]);
    }
    sums.iter().sum()
}
