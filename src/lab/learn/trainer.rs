//! A learning run: epochs of batches, a learning curve, patience, checkpoints. The [`Objective`]
//! defines what is learned.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use super::LearnError;
use super::checkpoint::{self, CheckpointReader, CheckpointWriter};

/// What a [`Trainer`] trains: the weights, the data for learning and validation, and the update.
pub trait Objective {
    /// Measurements at a point of the learning curve.
    type Measured: Measured;

    /// The name of the run. One run can resume another's checkpoint only if their names are equal.
    fn run_name(&self) -> String;

    /// Batches of an epoch.
    fn batches_per_epoch(&self) -> u64;

    /// Orders the data for an epoch, 0 = first. The order depends on the number of the epoch alone.
    fn begin_epoch(&mut self, epoch: u64);

    /// Learns a batch.
    fn learn(&mut self, batch: BatchNumber);

    /// Measures the current weights at a point of the learning curve. May call `go_on` at any time;
    /// once that returns false, the result is `None`.
    fn measure(&mut self, go_on: &dyn Fn() -> bool) -> Option<Self::Measured>;

    /// Why the run must end at this point of the curve, if it must.
    fn fault(&self, _measured: &Self::Measured) -> Option<LearnError> {
        None
    }

    /// Saves the current weights as the best so far. Called only if the run has patience.
    fn keep_best(&mut self) {}

    /// Writes the state needed to resume.
    fn write(&mut self, out: &mut CheckpointWriter) -> io::Result<()>;

    /// Reverses [`write`](Objective::write).
    fn read(&mut self, input: &mut CheckpointReader) -> io::Result<()>;
}

/// Measurements at a point of a learning curve.
pub trait Measured: Copy {
    /// The quantity to minimize on the held-out data.
    fn loss(&self) -> f64;

    /// Writes them to a checkpoint.
    fn write(&self, out: &mut CheckpointWriter) -> io::Result<()>;

    /// Reverses [`write`](Measured::write).
    fn read(input: &mut CheckpointReader) -> io::Result<Self>;
}

/// Identifies a batch of a run.
#[derive(Clone, Copy, Debug)]
pub struct BatchNumber {
    /// Number within its epoch, 0 = first.
    pub of_epoch: u64,
    /// Number within the run, 0 = first.
    pub of_run: u64,
    /// Number of batches of the run.
    pub count: u64,
}

/// Length of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunLength {
    /// Passes over the data.
    pub epochs: u64,
    /// Points of the learning curve in each epoch, 1 or more. The end of an epoch is always a
    /// point.
    pub evaluations: u64,
    /// Ends the run after this many epochs without a lower held-out loss; `None` = never.
    pub patience: Option<u64>,
}

/// One point of a learning curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint<M> {
    /// Passes over the data so far.
    pub epochs: f64,
    /// Measurements at this point.
    pub measured: M,
}

/// The points of a run so far, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LearningCurve<M> {
    /// In the order of measurement.
    pub points: Vec<CurvePoint<M>>,
}

/// Minimum time between two checkpoints of [`Trainer::run`].
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(10);
/// The time between two checkpoints is at least this multiple of the time that writing one takes.
const CHECKPOINT_SHARE: u32 = 50;

/// The user interrupted the run; its trainer must not be used any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interrupted;

/// A learning run, one batch at a time.
pub struct Trainer<O: Objective> {
    /// What the run trains.
    pub objective: O,
    length: RunLength,
    batches_done: u64,
    curve: LearningCurve<O::Measured>,
}

impl<M: Measured> LearningCurve<M> {
    /// The end of an epoch with the lowest held-out loss; the earliest one among equals.
    pub fn best_epoch(&self) -> Option<&CurvePoint<M>> {
        let is_end = |point: &&CurvePoint<M>| {
            point.epochs > 0.0 && point.epochs.fract() == 0.0 && point.measured.loss().is_finite()
        };
        let ends = self.points.iter().filter(is_end);
        ends.min_by(|a, b| a.measured.loss().total_cmp(&b.measured.loss()))
    }

