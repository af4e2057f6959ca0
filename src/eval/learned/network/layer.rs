//! A layer with byte weights for a network's head.

use crate::eval::kernel::portable::GROUP;
use crate::eval::kernel::{Aligned, Kernel};

/// Weights of a layer whose inputs are 0 to 127: `sum = bias + sum of weight * input`.
///
/// An input of 1.0 is stored as 128, and a weight of 1.0 as 64. Both hidden layers clip their sums
/// to activations of 0 to 127: `clamp(sum >> 6, 0, 127)`.
#[derive(Clone, Debug, PartialEq)]
pub struct ByteLayer {
    /// Shape `[inputs / 4][outputs][4]`, so that one step of the products reads contiguous weights.
    weights: Aligned<i8>,
    biases: Vec<i32>,
}

impl ByteLayer {
    /// Stored weight of 1.0.
    pub const ONE: i32 = 1 << ByteLayer::SHIFT;
    /// Stored bias of 1.0: the product of a weight and an activation of 1.0.
    pub const BIAS_ONE: i32 = 128 * ByteLayer::ONE;
    /// Largest absolute bias. A sum with 1,024 products then fits in 32 bits.
    pub const LARGEST_BIAS: i32 = 1 << 24;
    /// Largest number of inputs.
    pub const MAX_INPUTS: usize = 1024;
    /// Largest number of outputs.
    pub const MAX_OUTPUTS: usize = 32;
    /// Largest number of inputs of the second layer.
    pub(super) const MAX_SECOND_INPUTS: usize = 2 * ByteLayer::MAX_OUTPUTS;
    /// Number of bits of a sum below the unit of activations.
    pub(super) const SHIFT: u32 = 6;

    /// Creates a layer. `weights` has the shape `[outputs][inputs]`, and `biases` has one entry per
    /// output, 16 or 32 in total. Returns `None` if the number of inputs is not a multiple of 4 or
    /// too large, a shape is wrong, or a bias is too large.
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

    /// Index of a weight in memory.
    fn place(outputs: usize, output: usize, input: usize) -> usize {
        (input / GROUP * outputs + output) * GROUP + input % GROUP
    }

    /// Fills `sums`, one number per output. Each `input` is at most 127.
    #[inline]
    pub(super) fn sum(&self, kernel: Kernel, input: &[u8], sums: &mut [i32]) {
        sums.copy_from_slice(&self.biases);
        kernel.add_products(sums, &self.weights, input);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_match_the_formula() {
        let (inputs, outputs) = (20, 16);
        let weight = |output: usize, input: usize| (output * 7 + input * 13) as i8;
        let weights: Vec<i8> = (0..outputs)
            .flat_map(|output| (0..inputs).map(move |input| weight(output, input)))
            .collect();
        let biases: Vec<i32> = (0..outputs as i32).map(|output| 1_000 * (output - 8)).collect();
        let layer = ByteLayer::new(inputs, &weights, biases.clone()).expect("a valid shape");
        assert_eq!((layer.inputs(), layer.outputs()), (inputs, outputs));
        assert_eq!(layer.weights(), weights);
        let input: Vec<u8> = (0..inputs).map(|at| if at < 8 { 0 } else { 6 * at as u8 }).collect();
        for kernel in Kernel::available() {
            let mut sums = [0; 16];
            layer.sum(kernel, &input, &mut sums);
            for (output, &sum) in sums.iter().enumerate() {
                let product = |at| i32::from(weight(output, at)) * i32::from(input[at]);
                assert_eq!(sum, biases[output] + (0..inputs).map(product).sum::<i32>());
            }
        }
        assert!(ByteLayer::new(inputs, &weights[1..], biases.clone()).is_none());
        assert!(ByteLayer::new(18, &weights[..18 * 16], biases).is_none());
        assert!(
            ByteLayer::new(inputs, &weights, vec![ByteLayer::LARGEST_BIAS + 1; outputs]).is_none()
        );
    }
}
