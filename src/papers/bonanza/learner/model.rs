//! The weights during learning.

use std::io;
use std::ops::Range;

use rayon::prelude::*;

use super::HokiConfig;
use crate::eval::material::PieceValues;
use crate::lab::learn::logistic::{cross_entropy, sigmoid};
use crate::lab::learn::value::Target;
use crate::lab::learn::{AdaGradRate, CheckpointReader, CheckpointWriter, Sample, gathered_sum};
use crate::papers::bonanza::hoki::{HokiGroup, HokiTables, Occurrence, walk};

/// Samples of one task. Sums do not depend on it.
const CHUNK: usize = 128;

/// A weight in logits, the sum of its squared gradients, and its gradient in the current batch (0
/// between batches). The three are adjacent because each access needs all of them, and the KPP
/// weights of a position are rarely adjacent. An array, because the system provides zeroed memory
/// without cost.
type LearnedWeight = [f32; 3];

/// The index of a weight that a sample has, and whether it belongs to the enemy of the side to
/// move.
#[derive(Clone, Copy, Debug)]
struct SignedPlace(u32);

impl SignedPlace {
    #[inline]
    fn new(place: usize, is_enemy: bool) -> SignedPlace {
        SignedPlace((place as u32) << 1 | u32::from(is_enemy))
    }

    #[inline]
    fn place(self) -> usize {
        self.0 as usize / 2
    }

    /// The number with the sign of the side to move's view.
    #[inline]
    fn signed(self, number: f32) -> f32 {
        f32::from_bits(number.to_bits() ^ self.0 << 31)
    }
}

/// Part of a batch.
#[derive(Clone, Debug, Default)]
struct Chunk {
    /// The weights of all samples, one sample after another.
    places: Vec<SignedPlace>,
    /// End of each sample in `places`.
    ends: Vec<usize>,
    /// Values of the samples, side to move's view, logits.
    values: Vec<f32>,
}

/// The weights of the learned groups, one group after another.
pub(super) struct HokiModel {
    config: HokiConfig,
    weights: Vec<LearnedWeight>,
    /// Indices of each group's weights; empty if the group is switched off.
    ranges: [Range<usize>; HokiGroup::COUNT],
    /// The chunks of the last batch.
    chunks: Vec<Chunk>,
    /// Indices of weights that have a gradient; may have duplicates.
    touched: Vec<u32>,
}

impl Chunk {
    fn fill(&mut self, model: &Layout, samples: &[Sample], numbers: &[u32]) {
        self.places.clear();
        self.ends.clear();
        self.values.clear();
        for &number in numbers {
            let first = self.places.len();
            // A position that is invalid has no weights.
            if let Ok(pos) = samples[number as usize].position.unpack() {
                let us = pos.side_to_move().sign();
                walk(&pos, model.config.groups, |Occurrence { group, index, sign }| {
                    let place = model.ranges[group.number()].start + index;
                    self.places.push(SignedPlace::new(place, sign != us));
                });
            }
            self.ends.push(self.places.len());
            let value = |place: SignedPlace| place.signed(model.weights[place.place()][0]);
            self.values.push(gathered_sum(&self.places[first..], value));
        }
    }

    /// The weights of each sample.
    fn samples(&self) -> impl Iterator<Item = &[SignedPlace]> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.places[start..end])
    }
}

/// The parts of the model that a chunk reads.
#[derive(Clone, Copy)]
struct Layout<'a> {
    config: &'a HokiConfig,
    weights: &'a [LearnedWeight],
    ranges: &'a [Range<usize>; HokiGroup::COUNT],
}

impl HokiModel {
    /// A model with the engine's piece values as material and all other weights zero.
    pub fn new(config: &HokiConfig) -> HokiModel {
        let mut end = 0;
        let ranges = HokiGroup::ALL.map(|group| {
            let start = end;
            end += if config.groups.contains(group) { group.size() } else { 0 };
            start..end
        });
        let mut weights = vec![LearnedWeight::default(); end];
        let material = &mut weights[ranges[HokiGroup::Material.number()].clone()];
        let PieceValues { board, hand } = PieceValues::ENGINE;
        for (weight, value) in material.iter_mut().zip(board.into_iter().chain(hand)) {
            weight[0] = value as f32 / config.scale;
        }
        HokiModel { config: *config, weights, ranges, chunks: Vec::new(), touched: Vec::new() }
    }

