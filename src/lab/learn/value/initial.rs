//! Initial values of networks.
//!
//! All inputs of a layer are positive and its activations are clipped on both sides, so a unit that
//! starts outside of its range gets no gradient and may never learn. Every unit of a layer
//! therefore starts with a mean near 1/2, the middle of the range.
//!
//! Source: the biases of the first trainer of such networks for shogi (Nasu 2018); deviations as in
//! LeCun, Bottou, Orr, Mueller, "Efficient BackProp" (1998).

/// Draws normally distributed numbers: how many, and their standard deviation.
pub(super) type Draw<'a> = &'a mut dyn FnMut(usize, f32) -> Vec<f32>;

/// Standard deviation of the weights of a row of hidden units. With the 40 rows of a position the
/// accumulators start with a deviation of 0.4.
pub(super) const ROW_DEVIATION: f32 = 0.06;
/// Mean of the accumulators.
pub(super) const ROW_MEAN: f32 = 0.4;

/// Weights of a layer, in any order.
pub(super) fn layer(inputs: usize, outputs: usize, draw: Draw) -> Vec<f32> {
    draw(inputs * outputs, 1.0 / (inputs as f32).sqrt())
}

/// The mean of these numbers.
pub(super) fn mean(numbers: &[f32]) -> f32 {
    (numbers.iter().map(|&number| f64::from(number)).sum::<f64>() / numbers.len() as f64) as f32
}

/// Sets the bias of each output so that inputs equal to their `mean` give the sum 1/2. `weights`:
/// shape `[inputs][outputs]`.
pub(super) fn centre(weights: &[f32], biases: &mut [f32], mean: f32) {
    let outputs = biases.len();
    for (output, bias) in biases.iter_mut().enumerate() {
        let sum: f32 = weights[output..].iter().step_by(outputs).sum();
        *bias = 0.5 - mean * sum;
    }
}
