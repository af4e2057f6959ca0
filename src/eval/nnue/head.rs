//! The layers above the accumulators.

use super::form::{Family, NnueForm};
use super::layer::AffineLayer;
use crate::eval::kernel::Kernel;

/// Two hidden layers and an output layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    pub(super) first: AffineLayer,
    pub(super) second: AffineLayer,
    /// Shape `[H2]`.
    pub(super) last: Vec<i8>,
    pub(super) last_bias: i32,
}

/// Buffer size for the units of a hidden layer, and for both kinds of activations of the first
/// layer.
const ROOM: usize = 2 * NnueForm::MAX_HIDDEN;

impl Head {
    /// The output of the head for its input, in the network's raw unit.
    ///
    /// Classic: `y = first(input)`, `z = second(clip(y))`, `last(clip(z))`. SFNN: the input of the
    /// second layer is the squares of y, then its clips; the skip output, if present, is added
    /// unchanged. Clips and squares: [`Kernel::clip_sums`], [`Kernel::square_sums`].
    #[inline]
    pub(super) fn raw(&self, form: NnueForm, kernel: Kernel, input: &[u8]) -> i32 {
        let mut sums = [0; ROOM];
        let mut activations = [0; ROOM];
        self.first.sums(kernel, input, &mut sums);
        let first = form.hidden[0];
        let mut skip = 0;
        match form.family {
            Family::Classic => kernel.clip_sums(&mut activations[..first], &sums),
            Family::Sfnn => {
                let (squares, clips) = activations.split_at_mut(first);
                kernel.square_sums(squares, &sums);
                kernel.clip_sums(&mut clips[..first], &sums);
                if form.has_skip() {
                    skip = sums[first];
                }
            }
        }
        self.second.sums(kernel, &activations[..self.second.inputs()], &mut sums);
        kernel.clip_sums(&mut activations[..self.last.len()], &sums);
        let products = self.last.iter().zip(activations);
        let products = products.map(|(&weight, input)| i32::from(weight) * i32::from(input));
        // Fits in 32 bits, except with the biases of invalid files.
        self.last_bias.wrapping_add(products.sum()).wrapping_add(skip)
    }
}
