//! Weights of a part, with what its optimizer and the run remember of them.

use std::io;

use rayon::prelude::*;

use super::buffer_pool::BufferPool;
use super::key_groups::KeyGroups;
use crate::lab::learn::checkpoint::{CheckpointReader, CheckpointWriter};

/// Weights and what AdaGrad or Adam remembers of them.
#[derive(Clone, Debug)]
pub(super) struct TrainedWeights {
    /// The weights.
    pub values: Vec<f32>,
    /// Sums of squared gradients, or with Adam their means.
    pub squares: Vec<f32>,
    /// Mean gradients; empty without Adam.
    pub moments: Vec<f32>,
    /// Sums of the weights at the moments of averaging; empty before the first.
    pub sums: Vec<f32>,
    /// The weights at the end of the best epoch; empty unless they are kept.
    pub best: Vec<f32>,
    /// How often each row of weights was used; empty unless they are counted.
    uses: Vec<u32>,
}

impl TrainedWeights {
    /// Weights that have not moved yet.
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

    /// The same, to be moved by Adam.
    pub fn with_moments(values: Vec<f32>) -> TrainedWeights {
        TrainedWeights { moments: vec![0.0; values.len()], ..TrainedWeights::new(values) }
    }

    /// `len` weights of zero.
    pub fn zero(len: usize) -> TrainedWeights {
        TrainedWeights::new(vec![0.0; len])
    }

    /// Writes them into a checkpoint.
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

    /// Gives each group that has members to a task, with its weights, their squares, and a buffer of
    /// as many numbers as the last task left it. `at_once`: groups that one thread takes.
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

    /// The uses of each row of `row_len` weights so far, to be counted on.
    pub fn uses(&mut self, row_len: usize) -> &mut [u32] {
        self.uses.resize(self.values.len() / row_len, 0);
        &mut self.uses
    }

    /// Multiplies every weight by n / (n + `count`), where n is half the number of its row's uses,
    /// and forgets them. Weights whose uses were not counted stay.
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
    fn what_was_hardly_seen_hardly_speaks() {
        let mut weights = TrainedWeights::new(vec![1.0; 6]);
        weights.uses(2)[1] += 2;
        weights.uses(2)[2] += 12;
        weights.shrink(2.0);
        assert_eq!(weights.values, [0.0, 0.0, 1.0 / 3.0, 1.0 / 3.0, 0.75, 0.75]);
        assert!(weights.uses.is_empty());
    }
}
