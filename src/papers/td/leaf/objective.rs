//! The objective: each batch is a round of games.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use rayon::ThreadPool;

use super::config::TdLeafConfig;
use super::game::{self, Prediction, Sequence};
use crate::eval::Evaluation;
use crate::eval::learned::Weights;
use crate::lab::learn::Quantized;
use crate::lab::learn::logistic::{fit_slope, probability};
use crate::lab::learn::value::{BatchStep, Model, SampleRef};
use crate::lab::learn::{
    BatchNumber, CheckpointReader, CheckpointWriter, Measured, Objective, RunLength, Sample,
    Trainer,
};

/// Number of points of the learning curve.
const POINTS: u64 = 100;
/// Number of the first held-out game.
const HELD_OUT: u64 = 1 << 40;
/// Number of samples evaluated at a time.
const CHUNK: usize = 4_096;

/// A point of the learning curve. Means are over the own moves since the previous point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TdLeafMeasure {
    /// Number of games so far.
    pub games: u64,
    /// Number of predictions so far.
    pub predictions: u64,
    /// Number of principal leaves among them.
    pub leaves: u64,
    /// Mean of P_t+1 - P_t.
    pub error: f64,
    /// Mean of |P_t+1 - P_t|.
    pub change: f64,
    /// Mean of (G_t - P_t)^2.
    pub squared_error: f64,
    /// Mean of (result - P)^2 over the leaves of the held-out games.
    pub held_out: f64,
}

/// Sums over predictions since the last point of the curve, and the counts of the run.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    predictions: u64,
    leaves: u64,
    /// Number of predictions since the last point.
    count: u64,
    error: f64,
    change: f64,
    squared_error: f64,
}

/// A run of games from which existing weights are improved.
pub struct TdLeafObjective<'p> {
    config: TdLeafConfig,
    pool: &'p ThreadPool,
    model: Model,
    /// Centipawns per logit.
    scale: f32,
    held_out: Vec<Sample>,
    /// The held-out loss of the initial weights, which also identifies them.
    first_loss: f64,
    games: u64,
    sums: Sums,
    /// Number of rounds in the average.
    snapshots: u64,
}

impl Measured for TdLeafMeasure {
    fn loss(&self) -> f64 {
        self.held_out
    }

    fn write(&self, out: &mut CheckpointWriter) -> io::Result<()> {
        [self.games, self.predictions, self.leaves].into_iter().try_for_each(|n| out.number(n))?;
        out.doubles(&[self.error, self.change, self.squared_error, self.held_out])
    }

    fn read(input: &mut CheckpointReader) -> io::Result<TdLeafMeasure> {
        Ok(TdLeafMeasure {
            games: input.number()?,
            predictions: input.number()?,
            leaves: input.number()?,
            error: input.float()?,
            change: input.float()?,
            squared_error: input.float()?,
            held_out: input.float()?,
        })
    }
}

impl Sums {
    fn write(&self, out: &mut CheckpointWriter) -> io::Result<()> {
        [self.predictions, self.leaves, self.count].into_iter().try_for_each(|n| out.number(n))?;
        out.doubles(&[self.error, self.change, self.squared_error])
    }

    fn read(input: &mut CheckpointReader) -> io::Result<Sums> {
        Ok(Sums {
            predictions: input.number()?,
            leaves: input.number()?,
            count: input.number()?,
            error: input.float()?,
            change: input.float()?,
            squared_error: input.float()?,
        })
    }

    /// Adds a sequence: its predictions with their lambda-returns.
    fn add(&mut self, sequence: &Sequence, predictions: &[f64], returns: &[f64]) {
        let next = predictions.iter().skip(1).chain([&sequence.outcome]);
        for ((now, next), target) in predictions.iter().zip(next).zip(returns) {
            self.error += next - now;
            self.change += (next - now).abs();
            self.squared_error += (target - now).powi(2);
        }
        let leaves = sequence.predictions.iter().filter(|prediction| prediction.leaf.is_some());
        self.leaves += leaves.count() as u64;
        self.predictions += predictions.len() as u64;
        self.count += predictions.len() as u64;
    }
}

