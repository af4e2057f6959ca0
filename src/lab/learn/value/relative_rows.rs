//! Rows of hidden units for every own king and feature, added to those of the feature alone
//! ([`network`](super::network)). So the rows of a rare king square are corrections to common rows.
//!
//! A batch touches few of these rows, so they are sparse.

use super::adam::{AdamRate, BatchStep};
use super::batch::Batch;
use super::buffer_pool::BufferPool;
use super::king_views::KINGS;
use super::trained_weights::TrainedWeights;
use crate::eval::learned::KingView;

/// Number of rows of a king.
const ROWS: usize = KingView::INPUTS;

/// King-relative rows of weights.
pub(super) struct RelativeRows {
    units: usize,
    /// Shape `[45][ROWS][units]`.
    pub weights: TrainedWeights,
    rate: AdamRate,
    /// Gradients of the rows of a king, shape `[ROWS][units]`; zero between tasks.
    gradients: BufferPool,
}

impl RelativeRows {
    /// Creates rows of zeros.
    pub fn new(units: usize, rate: AdamRate) -> RelativeRows {
        RelativeRows {
            units,
            weights: TrainedWeights::sparse(vec![0.0; KINGS * ROWS * units], units),
            rate,
            gradients: BufferPool::new(ROWS * units),
        }
    }

    /// Adds the rows of a side's features to its accumulator.
    #[inline]
    pub fn add(&self, king: usize, features: impl Iterator<Item = usize>, sums: &mut [f32]) {
        let rows = &self.weights.values[king * ROWS * self.units..][..ROWS * self.units];
        for feature in features {
            let row = &rows[feature * self.units..][..self.units];
            sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
        }
    }

    /// Sets the rows to what `rows`, shape `[45][ROWS][units]`, add to their mean over all kings.
    /// Returns the mean, shape `[ROWS][units]`.
    pub fn factorise(&mut self, rows: &[f32]) -> Vec<f32> {
        let mut sums = vec![0.0; ROWS * self.units];
        for table in rows.chunks_exact(sums.len()) {
            sums.iter_mut().zip(table).for_each(|(sum, &weight)| *sum += f64::from(weight));
        }
        // In 64 bits, the mean of equal rows of a weights file is exact.
        let mean: Vec<f32> = sums.iter().map(|sum| (sum / KINGS as f64) as f32).collect();
        let shared = mean.iter().cycle();
        self.weights.values = rows.iter().zip(shared).map(|(all, shared)| all - shared).collect();
        mean
    }

    /// Updates the rows by the gradients of the accumulators, shape `[2 samples][units]`.
    pub fn move_rows(&mut self, batch: &Batch, derivatives: &[f32], step: BatchStep) {
        let (units, rate) = (self.units, self.rate);
        let (by_king, pool) = (&batch.by_king, &self.gradients);
        self.weights.each_group(by_king, 1, pool, |sides, mut rows, sums| {
            let mut touched = [false; ROWS];
            for &side in sides {
                let derivatives = &derivatives[side.index() * units..][..units];
                for feature in batch.samples[side.sample()].inputs(side.side()) {
                    touched[feature] = true;
                    let row = &mut sums[feature * units..][..units];
                    row.iter_mut().zip(derivatives).for_each(|(sum, d)| *sum += d);
                }
            }
            for (row, sums) in sums.chunks_mut(units).enumerate().filter(|&(row, _)| touched[row]) {
                rows.step(row, sums, rate, step);
                sums.fill(0.0);
            }
        });
    }
}
