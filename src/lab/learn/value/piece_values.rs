//! Piece values: one weight for each kind of piece, on the board and in hand.
//!
//! By default they are those of the engine, at a rate of zero. Then only the other parts learn.

use super::ValueConfig;
use super::adam::{AdamRate, BatchStep};
use super::batch::Batch;
use super::model_part::ModelPart;
use super::trained_weights::TrainedWeights;
use crate::eval::material::PieceValues;
use crate::lab::learn::RealWeights;

/// The piece values.
pub(super) struct PieceValuesPart {
    /// In the order of [`PieceValues::to_array`].
    weights: TrainedWeights,
    rate: AdamRate,
}

impl PieceValuesPart {
    pub fn new(config: &ValueConfig) -> PieceValuesPart {
        let first = match config.equal_pieces {
            Some(value) => [value; PieceValues::COUNT],
            None => PieceValues::ENGINE.to_array().map(|value| value as f32),
        };
        let logits = first.map(|centipawns| centipawns / config.scale);
        PieceValuesPart {
            weights: TrainedWeights::dense(logits.into()),
            rate: config.rates.piece_values,
        }
    }
}

impl ModelPart for PieceValuesPart {
    fn forward(&mut self, batch: &Batch, values: &mut [f32]) {
        for (value, sample) in values.iter_mut().zip(&batch.samples) {
            let pieces = self.weights.values.iter().zip(sample.counts);
            *value += pieces.map(|(weight, count)| weight * f32::from(count)).sum::<f32>();
        }
    }

    fn backward(&mut self, batch: &Batch, gradients: &[f32], step: BatchStep) {
        let mut sums = [0.0; PieceValues::COUNT];
        for (gradient, sample) in gradients.iter().zip(&batch.samples) {
            for (sum, count) in sums.iter_mut().zip(sample.counts) {
                *sum += gradient * f32::from(count);
            }
        }
        let number = (step.number, 0);
        self.weights.state().step(&sums, self.rate, number, step.factor, f32::INFINITY);
    }

    fn parameters(&mut self) -> Vec<&mut TrainedWeights> {
        vec![&mut self.weights]
    }

    fn export(&self, scale: f32, weights: &mut RealWeights) {
        for (total, value) in weights.piece_values.iter_mut().zip(&self.weights.values) {
            *total = scale * value;
        }
    }

    fn import(&mut self, scale: f32, weights: &RealWeights) {
        self.weights.values = weights.piece_values.map(|value| value / scale).into();
    }
}
