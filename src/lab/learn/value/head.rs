//! Output layers above the hidden units: the tops of [`network`](super::network).
//!
//! Every top reads both sides' accumulators, the side to move's first, and returns a value in
//! logits. The activations are those of the engine: clip(x) = x clamped to 0..127/128, square(x) =
//! the square of x clamped to 0..1023/256. The factors of products are x clamped to 0..255/256.

use std::ops::Range;

use super::adam::{self, AdamRate};
use super::model_part::BatchStep;
use super::simd::{add_scaled, dot};
use super::trained_weights::TrainedWeights;
use crate::eval::learned::network::{ByteLayer, HeadInput, HeadShape, TopShape};
use crate::eval::learned::{Network, RealHead, RealHeads, RealTop};

/// Largest activation.
const CLIP: f32 = 127.0 / 128.0;
/// Largest factor of a product.
const FACTOR_CLIP: f32 = 255.0 / 256.0;
/// Upper bound of rectified squares.
const SQUARE_CLIP: f32 = 1023.0 / 256.0;
/// Largest weight of the layers that are quantized to 8 bits.
const LAYER_BOUND: f32 = 127.0 / 64.0;
/// Bound of the output weights, large enough in practice.
const OUTPUT_BOUND: f32 = 8.0;
/// Factor of the learning rates at which the weights of 8 bits have reached their final values: the
/// middle of the run, before weights are averaged.
const SETTLED: f32 = 0.5;
/// Width of the second hidden layer.
const SECOND: usize = 32;
/// Largest number of inputs of a head.
const MAX_INPUTS: usize = 2 * *Network::UNITS.end();
/// Numbers that [`forward`](NetworkTop::forward) may store for each sample: its hidden layers.
pub(super) const NOTES: usize = 32 + SECOND;

/// Output layers above the hidden units.
pub(super) trait NetworkTop: Send + Sync {
    /// The value of a sample. `head`: index of its head; `sums`: both accumulators; `notes`:
    /// receives what [`backward`](NetworkTop::backward) needs.
    fn forward(&self, head: usize, sums: &[f32], notes: &mut [f32; NOTES]) -> f32;

    /// Adds the gradient with respect to the weights to `gradients`. Sets `derivatives` to the
    /// gradient with respect to the accumulators. `gradient`: the gradient with respect to the
    /// value.
    fn backward(
        &self,
        head: usize,
        sums: &[f32],
        notes: &[f32; NOTES],
        gradient: f32,
        gradients: &mut [f32],
        derivatives: &mut [f32],
    );

    /// The weights.
    fn weights(&mut self) -> &mut TrainedWeights;

    /// Number of heads, and the weights of each head that are stored in 8 bits.
    fn heads(&self) -> (usize, [Range<usize>; 2]) {
        (1, [0..0, 0..0])
    }

    /// Updates the weights. From [`SETTLED`] on, those of 8 bits are rounded and stay, so that all
    /// others can adapt to the rounding.
    fn advance(&mut self, gradients: &[f32], rate: AdamRate, step: BatchStep) {
        let (heads, [first, second]) = self.heads();
        let size = gradients.len() / heads;
        let (values, moments, squares) = adam::state(self.weights());
        let parts = [
            (0..first.start, false),
            (first.clone(), true),
            (first.end..second.start, false),
            (second.clone(), true),
            (second.end..size, false),
        ];
        for head in (0..heads).map(|head| head * size) {
            for (part, is_rounded) in parts.clone() {
                let at = head + part.start..head + part.end;
                if is_rounded && step.factor <= SETTLED {
                    values[at].iter_mut().for_each(|weight| *weight = rounded(*weight));
                    continue;
                }
                let bound = if is_rounded { LAYER_BOUND } else { OUTPUT_BOUND };
                let gradients = &gradients[at.clone()];
                let state = (&mut values[at.clone()], &mut moments[at.clone()], &mut squares[at]);
                adam::step(state, gradients, rate, step, bound);
            }
        }
    }

    /// The top for the evaluation. `scale`: centipawns a logit.
    fn export(&self, scale: f32) -> RealTop;

    /// Reverses [`export`](NetworkTop::export). Does nothing for a top of another form.
    fn import(&mut self, scale: f32, top: &RealTop);
}

/// Creates a top for this number of units. `normal`: draws numbers with this standard deviation.
pub(super) fn network_top(
    shape: TopShape,
    units: usize,
    normal: &mut dyn FnMut(usize, f32) -> Vec<f32>,
) -> Box<dyn NetworkTop> {
    let mut linear = |squared| {
        let weights = TrainedWeights::with_moments(normal(units, 0.1));
        Box::new(LinearTop { squared, weights })
    };
    match shape {
        TopShape::Clipped => linear(false),
        TopShape::Squared => linear(true),
        TopShape::Head(shape) => match shape.width {
            16 => Box::new(HeadLayers::<16>::new(shape, units, normal)),
            32 => Box::new(HeadLayers::<32>::new(shape, units, normal)),
            width => panic!("head width {width} is not 16 or 32"),
        },
    }
}

