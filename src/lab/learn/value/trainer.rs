//! A run of learning: epochs, schedule, averaging, curve.

use std::path::Path;

use super::checkpoint::{self, RunState};
use super::model::Model;
use super::model_part::BatchStep;
use super::sample_ref::SampleRef;
use super::{Losses, Target, ValueConfig, fit_slope};
use crate::eval::learned::{RealWeights, Weights};
use crate::lab::learn::{LearnError, Sample, SampleSet};
use crate::rng::Rng;

/// A run of learning, one batch at a time.
pub struct Trainer<'d> {
    config: ValueConfig,
    target: Target,
    training: &'d SampleSet,
    held_out: &'d SampleSet,
    model: Model,
    progress: RunProgress,
    /// The first sample of each unit of the training samples, in the order of the epoch.
    order: Vec<SampleRef>,
    curve: Vec<CurvePoint>,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct RunProgress {
    /// Batches learned.
    pub batches: u64,
    /// Sum of the training losses since the last point of the curve, and their number.
    pub loss: f64,
    pub samples: u64,
    /// Snapshots in the average.
    pub snapshots: u32,
}

/// One point of the learning curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// Passes over the samples so far.
    pub epochs: f64,
    /// Mean training loss since the last point.
    pub training: f64,
    /// Of the held-out samples.
    pub held_out: Losses,
}

/// How many centipawns of a set's scores multiply the odds of winning by e, fitted to the results.
pub fn score_scale(set: &SampleSet) -> f32 {
    fit_slope(&set.samples, |sample| f32::from(sample.score), Sample::result)
}

impl<'d> Trainer<'d> {
    /// A run at its beginning. Neither set may be empty.
    pub fn new(config: ValueConfig, training: &'d SampleSet, held_out: &'d SampleSet) -> Self {
        let score_scale = config.score_scale.unwrap_or_else(|| score_scale(training));
        let mut trainer = Trainer {
            config,
            target: Target { lambda: config.lambda, score_scale, ranking: config.ranking },
            training,
            held_out,
            model: Model::new(&config),
            progress: RunProgress::default(),
            order: training.unit_starts().map(SampleRef::new).collect(),
            curve: Vec::new(),
        };
        trainer.shuffle();
        trainer
    }

    /// What the run is made of.
    pub fn config(&self) -> &ValueConfig {
        &self.config
    }

    /// What is aimed at.
    pub fn target(&self) -> Target {
        self.target
    }

    /// The curve so far.
    pub fn curve(&self) -> &[CurvePoint] {
        &self.curve
    }

    fn batches_per_epoch(&self) -> u64 {
        self.order.len().div_ceil(self.config.batch) as u64
    }

    /// Batches of the whole run.
    pub fn batches(&self) -> u64 {
        u64::from(self.config.epochs) * self.batches_per_epoch()
    }

    /// Batches learned so far.
    pub fn batches_done(&self) -> u64 {
        self.progress.batches
    }

    /// Whether the run is at its end.
    pub fn is_done(&self) -> bool {
        self.progress.batches >= self.batches() || self.is_out_of_patience()
    }

    /// Whether too many epochs have passed since the best one.
    pub fn is_out_of_patience(&self) -> bool {
        let waited = self.best_epoch().zip(self.curve.last());
        let waited = waited.map(|(best, last)| last.epochs - best.epochs);
        let patience = self.config.patience.map(f64::from);
        waited.zip(patience).is_some_and(|(waited, patience)| waited >= patience)
    }

    /// The end of an epoch with the lowest held-out loss, the earliest of equal ones.
    fn best_epoch(&self) -> Option<&CurvePoint> {
        let is_end =
            |point: &&CurvePoint| point.epochs.fract() == 0.0 && point.held_out.mixed.is_finite();
        let ends = self.curve.iter().filter(is_end);
        ends.min_by(|a, b| a.held_out.mixed.total_cmp(&b.held_out.mixed))
    }

