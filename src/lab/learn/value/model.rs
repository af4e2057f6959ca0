//! The model: the sum of its parts.

use std::io;

use super::adam::BatchStep;
use super::batch::Batch;
use super::king_rows::KingRows;
use super::king_views::PIECES;
use super::kkp::KkpPart;
use super::model_part::ModelPart;
use super::network::NetworkPart;
use super::piece_values::PieceValuesPart;
use super::pp::PpPart;
use super::sample_ref::SampleRef;
use super::tempo::TempoPart;
use super::threats::ThreatsPart;
use super::trained_weights::TrainedWeights;
use super::{ModelForm, Target, ValueConfig};
use crate::eval::learned::network::NetworkShape;
use crate::eval::learned::{Term, Weights};
use crate::lab::learn::RealWeights;
use crate::lab::learn::{CheckpointReader, CheckpointWriter, Sample};
use crate::rng::Rng;

/// The model during learning, with the state of one batch.
pub(crate) struct Model {
    pub(super) parts: Vec<Box<dyn ModelPart>>,
    /// Centipawns per logit.
    scale: f32,
    /// Added to the value of having the move, logits.
    tempo: f32,
    batch: Batch,
    values: Vec<f32>,
    gradients: Vec<f32>,
}

impl Model {
    /// Creates a model with the first piece values, small random u, and all other weights zero
    /// except the initial weights of networks.
    pub fn new(config: &ValueConfig) -> Model {
        let rates = &config.rates;
        let standalone = matches!(config.form, ModelForm::Standalone(_));
        let mut parts: Vec<Box<dyn ModelPart>> = Vec::new();
        if !standalone {
            parts.push(Box::new(PieceValuesPart::new(config)));
            parts.push(Box::new(TempoPart::new(rates.relations)));
            parts.push(Box::new(KingRows::<1>::new(vec![0.0; PIECES], rates.relations)));
            parts.push(Box::new(KkpPart::new(rates.relations)));
            parts.push(Box::new(ThreatsPart::new(rates.threats)));
            if config.has_pairs {
                parts.push(Box::new(PpPart::new(rates.relations)));
            }
        }
        match config.form {
            ModelForm::None => {}
            ModelForm::Factored { rank } => parts.push(factored(rank, config)),
            ModelForm::Network(shape) | ModelForm::Standalone(shape) => {
                parts.push(Box::new(network(shape, standalone, config)));
            }
        }
        Model {
            parts,
            scale: config.scale,
            batch: Batch::new(standalone),
            tempo: 0.0,
            values: Vec::new(),
            gradients: Vec::new(),
        }
    }

    /// The values of these samples or their mirror images, side to move's view, logits.
    pub fn forward(&mut self, samples: &[Sample], refs: &[SampleRef]) -> &[f32] {
        self.fill_batch(samples, refs);
        self.values.clear();
        self.values.resize(self.batch.len(), self.tempo);
        for part in &mut self.parts {
            part.forward(&self.batch, &mut self.values);
        }
        &self.values
    }

    fn fill_batch(&mut self, samples: &[Sample], refs: &[SampleRef]) {
        self.batch.omits_threats = !self.parts.iter().any(|part| part.reads_threats());
        self.batch.fill(samples, refs);
    }

    /// The weights of all parts, in a fixed order.
    pub(super) fn parameters(&mut self) -> impl Iterator<Item = &mut TrainedWeights> {
        self.parts.iter_mut().flat_map(|part| part.parameters())
    }

    /// The weights for the evaluation, centipawns.
    pub fn export(&self) -> RealWeights {
        let mut weights = RealWeights::zero();
        self.parts.iter().for_each(|part| part.export(self.scale, &mut weights));
        weights.terms[Term::Tempo].iter_mut().for_each(|weight| *weight += self.scale * self.tempo);
        weights
    }

    /// Adds this to the value of having the move, centipawns.
    pub fn raise_tempo(&mut self, centipawns: f32) {
        self.tempo += centipawns / self.scale;
    }

