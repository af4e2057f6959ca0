//! The parts together.

use super::batch::Batch;
use super::king_rows::KingRows;
use super::king_views::PIECES;
use super::kkp::KkpPart;
use super::kpp::KppPart;
use super::model_part::{BatchStep, ModelPart};
use super::network::NetworkPart;
use super::pp::PpPart;
use super::sample_ref::SampleRef;
use super::tempo::TempoPart;
use super::trained_weights::TrainedWeights;
use super::{ModelForm, Target, ValueConfig};
use crate::eval::learned::network::NetworkShape;
use crate::eval::learned::{RealWeights, Weights};
use crate::lab::learn::Sample;
use crate::rng::Rng;

/// The model while it learns, with the memory of one batch.
pub(super) struct Model {
    pub parts: Vec<Box<dyn ModelPart>>,
    /// Centipawns a logit.
    scale: f32,
    batch: Batch,
    values: Vec<f32>,
    gradients: Vec<f32>,
}

impl Model {
    /// Nothing learned: material, and u small and random.
    pub fn new(config: &ValueConfig) -> Model {
        let rates = &config.rates;
        let mut parts: Vec<Box<dyn ModelPart>> = vec![
            Box::new(TempoPart::new(rates.tempo)),
            Box::new(KingRows::<1>::new(vec![0.0; PIECES], rates.kp)),
        ];
        if rates.kkp.learning_rate > 0.0 {
            parts.push(Box::new(KkpPart::new(rates.kkp)));
        }
        if rates.pp.learning_rate > 0.0 {
            parts.push(Box::new(PpPart::new(rates.pp)));
        }
        match config.form {
            ModelForm::None => {}
            ModelForm::Table { narrow } => {
                parts.push(Box::new(KppPart::new(rates.kpp, narrow)));
            }
            ModelForm::Factored { rank } => parts.push(factored(rank, config)),
            ModelForm::Network(shape) => parts.push(Box::new(network(shape, config))),
        }
        Model {
            parts,
            scale: config.scale,
            batch: Batch::default(),
            values: Vec::new(),
            gradients: Vec::new(),
        }
    }

    /// The values of these samples or their mirror images, side to move's view, logits.
    pub fn forward(&mut self, samples: &[Sample], refs: &[SampleRef]) -> &[f32] {
        self.batch.fill(samples, refs);
        self.values.clear();
        self.values.extend(self.batch.samples.iter().map(|sample| sample.material / self.scale));
        for part in &mut self.parts {
            part.forward(&self.batch, &mut self.values);
        }
        &self.values
    }

    /// The weights of all parts, in an order that never changes.
    pub fn parameters(&mut self) -> impl Iterator<Item = &mut TrainedWeights> {
        self.parts.iter_mut().flat_map(|part| part.parameters())
    }

    /// Multiplies each weight by n / (n + `count`), where n is how often the samples use it; each
    /// sample counts half as it is and half as its mirror image, as either is learned by chance.
    /// Factors are counted and shrunk a row: that of the king and piece, and that of the piece alone.
    /// `batch`: samples at a time.
    pub fn shrink(&mut self, samples: &[Sample], batch: usize, count: f32) {
        let images = |number| {
            let sample = SampleRef::new(number);
            [sample, sample.mirrored_if(true)]
        };
        let refs: Vec<SampleRef> = (0..samples.len()).flat_map(images).collect();
        for refs in refs.chunks(batch) {
            self.batch.fill(samples, refs);
            self.parts.iter_mut().for_each(|part| part.count(&self.batch));
        }
        self.parameters().for_each(|weights| weights.shrink(count));
    }

    /// The weights of the evaluation, centipawns.
    pub fn export(&self) -> RealWeights {
        let mut weights = RealWeights::zero();
        self.parts.iter().for_each(|part| part.export(self.scale, &mut weights));
        weights
    }

    /// Takes over weights of the evaluation; false, and nothing to be done with the model, if it
    /// cannot hold them as they are.
    pub fn import(&mut self, weights: &Weights) -> bool {
        let real = RealWeights::from(weights);
        for part in &mut self.parts {
            part.import(self.scale, &real);
        }
        self.export().quantize().weights == *weights
    }

    /// One step on these samples or their mirror images; returns the sum of their losses before it.
    pub fn learn(
        &mut self,
        samples: &[Sample],
        refs: &[SampleRef],
        target: Target,
        step: BatchStep,
    ) -> f64 {
        self.forward(samples, refs);
        let loss = target.gradients(samples, refs, &self.values, &mut self.gradients);
        for part in &mut self.parts {
            part.backward(&self.batch, &self.gradients, step);
        }
        loss
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
        _ => panic!("a rank of {rank}: 32, 64, 128 or 256 are possible"),
    }
}

fn network(shape: NetworkShape, config: &ValueConfig) -> NetworkPart {
    let mut rng = Rng::from_seed(config.seed);
    let mut draw = |len, deviation| normal(len, deviation, &mut rng);
    NetworkPart::new(shape, config.rates.network, config.rates.relative_rows, &mut draw)
}

/// Normally distributed numbers, by Box and Muller.
fn normal(len: usize, deviation: f32, rng: &mut Rng) -> Vec<f32> {
    let mut draw = || {
        let radius = (-2.0 * (1.0 - rng.unit()).ln()).sqrt();
        deviation * (radius * (std::f64::consts::TAU * rng.unit()).cos()) as f32
    };
    (0..len).map(|_| draw()).collect()
}