    /// The values of the samples at these indices, side to move's view, logits.
    pub fn forward(&mut self, samples: &[Sample], numbers: &[u32]) -> impl Iterator<Item = f32> {
        self.chunks.resize_with(numbers.len().div_ceil(CHUNK), Chunk::default);
        let HokiModel { config, weights, ranges, chunks, .. } = self;
        let layout = Layout { config, weights, ranges };
        chunks
            .par_iter_mut()
            .zip(numbers.par_chunks(CHUNK))
            .for_each(|(chunk, numbers)| chunk.fill(&layout, samples, numbers));
        self.chunks.iter().flat_map(|chunk| &chunk.values).copied()
    }

    /// Adds the gradients of the losses of these samples to the gradients of the weights; returns
    /// the sum of the losses.
    pub fn add_gradients(&mut self, samples: &[Sample], numbers: &[u32], target: Target) -> f64 {
        let _ = self.forward(samples, numbers);
        let mut loss = 0.0;
        let of_chunks = numbers.chunks(CHUNK).zip(&self.chunks);
        for (numbers, chunk) in of_chunks {
            let of_samples = numbers.iter().zip(chunk.samples()).zip(&chunk.values);
            for ((&number, places), &value) in of_samples {
                let aim = target.of(&samples[number as usize]);
                loss += f64::from(cross_entropy(value, aim));
                let gradient = sigmoid(value) - aim;
                for place in places {
                    let [_, _, sum] = &mut self.weights[place.place()];
                    if *sum == 0.0 {
                        self.touched.push(place.place() as u32);
                    }
                    *sum += place.signed(gradient);
                }
            }
        }
        loss
    }

    /// Updates the weights by their gradients and clears the gradients. `factor`: multiplies the
    /// learning rates.
    pub fn step(&mut self, factor: f32) {
        let rates = HokiGroup::ALL.map(|group| self.config.rate(group).times(factor));
        for place in self.touched.drain(..) {
            let place = place as usize;
            let group = self.ranges.partition_point(|range| range.end <= place);
            let [value, square, gradient] = &mut self.weights[place];
            // The second of two duplicates has no gradient left, nor has a weight whose gradients
            // cancelled.
            if *gradient != 0.0 {
                AdaGradRate::step(rates[group], value, square, *gradient);
                *gradient = 0.0;
            }
        }
    }

    /// The weights in centipawns.
    pub fn export(&self) -> HokiTables<f32> {
        let table = |range: &Range<usize>| {
            let weights = &self.weights[range.clone()];
            weights.iter().map(|[value, ..]| value * self.config.scale).collect()
        };
        self.ranges.each_ref().map(table)
    }

    /// Writes the model to a checkpoint; only between two batches.
    pub fn write(&self, out: &mut CheckpointWriter) -> io::Result<()> {
        let (values, squares): (Vec<f32>, Vec<f32>) =
            self.weights.iter().map(|&[value, square, _]| (value, square)).unzip();
        out.floats(&values)?;
        out.floats(&squares)
    }

    /// Reverses [`write`](HokiModel::write).
    pub fn read(&mut self, input: &mut CheckpointReader) -> io::Result<()> {
        let count = self.weights.len();
        let (values, squares) = (input.floats(count)?, input.floats(count)?);
        for (weight, (value, square)) in
            self.weights.iter_mut().zip(values.into_iter().zip(squares))
        {
            *weight = [value, square, 0.0];
        }
        Ok(())
    }

    /// The indices of the weights that have a gradient, with the gradient.
    #[cfg(test)]
    pub fn gradients(&self) -> Vec<(usize, f32)> {
        self.touched.iter().map(|&at| (at as usize, self.weights[at as usize][2])).collect()
    }

    /// A weight, logits.
    #[cfg(test)]
    pub fn weight(&mut self, place: usize) -> &mut f32 {
        &mut self.weights[place][0]
    }
}
