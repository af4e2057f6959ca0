//! Output layers above the hidden units: the tops of [`network`](super::network).
//!
//! Every top reads both sides' accumulators, the side to move's first, and returns a value in
//! logits. The activations are those of the engine: clip(x) = x clamped to 0..127/128, square(x) =
//! the square of x clamped to 0..1023/256.

use super::adam::{self, AdamRate};
use super::model_part::BatchStep;
use super::simd::{add_scaled, dot};
use super::trained_weights::TrainedWeights;
use crate::eval::learned::network::TopShape;
use crate::eval::learned::{RealHead, RealTop};

/// Largest activation.
const CLIP: f32 = 127.0 / 128.0;
/// Upper bound of rectified squares.
const SQUARE_CLIP: f32 = 1023.0 / 256.0;
/// Largest weight of the layers that are quantized to 8 bits.
const LAYER_BOUND: f32 = 127.0 / 64.0;
/// Bound of the output weights, large enough in practice.
const OUTPUT_BOUND: f32 = 8.0;
/// Width of the second hidden layer.
const SECOND: usize = 32;
/// Numbers that [`forward`](NetworkTop::forward) may store for each sample: its hidden layers.
pub(super) const NOTES: usize = 32 + SECOND;

/// Output layers above the hidden units.
pub(super) trait NetworkTop: Send + Sync {
    /// The value of a sample. `sums`: both accumulators; `notes`: receives what
    /// [`backward`](NetworkTop::backward) needs.
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

    /// The weights.
    fn weights(&mut self) -> &mut TrainedWeights;

    /// Number of leading weights that belong to layers quantized to 8 bits.
    fn layer_weights(&self) -> usize {
        0
    }

    /// Updates the weights.
    fn advance(&mut self, gradients: &[f32], rate: AdamRate, step: BatchStep) {
        let layers = self.layer_weights();
        let (values, moments, squares) = adam::state(self.weights());
        for (at, bound) in [(0..layers, LAYER_BOUND), (layers..values.len(), OUTPUT_BOUND)] {
            let gradients = &gradients[at.clone()];
            let state = (&mut values[at.clone()], &mut moments[at.clone()], &mut squares[at]);
            adam::step(state, gradients, rate, step, bound);
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
        TopShape::Head(16) => Box::new(HeadLayers::<16>::new(units, normal)),
        TopShape::Head(32) => Box::new(HeadLayers::<32>::new(units, normal)),
        TopShape::Head(width) => panic!("head width {width} is not 16 or 32"),
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
    fn forward(&self, sums: &[f32], _: &mut [f32; NOTES]) -> f32 {
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

/// Two hidden layers of clipped units, the first with H of them.
struct HeadLayers<const H: usize> {
    units: usize,
    /// First layer `[2 units][H]`, its biases `[H]`, second layer `[H][32]`, its biases `[32]`,
    /// output `[32]`, its bias.
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
        let first = 2 * self.units * H;
        let first_bias = first + H;
        let second = first_bias + H * SECOND;
        let second_bias = second + SECOND;
        LayerEnds { first, first_bias, second, second_bias, output: second_bias + SECOND }
    }

    fn new(units: usize, normal: &mut dyn FnMut(usize, f32) -> Vec<f32>) -> HeadLayers<H> {
        // Standard deviations that keep the size of the signals from layer to layer (He et al.
        // 2015).
        let inputs = 2 * units;
        let mut weights = normal(inputs * H, (2.0 / inputs as f32).sqrt());
        weights.extend([0.1; H]);
        weights.extend(normal(H * SECOND, (2.0 / H as f32).sqrt()));
        weights.extend([0.1; SECOND]);
        weights.extend(normal(SECOND, (1.0 / SECOND as f32).sqrt()));
        weights.push(0.0);
        HeadLayers { units, weights: TrainedWeights::with_moments(weights) }
    }
}

impl<const H: usize> NetworkTop for HeadLayers<H> {
    fn weights(&mut self) -> &mut TrainedWeights {
        &mut self.weights
    }

    fn layer_weights(&self) -> usize {
        self.ends().second_bias
    }

    fn forward(&self, sums: &[f32], notes: &mut [f32; NOTES]) -> f32 {
        let (weights, ends) = (&self.weights.values, self.ends());
        let mut first: [f32; H] = std::array::from_fn(|unit| weights[ends.first + unit]);
        let rows = weights[..ends.first].as_chunks::<H>().0;
        for (&x, row) in sums.iter().zip(rows) {
            if x > 0.0 {
                add_scaled(&mut first, x.min(CLIP), row);
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
        let rows = weights[..ends.first].as_chunks::<H>().0;
        let totals = gradients[..ends.first].as_chunks_mut::<H>().0;
        for (((&x, row), total), derivative) in sums.iter().zip(rows).zip(totals).zip(derivatives) {
            *derivative = 0.0;
            if x > 0.0 {
                add_scaled(total, x.min(CLIP), &by_first);
                if x < CLIP {
                    *derivative = dot(row, &by_first);
                }
            }
        }
    }

    fn export(&self, scale: f32) -> RealTop {
        let (weights, ends) = (&self.weights.values, self.ends());
        let output = weights[ends.second_bias..ends.output].iter().map(|w| w * scale).collect();
        RealTop::Head(RealHead {
            first: transposed(&weights[..ends.first], H),
            first_bias: weights[ends.first..ends.first_bias].to_vec(),
            second: transposed(&weights[ends.first_bias..ends.second], SECOND),
            second_bias: weights[ends.second..ends.second_bias].to_vec(),
            last: output,
            last_bias: weights[ends.output] * scale,
        })
    }

    fn import(&mut self, scale: f32, top: &RealTop) {
        let RealTop::Head(real) = top else { return };
        if [real.first_bias.len(), real.second_bias.len()] != [H, SECOND] {
            return;
        }
        let mut weights = transposed(&real.first, 2 * self.units);
        weights.extend(&real.first_bias);
        weights.extend(transposed(&real.second, H));
        weights.extend(&real.second_bias);
        weights.extend(real.last.iter().chain([&real.last_bias]).map(|cp| cp / scale));
        self.weights.values = weights;
    }
}

/// The columns of a matrix, one after another. `columns`: number of columns.
fn transposed(matrix: &[f32], columns: usize) -> Vec<f32> {
    (0..columns).flat_map(|column| matrix[column..].iter().step_by(columns).copied()).collect()
}
