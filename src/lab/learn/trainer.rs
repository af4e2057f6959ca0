//! A run of learning: epochs of batches, a learning curve, patience, checkpoints. What is learned is
//! the [`Objective`]'s.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use super::LearnError;
use super::checkpoint::{self, CheckpointReader, CheckpointWriter};

/// What a [`Trainer`] trains: weights, the data they are learned from and judged by, and how.
pub trait Objective {
    /// What is measured at a point of the learning curve.
    type Measured: Measured;

    /// Names the run: what two runs must agree in for one to go on where the other stopped.
    fn run_name(&self) -> String;

    /// Batches of an epoch.
    fn batches_per_epoch(&self) -> u64;

    /// Puts the data in the order of an epoch, 0 = first. Depends on its number alone.
    fn begin_epoch(&mut self, epoch: u64);

    /// Learns a batch.
    fn learn(&mut self, batch: BatchNumber);

    /// Judges the present weights at a point of the learning curve. `go_on` may be asked at any
    /// time; once it says no, the answer is `None`.
    fn measure(&mut self, go_on: &dyn Fn() -> bool) -> Option<Self::Measured>;

    /// Remembers the present weights: they are the best so far, and the run has patience.
    fn keep_best(&mut self) {}

    /// Writes all that is needed to go on later.
    fn write(&mut self, out: &mut CheckpointWriter) -> io::Result<()>;

    /// Reverses [`write`](Objective::write).
    fn read(&mut self, input: &mut CheckpointReader) -> io::Result<()>;
}

/// Measurements at a point of a learning curve.
pub trait Measured: Copy {
    /// What is to be small on the held-out data.
    fn loss(&self) -> f64;

    /// Writes them into a checkpoint.
    fn write(&self, out: &mut CheckpointWriter) -> io::Result<()>;

    /// Reverses [`write`](Measured::write).
    fn read(input: &mut CheckpointReader) -> io::Result<Self>;
}

/// Which batch of a run.
#[derive(Clone, Copy, Debug)]
pub struct BatchNumber {
    /// In its epoch, 0 = first.
    pub of_epoch: u64,
    /// In the run, 0 = first.
    pub of_run: u64,
    /// Batches of the run.
    pub count: u64,
}

/// How long a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunLength {
    /// Passes over the data.
    pub epochs: u64,
    /// Points of the learning curve in each epoch, 1 or more; its end always is one.
    pub evaluations: u64,
    /// Ends the run after so many epochs without a lower held-out loss; `None` = never.
    pub patience: Option<u64>,
}

/// One point of a learning curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint<M> {
    /// Passes over the data so far.
    pub epochs: f64,
    /// What was measured there.
    pub measured: M,
}

/// The points of a run so far, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LearningCurve<M> {
    /// First to last.
    pub points: Vec<CurvePoint<M>>,
}

/// Time between two checkpoints of [`Trainer::run`],
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(10);
/// and at least so many times what the last one took.
const CHECKPOINT_SHARE: u32 = 50;

/// The run was broken off by the user; its trainer is of no more use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

/// A run of learning, one batch at a time.
pub struct Trainer<O: Objective> {
    /// What is trained.
    pub objective: O,
    length: RunLength,
    batches_done: u64,
    curve: LearningCurve<O::Measured>,
}

impl<M: Measured> LearningCurve<M> {
    /// The end of an epoch with the lowest held-out loss, the earliest of equal ones.
    pub fn best_epoch(&self) -> Option<&CurvePoint<M>> {
        let is_end = |point: &&CurvePoint<M>| {
            point.epochs > 0.0 && point.epochs.fract() == 0.0 && point.measured.loss().is_finite()
        };
        let ends = self.points.iter().filter(is_end);
        ends.min_by(|a, b| a.measured.loss().total_cmp(&b.measured.loss()))
    }

    /// Epochs since the best one.
    pub fn epochs_since_best(&self) -> Option<f64> {
        let best = self.best_epoch().zip(self.points.last());
        best.map(|(best, last)| last.epochs - best.epochs)
    }

    /// Whether so many epochs or more have passed since the best one; never with `None`.
    pub fn is_out_of_patience(&self, patience: Option<u64>) -> bool {
        let waited = self.epochs_since_best().zip(patience);
        waited.is_some_and(|(waited, patience)| waited >= patience as f64)
    }

    fn write(&self, out: &mut CheckpointWriter) -> io::Result<()> {
        out.number(self.points.len() as u64)?;
        self.points.iter().try_for_each(|point| {
            out.float(point.epochs)?;
            point.measured.write(out)
        })
    }

    fn read(input: &mut CheckpointReader) -> io::Result<LearningCurve<M>> {
        let count = input.number()?;
        let point = |_| Ok(CurvePoint { epochs: input.float()?, measured: M::read(input)? });
        Ok(LearningCurve { points: (0..count).map(point).collect::<io::Result<_>>()? })
    }
}

/// Reads the beginning of a checkpoint's body: batches done, and the curve.
pub(super) fn read_progress<M: Measured>(
    input: &mut CheckpointReader,
) -> io::Result<(u64, LearningCurve<M>)> {
    Ok((input.number()?, LearningCurve::read(input)?))
}

impl<O: Objective> Trainer<O> {
    /// A run at its beginning.
    pub fn new(objective: O, length: RunLength) -> Trainer<O> {
        Trainer { objective, length, batches_done: 0, curve: LearningCurve { points: Vec::new() } }
    }

