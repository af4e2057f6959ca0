//! Weights of a part, with the state of Adam and of the run.

use std::io;

use rayon::prelude::*;

use super::adam::{AdamRate, AdamState, BatchStep};
use super::buffer_pool::BufferPool;
use super::key_groups::{KeyGroups, cut};
use crate::lab::learn::checkpoint::{CheckpointReader, CheckpointWriter};

/// Weights with the state of Adam.
#[derive(Clone, Debug)]
pub(super) struct TrainedWeights {
    /// The weights.
    pub values: Vec<f32>,
    /// Moving averages of the gradients.
    pub moments: Vec<f32>,
    /// Moving averages of the squared gradients.
    pub squares: Vec<f32>,
    /// Weights of a row, which are updated together.
    row_len: usize,
    /// Steps of each row; empty if every step updates all rows.
    clocks: Vec<RowClock>,
    /// Sums of the weights at the snapshots; empty before the first.
    pub sums: Vec<f32>,
    /// The weights at the end of the best epoch; empty if none were saved.
    pub best: Vec<f32>,
}

/// The steps of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct RowClock {
    /// Number of steps that updated the row.
    steps: u32,
    /// Number of the last one in the run.
    last: u32,
}

/// A part of sparse weights.
pub(super) struct Rows<'a> {
    state: AdamState<'a>,
    clocks: &'a mut [RowClock],
    row_len: usize,
}

impl Rows<'_> {
    /// Updates a row, here numbered from the start of this part.
    #[inline]
    pub fn step(&mut self, row: usize, gradients: &[f32], rate: AdamRate, step: BatchStep) {
        let AdamState { values, moments, squares } = &mut self.state;
        let at = row * self.row_len..(row + 1) * self.row_len;
        let state = AdamState {
            values: &mut values[at.clone()],
            moments: &mut moments[at.clone()],
            squares: &mut squares[at],
        };
        let clock = &mut self.clocks[row];
        let skipped = if clock.steps == 0 { 0 } else { step.number - u64::from(clock.last) - 1 };
        clock.steps += 1;
        clock.last = step.number as u32;
        state.step(gradients, rate, (clock.steps.into(), skipped), step.factor, f32::INFINITY);
    }
}

impl TrainedWeights {
    fn new(values: Vec<f32>, row_len: usize, clocks: usize) -> TrainedWeights {
        let zero = vec![0.0; values.len()];
        TrainedWeights {
            moments: zero.clone(),
            squares: zero,
            values,
            row_len,
            clocks: vec![RowClock::default(); clocks],
            sums: Vec::new(),
            best: Vec::new(),
        }
    }

    /// Creates weights that every step updates.
    pub fn dense(values: Vec<f32>) -> TrainedWeights {
        TrainedWeights::new(values, 1, 0)
    }

    /// Creates weights of which a step updates some rows of this length.
    pub fn sparse(values: Vec<f32>, row_len: usize) -> TrainedWeights {
        let rows = values.len() / row_len;
        TrainedWeights::new(values, row_len, rows)
    }

    /// Creates `len` sparse weights of zero, each a row.
    pub fn zero(len: usize) -> TrainedWeights {
        TrainedWeights::sparse(vec![0.0; len], 1)
    }

    /// Writes them to a checkpoint.
    pub fn write(&self, out: &mut CheckpointWriter) -> io::Result<()> {
        let TrainedWeights { values, moments, squares, sums, best, clocks, .. } = self;
        [values, moments, squares, sums, best].into_iter().try_for_each(|row| out.floats(row))?;
        clocks
            .iter()
            .try_for_each(|clock| out.number(u64::from(clock.steps) << 32 | u64::from(clock.last)))
    }

    /// Reverses [`write`](TrainedWeights::write).
    pub fn read(&mut self, input: &mut CheckpointReader) -> io::Result<()> {
        let len = self.values.len();
        let TrainedWeights { values, moments, squares, sums, best, clocks, .. } = self;
        for row in [values, moments, squares, sums, best] {
            *row = input.floats(len)?;
        }
        clocks.iter_mut().try_for_each(|clock| {
            let number = input.number()?;
            *clock = RowClock { steps: (number >> 32) as u32, last: number as u32 };
            Ok(())
        })
    }

