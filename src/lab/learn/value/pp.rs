//! Pairs of pieces, whatever the kings do: PP.
//!
//! Tied under turning the board: every piece is numbered as its owner sees it (0..774), and a pair
//! has two weights, one if both have the same owner and one if not. The value is the sum over the
//! pairs, each counted for the owner of the piece with the higher number. (Two pieces of different
//! owners with the same number are worth nothing, as turning shows.)

use rayon::prelude::*;

use super::AdaGradRate;
use super::adagrad::{TrainedWeights, step};
use super::batch::{Batch, CHUNK, cut};
use super::king_views::{CODES, PLACES};
use super::model_part::{BatchStep, ModelPart};
use crate::eval::PieceIndex;
use crate::eval::learned::{RealWeights, triangle_index};
use crate::shogi::Color;

/// Higher numbers whose pairs one task moves.
const SHARD: usize = 48;
/// Weights that are moved or left together.
const RUN: usize = 32;

/// The part.
pub(super) struct PpPart {
    /// For the higher number h, the lower l and x = 1 if the owners differ: at h(h - 1) + 2 l + x.
    weights: TrainedWeights,
    /// Zero between batches.
    gradients: Vec<f32>,
    rate: AdaGradRate,
}

/// Where the weights of a higher number begin.
#[inline]
pub(super) const fn row(high: usize) -> usize {
    high * high.saturating_sub(1)
}

impl PpPart {
    pub fn new(rate: AdaGradRate) -> PpPart {
        PpPart {
            weights: TrainedWeights::zero(row(PLACES)),
            gradients: vec![0.0; row(PLACES)],
            rate,
        }
    }
}

/// The pairs of the piece at `at` with those of lower numbers: their sign in the value, the
/// beginning of their weights and their codes, to be flipped in the last bit for an enemy piece.
#[inline]
fn lower(codes: &[u16], at: usize) -> (f32, usize, u16, &[u16]) {
    let (high, owner) = (codes[at] / 2, codes[at] % 2);
    let is_same = at > 0 && codes[at - 1] / 2 == high;
    let sign = if owner == 0 { 1.0 } else { -1.0 };
    (sign, row(usize::from(high)), owner, &codes[..at - usize::from(is_same)])
}

/// The value of a sample's pairs.
fn value(weights: &[f32], codes: &[u16]) -> f32 {
    let mut total = 0.0;
    for at in 0..codes.len() {
        let (sign, begin, flip, lower) = lower(codes, at);
        let row = &weights[begin..];
        // Four sums at a time: one addition need not wait for the other.
        let (fours, rest) = lower.as_chunks::<4>();
        let mut sums = [0.0; 4];
        for four in fours {
            for (sum, code) in sums.iter_mut().zip(four) {
                *sum += row[usize::from(code ^ flip)];
            }
        }
        for (sum, code) in sums.iter_mut().zip(rest) {
            *sum += row[usize::from(code ^ flip)];
        }
        total += sign * ((sums[0] + sums[1]) + (sums[2] + sums[3]));
    }
    total
}

impl ModelPart for PpPart {
    fn forward(&mut self, batch: &Batch, values: &mut [f32]) {
        let weights = &self.weights.values;
        values
            .par_iter_mut()
            .zip(&batch.samples)
            .with_min_len(CHUNK)
            .for_each(|(total, sample)| *total += value(weights, sample.codes()));
    }

    fn backward(&mut self, batch: &Batch, gradients: &[f32], schedule: BatchStep) {
        let rate = self.rate.times(schedule.factor);
        let TrainedWeights { values, squares, .. } = &mut self.weights;
        let edges = shard_edges();
        let shards = cut(values, &edges).into_par_iter().zip(cut(squares, &edges));
        let shards = shards.zip(cut(&mut self.gradients, &edges)).enumerate().with_max_len(1);
        shards.for_each(|(shard, ((values, squares), sums))| {
            let mut touched = vec![false; sums.len().div_ceil(RUN)];
            for (sample, &gradient) in batch.samples.iter().zip(gradients) {
                each_in_shard(sample.codes(), shard, |at, sign| {
                    sums[at] += sign * gradient;
                    touched[at / RUN] = true;
                });
            }
            // What no sample has touched stays as it is: small batches touch little.
            let runs = values.chunks_mut(RUN).zip(squares.chunks_mut(RUN));
            for (((values, squares), sums), _) in
                runs.zip(sums.chunks_mut(RUN)).zip(touched).filter(|(_, touched)| *touched)
            {
                step(values, squares, sums, rate);
                sums.fill(0.0);
            }
        });
    }

    fn count(&mut self, batch: &Batch) {
        let shards = cut(self.weights.uses(1), &shard_edges()).into_par_iter().enumerate();
        shards.with_max_len(1).for_each(|(shard, uses)| {
            for sample in &batch.samples {
                each_in_shard(sample.codes(), shard, |at, _| uses[at] += 1);
            }
        });
    }

    fn parameters(&mut self) -> Vec<&mut TrainedWeights> {
        vec![&mut self.weights]
    }

    fn export(&self, scale: f32, weights: &mut RealWeights) {
        for ExportedPair { at, sign, place } in exported() {
            weights.pp[place] += scale * sign * self.weights.values[at];
        }
    }

    fn import(&mut self, scale: f32, weights: &RealWeights) {
        for ExportedPair { at, sign, place } in exported() {
            self.weights.values[at] = sign * weights.pp[place] / scale;
        }
    }
}

/// A weight as the evaluation has it.
struct ExportedPair {
    /// Where it is in [`PpPart::weights`].
    at: usize,
    /// 1 or -1.
    sign: f32,
    /// Where it is in the triangle.
    place: usize,
}

/// All pairs of piece indices that are worth something to each other.
fn exported() -> impl Iterator<Item = ExportedPair> {
    let is_piece = |index: &PieceIndex| index.to_place(Color::Black).is_some();
    let pieces: Vec<PieceIndex> = PieceIndex::all().filter(is_piece).collect();
    (0..pieces.len()).flat_map(move |at| {
        let high = pieces[at];
        let export = |&low: &PieceIndex| {
            let mut codes = [CODES[low.index()], CODES[high.index()]];
            codes.sort_unstable();
            let (sign, begin, flip, lower) = lower(&codes, 1);
            let at = begin + usize::from(lower.first()? ^ flip);
            Some(ExportedPair { at, sign, place: triangle_index(low, high) })
        };
        pieces[..at].iter().filter_map(export).collect::<Vec<_>>()
    })
}

/// Where the weights of the shards begin, and the end of the last.
fn shard_edges() -> Vec<usize> {
    (0..=PLACES.div_ceil(SHARD)).map(|shard| row((shard * SHARD).min(PLACES))).collect()
}

/// Shows the weights of a sample's pairs in a shard: their places in it and their signs in the
/// value.
#[inline]
fn each_in_shard(codes: &[u16], shard: usize, mut show: impl FnMut(usize, f32)) {
    let first = shard * SHARD;
    let begin = codes.partition_point(|&code| usize::from(code) < 2 * first);
    let len = codes[begin..].partition_point(|&code| usize::from(code) < 2 * (first + SHARD));
    for at in begin..begin + len {
        let (sign, start, flip, lower) = lower(codes, at);
        let start = start - row(first);
        lower.iter().for_each(|code| show(start + usize::from(code ^ flip), sign));
    }
}