    /// Number of epochs since the best one.
    pub fn epochs_since_best(&self) -> Option<f64> {
        let best = self.best_epoch().zip(self.points.last());
        best.map(|(best, last)| last.epochs - best.epochs)
    }

    /// Whether at least `patience` epochs have passed since the best one; false for `None`.
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

/// Reads the start of a checkpoint's body: number of batches done, and the curve.
pub(crate) fn read_progress<M: Measured>(
    input: &mut CheckpointReader,
) -> io::Result<(u64, LearningCurve<M>)> {
    Ok((input.number()?, LearningCurve::read(input)?))
}

impl<O: Objective> Trainer<O> {
    /// Creates a run that has learned nothing yet.
    pub fn new(objective: O, length: RunLength) -> Trainer<O> {
        Trainer { objective, length, batches_done: 0, curve: LearningCurve { points: Vec::new() } }
    }

    /// The curve so far.
    pub fn curve(&self) -> &LearningCurve<O::Measured> {
        &self.curve
    }

    /// Number of batches of the whole run.
    pub fn batches(&self) -> u64 {
        self.length.epochs * self.objective.batches_per_epoch()
    }

    /// Number of batches learned so far.
    pub fn batches_done(&self) -> u64 {
        self.batches_done
    }

    /// Whether the run has ended.
    pub fn is_done(&self) -> bool {
        self.batches_done >= self.batches() || self.is_out_of_patience()
    }

    /// Whether too many epochs have passed since the best one.
    pub fn is_out_of_patience(&self) -> bool {
        self.curve.is_out_of_patience(self.length.patience)
    }

    /// Learns one batch; returns the new point of the curve, if any. Calls `go_on` after the batch
    /// and during measurements.
    ///
    /// # Errors
    /// [`Interrupted`] if `go_on` returns false.
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
        // Short epochs may have fewer batches than evaluations; the end of an epoch always has one.
        let is_due = of_epoch + 1 == per_epoch || points(of_epoch + 1) != points(of_epoch);
        if is_due { self.mark(go_on).map(Some) } else { Ok(None) }
    }

    /// Learns the remaining batches. Writes a checkpoint at the start, every few seconds, and at
    /// the end. `after_batch` receives the new point of the curve, if any. Calls `go_on` before
    /// each batch; once it returns false, writes a checkpoint and returns false.
    ///
    /// # Errors
    /// As [`save`](Trainer::save), and [`Objective::fault`] after the checkpoint of this point.
    pub fn run(
        &mut self,
        checkpoint: &Path,
        go_on: &dyn Fn() -> bool,
        mut after_batch: impl FnMut(Option<&CurvePoint<O::Measured>>),
    ) -> Result<bool, LearnError> {
        // Saving first reports an unwritable path before the first batch.
        let mut interval = self.save_in_time(checkpoint)?;
        let mut saved = Instant::now();
        while !self.is_done() && go_on() {
            // A batch is never interrupted.
            let point = self.advance(&|| true).unwrap_or_default();
            after_batch(point.as_ref());
            if let Some(fault) = point.and_then(|point| self.objective.fault(&point.measured)) {
                self.save(checkpoint)?;
                return Err(fault);
            }
            if saved.elapsed() >= interval {
                interval = self.save_in_time(checkpoint)?;
                saved = Instant::now();
            }
        }
        self.save(checkpoint)?;
        Ok(self.is_done())
    }

    /// Saves; returns the time until the next save.
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

    /// Starts the curve with a point before the first batch.
    pub fn begin_curve(&mut self, measured: O::Measured) {
        self.curve.points.push(CurvePoint { epochs: 0.0, measured });
    }

    /// Writes a checkpoint.
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

    /// Resumes from a checkpoint of the same run.
    ///
    /// # Errors
    /// [`LearnError::Read`], [`LearnError::NotA`], [`LearnError::Corrupt`];
    /// [`LearnError::OtherRun`] if the configuration or the data differ. After an error the trainer
    /// must not be used.
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
