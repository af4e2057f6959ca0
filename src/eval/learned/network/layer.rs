//! A layer of bytes: the products of a network's head.

use crate::eval::kernel::portable::GROUP;
use crate::eval::kernel::{Aligned, Kernel};

/// Weights between inputs and outputs that are both 0 to 127:
/// `output = clamp((bias + sum of weight * input) >> 6, 0, 127)`.
///
/// The 1.0 of an input or output is 128, that of a weight 64.
#[derive(Clone, Debug, PartialEq)]
pub struct ByteLayer {
    /// Shape `[inputs / 4][outputs][4]`: what one step of the products takes lies together.
    weights: Aligned<i8>,
    biases: Vec<i32>,
}

impl ByteLayer {
    /// The 1.0 of weights.
    pub const ONE: i32 = 1 << ByteLayer::SHIFT;
    /// The 1.0 of biases: that of a weight times that of an activation.
    pub const BIAS_ONE: i32 = 128 * ByteLayer::ONE;
    /// Largest absolute bias: with 1,024 products more a sum stays within 32 bits.
    pub const LARGEST_BIAS: i32 = 1 << 24;
    /// Greatest number of inputs.
    pub const MAX_INPUTS: usize = 1024;
    /// Greatest number of outputs.
    pub const MAX_OUTPUTS: usize = 32;
    const SHIFT: u32 = 6;

    /// `weights`: shape `[outputs][inputs]`. `biases`: one for each output, 16 or 32. `None` if the
    /// inputs are not a multiple of 4 or too many, a shape is wrong, or a bias is too large.
    pub fn new(inputs: usize, weights: &[i8], biases: Vec<i32>) -> Option<ByteLayer> {
        let outputs = biases.len();
        let shaped = inputs > 0
            && inputs.is_multiple_of(GROUP)
            && inputs <= ByteLayer::MAX_INPUTS
            && [16, ByteLayer::MAX_OUTPUTS].contains(&outputs)
            && weights.len() == inputs * outputs;
        let bounded =
            biases.iter().all(|bias| bias.unsigned_abs() <= ByteLayer::LARGEST_BIAS.unsigned_abs());
        if !shaped || !bounded {
            return None;
        }
        let mut grouped = Aligned::zeros(weights.len());
        for (output, row) in weights.chunks_exact(inputs).enumerate() {
            for (input, &weight) in row.iter().enumerate() {
                grouped[ByteLayer::place(outputs, output, input)] = weight;
            }
        }
        Some(ByteLayer { weights: grouped, biases })
    }

    /// Number of inputs.
    pub fn inputs(&self) -> usize {
        self.weights.len() / self.outputs()
    }

    /// Number of outputs.
    pub fn outputs(&self) -> usize {
        self.biases.len()
    }

    /// The weights, shape `[outputs][inputs]`.
    pub fn weights(&self) -> Vec<i8> {
        let (inputs, outputs) = (self.inputs(), self.outputs());
        let row = |output| {
            (0..inputs).map(move |input| self.weights[ByteLayer::place(outputs, output, input)])
        };
        (0..outputs).flat_map(row).collect()
    }

    /// The biases.
    pub fn biases(&self) -> &[i32] {
        &self.biases
    }

    /// Place of a weight in memory.
    fn place(outputs: usize, output: usize, input: usize) -> usize {
        (input / GROUP * outputs + output) * GROUP + input % GROUP
    }

    /// Fills the first of `activations`, one for each output. `input`: at most 127 each.
    #[inline]
    pub(super) fn propagate(
        &self,
        kernel: Kernel,
        input: &[u8],
        activations: &mut [u8; ByteLayer::MAX_OUTPUTS],
    ) {
        let mut sums = [0; ByteLayer::MAX_OUTPUTS];
        let sums = &mut sums[..self.outputs()];
        sums.copy_from_slice(&self.biases);
        kernel.add_products(sums, &self.weights, input);
        for (activation, sum) in activations.iter_mut().zip(sums) {
            *activation = (*sum >> ByteLayer::SHIFT).clamp(0, 127) as u8;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_are_those_of_the_formula() {
        let (inputs, outputs) = (20, 16);
        let weight = |output: usize, input: usize| (output * 7 + input * 13) as i8;
        let weights: Vec<i8> = (0..outputs)
            .flat_map(|output| (0..inputs).map(move |input| weight(output, input)))
            .collect();
        let biases: Vec<i32> = (0..outputs as i32).map(|output| 1_000 * (output - 8)).collect();
        let layer = ByteLayer::new(inputs, &weights, biases.clone()).expect("a shape");
        assert_eq!((layer.inputs(), layer.outputs()), (inputs, outputs));
        assert_eq!(layer.weights(), weights);
        let input: Vec<u8> = (0..inputs).map(|at| if at < 8 { 0 } else { 6 * at as u8 }).collect();
        for kernel in Kernel::available() {
            let mut activations = [0; ByteLayer::MAX_OUTPUTS];
            layer.propagate(kernel, &input, &mut activations);
            for (output, &activation) in activations[..outputs].iter().enumerate() {
                let product = |at| i32::from(weight(output, at)) * i32::from(input[at]);
                let sum = biases[output] + (0..inputs).map(product).sum::<i32>();
                assert_eq!(i32::from(activation), (sum >> 6).clamp(0, 127));
            }
        }
        assert!(ByteLayer::new(inputs, &weights[1..], biases.clone()).is_none());
        assert!(ByteLayer::new(18, &weights[..18 * 16], biases).is_none());
        assert!(
            ByteLayer::new(inputs, &weights, vec![ByteLayer::LARGEST_BIAS + 1; outputs]).is_none()
        );
    }
}
