//! Tempo, the value of having the move: one weight per pair of king squares, and one for all.

use super::adam::{AdamRate, BatchStep};
use super::batch::Batch;
use super::king_views::KING_PAIRS;
use super::model_part::ModelPart;
use super::trained_weights::TrainedWeights;
use crate::eval::learned::Term;
use crate::lab::learn::RealWeights;

/// The tempo part.
pub(super) struct TempoPart {
    /// Shape \[45 x 81 + 1\]: by the kings in the normalized view of the side to move; then the
    /// weight for all.
    weights: TrainedWeights,
    /// Gradients of the batch by weight; zero between batches.
    gradients: Vec<f32>,
    rate: AdamRate,
}

const FOR_ALL: usize = KING_PAIRS;

impl TempoPart {
    pub fn new(rate: AdamRate) -> TempoPart {
        TempoPart {
            weights: TrainedWeights::zero(KING_PAIRS + 1),
            gradients: vec![0.0; KING_PAIRS + 1],
            rate,
        }
    }
}

impl ModelPart for TempoPart {
    fn forward(&mut self, batch: &Batch, values: &mut [f32]) {
        let weights = &self.weights.values;
        for (value, sample) in values.iter_mut().zip(&batch.samples) {
            *value += weights[sample.sides[0].kings.pair()] + weights[FOR_ALL];
        }
    }

    fn backward(&mut self, batch: &Batch, gradients: &[f32], step: BatchStep) {
        for (gradient, sample) in gradients.iter().zip(&batch.samples) {
            self.gradients[sample.sides[0].kings.pair()] += gradient;
            self.gradients[FOR_ALL] += gradient;
        }
        let mut rows = self.weights.rows();
        for (at, gradient) in self.gradients.iter_mut().enumerate().filter(|(_, g)| **g != 0.0) {
            rows.step(at, &[std::mem::take(gradient)], self.rate, step);
        }
    }

    fn parameters(&mut self) -> Vec<&mut TrainedWeights> {
        vec![&mut self.weights]
    }

    fn export(&self, scale: f32, weights: &mut RealWeights) {
        let (pairs, for_all) = self.weights.values.split_at(KING_PAIRS);
        for (total, pair) in weights.terms[Term::Tempo].iter_mut().zip(pairs) {
            *total += scale * (pair + for_all[0]);
        }
    }

    fn import(&mut self, scale: f32, weights: &RealWeights) {
        let pairs = weights.terms[Term::Tempo].iter().map(|centipawns| centipawns / scale);
        self.weights.values = pairs.chain([0.0]).collect();
    }
}