    /// Imports weights of the evaluation. False if the model cannot represent them; then the model
    /// must not be used.
    pub fn import(&mut self, weights: &Weights) -> bool {
        let real = RealWeights::from(weights);
        for part in &mut self.parts {
            part.import(self.scale, &real);
        }
        self.export().quantize().weights == real.quantize().weights
    }

    /// Chooses initial values by the first batch of a run.
    pub fn begin(&mut self, samples: &[Sample], refs: &[SampleRef]) {
        self.fill_batch(samples, refs);
        self.parts.iter_mut().for_each(|part| part.begin(&self.batch));
    }

    /// Makes one step on these samples or their mirror images; returns the sum of their losses
    /// before it.
    pub fn learn(
        &mut self,
        samples: &[Sample],
        refs: &[SampleRef],
        target: Target,
        step: BatchStep,
    ) -> f64 {
        self.forward(samples, refs);
        let mut gradients = std::mem::take(&mut self.gradients);
        let loss = target.gradients(samples, refs, &self.values, &mut gradients);
        self.backward(&gradients, step);
        self.gradients = gradients;
        loss
    }

    /// Updates the weights. `gradients`: those of the loss with respect to the values of the last
    /// [`forward`](Model::forward), in the same order.
    pub fn backward(&mut self, gradients: &[f32], step: BatchStep) {
        for part in &mut self.parts {
            part.backward(&self.batch, gradients, step);
        }
    }

    /// Adds the weights to the sums for [`take_averages`](Model::take_averages).
    pub fn add_snapshot(&mut self) {
        for weights in self.parameters() {
            weights.sums.resize(weights.values.len(), 0.0);
            for (sum, value) in weights.sums.iter_mut().zip(&weights.values) {
                *sum += value;
            }
        }
    }

    /// Replaces the weights by the mean of `snapshots` snapshots and clears the sums; does nothing
    /// for 0.
    pub fn take_averages(&mut self, snapshots: u64) {
        if snapshots == 0 {
            return;
        }
        for weights in self.parameters() {
            let sums = std::mem::take(&mut weights.sums);
            for (value, sum) in weights.values.iter_mut().zip(sums) {
                *value = sum / snapshots as f32;
            }
        }
    }

    /// Writes the weights and the optimizer state to a checkpoint.
    pub fn write(&mut self, out: &mut CheckpointWriter) -> io::Result<()> {
        self.parameters().try_for_each(|weights| weights.write(out))
    }

    /// Reverses [`write`](Model::write).
    pub fn read(&mut self, input: &mut CheckpointReader) -> io::Result<()> {
        self.parameters().try_for_each(|weights| weights.read(input))
    }
}

fn factored(rank: usize, config: &ValueConfig) -> Box<dyn ModelPart> {
    let rate = config.rates.factors;
    let first = normal(PIECES * rank, config.initial_deviation, &mut Rng::from_seed(config.seed));
    match rank {
        32 => Box::new(KingRows::<32>::new(first, rate)),
        64 => Box::new(KingRows::<64>::new(first, rate)),
        128 => Box::new(KingRows::<128>::new(first, rate)),
        256 => Box::new(KingRows::<256>::new(first, rate)),
        _ => panic!("rank {rank} is not 32, 64, 128 or 256"),
    }
}

fn network(shape: NetworkShape, standalone: bool, config: &ValueConfig) -> NetworkPart {
    let mut rng = Rng::from_seed(config.seed);
    let mut draw = |len, deviation| normal(len, deviation, &mut rng);
    NetworkPart::new(shape, standalone, config.rates.network, &mut draw)
}

/// Normally distributed numbers, by the Box-Muller method.
fn normal(len: usize, deviation: f32, rng: &mut Rng) -> Vec<f32> {
    let mut draw = || {
        let radius = (-2.0 * (1.0 - rng.unit()).ln()).sqrt();
        deviation * (radius * (std::f64::consts::TAU * rng.unit()).cos()) as f32
    };
    (0..len).map(|_| draw()).collect()
}
