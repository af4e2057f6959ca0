//! Weights of a part, with the state of its optimizer and of the run.

use std::io;

use rayon::prelude::*;

use super::buffer_pool::BufferPool;
use super::key_groups::KeyGroups;
use crate::lab::learn::checkpoint::{CheckpointReader, CheckpointWriter};

/// Weights with the state of AdaGrad or Adam.
#[derive(Clone, Debug)]
pub(super) struct TrainedWeights {
    /// The weights.
    pub values: Vec<f32>,
    /// AdaGrad: sums of squared gradients. Adam: their moving averages.
    pub squares: Vec<f32>,
    /// Moving averages of the gradients; empty without Adam.
    pub moments: Vec<f32>,
    /// Sums of the weights at the snapshots; empty before the first.
    pub sums: Vec<f32>,
    /// The weights at the end of the best epoch; empty if none were saved.
    pub best: Vec<f32>,
    /// Number of uses of each row of weights; empty if they are not counted.
    uses: Vec<u32>,
}

impl TrainedWeights {
    /// Creates weights for AdaGrad before the first step.
    pub fn new(values: Vec<f32>) -> TrainedWeights {
        TrainedWeights {
            squares: vec![0.0; values.len()],
            moments: Vec::new(),
            values,
            sums: Vec::new(),
            best: Vec::new(),
            uses: Vec::new(),
        }
    }

    /// Creates weights for Adam before the first step.
    pub fn with_moments(values: Vec<f32>) -> TrainedWeights {
        TrainedWeights { moments: vec![0.0; values.len()], ..TrainedWeights::new(values) }
    }

    /// Creates `len` weights of zero.
    pub fn zero(len: usize) -> TrainedWeights {
        TrainedWeights::new(vec![0.0; len])
    }

    /// Writes them to a checkpoint.
    pub fn write(&self, out: &mut CheckpointWriter) -> io::Result<()> {
        let TrainedWeights { values, squares, moments, sums, best, .. } = self;
        [values, squares, moments, sums, best].into_iter().try_for_each(|row| out.floats(row))
    }

    /// Reverses [`write`](TrainedWeights::write).
    pub fn read(&mut self, input: &mut CheckpointReader) -> io::Result<()> {
        let len = self.values.len();
        let TrainedWeights { values, squares, moments, sums, best, .. } = self;
        for row in [values, squares, moments, sums, best] {
            *row = input.floats(len)?;
        }
        Ok(())
    }

    /// Calls a task for each group that has members, in parallel. The task gets the group's
    /// weights, their squares, and a buffer of the same length in the state that the previous task
    /// left. `at_once`: number of groups that one thread takes.
    pub fn each_group<T: Copy + From<u32> + Sync>(
        &mut self,
        groups: &KeyGroups<T>,
        at_once: usize,
        buffers: &BufferPool,
        task: impl Fn(&[T], &mut [f32], &mut [f32], &mut [f32]) + Sync,
    ) {
        let squares = self.squares.par_chunks_mut(buffers.len);
        let weights = self.values.par_chunks_mut(buffers.len).zip(squares).enumerate();
        let weights = weights.with_min_len(at_once).with_max_len(at_once);
        weights.for_each(|(group, (values, squares))| {
            let members = groups.of(group);
            if !members.is_empty() {
                buffers.with(|buffer| task(members, values, squares, buffer));
            }
        });
    }

    /// The counts of uses of each row of `row_len` weights, for the caller to increase.
    pub fn uses(&mut self, row_len: usize) -> &mut [u32] {
        self.uses.resize(self.values.len() / row_len, 0);
        &mut self.uses
    }

    /// Multiplies every weight by n / (n + `count`), where n is half the number of its row's uses,
    /// and clears the counts. Weights without counts stay.
    pub fn shrink(&mut self, count: f32) {
        let uses = std::mem::take(&mut self.uses);
        if uses.is_empty() {
            return;
        }
        let row_len = self.values.len() / uses.len();
        for (row, uses) in self.values.chunks_mut(row_len).zip(uses) {
            let n = uses as f32 / 2.0;
            row.iter_mut().for_each(|value| *value *= n / (n + count));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shrinking_reduces_rare_weights_most() {
        let mut weights = TrainedWeights::new(vec![1.0; 6]);
        weights.uses(2)[1] += 2;
        weights.uses(2)[2] += 12;
        weights.shrink(2.0);
        assert_eq!(weights.values, [0.0, 0.0, 1.0 / 3.0, 1.0 / 3.0, 0.75, 0.75]);
        assert!(weights.uses.is_empty());
    }
}