    /// Draws the order of the present epoch and which samples are mirrored.
    fn shuffle(&mut self) {
        let epoch = self.progress.batches / self.batches_per_epoch();
        let mut rng =
            Rng::from_seed(self.config.seed ^ (epoch + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        self.order.clear();
        self.order.extend(self.training.unit_starts().map(SampleRef::new));
        for last in (1..self.order.len()).rev() {
            self.order.swap(last, rng.below(last + 1));
        }
        for unit in &mut self.order {
            *unit = unit.mirrored_if(rng.next_u64() >> 63 == 1);
        }
    }

    /// Learns one batch; returns the new point of the curve when there is one.
    pub fn advance(&mut self) -> Option<CurvePoint> {
        let per_epoch = self.batches_per_epoch();
        let first = (self.progress.batches % per_epoch) as usize * self.config.batch;
        let end = (first + self.config.batch).min(self.order.len());
        let sample_refs = |unit: &SampleRef| {
            let is_mirrored = unit.is_mirrored();
            let samples = self.training.unit(unit.number());
            samples.map(move |number| SampleRef::new(number).mirrored_if(is_mirrored))
        };
        let refs: Vec<SampleRef> = self.order[first..end].iter().flat_map(sample_refs).collect();
        // The rate falls in a line to nothing.
        let factor = 1.0 - self.progress.batches as f32 / self.batches() as f32;
        let step = BatchStep { number: self.progress.batches + 1, factor };
        self.progress.loss += self.model.learn(&self.training.samples, &refs, self.target, step);
        self.progress.samples += (end - first) as u64;
        self.progress.batches += 1;
        self.average();
        let done = self.progress.batches % per_epoch;
        if done == 0 && !self.is_done() {
            self.shuffle();
        }
        let evaluations = u64::from(self.config.evaluations.max(1));
        // Short epochs may have fewer batches than evaluations; their ends always have one.
        let is_due =
            done == 0 || done * evaluations / per_epoch != (done - 1) * evaluations / per_epoch;
        is_due.then(|| self.mark())
    }

    /// Adds a point to the curve; with patience the weights are kept at the end of the best epoch.
    fn mark(&mut self) -> CurvePoint {
        let point = CurvePoint {
            epochs: self.progress.batches as f64 / self.batches_per_epoch() as f64,
            training: self.progress.loss / self.progress.samples.max(1) as f64,
            held_out: self.evaluate(),
        };
        (self.progress.loss, self.progress.samples) = (0.0, 0);
        self.curve.push(point);
        if self.config.patience.is_some() && self.best_epoch() == Some(&point) {
            self.model.parameters().for_each(|weights| weights.best.clone_from(&weights.values));
        }
        point
    }

    /// Adds the weights to their average when it is time: at equal distances over the end of the
    /// run.
    fn average(&mut self) {
        let (batches, done) = (self.batches(), self.progress.batches);
        let span = ((batches as f64 * f64::from(self.config.averaging)) as u64).max(1);
        let snapshots = u64::from(self.config.snapshots).clamp(1, span);
        // The last snapshot is the end of the run.
        let left = batches - done;
        let due = (left * snapshots).is_multiple_of(span) || left * snapshots % span < snapshots;
        if left >= span || !due {
            return;
        }
        self.progress.snapshots += 1;
        for weights in self.model.parameters() {
            weights.sums.resize(weights.values.len(), 0.0);
            for (sum, value) in weights.sums.iter_mut().zip(&weights.values) {
                *sum += value;
            }
        }
    }

    /// Takes the weights the run leaves behind: the averages, if there are any yet; with patience
    /// those of the best epoch if their held-out loss is lower still. Shrinks them if that is
    /// wanted. Returns the epoch if it is that one's weights. The run is over after that.
    pub fn finalize(&mut self) -> Option<f64> {
        self.take_averages();
        let epoch = self.take_best();
        let ValueConfig { shrink, batch, .. } = self.config;
        if shrink > 0.0 {
            self.model.shrink(&self.training.samples, batch, shrink);
        }
        epoch
    }

    /// Takes the weights of the best epoch if patience kept them and they are better than the
    /// present ones.
    fn take_best(&mut self) -> Option<f64> {
        self.config.patience?;
        let CurvePoint { epochs, held_out, .. } = *self.best_epoch()?;
        if self.evaluate().mixed <= held_out.mixed {
            return None;
        }
        for weights in self.model.parameters() {
            weights.values = std::mem::take(&mut weights.best);
        }
        Some(epochs)
    }

    fn take_averages(&mut self) {
        let count = std::mem::take(&mut self.progress.snapshots);
        if count == 0 {
            return;
        }
        for weights in self.model.parameters() {
            let sums = std::mem::take(&mut weights.sums);
            for (value, sum) in weights.values.iter_mut().zip(sums) {
                *value = sum / count as f32;
            }
        }
    }

    /// The present weights for the evaluation, in centipawns.
    pub fn export(&self) -> RealWeights {
        self.model.export()
    }

    /// Writes all that is needed to go on later.
    ///
    /// # Errors
    /// [`LearnError::Write`].
    pub fn save(&mut self, path: &Path) -> Result<(), LearnError> {
        let state = RunState { progress: self.progress, curve: self.curve.clone() };
        let run = self.fingerprint();
        checkpoint::write(path, &run, &state, &mut self.model)
    }

    /// Goes on from a checkpoint of the same run.
    ///
    /// # Errors
    /// [`LearnError::Read`], [`LearnError::Broken`]; [`LearnError::OtherRun`] if the configuration
    /// or the samples were others. Nothing can be done with the trainer then.
    pub fn resume(&mut self, path: &Path) -> Result<(), LearnError> {
        let RunState { progress, curve } =
            checkpoint::read(path, &self.fingerprint(), &mut self.model)?;
        (self.progress, self.curve) = (progress, curve);
        self.shuffle();
        Ok(())
    }

    /// Begins with these weights, rounded as they are; false, and nothing to be done with the
    /// trainer, if they have another form.
    pub fn begin_with(&mut self, weights: &Weights) -> bool {
        self.model.import(weights)
    }

    /// What two runs must agree in for one to go on where the other stopped.
    fn fingerprint(&self) -> String {
        let (training, held_out) = (self.training.checksum, self.held_out.checksum);
        format!("{:?} training {training:016x} held out {held_out:016x}", self.config)
    }

    /// All weights.
    #[cfg(test)]
    pub(super) fn parameters(&mut self) -> Vec<&mut super::trained_weights::TrainedWeights> {
        self.model.parameters().collect()
    }

    /// The losses of the present weights on the held-out samples.
    pub fn evaluate(&mut self) -> Losses {
        let samples = &self.held_out.samples;
        let refs: Vec<SampleRef> = (0..samples.len()).map(SampleRef::new).collect();
        let mut values = Vec::with_capacity(samples.len());
        for refs in refs.chunks(self.config.batch) {
            values.extend_from_slice(self.model.forward(samples, refs));
        }
        Losses::of(self.target, samples, &values)
    }

    /// The losses of the search scores themselves on the held-out samples: what no evaluation is
    /// likely to reach.
    pub fn evaluate_scores(&self) -> Losses {
        let samples = &self.held_out.samples;
        let value = |sample: &Sample| f32::from(sample.score) / self.target.score_scale;
        Losses::of(self.target, samples, &samples.iter().map(value).collect::<Vec<f32>>())
    }

    /// The losses of material alone on the held-out samples, at the best scale; and that scale,
    /// centipawns a logit.
    pub fn evaluate_material(&self) -> (Losses, f32) {
        let samples = &self.held_out.samples;
        let material = |sample: &Sample| sample.view().map_or(0, |view| view.material) as f32;
        let values: Vec<f32> = samples.iter().map(material).collect();
        let pairs: Vec<_> = values.iter().zip(samples).collect();
        let scale = fit_slope(&pairs, |pair| *pair.0, |pair| pair.1.result());
        let values: Vec<f32> = values.iter().map(|material| material / scale).collect();
        (Losses::of(self.target, samples, &values), scale)
    }
}
