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

/// `clip(x)`: `x >> 6` clamped to 0..=127.
#[inline]
fn clip(sum: i32) -> u8 {
    (sum >> 6).clamp(0, 127) as u8
}

/// `x * x >> 19`, at most 127.
#[inline]
fn square(sum: i32) -> u8 {
    ((i64::from(sum) * i64::from(sum)) >> 19).min(127) as u8
}

impl Head {
    /// The output of the head for its input, in the network's raw unit.
    ///
    /// Classic: `y = first(input)`, `z = second(clip(y))`, `last(clip(z))`. SFNN: the input of the
    /// second layer is the squares of y, then its clips; the skip output, if present, is added
    /// unchanged.
    #[inline]
    pub(super) fn raw(&self, form: NnueForm, kernel: Kernel, input: &[u8]) -> i32 {
        let mut sums = [0; ROOM];
        let mut activations = [0; ROOM];
        self.first.sums(kernel, input, &mut sums);
        let first = form.hidden[0];
        let mut skip = 0;
        match form.family {
            Family::Classic => fill(&mut activations[..first], &sums, clip),
            Family::Sfnn => {
                let (squares, clips) = activations.split_at_mut(first);
                fill(squares, &sums, square);
                fill(&mut clips[..first], &sums, clip);
                if form.has_skip() {
                    skip = sums[first];
                }
            }
        }
        self.second.sums(kernel, &activations[..self.second.inputs()], &mut sums);
        let products = self.last.iter().zip(&sums);
        let products = products.map(|(&weight, &sum)| i32::from(weight) * i32::from(clip(sum)));
        // Fits in 32 bits, except with the biases of invalid files.
        self.last_bias.wrapping_add(products.sum()).wrapping_add(skip)
    }
}

#[inline]
fn fill(activations: &mut [u8], sums: &[i32], activation: impl Fn(i32) -> u8) {
    for (place, &sum) in activations.iter_mut().zip(sums) {
        *place = activation(sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn activations_match_the_formulas() {
        assert_eq!([-1, 0, 63, 64, 8_128, 8_191, 1 << 20].map(clip), [0, 0, 0, 1, 127, 127, 127]);
        assert_eq!([0, 724, 725, -725, -8_160, 8_160].map(square), [0, 0, 1, 1, 127, 127]);
        assert_eq!([i32::MIN, i32::MAX].map(square), [127, 127]);
    }
}