impl<'p> TdLeafObjective<'p> {
    /// Creates the run before its first round. Plays the held-out games on all threads of the pool,
    /// which also plays the later games. `None` if no model can learn the form of the weights, or
    /// if `is_stopped` returns true.
    pub fn new(
        weights: &Arc<Weights>,
        config: TdLeafConfig,
        pool: &'p ThreadPool,
        is_stopped: &(dyn Fn() -> bool + Sync),
    ) -> Option<TdLeafObjective<'p>> {
        let model = |scale| {
            let mut model = Model::new(&config.model(weights, scale)?);
            model.import(weights).then_some(model)
        };
        // A scale of 1 gives centipawns; the final scale is fitted below.
        let mut in_centipawns = model(1.0)?;
        let evaluation = Evaluation::Learned(Arc::clone(weights));
        let numbers = HELD_OUT..HELD_OUT + config.held_out;
        let games = played(&evaluation, &config, numbers, pool, is_stopped);
        if is_stopped() {
            return None;
        }
        let held_out: Vec<Sample> = leaves(&games).copied().collect();
        let scale = config.scale.unwrap_or_else(|| {
            let values = pool.install(|| values(&mut in_centipawns, &held_out));
            let valued: Vec<_> = values.into_iter().zip(&held_out).collect();
            fit_slope(&valued, |pair| pair.0, |pair| pair.1.result())
        });
        drop(in_centipawns);
        let mut objective = TdLeafObjective {
            model: model(scale)?,
            config,
            pool,
            scale,
            held_out,
            first_loss: 0.0,
            games: 0,
            sums: Sums::default(),
            snapshots: 0,
        };
        objective.first_loss = objective.held_out_loss();
        Some(objective)
    }

    /// Creates a trainer of the configured length whose curve has its first point.
    pub fn trainer(self) -> Trainer<TdLeafObjective<'p>> {
        let held_out = self.first_loss;
        let length = RunLength { epochs: 1, evaluations: POINTS, patience: None };
        let mut trainer = Trainer::new(self, length);
        trainer.begin_curve(TdLeafMeasure { held_out, ..TdLeafMeasure::default() });
        trainer
    }

    /// Centipawns that multiply the odds of winning by e.
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// Number of leaves of the held-out games.
    pub fn held_out_leaves(&self) -> usize {
        self.held_out.len()
    }

    /// The current weights in the integer form of the engine.
    pub fn weights(&self) -> Quantized {
        self.model.export().quantize()
    }

    /// Replaces the weights by their mean over the last rounds, which ends the run.
    pub fn finalize(&mut self) {
        self.model.take_averages(std::mem::take(&mut self.snapshots));
    }

    /// Mean of (result - P)^2 over the held-out leaves.
    pub fn held_out_loss(&mut self) -> f64 {
        let (model, samples) = (&mut self.model, &self.held_out);
        let values = self.pool.install(|| values(model, samples));
        let squares = values.iter().zip(samples);
        let squares = squares
            .map(|(&v, sample)| (probability(v.into()) - f64::from(sample.result())).powi(2));
        squares.sum::<f64>() / samples.len().max(1) as f64
    }

    /// Makes one step of learning from these games, as played and as mirror images.
    fn learn_games(&mut self, games: &[Sequence], step: BatchStep) {
        let leaves: Vec<Sample> = leaves(games).copied().collect();
        let image =
            |mirrored| (0..leaves.len()).map(move |n| SampleRef::new(n).mirrored_if(mirrored));
        let refs: Vec<SampleRef> = image(false).chain(image(true)).collect();
        let values = self.model.forward(&leaves, &refs).to_vec();
        let mut gradients = Vec::with_capacity(values.len());
        let (played, mirrored) = values.split_at(leaves.len());
        let (scale, lambda) = (self.scale, self.config.lambda);
        for (values, is_played) in [(played, true), (mirrored, false)] {
            let mut values = values.iter().copied();
            for sequence in games {
                let predictions = predict(sequence, scale, &mut values);
                let returns = lambda_returns(&predictions, sequence.outcome, lambda);
                if is_played {
                    self.sums.add(sequence, &predictions, &returns);
                }
                gradients.extend(gradient(sequence, &predictions, &returns));
            }
        }
        self.model.backward(&gradients, step);
    }
}

/// The lambda-return (Sutton 1988) of every prediction of a sequence: G_t = P_t + sum over k >= t of lambda^(k -
/// t) (P_k+1 - P_k). `outcome` follows the last prediction. The return is a mean of the later
/// predictions and the outcome: with lambda 0 the next prediction, with 1 the outcome.
pub(super) fn lambda_returns(predictions: &[f64], outcome: f64, lambda: f64) -> Vec<f64> {
    let mut returns = predictions.to_vec();
    let (mut next, mut error) = (outcome, 0.0);
    for (value, &prediction) in returns.iter_mut().zip(predictions).rev() {
        error = next - prediction + lambda * error;
        *value += error;
        next = prediction;
    }
    returns
}

