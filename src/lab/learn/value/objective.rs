//! The objective of value learning: order, schedule, weight averaging, losses.

use std::io;

use super::model::Model;
use super::sample_ref::SampleRef;
use super::{BatchStep, Losses, Target, ValueConfig};
use crate::eval::learned::Weights;
use crate::lab::learn::RealWeights;
use crate::lab::learn::checkpoint::{CheckpointReader, CheckpointWriter};
use crate::lab::learn::logistic::fit_slope;
use crate::lab::learn::trainer::{BatchNumber, Measured, Objective, RunLength, Trainer};
use crate::lab::learn::{LearnError, Sample, SampleSet};
use crate::lab::live_units::{LayerUnits, LiveUnits};
use crate::rng::Rng;

/// Weights of the evaluation fitted to samples.
pub struct ValueObjective<'d> {
    pub(crate) config: ValueConfig,
    /// The target of learning.
    pub(crate) target: Target,
    training: &'d SampleSet,
    held_out: &'d SampleSet,
    pub(super) model: Model,
    /// The first sample of each unit of the training samples, in the order of the epoch.
    order: Vec<SampleRef>,
    /// Sum of the training losses since the last point of the curve, and their number.
    loss: f64,
    samples: u64,
    /// Number of snapshots in the average.
    snapshots: u64,
    /// Whether the initial weights are those of an earlier run.
    pub(crate) continues: bool,
    /// Whether the run continues although units do not vary.
    pub(crate) keeps_dead_units: bool,
}

/// A run of learning the value.
pub type ValueTrainer<'d> = Trainer<ValueObjective<'d>>;

/// Measurements at a point of the learning curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueLosses {
    /// Mean training loss since the last point of the curve.
    pub training: f64,
    /// Losses of the held-out samples.
    pub held_out: Losses,
    /// Units of the network in up to [`LIVE_POSITIONS`] of them; `None` without a network.
    pub units: Option<LiveUnits>,
}

/// Largest number of positions in which units are measured.
const LIVE_POSITIONS: usize = 4_000;
/// Smallest number of positions that shows which units vary.
const ENOUGH_POSITIONS: usize = 1_000;
/// Largest number of units of a layer that may not vary.
const LOST_UNITS: u32 = 2;

/// Centipawns of a set's scores that multiply the odds of winning by e, fitted to the results.
pub fn score_scale(set: &SampleSet) -> f32 {
    fit_slope(&set.samples, |sample| f32::from(sample.score), Sample::result)
}

impl Measured for ValueLosses {
    fn loss(&self) -> f64 {
        self.held_out.mixed
    }

    fn write(&self, out: &mut CheckpointWriter) -> io::Result<()> {
        let Losses { mixed, excess, result, score } = self.held_out;
        let numbers = [self.training, mixed, excess, result, score];
        numbers.into_iter().try_for_each(|number| out.float(number))?;
        out.number(self.units.is_some().into())?;
        let layers = self.units.iter().flat_map(|units| units.layers);
        let counts = layers.flat_map(|layer| [layer.live, layer.dead, layer.saturated]);
        counts.into_iter().try_for_each(|number| out.number(number.into()))
    }

    fn read(input: &mut CheckpointReader) -> io::Result<ValueLosses> {
        let training = input.float()?;
        let held_out = Losses {
            mixed: input.float()?,
            excess: input.float()?,
            result: input.float()?,
            score: input.float()?,
        };
        let mut units = (input.number()? > 0).then(LiveUnits::default);
        for LayerUnits { live, dead, saturated } in units.iter_mut().flat_map(|u| &mut u.layers) {
            for count in [live, dead, saturated] {
                *count = input.number()? as u32;
            }
        }
        Ok(ValueLosses { training, held_out, units })
    }
}