/// A weight for each unit, own minus enemy.
struct LinearTop {
    /// Rectified squares instead of clipped units.
    squared: bool,
    /// Shape `[units]`.
    weights: TrainedWeights,
}

impl NetworkTop for LinearTop {
    fn forward(&self, _: usize, sums: &[f32], _: &mut [f32; NOTES]) -> f32 {
        let (own, enemy) = sums.split_at(sums.len() / 2);
        let units = own.iter().zip(enemy).zip(&self.weights.values);
        if self.squared {
            units.map(|((&own, &enemy), w)| w * (square(own) - square(enemy))).sum()
        } else {
            units.map(|((&own, &enemy), w)| w * (clip(own) - clip(enemy))).sum()
        }
    }

    fn backward(
        &self,
        _: usize,
        sums: &[f32],
        _: &[f32; NOTES],
        gradient: f32,
        gradients: &mut [f32],
        derivatives: &mut [f32],
    ) {
        let units = sums.len() / 2;
        let sides = sums.chunks_exact(units).zip(derivatives.chunks_exact_mut(units));
        for (sign, (sums, derivatives)) in [gradient, -gradient].into_iter().zip(sides) {
            for (((&x, derivative), total), &w) in
                sums.iter().zip(derivatives).zip(&mut *gradients).zip(&self.weights.values)
            {
                let (activation, slope) = if self.squared {
                    (square(x), if 0.0 < x && x < SQUARE_CLIP { 2.0 * x } else { 0.0 })
                } else {
                    (clip(x), if is_active(x) { 1.0 } else { 0.0 })
                };
                *total += sign * activation;
                *derivative = sign * w * slope;
            }
        }
    }

    fn weights(&mut self) -> &mut TrainedWeights {
        &mut self.weights
    }

    fn export(&self, scale: f32) -> RealTop {
        let weights = self.weights.values.iter().map(|w| w * scale).collect();
        if self.squared { RealTop::Squared(weights) } else { RealTop::Clipped(weights) }
    }

