//! The head above the hidden units of a [`network`](super::network).
//!
//! It reads both sides' accumulators, the side to move's first, and returns a value in logits. The
//! activations are those of the engine: clip(x) = x clamped to 0..127/128; the dual activations are
//! clip(x) and the square of x, at most 127/128. The factors of products are x clamped to
//! 0..255/256.

use std::ops::Range;

use super::adam::{AdamRate, AdamState, BatchStep};
use super::initial::{self, Draw};
use super::simd::{add_scaled, dot};
use super::trained_weights::TrainedWeights;
use crate::eval::learned::Network;
use crate::eval::learned::network::{ByteLayer, HeadActivation, HeadInput, HeadShape};
use crate::lab::learn::RealHead;

/// Largest activation.
const CLIP: f32 = 127.0 / 128.0;
/// Largest factor of a product.
const FACTOR_CLIP: f32 = 255.0 / 256.0;
/// Largest weight of the layers that are quantized to 8 bits.
const LAYER_BOUND: f32 = 127.0 / 64.0;
/// Bound of the output weights, large enough in practice.
const OUTPUT_BOUND: f32 = 8.0;
/// Share of the run after which the weights of 8 bits have their final values: before weights are
/// averaged.
const SETTLED: f32 = 0.5;
/// Width of the second hidden layer.
const SECOND: usize = HeadShape::SECOND;
/// Largest number of inputs of a head.
const MAX_INPUTS: usize = 2 * *Network::UNITS.end();
/// Numbers that [`forward`](Head::forward) may store for each sample: its hidden layers.
pub(super) const NOTES: usize = 32 + SECOND;

/// The head of a network.
pub(super) trait Head: Send + Sync {
    /// The value of a sample. `sums`: both accumulators; `notes`: receives what
    /// [`backward`](Head::backward) needs.
    fn forward(&self, sums: &[f32], notes: &mut [f32; NOTES]) -> f32;

    /// Adds the gradient with respect to the weights to `gradients`. Sets `derivatives` to the
    /// gradient with respect to the accumulators. `gradient`: the gradient with respect to the
    /// value.
    fn backward(
        &self,
        sums: &[f32],
        notes: &[f32; NOTES],
        gradient: f32,
        gradients: &mut [f32],
        derivatives: &mut [f32],
    );

    /// Moves the biases so that each layer starts in the middle of its range. `sums`: the
    /// accumulators of some samples, shape `[samples][2][units]`.
    fn centre(&mut self, sums: &[f32]);

    /// The weights.
    fn weights(&mut self) -> &mut TrainedWeights;

    /// Updates the weights. From [`SETTLED`] on, those of 8 bits are rounded and stay, so that all
    /// others can adapt to the rounding.
    fn advance(&mut self, gradients: &[f32], rate: AdamRate, step: BatchStep);

    /// The head for the evaluation. `scale`: centipawns a logit.
    fn export(&self, scale: f32) -> RealHead;

    /// Reverses [`export`](Head::export). Does nothing for a head of another form.
    fn import(&mut self, scale: f32, real: &RealHead);
}

/// Creates a head for this number of units.
pub(super) fn new(shape: HeadShape, units: usize, draw: Draw) -> Box<dyn Head> {
    match shape.width {
        16 => Box::new(HeadLayers::<16>::new(shape, units, draw)),
        32 => Box::new(HeadLayers::<32>::new(shape, units, draw)),
        width => panic!("head width {width} is not 16 or 32"),
    }
}

/// The nearest weight that 8 bits can store.
fn rounded(weight: f32) -> f32 {
    const ONE: f32 = ByteLayer::ONE as f32;
    (weight * ONE).round() / ONE
}

#[inline]
fn clip(x: f32) -> f32 {
    x.clamp(0.0, CLIP)
}

#[inline]
fn is_active(x: f32) -> bool {
    0.0 < x && x < CLIP
}

/// The square of x, and its derivative.
#[inline]
fn square(x: f32) -> (f32, f32) {
    if x * x < CLIP { (x * x, 2.0 * x) } else { (CLIP, 0.0) }
}

