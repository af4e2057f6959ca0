//! The inner loops for every CPU.

use crate::eval::index::{PieceIndex, PieceRow};

/// Largest rank of the factored form.
pub const MAX_RANK: usize = 256;
/// Block size for the sums of the factored form.
pub const BLOCK: usize = 16;
/// Largest absolute value of a sum of the factored form. Each of the 8 totals of [`signed_squares`]
/// adds at most 16 squares of either sign: rank 256 / 16 per block = 16 blocks, 8 of each sign, 2
/// squares per block. 16 * 11,585^2 = 2,147,395,600 < 2^31.
pub const LARGEST_SUM: i16 = 11_585;

/// Sum of `row[index]` over the list.
#[inline(always)]
pub fn row_sum(row: &PieceRow, list: &[PieceIndex]) -> i32 {
    list.iter().map(|index| i32::from(row[index.index()])).sum()
}

/// Sum of `new[index] - old[index]` over the list: the change of the sum when a piece moves from
/// `old` to `new`.
#[inline(always)]
pub fn row_change(old: &PieceRow, new: &PieceRow, list: &[PieceIndex]) -> i32 {
    let change = |at: usize| i32::from(new[at]) - i32::from(old[at]);
    list.iter().map(|index| change(index.index())).sum()
}

#[inline(always)]
pub fn signed_squares(sums: &[i16]) -> i64 {
    let (positive, negative) = sums.split_at(sums.len() / 2);
    let mut totals = [0i32; BLOCK / 2];
    for (positive, negative) in positive.chunks_exact(BLOCK).zip(negative.chunks_exact(BLOCK)) {
        for (at, total) in totals.iter_mut().enumerate() {
            let square = |block: &[i16], at: usize| i32::from(block[at]) * i32::from(block[at]);
            let (first, second) = (2 * at, 2 * at + 1);
            *total += square(positive, first) + square(positive, second)
                - (square(negative, first) + square(negative, second));
        }
    }
    totals.into_iter().map(i64::from).sum()
}

/// Block size for hidden units.
pub const UNIT_BLOCK: usize = 32;
/// Largest number of hidden units.
pub const MAX_UNITS: usize = 512;
/// Largest clipped activation.
pub const LARGEST_CLIPPED: i16 = 127;
/// Largest factor of a product of two hidden units.
pub const LARGEST_FACTOR: i16 = 255;

#[inline(always)]
pub fn replace_row(accumulator: &mut [i16], before: &[i16], [old, new]: [&[i16]; 2]) {
    let blocks = blocks(before).iter().zip(blocks(old)).zip(blocks(new));
    for (unit, ((before, old), new)) in blocks_mut(accumulator).iter_mut().zip(blocks) {
        for at in 0..UNIT_BLOCK {
            unit[at] = before[at].wrapping_sub(old[at]).wrapping_add(new[at]);
        }
    }
}

#[inline(always)]
pub fn replace_two_rows(
    accumulator: &mut [i16],
    before: &[i16],
    [[old, new], [other_old, other_new]]: [[&[i16]; 2]; 2],
) {
    let rows = blocks(old).iter().zip(blocks(new));
    let others = blocks(other_old).iter().zip(blocks(other_new));
    let blocks = blocks(before).iter().zip(rows.zip(others));
    for (unit, (before, ((old, new), (other_old, other_new)))) in
        blocks_mut(accumulator).iter_mut().zip(blocks)
    {
        for at in 0..UNIT_BLOCK {
            let first = new[at].wrapping_sub(old[at]);
            let second = other_new[at].wrapping_sub(other_old[at]);
            unit[at] = before[at].wrapping_add(first.wrapping_add(second));
        }
    }
}

#[inline(always)]
pub fn sum_rows(accumulator: &mut [i16], bias: &[i16], rows: &[&[i16]]) {
    const WIDE: usize = 4 * UNIT_BLOCK;
    let (wide, narrow) = accumulator.as_chunks_mut::<WIDE>();
    let first_narrow = wide.len() * WIDE;
    for (block, sums) in wide.iter_mut().enumerate() {
        sum_block(sums, bias, rows, block * WIDE);
    }
    for (block, sums) in blocks_mut(narrow).iter_mut().enumerate() {
        sum_block(sums, bias, rows, first_narrow + block * UNIT_BLOCK);
    }
}

/// Sums `N` hidden units from `first` on. `N` is small enough for the registers.
#[inline(always)]
fn sum_block<const N: usize>(sums: &mut [i16; N], bias: &[i16], rows: &[&[i16]], first: usize) {
    sums.copy_from_slice(&bias[first..][..N]);
    for row in rows {
        for (sum, &weight) in sums.iter_mut().zip(&row[first..][..N]) {
            *sum = sum.wrapping_add(weight);
        }
    }
}