    /// All dense weights.
    pub fn state(&mut self) -> AdamState<'_> {
        let TrainedWeights { values, moments, squares, .. } = self;
        AdamState { values, moments, squares }
    }

    /// All sparse weights.
    pub fn rows(&mut self) -> Rows<'_> {
        let TrainedWeights { values, moments, squares, clocks, row_len, .. } = self;
        Rows { state: AdamState { values, moments, squares }, clocks, row_len: *row_len }
    }

    /// Parts of dense weights of this length, in parallel.
    pub fn par_parts(&mut self, len: usize) -> impl IndexedParallelIterator<Item = AdamState<'_>> {
        let TrainedWeights { values, moments, squares, .. } = self;
        let states = moments.par_chunks_mut(len).zip(squares.par_chunks_mut(len));
        let states = values.par_chunks_mut(len).zip(states);
        states.map(|(values, (moments, squares))| AdamState { values, moments, squares })
    }

    /// Parts of sparse weights with this number of rows, in parallel.
    pub fn par_rows(&mut self, rows: usize) -> impl IndexedParallelIterator<Item = Rows<'_>> {
        let TrainedWeights { values, moments, squares, clocks, row_len, .. } = self;
        let (len, row_len) = (rows * *row_len, *row_len);
        let states = moments.par_chunks_mut(len).zip(squares.par_chunks_mut(len));
        let states = values.par_chunks_mut(len).zip(states).zip(clocks.par_chunks_mut(rows));
        states.map(move |((values, (moments, squares)), clocks)| Rows {
            state: AdamState { values, moments, squares },
            clocks,
            row_len,
        })
    }

    /// The parts of sparse weights, each a row, between adjacent `edges`, which ascend from 0.
    pub fn cut(&mut self, edges: &[usize]) -> Vec<Rows<'_>> {
        let TrainedWeights { values, moments, squares, clocks, row_len, .. } = self;
        let states = cut(values, edges).into_iter().zip(cut(moments, edges));
        let states = states.zip(cut(squares, edges)).zip(cut(clocks, edges));
        let rows = states.map(|(((values, moments), squares), clocks)| Rows {
            state: AdamState { values, moments, squares },
            clocks,
            row_len: *row_len,
        });
        rows.collect()
    }

    /// Calls a task for each group that has members, in parallel. The task gets the group's sparse
    /// weights, and a buffer of the same length in the state that the previous task left.
    /// `at_once`: number of groups that one thread takes.
    pub fn each_group<T: Copy + From<u32> + Sync>(
        &mut self,
        groups: &KeyGroups<T>,
        at_once: usize,
        buffers: &BufferPool,
        task: impl Fn(&[T], Rows<'_>, &mut [f32]) + Sync,
    ) {
        let parts = self.par_rows(buffers.len / self.row_len).enumerate();
        let parts = parts.with_min_len(at_once).with_max_len(at_once);
        parts.for_each(|(group, rows)| {
            let members = groups.of(group);
            if !members.is_empty() {
                buffers.with(|buffer| task(members, rows, buffer));
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: AdamRate = AdamRate::new(0.01);

    fn step(number: u64) -> BatchStep {
        BatchStep { number, factor: 1.0, done: 0.0 }
    }

    #[test]
    fn the_first_step_has_the_length_of_the_rate_and_minima_are_found() {
        let mut weights = TrainedWeights::dense(vec![1.0, -1.0, 3.0]);
        let gradients = |values: &[f32]| values.iter().map(|v| 2.0 * v - 1.0).collect::<Vec<_>>();
        let mut advance = |number| {
            let gradients = gradients(&weights.values);
            weights.state().step(&gradients, RATE, (number, 0), 1.0, 2.5);
            weights.values.clone()
        };
        let first = advance(1);
        for (value, wanted) in first.iter().zip([0.99, -0.99, 2.5]) {
            assert!((value - wanted).abs() < 1e-5, "{first:?}");
        }
        let last = (2..2_000).map(&mut advance).last().expect("steps");
        assert!(last.iter().all(|value| (value - 0.5).abs() < 1e-2), "{last:?}");
    }

    #[test]
    fn weights_without_gradients_decay_also_in_skipped_steps() {
        let rate = AdamRate { weight_decay: 0.5, ..RATE };
        let mut dense = TrainedWeights::dense(vec![1.0, -2.0]);
        let mut sparse = TrainedWeights::sparse(vec![1.0, -2.0], 2);
        for number in 1..=10 {
            dense.state().step(&[0.0; 2], rate, (number, 0), 1.0, 2.5);
            if [1, 2, 5, 10].contains(&number) {
                sparse.rows().step(0, &[0.0; 2], rate, step(number));
            }
        }
        let kept = 0.995f32.powi(10);
        for (value, wanted) in dense.values.iter().chain(&sparse.values).zip([1.0, -2.0, 1.0, -2.0])
        {
            assert!((value - wanted * kept).abs() < 1e-5, "{:?}", sparse.values);
        }
    }

    #[test]
    fn rows_count_their_own_steps() {
        let mut weights = TrainedWeights::zero(3);
        weights.rows().step(0, &[5.0], RATE, step(1));
        weights.rows().step(2, &[-0.1], RATE, step(900));
        for (value, wanted) in weights.values.iter().zip([-0.01, 0.0, 0.01]) {
            assert!((value - wanted).abs() < 1e-6, "{:?}", weights.values);
        }
    }
}