impl Objective for ValueObjective<'_> {
    type Measured = ValueLosses;

    fn run_name(&self) -> String {
        let (training, held_out) = (self.training.checksum, self.held_out.checksum);
        format!("{:?} training {training:016x} held out {held_out:016x}", self.config)
    }

    fn batches_per_epoch(&self) -> u64 {
        self.order.len().div_ceil(self.config.batch) as u64
    }

    /// Draws the order of the samples, and which are mirrored.
    fn begin_epoch(&mut self, epoch: u64) {
        let mut rng =
            Rng::from_seed(self.config.seed ^ (epoch + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        self.order.clear();
        self.order.extend((0..self.training.samples.len()).map(SampleRef::new));
        rng.shuffle(&mut self.order);
        for sample in &mut self.order {
            *sample = sample.mirrored_if(rng.next_u64() >> 63 == 1);
        }
    }

    fn learn(&mut self, batch: BatchNumber) {
        let first = batch.of_epoch as usize * self.config.batch;
        let end = (first + self.config.batch).min(self.order.len());
        let refs = &self.order[first..end];
        if batch.of_run == 0 && !self.continues {
            self.model.begin(&self.training.samples, refs);
        }
        let step = step(batch, self.config.warm_up);
        self.loss += self.model.learn(&self.training.samples, refs, self.target, step);
        self.samples += (end - first) as u64;
        self.average(batch);
    }

    fn measure(&mut self, _: &dyn Fn() -> bool) -> Option<ValueLosses> {
        let training = self.loss / self.samples.max(1) as f64;
        (self.loss, self.samples) = (0.0, 0);
        Some(ValueLosses { training, held_out: self.evaluate(), units: self.live_units() })
    }

    fn fault(&self, measured: &ValueLosses) -> Option<LearnError> {
        let lost = measured.units.map_or(0, |units| units.most_lost());
        let is_enough = self.held_out.samples.len() >= ENOUGH_POSITIONS;
        let is_fault = is_enough && !self.keeps_dead_units && lost > LOST_UNITS;
        is_fault.then_some(LearnError::LostUnits(lost))
    }

    fn keep_best(&mut self) {
        self.model.parameters().for_each(|weights| weights.best.clone_from(&weights.values));
    }

    fn write(&mut self, out: &mut CheckpointWriter) -> io::Result<()> {
        out.float(self.loss)?;
        out.number(self.samples)?;
        out.number(self.snapshots)?;
        self.model.write(out)
    }

    fn read(&mut self, input: &mut CheckpointReader) -> io::Result<()> {
        self.loss = input.float()?;
        self.samples = input.number()?;
        self.snapshots = input.number()?;
        self.model.read(input)
    }
}

impl<'d> ValueObjective<'d> {
    /// Creates the objective before any learning. Neither set may be empty.
    pub fn new(config: ValueConfig, training: &'d SampleSet, held_out: &'d SampleSet) -> Self {
        let score_scale = config.score_scale.unwrap_or_else(|| score_scale(training));
        ValueObjective {
            config,
            target: Target { lambda: config.lambda, score_scale },
            training,
            held_out,
            model: Model::new(&config),
            order: (0..training.samples.len()).map(SampleRef::new).collect(),
            loss: 0.0,
            samples: 0,
            snapshots: 0,
            continues: false,
            keeps_dead_units: false,
        }
    }

    /// Creates a trainer before its first batch.
    pub fn trainer(self) -> ValueTrainer<'d> {
        let ValueConfig { epochs, evaluations, patience, .. } = self.config;
        let patience = patience.map(u64::from);
        let (epochs, evaluations) = (epochs.into(), evaluations.into());
        Trainer::new(self, RunLength { epochs, evaluations, patience })
    }

    /// Starts with these quantized weights. False if they have another form; then the objective
    /// must not be used.
    pub fn begin_with(&mut self, weights: &Weights) -> bool {
        self.continues = true;
        self.model.import(weights)
    }

    /// Adds the weights to their average if a snapshot is due. Snapshots are evenly spaced over the
    /// end of the run.
    fn average(&mut self, batch: BatchNumber) {
        let span = ((batch.count as f64 * f64::from(self.config.averaging)) as u64).max(1);
        let snapshots = u64::from(self.config.snapshots).clamp(1, span);
        // The last snapshot is at the end of the run.
        let left = batch.count - batch.of_run - 1;
        let due = left * snapshots % span < snapshots;
        if left >= span || !due {
            return;
        }
        self.snapshots += 1;
        self.model.add_snapshot();
    }

    /// The current weights for the evaluation, in centipawns.
    pub fn export(&self) -> RealWeights {
        self.model.export()
    }

    /// All weights.
    #[cfg(test)]
    pub(super) fn parameters(&mut self) -> Vec<&mut super::trained_weights::TrainedWeights> {
        self.model.parameters().collect()
    }

    /// The losses of the current weights on the held-out samples.
    pub fn evaluate(&mut self) -> Losses {
        let samples = &self.held_out.samples;
        let refs: Vec<SampleRef> = (0..samples.len()).map(SampleRef::new).collect();
        let mut values = Vec::with_capacity(samples.len());
        for refs in refs.chunks(self.config.batch) {
            values.extend_from_slice(self.model.forward(samples, refs));
        }
        Losses::of(self.target, samples, &values)
    }

    /// The units of the network in some held-out positions.
    fn live_units(&self) -> Option<LiveUnits> {
        self.config.form.network()?;
        let quantized = self.model.export().quantize();
        let network = quantized.weights.network()?;
        // Neighbours are of the same game, so the positions are spread over all samples.
        let samples = &self.held_out.samples;
        let samples = samples.iter().step_by(samples.len().div_ceil(LIVE_POSITIONS).max(1));
        let positions: Vec<_> = samples.filter_map(|s| s.position.unpack().ok()).collect();
        Some(LiveUnits::of(network, &positions))
    }

    /// The losses of material alone on the held-out samples, at the best scale; and that scale,
    /// centipawns per logit.
    pub fn evaluate_material(&self) -> (Losses, f32) {
        let samples = &self.held_out.samples;
        let material = |sample: &Sample| sample.view().map_or(0, |view| view.material()) as f32;
        let values: Vec<f32> = samples.iter().map(material).collect();
        let pairs: Vec<_> = values.iter().zip(samples).collect();
        let scale = fit_slope(&pairs, |pair| *pair.0, |pair| pair.1.result());
        let values: Vec<f32> = values.iter().map(|material| material / scale).collect();
        (Losses::of(self.target, samples, &values), scale)
    }
}