#[inline(always)]
pub fn change_rows(accumulator: &mut [i16], added: &[&[i16]], removed: &[&[i16]]) {
    const WIDE: usize = 4 * UNIT_BLOCK;
    let (wide, narrow) = accumulator.as_chunks_mut::<WIDE>();
    let first_narrow = wide.len() * WIDE;
    for (block, sums) in wide.iter_mut().enumerate() {
        change_block(sums, added, removed, block * WIDE);
    }
    for (block, sums) in blocks_mut(narrow).iter_mut().enumerate() {
        change_block(sums, added, removed, first_narrow + block * UNIT_BLOCK);
    }
}

/// Updates `N` hidden units from `first` on. `N` is small enough for the registers.
#[inline(always)]
fn change_block<const N: usize>(
    sums: &mut [i16; N],
    added: &[&[i16]],
    removed: &[&[i16]],
    first: usize,
) {
    for row in added {
        for (sum, &weight) in sums.iter_mut().zip(&row[first..][..N]) {
            *sum = sum.wrapping_add(weight);
        }
    }
    for row in removed {
        for (sum, &weight) in sums.iter_mut().zip(&row[first..][..N]) {
            *sum = sum.wrapping_sub(weight);
        }
    }
}

#[inline(always)]
pub fn clamp_units(activations: &mut [u8], units: &[i16]) {
    for (activation, &unit) in activations.iter_mut().zip(units) {
        *activation = unit.clamp(0, LARGEST_CLIPPED) as u8;
    }
}

#[inline(always)]
pub fn pair_products(activations: &mut [u8], units: &[i16]) {
    let (first, second) = units.split_at(units.len() / 2);
    for ((activation, &first), &second) in activations.iter_mut().zip(first).zip(second) {
        let clamp = |unit: i16| unit.clamp(0, LARGEST_CLIPPED);
        *activation = ((clamp(first) * clamp(second)) >> 7) as u8;
    }
}

#[inline(always)]
pub fn clipped(unit: i16) -> i16 {
    (unit >> 1).clamp(0, LARGEST_CLIPPED)
}

#[inline(always)]
pub fn clip(activations: &mut [u8], accumulator: &[i16]) {
    for (activation, &unit) in activations.iter_mut().zip(accumulator) {
        *activation = clipped(unit) as u8;
    }
}

#[inline(always)]
pub fn clip_products(activations: &mut [u8], accumulator: &[i16]) {
    let (first, second) = accumulator.split_at(accumulator.len() / 2);
    for ((activation, &first), &second) in activations.iter_mut().zip(first).zip(second) {
        let clamp = |unit: i16| unit.clamp(0, LARGEST_FACTOR) as u16;
        // At most 255 * 255 + 256, which fits in 16 bits.
        *activation = ((clamp(first) * clamp(second) + 256) >> 9) as u8;
    }
}

#[inline(always)]
pub fn clip_sums(activations: &mut [u8], sums: &[i32]) {
    for (activation, sum) in activations.iter_mut().zip(sums) {
        *activation = (sum >> 6).clamp(0, 127) as u8;
    }
}

#[inline(always)]
pub fn square_sums(activations: &mut [u8], sums: &[i32]) {
    // A sum of 1.0 or more has the largest square, and below it the upper half of a 16-bit product
    // suffices.
    const LARGEST: i32 = (1 << 13) - 1;
    for (activation, sum) in activations.iter_mut().zip(sums) {
        let sum = sum.clamp(&-LARGEST, &LARGEST);
        *activation = (((sum * sum) >> 16) >> 3) as u8;
    }
}

#[inline(always)]
pub fn sum_products(weights: &[i16], activations: &[u8]) -> i32 {
    let products = weights.iter().zip(activations);
    products.map(|(&weight, &activation)| i32::from(weight) * i32::from(activation)).sum()
}

#[inline(always)]
pub fn add_products(sums: &mut [i32], weights: &[i8], input: &[u8]) {
    let groups = weights.chunks_exact(GROUP * sums.len());
    for (weights, input) in groups.zip(input.as_chunks::<GROUP>().0) {
        // Most inputs of a first layer are zero.
        if *input == [0; GROUP] {
            continue;
        }
        for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<GROUP>().0) {
            for (&weight, &activation) in weights.iter().zip(input) {
                *sum += i32::from(weight) * i32::from(activation);
            }
        }
    }
}

/// Group size for the inputs of a layer.
pub const GROUP: usize = 4;

#[inline(always)]
fn blocks(units: &[i16]) -> &[[i16; UNIT_BLOCK]] {
    units.as_chunks().0
}

#[inline(always)]
fn blocks_mut(units: &mut [i16]) -> &mut [[i16; UNIT_BLOCK]] {
    units.as_chunks_mut().0
}
