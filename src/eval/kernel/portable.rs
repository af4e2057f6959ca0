//! The inner loops, for every CPU.

use super::{Cell, Row};
use crate::eval::PieceIndex;

/// Greatest number of lanes.
pub const MAX_LANES: usize = 256;
/// Lanes are handled in blocks of this many.
pub const BLOCK: usize = 16;
/// Largest absolute value of a lane. Each of the 8 sums of [`signed_squares`] takes at most
/// 16 squares of either sign (256 lanes / 16 a block = 16 blocks, 8 of each sign, 2 squares a
/// block), and 16 * 11,585^2 = 2,147,395,600 < 2^31.
pub const LARGEST_LANE: i16 = 11_585;

#[inline(always)]
pub fn row_sum<T: Cell>(row: &Row<T>, list: &[PieceIndex]) -> i32 {
    list.iter().map(|index| row[index.index()].into()).sum()
}

#[inline(always)]
pub fn row_change<T: Cell>(old: &Row<T>, new: &Row<T>, list: &[PieceIndex]) -> i32 {
    let change = |at: usize| new[at].into() - old[at].into();
    list.iter().map(|index| change(index.index())).sum()
}

#[inline(always)]
pub fn replace(lanes: &mut [i16], before: &[i16], old: &[i16], new: &[i16]) {
    let rows = before.iter().zip(old).zip(new);
    for (lane, ((&before, &old), &new)) in lanes.iter_mut().zip(rows) {
        // Whatever happens in between, the result fits: wrapping is exact.
        *lane = before.wrapping_sub(old).wrapping_add(new);
    }
}

#[inline(always)]
pub fn replace_in_place(lanes: &mut [i16], old: &[i16], new: &[i16]) {
    for (lane, (&old, &new)) in lanes.iter_mut().zip(old.iter().zip(new)) {
        *lane = lane.wrapping_sub(old).wrapping_add(new);
    }
}

#[inline(always)]
pub fn add(lanes: &mut [i16], row: &[i16]) {
    for (lane, &weight) in lanes.iter_mut().zip(row) {
        *lane = lane.wrapping_add(weight);
    }
}

#[inline(always)]
pub fn signed_squares(lanes: &[i16]) -> i64 {
    let (positive, negative) = lanes.split_at(lanes.len() / 2);
    let mut sums = [0i32; BLOCK / 2];
    for (positive, negative) in positive.chunks_exact(BLOCK).zip(negative.chunks_exact(BLOCK)) {
        for (lane, sum) in sums.iter_mut().enumerate() {
            let square = |block: &[i16], at: usize| i32::from(block[at]) * i32::from(block[at]);
            let (first, second) = (2 * lane, 2 * lane + 1);
            *sum += square(positive, first) + square(positive, second)
                - (square(negative, first) + square(negative, second));
        }
    }
    sums.into_iter().map(i64::from).sum()
}