/// The step of a batch. The rates rise linearly from zero during the warm-up, a share of the run,
/// and fall linearly to zero until the end.
fn step(batch: BatchNumber, warm_up: f32) -> BatchStep {
    let (number, count) = (batch.of_run + 1, batch.count as f32);
    let done = batch.of_run as f32 / count;
    let warmed = (number as f32 / (warm_up * count)).min(1.0);
    BatchStep { number, factor: warmed * (1.0 - done), done }
}

impl ValueTrainer<'_> {
    /// Sets the final weights and ends the run. They are the averages, if there are any; with
    /// patience, those of the best epoch if their held-out loss is lower. Raises the tempo if
    /// configured. Returns the epoch if the weights are those of the best epoch.
    pub fn finalize(&mut self) -> Option<f64> {
        let snapshots = std::mem::take(&mut self.objective.snapshots);
        self.objective.model.take_averages(snapshots);
        let epoch = self.take_best();
        self.objective.model.raise_tempo(self.objective.config.tempo);
        epoch
    }

    /// Takes the weights of the best epoch if patience kept them and they are better than the
    /// current ones.
    fn take_best(&mut self) -> Option<f64> {
        self.objective.config.patience?;
        let best = *self.curve().best_epoch()?;
        if self.objective.evaluate().mixed <= best.measured.loss() {
            return None;
        }
        for weights in self.objective.model.parameters() {
            weights.values = std::mem::take(&mut weights.best);
        }
        Some(best.epochs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_rise_during_the_warm_up_and_fall_to_zero() {
        let factor = |of_run| step(BatchNumber { of_epoch: 0, of_run, count: 100 }, 0.1).factor;
        for (batch, wanted) in [(0, 0.1), (4, 0.5 * 0.96), (9, 0.91), (50, 0.5), (99, 0.01)] {
            assert!((factor(batch) - wanted).abs() < 1e-6, "{batch}: {}", factor(batch));
        }
    }
}
