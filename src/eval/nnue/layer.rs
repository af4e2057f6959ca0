//! A layer with byte weights and any number of outputs.

use crate::eval::kernel::portable::GROUP;
use crate::eval::kernel::{Aligned, Kernel};

/// Computes `bias + sum of weight * input`, where inputs are 0 to 127.
#[derive(Clone, Debug, PartialEq)]
pub struct AffineLayer {
    /// Length of the input in memory, a multiple of 4.
    inputs: usize,
    outputs: usize,
    /// Weights by blocks of 32 outputs; the last block may have 16. Shape `[inputs / 4][block][4]`.
    /// Padding outputs and inputs have the weight 0.
    weights: Aligned<i8>,
    /// One bias per output in memory.
    biases: Vec<i32>,
}

/// Number of outputs of a full block. The last block may have fewer. The kernels support both
/// widths.
const BLOCK: usize = 32;
const HALF_BLOCK: usize = 16;

impl AffineLayer {
    /// `weights` has the shape `[outputs][columns]`. `inputs` is the length of the input in memory.
    /// `place` maps a column to its index in the input, or `None` if the column is padding. Panics
    /// if a shape is wrong.
    pub(super) fn new(
        inputs: usize,
        weights: &[i8],
        biases: &[i32],
        place: impl Fn(usize) -> Option<usize>,
    ) -> AffineLayer {
        let (outputs, inputs) = (biases.len(), inputs.next_multiple_of(GROUP));
        assert!(weights.len().is_multiple_of(outputs), "the weights should be whole rows");
        let padded = outputs.next_multiple_of(HALF_BLOCK);
        let mut grouped = Aligned::zeros(inputs * padded);
        for (output, row) in weights.chunks_exact(weights.len() / outputs).enumerate() {
            let block = output / BLOCK * BLOCK;
            let width = BLOCK.min(padded - block);
            for (column, &weight) in row.iter().enumerate() {
                if let Some(input) = place(column) {
                    let group = input / GROUP * width + (output - block);
                    grouped[inputs * block + group * GROUP + input % GROUP] = weight;
                }
            }
        }
        let mut biases = biases.to_vec();
        biases.resize(padded, 0);
        AffineLayer { inputs, outputs, weights: grouped, biases }
    }

    /// Length of the input in memory.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Fills the start of `sums` with one sum per output in memory. Sums of padding outputs are 0.
    /// `input` contains [`inputs`](AffineLayer::inputs) numbers of at most 127. Sums wrap on
    /// overflow, which never happens with valid files.
    #[inline]
    pub(super) fn sums(&self, kernel: Kernel, input: &[u8], sums: &mut [i32]) {
        let sums = &mut sums[..self.biases.len()];
        sums.fill(0);
        for (block, sums) in sums.chunks_mut(BLOCK).enumerate() {
            let weights = &self.weights[self.inputs * block * BLOCK..][..self.inputs * sums.len()];
            kernel.add_products(sums, weights, input);
        }
        for (sum, bias) in sums.iter_mut().zip(&self.biases) {
            *sum = sum.wrapping_add(*bias);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn sums_match_the_formula() {
        let mut rng = Rng::from_seed(1);
        for (outputs, inputs) in [(8, 2_048), (16, 96), (96, 8), (33, 30), (1, 1), (64, 16)] {
            let columns = inputs + 7;
            let weights: Vec<i8> = (0..outputs * columns).map(|_| rng.next_u64() as i8).collect();
            let biases: Vec<i32> = (0..outputs).map(|_| rng.next_u64() as i32).collect();
            let place = |column: usize| (column < inputs).then(|| inputs - 1 - column);
            let layer = AffineLayer::new(inputs, &weights, &biases, place);
            let mut input: Vec<u8> = (0..inputs).map(|_| rng.below(128) as u8).collect();
            input.resize(layer.inputs(), 0);
            assert_eq!((layer.outputs, layer.inputs() % GROUP), (outputs, 0));
            let sum = |output: usize| {
                let product = |column: usize| {
                    let weight = weights[output * columns + column];
                    i32::from(weight) * i32::from(input[inputs - 1 - column])
                };
                biases[output].wrapping_add((0..inputs).map(product).sum())
            };
            for kernel in Kernel::available() {
                let mut sums = [-1; 128];
                layer.sums(kernel, &input, &mut sums);
                let expected: Vec<i32> = (0..outputs).map(sum).collect();
                assert_eq!(
                    sums[..outputs],
                    expected,
                    "{kernel:?} {outputs} outputs, {inputs} inputs"
                );
                assert!(sums[outputs..].iter().all(|&sum| sum == 0 || sum == -1));
            }
        }
    }
}
