//! Learns one model and saves it after each iteration.

use std::path::PathBuf;

use super::setup::name;
use crate::command::{CliError, progress_bar};
use crate::lab::learn::{CurvePoint, LearnError};
use crate::papers::experiment::finish_training;
use crate::papers::pairs::learner::{
    ExampleSet, PairsConfig, PairsMeasure, PairsObjective, QuantizedPairs,
};

/// Configuration and data of a run.
pub(super) struct TrainingRun<'a> {
    pub config: PairsConfig,
    pub training: &'a ExampleSet,
    /// Occurrences in the training examples.
    pub occurrences: &'a [u32],
    pub held_out: &'a ExampleSet,
    /// Path of the checkpoint; its iterations are not repeated.
    pub checkpoint: PathBuf,
}

/// A model, and measurements of its run.
pub(super) struct LearnedPairs {
    pub config: PairsConfig,
    /// Number of training comparisons.
    pub comparisons: usize,
    /// Number of relations that have a weight.
    pub unknowns: usize,
    pub curve: Vec<CurvePoint<PairsMeasure>>,
    /// Shape [`RELATIONS`](crate::papers::pairs::form::RELATIONS).
    pub weights: Vec<f64>,
    pub quantized: QuantizedPairs,
    /// Peak memory of this process so far, bytes, if the system reports it.
    pub memory: Option<u64>,
}

impl TrainingRun<'_> {
    /// Makes the remaining iterations; `None` if the user interrupted them.
    pub fn learn(&self) -> Result<Option<LearnedPairs>, CliError> {
        if let Some(folder) = self.checkpoint.parent() {
            std::fs::create_dir_all(folder).map_err(LearnError::write(folder))?;
        }
        let config = self.config;
        let objective = PairsObjective::new(config, self.training, self.occurrences, self.held_out);
        let unknowns = objective.unknowns();
        let mut trainer = objective.trainer();
        let bar = progress_bar(config.iterations as usize);
        bar.set_message(name(config.comparison));
        let is_done = finish_training(&mut trainer, &self.checkpoint, &bar)?;
        bar.finish_and_clear();
        if !is_done {
            return Ok(None);
        }
        let weights = trainer.objective.weights().to_vec();
        Ok(Some(LearnedPairs {
            config,
            comparisons: self.training.comparisons(config.comparison),
            unknowns,
            curve: trainer.curve().points.clone(),
            quantized: QuantizedPairs::new(&weights, config.scale),
            weights,
            memory: peak_memory(),
        }))
    }
}

/// Peak memory of this process as reported by Linux, bytes.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kib * 1024)
}