/// Plays the games with these numbers.
fn played(
    evaluation: &Evaluation,
    config: &TdLeafConfig,
    numbers: Range<u64>,
    pool: &ThreadPool,
    is_stopped: &(dyn Fn() -> bool + Sync),
) -> Vec<Sequence> {
    let games = game::play(evaluation, &config.selfplay(), numbers, pool, is_stopped);
    games.unwrap_or_else(|fault| panic!("the searcher broke the rules: {fault}"))
}

/// The principal leaves of games, in order.
fn leaves(games: &[Sequence]) -> impl Iterator<Item = &Sample> {
    let predictions = games.iter().flat_map(|game| &game.predictions);
    predictions.filter_map(|prediction| prediction.leaf.as_ref())
}

/// The model's values of samples.
fn values(model: &mut Model, samples: &[Sample]) -> Vec<f32> {
    let refs: Vec<SampleRef> = (0..samples.len()).map(SampleRef::new).collect();
    refs.chunks(CHUNK).flat_map(|refs| model.forward(samples, refs).to_vec()).collect()
}

/// 1 if the side that searched is to move in the leaf, otherwise -1.
fn sign(leaf: &Sample) -> f32 {
    if leaf.same_side { 1.0 } else { -1.0 }
}

/// P_t of a sequence. `values`: those of its leaves, logits, side to move's view.
fn predict(sequence: &Sequence, scale: f32, values: &mut impl Iterator<Item = f32>) -> Vec<f64> {
    let predict = |Prediction { score, leaf }: &Prediction| match leaf {
        Some(leaf) => {
            probability((sign(leaf) * values.next().expect("a value for each leaf")).into())
        }
        None => probability((score / scale).into()),
    };
    sequence.predictions.iter().map(predict).collect()
}

/// The derivatives of 1/2 sum of (G_t - P_t)^2 with respect to the values of the leaves.
fn gradient(
    sequence: &Sequence,
    predictions: &[f64],
    returns: &[f64],
) -> impl Iterator<Item = f32> {
    let each = sequence.predictions.iter().zip(predictions).zip(returns);
    each.filter_map(|((prediction, p), g)| {
        let slope = (p - g) * p * (1.0 - p);
        Some(sign(prediction.leaf.as_ref()?) * slope as f32)
    })
}

impl Objective for TdLeafObjective<'_> {
    type Measured = TdLeafMeasure;

    fn run_name(&self) -> String {
        format!("td-leaf {:?} from a loss of {}", self.config, self.first_loss)
    }

    fn batches_per_epoch(&self) -> u64 {
        self.config.games.div_ceil(self.config.round)
    }

    fn begin_epoch(&mut self, _: u64) {}

    fn learn(&mut self, batch: BatchNumber) {
        let first = batch.of_run * self.config.round;
        let end = (first + self.config.round).min(self.config.games);
        let pool = self.pool;
        let weights = self.weights().weights;
        let evaluation = Evaluation::Learned(Arc::new(weights));
        let games = played(&evaluation, &self.config, first..end, pool, &|| false);
        let factor = self.config.rate_factor(batch.of_run, batch.count);
        let done = batch.of_run as f32 / batch.count as f32;
        let step = BatchStep { number: batch.of_run + 1, factor, done };
        pool.install(|| self.learn_games(&games, step));
        self.games = end;
        if self.config.is_averaged(batch.of_run, batch.count) {
            self.model.add_snapshot();
            self.snapshots += 1;
        }
    }

    fn measure(&mut self, _: &dyn Fn() -> bool) -> Option<TdLeafMeasure> {
        let held_out = self.held_out_loss();
        let Sums { predictions, leaves, count, error, change, squared_error } = self.sums;
        self.sums = Sums { predictions, leaves, ..Sums::default() };
        let [error, change, squared_error] =
            [error, change, squared_error].map(|sum| sum / count.max(1) as f64);
        Some(TdLeafMeasure {
            games: self.games,
            predictions,
            leaves,
            error,
            change,
            squared_error,
            held_out,
        })
    }

    fn write(&mut self, out: &mut CheckpointWriter) -> io::Result<()> {
        out.number(self.games)?;
        out.number(self.snapshots)?;
        self.sums.write(out)?;
        self.model.write(out)
    }

    fn read(&mut self, input: &mut CheckpointReader) -> io::Result<()> {
        self.games = input.number()?;
        self.snapshots = input.number()?;
        self.sums = Sums::read(input)?;
        self.model.read(input)
    }
}
