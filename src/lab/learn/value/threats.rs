//! Threats: one weight for each way in which a piece is attacked.

use super::adam::{AdamRate, BatchStep};
use super::batch::Batch;
use super::model_part::ModelPart;
use super::trained_weights::TrainedWeights;
use crate::eval::learned::Term;
use crate::eval::learned::threats::THREATS;
use crate::lab::learn::RealWeights;

/// The threats part.
pub(super) struct ThreatsPart {
    /// Shape \[[`THREATS`]\].
    weights: TrainedWeights,
    rate: AdamRate,
}

impl ThreatsPart {
    pub fn new(rate: AdamRate) -> ThreatsPart {
        ThreatsPart { weights: TrainedWeights::dense(vec![0.0; THREATS]), rate }
    }
}

impl ModelPart for ThreatsPart {
    fn reads_threats(&self) -> bool {
        self.rate.learning_rate > 0.0 || self.weights.values.iter().any(|&weight| weight != 0.0)
    }

    fn forward(&mut self, batch: &Batch, values: &mut [f32]) {
        for (value, sample) in values.iter_mut().zip(&batch.samples) {
            let threats = sample.threats.iter();
            *value += threats.map(|&threat| self.weights.values[usize::from(threat)]).sum::<f32>();
        }
    }

    fn backward(&mut self, batch: &Batch, gradients: &[f32], step: BatchStep) {
        let mut sums = [0.0; THREATS];
        for (gradient, sample) in gradients.iter().zip(&batch.samples) {
            sample.threats.iter().for_each(|&threat| sums[usize::from(threat)] += gradient);
        }
        let number = (step.number, 0);
        self.weights.state().step(&sums, self.rate, number, step.factor, f32::INFINITY);
    }

    fn parameters(&mut self) -> Vec<&mut TrainedWeights> {
        vec![&mut self.weights]
    }

    fn export(&self, scale: f32, weights: &mut RealWeights) {
        for (total, value) in weights.terms[Term::Threats].iter_mut().zip(&self.weights.values) {
            *total += scale * value;
        }
    }

    fn import(&mut self, scale: f32, weights: &RealWeights) {
        self.weights.values =
            weights.terms[Term::Threats].iter().map(|centipawns| centipawns / scale).collect();
    }
}