/// The numbers of the inputs that are not zero. Half of the inputs are, in an order that no CPU
/// predicts, so the list is made without branches.
#[inline]
fn active<'l>(input: &[f32], list: &'l mut [u16; MAX_INPUTS]) -> &'l [u16] {
    let mut count = 0;
    for (at, &x) in (0..).zip(input) {
        list[count] = at;
        count += usize::from(x > 0.0);
    }
    &list[..count]
}

/// Fills the input of a head from both sides' accumulators.
fn activate(kind: HeadInput, sums: &[f32], input: &mut [f32]) {
    match kind {
        HeadInput::Clipped => {
            input.iter_mut().zip(sums).for_each(|(input, &x)| *input = clip(x));
        }
        HeadInput::Products => {
            let (units, half) = (sums.len() / 2, input.len() / 2);
            for (input, sums) in input.chunks_exact_mut(half).zip(sums.chunks_exact(units)) {
                let (first, second) = sums.split_at(half);
                for ((input, &a), &b) in input.iter_mut().zip(first).zip(second) {
                    *input = a.clamp(0.0, FACTOR_CLIP) * b.clamp(0.0, FACTOR_CLIP);
                }
            }
        }
    }
}

/// Sets `derivatives` to the gradient with respect to the accumulators. `by_input`: the gradient
/// with respect to the input of a head.
fn derive(kind: HeadInput, sums: &[f32], by_input: &[f32], derivatives: &mut [f32]) {
    match kind {
        HeadInput::Clipped => {
            for ((derivative, &x), &by) in derivatives.iter_mut().zip(sums).zip(by_input) {
                *derivative = if is_active(x) { by } else { 0.0 };
            }
        }
        HeadInput::Products => {
            let (units, half) = (sums.len() / 2, by_input.len() / 2);
            let sides = sums.chunks_exact(units).zip(derivatives.chunks_exact_mut(units));
            for ((sums, derivatives), by_input) in sides.zip(by_input.chunks_exact(half)) {
                let (first, second) = sums.split_at(half);
                let slope = |x: f32, partner: f32| {
                    let is_active = 0.0 < x && x < FACTOR_CLIP;
                    if is_active { partner.clamp(0.0, FACTOR_CLIP) } else { 0.0 }
                };
                for (at, by) in by_input.iter().enumerate() {
                    derivatives[at] = by * slope(first[at], second[at]);
                    derivatives[half + at] = by * slope(second[at], first[at]);
                }
            }
        }
    }
}

/// Two hidden layers, the first with H units.
struct HeadLayers<const H: usize> {
    shape: HeadShape,
    units: usize,
    /// First layer `[inputs][H]`, its biases `[H]`, second layer `[H or 2 H][32]`, its biases
    /// `[32]`, output `[32]`, its bias.
    weights: TrainedWeights,
}

/// Index where the weights of each layer end.
struct LayerEnds {
    first: usize,
    first_bias: usize,
    second: usize,
    second_bias: usize,
    output: usize,
}

impl<const H: usize> HeadLayers<H> {
    fn new(shape: HeadShape, units: usize, draw: Draw) -> HeadLayers<H> {
        let inputs = shape.inputs(units);
        let mut weights = initial::layer(inputs, H, draw);
        weights.extend([0.0; H]);
        weights.extend(initial::layer(shape.activations(), SECOND, draw));
        weights.extend([0.0; SECOND]);
        weights.extend(initial::layer(SECOND, 1, draw));
        weights.push(0.0);
        HeadLayers { shape, units, weights: TrainedWeights::dense(weights) }
    }

    fn ends(&self) -> LayerEnds {
        let first = self.inputs() * H;
        let first_bias = first + H;
        let second = first_bias + self.shape.activations() * SECOND;
        let second_bias = second + SECOND;
        LayerEnds { first, first_bias, second, second_bias, output: second_bias + SECOND }
    }

    /// Number of inputs of the head.
    fn inputs(&self) -> usize {
        self.shape.inputs(self.units)
    }

    fn is_dual(&self) -> bool {
        self.shape.activation == HeadActivation::Dual
    }

