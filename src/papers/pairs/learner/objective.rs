//! The objective: each batch is an iteration over all examples.

use std::io;
use std::time::Instant;

use super::conjugate_gradient::{ConjugateGradient, dot};
use super::examples::{Comparison, ExampleSet};
use super::normal_equations::NormalEquations;
use crate::lab::learn::{
    BatchNumber, CheckpointReader, CheckpointWriter, Measured, Objective, RunLength, Trainer,
};
use crate::papers::pairs::form::RELATIONS;

/// Configuration of learning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairsConfig {
    /// The model.
    pub comparison: Comparison,
    /// Relations that occur in fewer positions have no weight.
    pub min_occurrences: u32,
    /// Iterations of the conjugate gradient.
    pub iterations: u64,
    /// Whether the conjugate gradient is preconditioned by the diagonal of X^t X. Otherwise the
    /// weights of rare relations stay near zero in this number of iterations.
    pub is_preconditioned: bool,
    /// Factor that converts weights to centipawns.
    pub scale: f64,
}

impl PairsConfig {
    /// The configuration of the paper, section 5.
    pub const fn new(comparison: Comparison) -> PairsConfig {
        let (iterations, scale) = match comparison {
            Comparison::Parent => (36, 128.0),
            Comparison::Sibling => (20, 160.0),
        };
        PairsConfig { comparison, min_occurrences: 20, iterations, is_preconditioned: true, scale }
    }
}

/// Errors of the regression: mean squared differences from 1 or -1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairsMeasure {
    /// Error on the training examples.
    pub training: f64,
    /// Error on the held-out examples.
    pub held_out: f64,
    /// Wall time of the iteration, seconds.
    pub seconds: f64,
}

/// The regression of one model.
pub struct PairsObjective<'a> {
    config: PairsConfig,
    equations: NormalEquations<'a>,
    /// Number of rows of X.
    comparisons: usize,
    training: &'a ExampleSet,
    held_out: &'a ExampleSet,
    /// X^t y.
    right_side: Vec<f64>,
    /// The inverse of the preconditioner's diagonal.
    inverse: Vec<f64>,
    state: ConjugateGradient,
    began: Instant,
}

impl<'a> PairsObjective<'a> {
    /// The regression before its first iteration. `occurrences`: those of the training examples.
    pub fn new(
        config: PairsConfig,
        training: &'a ExampleSet,
        occurrences: &[u32],
        held_out: &'a ExampleSet,
    ) -> PairsObjective<'a> {
        let PairsConfig { comparison, min_occurrences, is_preconditioned, .. } = config;
        let used = occurrences.iter().map(|&count| count >= min_occurrences.max(1)).collect();
        let equations = NormalEquations::new(training, comparison, used);
        let right_side = equations.right_side();
        let inverse = if is_preconditioned {
            equations.diagonal().iter().map(|squares| 1.0 / squares.max(1.0)).collect()
        } else {
            vec![1.0; RELATIONS]
        };
        let comparisons = training.comparisons(comparison);
        let state = ConjugateGradient::new(right_side.clone(), &inverse);
        let began = Instant::now();
        PairsObjective {
            config,
            equations,
            comparisons,
            training,
            held_out,
            right_side,
            inverse,
            state,
            began,
        }
    }

    /// Creates a trainer of the configured length.
    pub fn trainer(self) -> Trainer<PairsObjective<'a>> {
        let length = RunLength { epochs: self.config.iterations, evaluations: 1, patience: None };
        Trainer::new(self, length)
    }

    /// The current weights, shape [`RELATIONS`].
    pub fn weights(&self) -> &[f64] {
        &self.state.solution
    }

    /// Number of relations that have a weight.
    pub fn unknowns(&self) -> usize {
        self.equations.unknowns()
    }

    /// |X w - y|^2 = y y - w (X^t y) - w (X^t y - X^t X w), where the last bracket is the residual.
    fn training_error(&self) -> f64 {
        let ConjugateGradient { solution, residual, .. } = &self.state;
        1.0 - (dot(solution, &self.right_side) + dot(solution, residual)) / self.comparisons as f64
    }
}

impl Measured for PairsMeasure {
    fn loss(&self) -> f64 {
        self.held_out
    }

    fn write(&self, out: &mut CheckpointWriter) -> io::Result<()> {
        [self.training, self.held_out, self.seconds].into_iter().try_for_each(|x| out.float(x))
    }

    fn read(input: &mut CheckpointReader) -> io::Result<PairsMeasure> {
        let (training, held_out) = (input.float()?, input.float()?);
        Ok(PairsMeasure { training, held_out, seconds: input.float()? })
    }
}

impl Objective for PairsObjective<'_> {
    type Measured = PairsMeasure;

    fn run_name(&self) -> String {
        let PairsConfig { comparison, min_occurrences, is_preconditioned, .. } = self.config;
        let how = if is_preconditioned { "preconditioned" } else { "plain" };
        let [training, held_out] = [self.training, self.held_out].map(|set| set.games().to_u64());
        format!(
            "pairs {comparison:?} {min_occurrences} {how} of {training:016x}, held out \
             {held_out:016x}"
        )
    }

    fn batches_per_epoch(&self) -> u64 {
        1
    }

    fn begin_epoch(&mut self, _: u64) {}

    fn learn(&mut self, _: BatchNumber) {
        self.began = Instant::now();
        self.state.step(|direction| self.equations.product(direction), &self.inverse);
    }

    fn measure(&mut self, _: &dyn Fn() -> bool) -> Option<PairsMeasure> {
        let held_out = self.equations.squared_error(&self.state.solution, self.held_out);
        let seconds = self.began.elapsed().as_secs_f64();
        Some(PairsMeasure { training: self.training_error(), held_out, seconds })
    }

    fn write(&mut self, out: &mut CheckpointWriter) -> io::Result<()> {
        let ConjugateGradient { solution, residual, direction } = &self.state;
        [solution, residual, direction].into_iter().try_for_each(|row| out.doubles(row))
    }

    fn read(&mut self, input: &mut CheckpointReader) -> io::Result<()> {
        let mut row = || input.doubles(RELATIONS);
        self.state = ConjugateGradient { solution: row()?, residual: row()?, direction: row()? };
        Ok(())
    }
}