    /// The curve so far.
    pub fn curve(&self) -> &LearningCurve<O::Measured> {
        &self.curve
    }

    /// Batches of the whole run.
    pub fn batches(&self) -> u64 {
        self.length.epochs * self.objective.batches_per_epoch()
    }

    /// Batches learned so far.
    pub fn batches_done(&self) -> u64 {
        self.batches_done
    }

    /// Whether the run is at its end.
    pub fn is_done(&self) -> bool {
        self.batches_done >= self.batches() || self.is_out_of_patience()
    }

    /// Whether too many epochs have passed since the best one.
    pub fn is_out_of_patience(&self) -> bool {
        self.curve.is_out_of_patience(self.length.patience)
    }

    /// Learns one batch; returns the new point of the curve when there is one. `go_on` is asked
    /// after the batch, and while the weights are judged.
    ///
    /// # Errors
    /// [`Interrupted`] if `go_on` says no.
    pub fn advance(
        &mut self,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<CurvePoint<O::Measured>>, Interrupted> {
        let (per_epoch, count) = (self.objective.batches_per_epoch(), self.batches());
        let (of_run, of_epoch) = (self.batches_done, self.batches_done % per_epoch);
        if of_epoch == 0 {
            self.objective.begin_epoch(of_run / per_epoch);
        }
        self.objective.learn(BatchNumber { of_epoch, of_run, count });
        self.batches_done += 1;
        if !go_on() {
            return Err(Interrupted);
        }
        let evaluations = self.length.evaluations.max(1);
        let points = |batches: u64| batches * evaluations / per_epoch;
        // Short epochs may have fewer batches than evaluations; their ends always have one.
        let is_due = of_epoch + 1 == per_epoch || points(of_epoch + 1) != points(of_epoch);
        if is_due { self.mark(go_on).map(Some) } else { Ok(None) }
    }

    /// Learns the batches that are left, with a checkpoint at the beginning, every few seconds, and
    /// at the end. `after_batch` gets the new point of the curve if there is one. `go_on` is asked
    /// before each batch; once it says no, the run is kept and the answer is false.
    ///
    /// # Errors
    /// As [`save`](Trainer::save).
    pub fn run(
        &mut self,
        checkpoint: &Path,
        go_on: &dyn Fn() -> bool,
        mut after_batch: impl FnMut(Option<&CurvePoint<O::Measured>>),
    ) -> Result<bool, LearnError> {
        // A place that cannot be written to is told before the first batch.
        let mut interval = self.save_in_time(checkpoint)?;
        let mut saved = Instant::now();
        while !self.is_done() && go_on() {
            // Nothing breaks a batch off.
            let point = self.advance(&|| true).unwrap_or_default();
            after_batch(point.as_ref());
            if saved.elapsed() >= interval {
                interval = self.save_in_time(checkpoint)?;
                saved = Instant::now();
            }
        }
        self.save(checkpoint)?;
        Ok(self.is_done())
    }

    /// Saves; returns how long the run should go on before it is saved again.
    fn save_in_time(&mut self, path: &Path) -> Result<Duration, LearnError> {
        let start = Instant::now();
        self.save(path)?;
        Ok(CHECKPOINT_INTERVAL.max(CHECKPOINT_SHARE * start.elapsed()))
    }

    /// Adds a point to the curve.
    fn mark(&mut self, go_on: &dyn Fn() -> bool) -> Result<CurvePoint<O::Measured>, Interrupted> {
        let measured = self.objective.measure(go_on).ok_or(Interrupted)?;
        let epochs = self.batches_done as f64 / self.objective.batches_per_epoch() as f64;
        let point = CurvePoint { epochs, measured };
        self.curve.points.push(point);
        if self.length.patience.is_some() && self.curve.epochs_since_best() == Some(0.0) {
            self.objective.keep_best();
        }
        Ok(point)
    }

    /// Begins the curve with a point before all learning.
    pub fn begin_curve(&mut self, measured: O::Measured) {
        self.curve.points.push(CurvePoint { epochs: 0.0, measured });
    }

    /// Writes all that is needed to go on later.
    ///
    /// # Errors
    /// [`LearnError::Write`].
    pub fn save(&mut self, path: &Path) -> Result<(), LearnError> {
        checkpoint::write(path, &self.objective.run_name(), |out| {
            out.number(self.batches_done)?;
            self.curve.write(out)?;
            self.objective.write(out)
        })
    }

    /// Goes on from a checkpoint of the same run.
    ///
    /// # Errors
    /// [`LearnError::Read`], [`LearnError::NotA`], [`LearnError::Corrupt`];
    /// [`LearnError::OtherRun`] if the configuration or the data were others. Nothing can be done
    /// with the trainer then.
    pub fn resume(&mut self, path: &Path) -> Result<(), LearnError> {
        checkpoint::read(path, &self.objective.run_name(), |input| {
            (self.batches_done, self.curve) = read_progress(input)?;
            self.objective.read(input)?;
            input.end()
        })?;
        let per_epoch = self.objective.batches_per_epoch();
        if !self.batches_done.is_multiple_of(per_epoch) {
            self.objective.begin_epoch(self.batches_done / per_epoch);
        }
        Ok(())
    }
}
