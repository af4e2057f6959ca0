//! The objective of a learning run: order, schedule, losses.

use std::io;

use super::HokiConfig;
use super::model::HokiModel;
use crate::lab::learn::value::{Losses, Target, ValueLosses, score_scale};
use crate::lab::learn::{
    BatchNumber, CheckpointReader, CheckpointWriter, Objective, RunLength, SampleSet, Trainer,
};
use crate::papers::bonanza::hoki::HokiTables;
use crate::rng::Rng;

/// Weights of the features fitted to samples.
pub struct HokiObjective<'d> {
    config: HokiConfig,
    target: Target,
    training: &'d SampleSet,
    held_out: &'d SampleSet,
    model: HokiModel,
    /// Indices of the training samples, in the order of the epoch.
    order: Vec<u32>,
    /// Sum of the training losses since the last point of the curve, and their number.
    loss: f64,
    samples: u64,
}

/// A run of learning.
pub type HokiTrainer<'d> = Trainer<HokiObjective<'d>>;

impl Objective for HokiObjective<'_> {
    type Measured = ValueLosses;

    fn run_name(&self) -> String {
        let (training, held_out) = (self.training.checksum, self.held_out.checksum);
        let count = self.order.len();
        format!("{:?} training {count} of {training:016x} held out {held_out:016x}", self.config)
    }

    fn batches_per_epoch(&self) -> u64 {
        self.order.len().div_ceil(self.config.batch) as u64
    }

    fn begin_epoch(&mut self, epoch: u64) {
        let seed = self.config.seed ^ (epoch + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.order.sort_unstable();
        Rng::from_seed(seed).shuffle(&mut self.order);
    }

    fn learn(&mut self, batch: BatchNumber) {
        let first = batch.of_epoch as usize * self.config.batch;
        let end = (first + self.config.batch).min(self.order.len());
        let numbers = &self.order[first..end];
        self.loss += self.model.add_gradients(&self.training.samples, numbers, self.target);
        self.samples += numbers.len() as u64;
        // The rate decreases linearly to zero.
        self.model.step(1.0 - batch.of_run as f32 / batch.count as f32);
    }

    fn measure(&mut self, _: &dyn Fn() -> bool) -> Option<ValueLosses> {
        let training = self.loss / self.samples.max(1) as f64;
        (self.loss, self.samples) = (0.0, 0);
        Some(ValueLosses { training, held_out: self.evaluate(), units: None })
    }

    fn write(&mut self, out: &mut CheckpointWriter) -> io::Result<()> {
        out.float(self.loss)?;
        out.number(self.samples)?;
        self.model.write(out)
    }

    fn read(&mut self, input: &mut CheckpointReader) -> io::Result<()> {
        self.loss = input.float()?;
        self.samples = input.number()?;
        self.model.read(input)
    }
}

impl<'d> HokiObjective<'d> {
    /// Creates the objective before any learning. Neither set may be empty.
    pub fn new(config: HokiConfig, training: &'d SampleSet, held_out: &'d SampleSet) -> Self {
        let score_scale = config.score_scale.unwrap_or_else(|| score_scale(training));
        HokiObjective {
            config,
            target: Target { lambda: config.lambda, score_scale },
            training,
            held_out,
            model: HokiModel::new(&config),
            order: (0..training.samples.len() as u32).collect(),
            loss: 0.0,
            samples: 0,
        }
    }

    /// Creates a trainer before its first batch.
    pub fn trainer(self) -> HokiTrainer<'d> {
        let HokiConfig { epochs, evaluations, .. } = self.config;
        let (epochs, evaluations) = (epochs.into(), evaluations.into());
        Trainer::new(self, RunLength { epochs, evaluations, patience: None })
    }

    /// The target of learning.
    pub fn target(&self) -> Target {
        self.target
    }

    /// The losses of the current weights on the held-out samples.
    pub fn evaluate(&mut self) -> Losses {
        let samples = &self.held_out.samples;
        let numbers: Vec<u32> = (0..samples.len() as u32).collect();
        let mut values: Vec<f32> = Vec::with_capacity(samples.len());
        for numbers in numbers.chunks(self.config.batch) {
            values.extend(self.model.forward(samples, numbers));
        }
        Losses::of(self.target, samples, &values)
    }

    /// The current weights for the evaluation, in centipawns.
    pub fn export(&self) -> HokiTables<f32> {
        self.model.export()
    }
}

#[cfg(test)]
impl HokiObjective<'_> {
    /// Indices of the training samples, in the order of the epoch.
    pub fn order(&self) -> &[u32] {
        &self.order
    }
}
