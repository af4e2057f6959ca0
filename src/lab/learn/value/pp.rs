//! Pairs of pieces, independent of the kings: PP.
//!
//! Tied under turning the board: every piece is numbered from its owner's view (0..774), and a pair
//! has two weights, one if both have the same owner and one if not. The value is the sum over the
//! pairs, with the sign of the owner of the piece with the higher number. (Two pieces of different
//! owners with the same number have value 0, because turning the board swaps them.)

use rayon::prelude::*;

use super::adam::{AdamRate, BatchStep};
use super::batch::{Batch, CHUNK};
use super::key_groups::cut;
use super::model_part::ModelPart;
use super::place_code::{PLACES, PlaceCode};
use super::trained_weights::TrainedWeights;
use crate::eval::PieceIndex;
use crate::eval::learned::{Term, triangle_index};
use crate::lab::learn::RealWeights;
use crate::lab::learn::gathered_sum;
use crate::shogi::Color;

/// Number of higher numbers whose pairs one task updates.
const SHARD: usize = 48;
/// Number of weights that are visited or skipped together.
const RUN: usize = 32;

/// The PP part.
pub(super) struct PpPart {
    /// The pair of the numbers h > l has two weights, for x = 0 (same owner) and x = 1 (other
    /// owner). Its index is h(h - 1) + 2 l + x.
    weights: TrainedWeights,
    /// Zero between batches.
    gradients: Vec<f32>,
    rate: AdamRate,
}

/// Start of the weights of a higher number.
#[inline]
pub(super) const fn row(high: usize) -> usize {
    high * high.saturating_sub(1)
}

impl PpPart {
    pub fn new(rate: AdamRate) -> PpPart {
        PpPart {
            weights: TrainedWeights::zero(row(PLACES)),
            gradients: vec![0.0; row(PLACES)],
            rate,
        }
    }
}

/// The pairs of a piece with those of lower numbers.
struct LowerPairs<'a> {
    /// Sign of the pairs in the value.
    sign: f32,
    /// Start of the weights.
    begin: usize,
    /// The piece.
    high: PlaceCode,
    /// The pieces of lower numbers.
    lower: &'a [PlaceCode],
}

impl LowerPairs<'_> {
    /// The pairs of the piece at `at`.
    #[inline]
    fn of(codes: &[PlaceCode], at: usize) -> LowerPairs<'_> {
        let high = codes[at];
        let is_same = at > 0 && codes[at - 1].place() == high.place();
        let sign = if high.is_enemy() { -1.0 } else { 1.0 };
        let lower = &codes[..at - usize::from(is_same)];
        LowerPairs { sign, begin: row(high.place()), high, lower }
    }

    /// Indices of the weights.
    #[inline]
    fn places(&self) -> impl Iterator<Item = usize> {
        self.lower.iter().map(|low| self.begin + low.paired_with(self.high))
    }
}

/// The value of a sample's pairs.
fn value(weights: &[f32], codes: &[PlaceCode]) -> f32 {
    (0..codes.len()).fold(0.0, |total, at| {
        let LowerPairs { sign, begin, high, lower } = LowerPairs::of(codes, at);
        let row = &weights[begin..];
        total + sign * gathered_sum(lower, |low| row[low.paired_with(high)])
    })
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

    fn backward(&mut self, batch: &Batch, gradients: &[f32], step: BatchStep) {
        let (rate, edges) = (self.rate, shard_edges());
        let shards = self.weights.cut(&edges).into_par_iter();
        let shards = shards.zip(cut(&mut self.gradients, &edges)).enumerate().with_max_len(1);
        shards.for_each(|(shard, (mut weights, sums))| {
            let mut touched = vec![false; sums.len().div_ceil(RUN)];
            for (sample, &gradient) in batch.samples.iter().zip(gradients) {
                each_in_shard(sample.codes(), shard, |at, sign| {
                    sums[at] += sign * gradient;
                    touched[at / RUN] = true;
                });
            }
            // Skips weights that no sample has touched: small batches touch few of them.
            let runs = sums.chunks_mut(RUN).enumerate().filter(|&(run, _)| touched[run]);
            for (at, sum) in runs.flat_map(|(run, sums)| (run * RUN..).zip(sums)) {
                if *sum != 0.0 {
                    weights.step(at, &[std::mem::take(sum)], rate, step);
                }
            }
        });
    }

    fn parameters(&mut self) -> Vec<&mut TrainedWeights> {
        vec![&mut self.weights]
    }

    fn export(&self, scale: f32, weights: &mut RealWeights) {
        for ExportedPair { at, sign, place } in exported() {
            weights.terms[Term::Pp][place] += scale * sign * self.weights.values[at];
        }
    }

    fn import(&mut self, scale: f32, weights: &RealWeights) {
        for ExportedPair { at, sign, place } in exported() {
            self.weights.values[at] = sign * weights.terms[Term::Pp][place] / scale;
        }
    }
}

/// A weight in the form of the evaluation.
struct ExportedPair {
    /// Index in [`PpPart::weights`].
    at: usize,
    /// 1 or -1.
    sign: f32,
    /// Index in the triangle.
    place: usize,
}

/// All pairs of piece indices whose value can be non-zero.
fn exported() -> impl Iterator<Item = ExportedPair> {
    let is_piece = |index: &PieceIndex| index.to_place(Color::Black).is_some();
    let pieces: Vec<PieceIndex> = PieceIndex::all().filter(is_piece).collect();
    (0..pieces.len()).flat_map(move |at| {
        let high = pieces[at];
        let export = |&low: &PieceIndex| {
            let mut codes = [low, high].map(PlaceCode::of);
            codes.sort_unstable();
            let pair = LowerPairs::of(&codes, 1);
            let at = pair.places().next()?;
            Some(ExportedPair { at, sign: pair.sign, place: triangle_index(low, high) })
        };
        pieces[..at].iter().filter_map(export).collect::<Vec<_>>()
    })
}

/// The starts of the shards' weights, and the end of the last.
fn shard_edges() -> Vec<usize> {
    (0..=PLACES.div_ceil(SHARD)).map(|shard| row((shard * SHARD).min(PLACES))).collect()
}

/// Visits the weights of a sample's pairs in a shard: their indices in it and their signs in the
/// value.
#[inline]
fn each_in_shard(codes: &[PlaceCode], shard: usize, mut show: impl FnMut(usize, f32)) {
    let first = shard * SHARD;
    let begin = codes.partition_point(|code| code.place() < first);
    let end = codes.partition_point(|code| code.place() < first + SHARD);
    for at in begin..end {
        let pairs = LowerPairs::of(codes, at);
        pairs.places().for_each(|place| show(place - row(first), pairs.sign));
    }
}