    /// The sums of the first layer.
    #[inline]
    fn first(&self, input: &[f32]) -> [f32; H] {
        let (weights, ends) = (&self.weights.values, self.ends());
        let mut sums: [f32; H] = std::array::from_fn(|unit| weights[ends.first + unit]);
        let rows = weights[..ends.first].as_chunks::<H>().0;
        for &at in active(input, &mut [0; MAX_INPUTS]) {
            add_scaled(&mut sums, input[usize::from(at)], &rows[usize::from(at)]);
        }
        sums
    }

    /// The sums of the second layer.
    #[inline]
    fn second(&self, first: &[f32; H]) -> [f32; SECOND] {
        let (weights, ends) = (&self.weights.values, self.ends());
        let mut sums: [f32; SECOND] = std::array::from_fn(|unit| weights[ends.second + unit]);
        let rows = weights[ends.first_bias..ends.second].as_chunks::<SECOND>().0;
        for (&x, row) in first.iter().zip(rows) {
            add_scaled(&mut sums, clip(x), row);
        }
        // Without dual activations no rows are left.
        for (&x, row) in first.iter().zip(&rows[H..]) {
            add_scaled(&mut sums, square(x).0, row);
        }
        sums
    }

    /// The weights of 8 bits, then all ranges between them.
    fn ranges(&self) -> ([Range<usize>; 2], [Range<usize>; 2]) {
        let LayerEnds { first, first_bias, second, output, .. } = self.ends();
        ([0..first, first_bias..second], [first..first_bias, second..output + 1])
    }
}

impl<const H: usize> Head for HeadLayers<H> {
    fn weights(&mut self) -> &mut TrainedWeights {
        &mut self.weights
    }

    fn forward(&self, sums: &[f32], notes: &mut [f32; NOTES]) -> f32 {
        let mut input = [0.0; MAX_INPUTS];
        let input = &mut input[..self.inputs()];
        activate(self.shape.input, sums, input);
        let first = self.first(input);
        let second = self.second(&first);
        notes[..H].copy_from_slice(&first);
        notes[H..][..SECOND].copy_from_slice(&second);
        let (weights, ends) = (&self.weights.values, self.ends());
        let output = second.iter().zip(&weights[ends.second_bias..ends.output]);
        output.map(|(&x, w)| clip(x) * w).sum::<f32>() + weights[ends.output]
    }

    fn backward(
        &self,
        sums: &[f32],
        notes: &[f32; NOTES],
        gradient: f32,
        gradients: &mut [f32],
        derivatives: &mut [f32],
    ) {
        let (weights, ends) = (&self.weights.values, self.ends());
        let (first, second) = notes.split_at(H);
        gradients[ends.output] += gradient;
        let mut by_second = [0.0; SECOND];
        for unit in 0..SECOND {
            let at = ends.second_bias + unit;
            gradients[at] += gradient * clip(second[unit]);
            if is_active(second[unit]) {
                by_second[unit] = gradient * weights[at];
            }
            gradients[ends.second + unit] += by_second[unit];
        }
        let mut by_first = [0.0; H];
        let rows = weights[ends.first_bias..ends.second].as_chunks::<SECOND>().0;
        let totals = gradients[ends.first_bias..ends.second].as_chunks_mut::<SECOND>().0;
        let (clipped, squares) = totals.split_at_mut(H);
        for (((&x, row), total), by_first) in first.iter().zip(rows).zip(clipped).zip(&mut by_first)
        {
            add_scaled(total, clip(x), &by_second);
            if is_active(x) {
                *by_first = dot(row, &by_second);
            }
        }
        let squares = first.iter().zip(&rows[H..]).zip(squares).zip(&mut by_first);
        for (((&x, row), total), by_first) in squares {
            let (square, slope) = square(x);
            add_scaled(total, square, &by_second);
            *by_first += slope * dot(row, &by_second);
        }
        for (total, by) in gradients[ends.first..ends.first_bias].iter_mut().zip(&by_first) {
            *total += by;
        }
        let (mut input, mut by_input) = ([0.0; MAX_INPUTS], [0.0; MAX_INPUTS]);
        let input = &mut input[..self.inputs()];
        activate(self.shape.input, sums, input);
        let rows = weights[..ends.first].as_chunks::<H>().0;
        let totals = gradients[..ends.first].as_chunks_mut::<H>().0;
        for &at in active(input, &mut [0; MAX_INPUTS]) {
            let at = usize::from(at);
            add_scaled(&mut totals[at], input[at], &by_first);
            by_input[at] = dot(&rows[at], &by_first);
        }
        derive(self.shape.input, sums, &by_input[..self.inputs()], derivatives);
    }

