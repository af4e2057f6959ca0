//! A weight for every own king and pair of pieces: KPP.
//!
//! A side's half is the sum over its pairs; the value is own half minus enemy half.

use rayon::prelude::*;

use super::adam::{AdamRate, BatchStep};
use super::batch::Batch;
use super::buffer_pool::BufferPool;
use super::king_views::KINGS;
use super::model_part::ModelPart;
use super::trained_weights::TrainedWeights;
use crate::eval::PieceIndex;
use crate::eval::learned::features::pairs;
use crate::eval::learned::{RealKpp, RealUpper, RealWeights, TRIANGLE, triangle_index};
use crate::lab::learn::gathered_sum;

/// The KPP part.
pub(super) struct KppPart {
    /// Shape \[45\]\[[`TRIANGLE`]\]: the pair i < j at j (j - 1) / 2 + i.
    weights: TrainedWeights,
    rate: AdamRate,
    /// Whether the exported weights are 8 bits wide.
    narrow: bool,
    /// Sum of each side, in the order of the batch's kings.
    sums: Vec<f32>,
    /// Gradients of a king's pairs, zero between tasks.
    gradients: BufferPool,
}

impl KppPart {
    pub fn new(rate: AdamRate, narrow: bool) -> KppPart {
        KppPart {
            weights: TrainedWeights::zero(KINGS * TRIANGLE),
            rate,
            narrow,
            sums: Vec::new(),
            gradients: BufferPool::new(TRIANGLE),
        }
    }
}

/// Iterates over the pairs of an ascending list: for each piece the start of its row, and the lower
/// pieces.
#[inline]
fn rows(pieces: &[PieceIndex]) -> impl Iterator<Item = (usize, &[PieceIndex])> {
    pairs(pieces).map(|(high, lower)| (triangle_index(PieceIndex::NONE, high), lower))
}

fn half(weights: &[f32], pieces: &[PieceIndex]) -> f32 {
    rows(pieces).fold(0.0, |total, (begin, lower)| {
        total + gathered_sum(&weights[begin..], lower, PieceIndex::index)
    })
}

impl ModelPart for KppPart {
    fn forward(&mut self, batch: &Batch, values: &mut [f32]) {
        self.sums.resize(2 * batch.len(), 0.0);
        let sums = batch.by_king.split(&mut self.sums, 1);
        sums.into_par_iter()
            .zip(self.weights.values.par_chunks(TRIANGLE))
            .enumerate()
            .with_max_len(1)
            .for_each(|(king, (sums, weights))| {
                for (&side, sum) in batch.by_king.of(king).iter().zip(sums) {
                    *sum = half(weights, batch.pieces(side));
                }
            });
        for (&side, sum) in batch.by_king.members.iter().zip(&self.sums) {
            values[side.sample()] += side.sign() * sum;
        }
    }

    fn backward(&mut self, batch: &Batch, gradients: &[f32], step: BatchStep) {
        let rate = self.rate;
        let (by_king, pool) = (&batch.by_king, &self.gradients);
        self.weights.each_group(by_king, 1, pool, |sides, mut weights, sums| {
            for &side in sides {
                let gradient = side.sign() * gradients[side.sample()];
                for (begin, lower) in rows(batch.pieces(side)) {
                    let row = &mut sums[begin..];
                    lower.iter().for_each(|&piece| row[piece.index()] += gradient);
                }
            }
            // The second visit updates each weight once and clears its gradient.
            for (begin, lower) in sides.iter().flat_map(|&side| rows(batch.pieces(side))) {
                for at in lower.iter().map(|&piece| begin + piece.index()) {
                    if sums[at] != 0.0 {
                        weights.step(at, &[std::mem::take(&mut sums[at])], rate, step);
                    }
                }
            }
        });
    }

    fn count(&mut self, batch: &Batch) {
        let uses = self.weights.uses(1).par_chunks_mut(TRIANGLE).enumerate().with_max_len(1);
        uses.for_each(|(king, uses)| {
            for &side in batch.by_king.of(king) {
                for (begin, lower) in rows(batch.pieces(side)) {
                    let row = &mut uses[begin..];
                    lower.iter().for_each(|&piece| row[piece.index()] += 1);
                }
            }
        });
    }

    fn parameters(&mut self) -> Vec<&mut TrainedWeights> {
        vec![&mut self.weights]
    }

    fn export(&self, scale: f32, weights: &mut RealWeights) {
        let triangles = self.weights.values.iter().map(|weight| scale * weight).collect();
        weights.upper = RealUpper::Kpp(RealKpp::Table { triangles, narrow: self.narrow });
    }

    fn import(&mut self, scale: f32, weights: &RealWeights) {
        if let RealUpper::Kpp(RealKpp::Table { triangles, .. }) = &weights.upper {
            self.weights.values = triangles.iter().map(|centipawns| centipawns / scale).collect();
        }
    }
}