    fn import(&mut self, scale: f32, top: &RealTop) {
        if let (false, RealTop::Clipped(real)) | (true, RealTop::Squared(real)) =
            (self.squared, top)
        {
            self.weights.values = real.iter().map(|centipawns| centipawns / scale).collect();
        }
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

#[inline]
fn square(x: f32) -> f32 {
    let x = x.clamp(0.0, SQUARE_CLIP);
    x * x
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

/// Two hidden layers of clipped units, the first with H of them.
struct HeadLayers<const H: usize> {
    shape: HeadShape,
    units: usize,
    /// For each head: first layer `[inputs][H]`, its biases `[H]`, second layer `[H][32]`, its
    /// biases `[32]`, output `[32]`, its bias.
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
    fn ends(&self) -> LayerEnds {
        let first = self.inputs() * H;
        let first_bias = first + H;
        let second = first_bias + H * SECOND;
        let second_bias = second + SECOND;
        LayerEnds { first, first_bias, second, second_bias, output: second_bias + SECOND }
    }

    /// All heads start with the same random weights.
    fn new(
        shape: HeadShape,
        units: usize,
        normal: &mut dyn FnMut(usize, f32) -> Vec<f32>,
    ) -> HeadLayers<H> {
        // Standard deviations that keep the size of the signals from layer to layer (He et al.
        // 2015).
        let inputs = shape.inputs(units);
        let mut weights = normal(inputs * H, (2.0 / inputs as f32).sqrt());
        weights.extend([0.1; H]);
        weights.extend(normal(H * SECOND, (2.0 / H as f32).sqrt()));
        weights.extend([0.1; SECOND]);
        weights.extend(normal(SECOND, (1.0 / SECOND as f32).sqrt()));
        weights.push(0.0);
        let weights = TrainedWeights::with_moments(weights.repeat(shape.choice.count()));
        HeadLayers { shape, units, weights }
    }

    /// Number of inputs of a head.
    fn inputs(&self) -> usize {
        self.shape.inputs(self.units)
    }

    /// Number of weights of a head.
    fn size(&self) -> usize {
        self.ends().output + 1
    }

    fn export_head(&self, weights: &[f32], scale: f32) -> RealHead {
        let ends = self.ends();
        let output = weights[ends.second_bias..ends.output].iter().map(|w| w * scale).collect();
        RealHead {
            first: transposed(&weights[..ends.first], H),
            first_bias: weights[ends.first..ends.first_bias].to_vec(),
            second: transposed(&weights[ends.first_bias..ends.second], SECOND),
            second_bias: weights[ends.second..ends.second_bias].to_vec(),
            last: output,
            last_bias: weights[ends.output] * scale,
        }
    }

    /// Reverses [`export_head`](HeadLayers::export_head).
    fn import_head(&self, real: &RealHead, scale: f32) -> Vec<f32> {
        let mut weights = transposed(&real.first, self.inputs());
        weights.extend(&real.first_bias);
        weights.extend(transposed(&real.second, H));
        weights.extend(&real.second_bias);
        weights.extend(real.last.iter().chain([&real.last_bias]).map(|cp| cp / scale));
        weights
    }
}

impl<const H: usize> NetworkTop for HeadLayers<H> {
    fn weights(&mut self) -> &mut TrainedWeights {
        &mut self.weights
    }

    fn heads(&self) -> (usize, [Range<usize>; 2]) {
        let ends = self.ends();
        (self.shape.choice.count(), [0..ends.first, ends.first_bias..ends.second])
    }

    fn forward(&self, head: usize, sums: &[f32], notes: &mut [f32; NOTES]) -> f32 {
        let (weights, ends) = (&self.weights.values[head * self.size()..], self.ends());
        let mut input = [0.0; MAX_INPUTS];
        let input = &mut input[..self.inputs()];
        activate(self.shape.input, sums, input);
        let mut first: [f32; H] = std::array::from_fn(|unit| weights[ends.first + unit]);
        let rows = weights[..ends.first].as_chunks::<H>().0;
        for (&x, row) in input.iter().zip(rows) {
            if x > 0.0 {
                add_scaled(&mut first, x, row);
            }
        }
        let mut second: [f32; SECOND] = std::array::from_fn(|unit| weights[ends.second + unit]);
        let rows = weights[ends.first_bias..ends.second].as_chunks::<SECOND>().0;
        for (&x, row) in first.iter().zip(rows) {
            add_scaled(&mut second, clip(x), row);
        }
        notes[..H].copy_from_slice(&first);
        notes[H..][..SECOND].copy_from_slice(&second);
        let output = second.iter().zip(&weights[ends.second_bias..ends.output]);
        output.map(|(&x, w)| clip(x) * w).sum::<f32>() + weights[ends.output]
    }

    fn backward(
        &self,
        head: usize,
        sums: &[f32],
        notes: &[f32; NOTES],
        gradient: f32,
        gradients: &mut [f32],
        derivatives: &mut [f32],
    ) {
        let start = head * self.size();
        let (weights, gradients) = (&self.weights.values[start..], &mut gradients[start..]);
        let ends = self.ends();
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
        for (((&x, row), total), by_first) in first.iter().zip(rows).zip(totals).zip(&mut by_first)
        {
            add_scaled(total, clip(x), &by_second);
            if is_active(x) {
                *by_first = dot(row, &by_second);
            }
        }
        for (total, by) in gradients[ends.first..ends.first_bias].iter_mut().zip(&by_first) {
            *total += by;
        }
        let (mut input, mut by_input) = ([0.0; MAX_INPUTS], [0.0; MAX_INPUTS]);
        let input = &mut input[..self.inputs()];
        activate(self.shape.input, sums, input);
        let rows = weights[..ends.first].as_chunks::<H>().0;
        let totals = gradients[..ends.first].as_chunks_mut::<H>().0;
        for (((&x, row), total), by_input) in input.iter().zip(rows).zip(totals).zip(&mut by_input)
        {
            if x > 0.0 {
                add_scaled(total, x, &by_first);
                *by_input = dot(row, &by_first);
            }
        }
        derive(self.shape.input, sums, &by_input[..self.inputs()], derivatives);
    }

    fn export(&self, scale: f32) -> RealTop {
        let heads = self.weights.values.chunks_exact(self.size());
        RealTop::Head(RealHeads {
            input: self.shape.input,
            choice: self.shape.choice,
            heads: heads.map(|weights| self.export_head(weights, scale)).collect(),
        })
    }

    fn import(&mut self, scale: f32, top: &RealTop) {
        let RealTop::Head(RealHeads { input, choice, heads }) = top else { return };
        let RealHead { first, first_bias, .. } = &heads[0];
        let sizes = [first.len(), first_bias.len()];
        if (*input, *choice, sizes) == (self.shape.input, self.shape.choice, [self.ends().first, H])
        {
            self.weights.values =
                heads.iter().flat_map(|head| self.import_head(head, scale)).collect();
        }
    }
}

/// The columns of a matrix, one after another. `columns`: number of columns.
fn transposed(matrix: &[f32], columns: usize) -> Vec<f32> {
    (0..columns).flat_map(|column| matrix[column..].iter().step_by(columns).copied()).collect()
}