    fn centre(&mut self, sums: &[f32]) {
        let LayerEnds { first, first_bias, second, second_bias, output } = self.ends();
        let mut inputs = vec![0.0; sums.len() / (2 * self.units) * self.inputs()];
        let samples = sums.chunks_exact(2 * self.units);
        for (sums, input) in samples.zip(inputs.chunks_exact_mut(self.inputs())) {
            activate(self.shape.input, sums, input);
        }
        let weights = &mut self.weights.values;
        let (layer, biases) = weights[..first_bias].split_at_mut(first);
        initial::centre(layer, biases, initial::mean(&inputs));

        let mut activations = Vec::new();
        for input in inputs.chunks_exact(self.inputs()) {
            let sums = self.first(input);
            activations.extend(sums.map(clip));
            if self.is_dual() {
                activations.extend(sums.map(|x| square(x).0));
            }
        }
        let weights = &mut self.weights.values;
        let (layer, biases) = weights[first_bias..second_bias].split_at_mut(second - first_bias);
        initial::centre(layer, biases, initial::mean(&activations));
        weights[output] = -0.5 * weights[second_bias..output].iter().sum::<f32>();
    }

    fn advance(&mut self, gradients: &[f32], rate: AdamRate, step: BatchStep) {
        let (bytes, others) = self.ranges();
        let parts = bytes.into_iter().zip([LAYER_BOUND; 2]);
        for (at, bound) in parts.chain(others.into_iter().zip([OUTPUT_BOUND; 2])) {
            let AdamState { values, moments, squares } = self.weights.state();
            let values = &mut values[at.clone()];
            if bound == LAYER_BOUND && step.done >= SETTLED {
                values.iter_mut().for_each(|weight| *weight = rounded(*weight));
                continue;
            }
            let (moments, squares) = (&mut moments[at.clone()], &mut squares[at.clone()]);
            let state = AdamState { values, moments, squares };
            state.step(&gradients[at], rate, (step.number, 0), step.factor, bound);
        }
    }

    fn export(&self, scale: f32) -> RealHead {
        let (weights, ends) = (&self.weights.values, self.ends());
        let output = weights[ends.second_bias..ends.output].iter().map(|w| w * scale).collect();
        RealHead {
            input: self.shape.input,
            first: transposed(&weights[..ends.first], H),
            first_bias: weights[ends.first..ends.first_bias].to_vec(),
            second: transposed(&weights[ends.first_bias..ends.second], SECOND),
            second_bias: weights[ends.second..ends.second_bias].to_vec(),
            last: output,
            last_bias: weights[ends.output] * scale,
        }
    }

    fn import(&mut self, scale: f32, real: &RealHead) {
        let (activations, ends) = (self.shape.activations(), self.ends());
        let sizes = [real.first.len(), real.first_bias.len(), real.second.len()];
        if (real.input, sizes) != (self.shape.input, [ends.first, H, activations * SECOND]) {
            return;
        }
        let mut weights = transposed(&real.first, self.inputs());
        weights.extend(&real.first_bias);
        weights.extend(transposed(&real.second, activations));
        weights.extend(&real.second_bias);
        weights.extend(real.last.iter().chain([&real.last_bias]).map(|cp| cp / scale));
        self.weights.values = weights;
    }
}

/// The columns of a matrix, one after another. `columns`: number of columns.
fn transposed(matrix: &[f32], columns: usize) -> Vec<f32> {
    (0..columns).flat_map(|column| matrix[column..].iter().step_by(columns).copied()).collect()
}
