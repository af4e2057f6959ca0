//! The head of a network, which computes a value from both sides' hidden units.

use super::layer::ByteLayer;
use super::shape::{HeadActivation, HeadInput, HeadShape};
use crate::eval::kernel::Kernel;

/// Two hidden layers and an output layer.
///
/// Input: numbers of both sides' hidden units, the side to move's first. They are `clamp(unit >> 1,
/// 0, 127)`, or the products `(clamp(a, 0, 255) * clamp(b, 0, 255) + 256) >> 9` of a unit of the
/// first half and its partner in the second half.
///
/// Value: `(bias + sum of weight * activation) >> 4`, in weight units, from the side to move's
/// view.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    input: HeadInput,
    first: ByteLayer,
    second: ByteLayer,
    /// Shape `[32]`.
    last: Vec<i16>,
    last_bias: i32,
}

impl Head {
    /// Number of bits of a sum below one weight unit.
    pub const SHIFT: u32 = 4;
    /// Valid widths of the first layer.
    pub const FIRST: [usize; 2] = [16, 32];
    /// Width of the second layer.
    pub const SECOND: usize = HeadShape::SECOND;

    /// Creates a head. The second layer has one or two inputs for each output of the first: clipped
    /// or dual activations. `last` has the shape `[32]`. Returns `None` if the layers do not fit
    /// together or the bias is larger than the bias of a layer may be.
    pub fn new(
        input: HeadInput,
        first: ByteLayer,
        second: ByteLayer,
        last: Vec<i16>,
        last_bias: i32,
    ) -> Option<Head> {
        let width = first.outputs();
        let fits = Head::FIRST.contains(&width)
            && [width, 2 * width].contains(&second.inputs())
            && second.outputs() == Head::SECOND
            && last.len() == Head::SECOND
            && last_bias.unsigned_abs() <= ByteLayer::LARGEST_BIAS.unsigned_abs();
        fits.then_some(Head { input, first, second, last, last_bias })
    }

    /// Its shape.
    pub fn shape(&self) -> HeadShape {
        let width = self.first.outputs();
        let is_dual = self.second.inputs() > width;
        let activation = if is_dual { HeadActivation::Dual } else { HeadActivation::Clipped };
        HeadShape { width, input: self.input, activation }
    }

    /// Both hidden layers.
    pub fn layers(&self) -> [&ByteLayer; 2] {
        [&self.first, &self.second]
    }

    /// Weights and bias of the output.
    pub fn last(&self) -> (&[i16], i32) {
        (&self.last, self.last_bias)
    }

    /// Whether this head fits a network with `units` hidden units per side.
    pub(super) fn fits(&self, units: usize) -> bool {
        self.first.inputs() == self.shape().inputs(units)
    }

    /// Number of inputs from both sides.
    pub fn inputs(&self) -> usize {
        self.first.inputs()
    }

    /// Computes the value from the accumulators of the side to move and of the other side. `input`
    /// is overwritten. It has the length [`inputs`](Head::inputs).
    #[inline]
    pub(in crate::eval::learned) fn evaluate(
        &self,
        kernel: Kernel,
        accumulators: [&[i16]; 2],
        input: &mut [u8],
    ) -> i32 {
        let Hidden { second, .. } = self.hidden(kernel, accumulators, input);
        (self.last_bias + kernel.sum_products(&self.last, &second)) >> Head::SHIFT
    }

    /// Computes the hidden layers. `input` is overwritten.
    #[inline]
    pub fn hidden(&self, kernel: Kernel, accumulators: [&[i16]; 2], input: &mut [u8]) -> Hidden {
        let (own, enemy) = input.split_at_mut(input.len() / 2);
        for (input, accumulator) in [own, enemy].into_iter().zip(accumulators) {
            match self.input {
                HeadInput::Clipped => kernel.clip(input, accumulator),
                HeadInput::Products => kernel.clip_products(input, accumulator),
            }
        }
        let mut hidden =
            Hidden { first: [0; ByteLayer::MAX_SECOND_INPUTS], second: [0; Head::SECOND] };
        let (width, activations) = (self.first.outputs(), self.second.inputs());
        let mut sums = [0; ByteLayer::MAX_OUTPUTS];
        let sums = &mut sums[..width];
        self.first.sum(kernel, input, sums);
        let (clipped, squares) = hidden.first[..activations].split_at_mut(width);
        kernel.clip_sums(clipped, sums);
        kernel.square_sums(squares, sums);
        let mut sums = [0; Head::SECOND];
        self.second.sum(kernel, &hidden.first[..activations], &mut sums);
        kernel.clip_sums(&mut hidden.second, &sums);
        hidden
    }
}

/// The activations of both hidden layers.
pub struct Hidden {
    /// Those of the first layer: clipped, then squares if they are dual, then zeros.
    pub first: [u8; ByteLayer::MAX_SECOND_INPUTS],
    /// Those of the second layer.
    pub second: [u8; Head::SECOND],
}
