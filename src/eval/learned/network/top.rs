//! The top of a network, which computes a value from both sides' hidden units.

use super::layer::ByteLayer;
use crate::eval::kernel::Kernel;
use crate::eval::kernel::portable::MAX_UNITS;

/// The last layers. Values are in weight units, from the side to move's view.
#[derive(Clone, Debug, PartialEq)]
pub enum Top {
    /// One weight per clipped hidden unit: a = `clamp(unit >> 1, 0, 127)`, value = sum of `weight *
    /// (a of the own unit - a of the enemy unit)`, `>> 4`. Shape `[units]`.
    Clipped(Vec<i16>),
    /// The same with the squares of the rectified hidden units: a = `x * x >> 9` with
    /// x = `clamp(unit, 0, 1023)`. Shape `[units]`.
    Squared(Vec<i16>),
    /// Two more hidden layers, whose inputs are both sides' clipped hidden units.
    Head(Head),
}

impl Top {
    /// Number of bits of a sum below one weight unit.
    pub const SHIFT: u32 = 4;
    /// Largest absolute value, 2^23 centipawns. It is far beyond all scores, and its sum with the
    /// other relations fits in 32 bits. Only large weights of squared units can exceed it.
    const LARGEST_VALUE: i64 = 1 << 28;

    /// Whether this top fits a network with `units` hidden units per side.
    pub(super) fn fits(&self, units: usize) -> bool {
        match self {
            Top::Clipped(weights) | Top::Squared(weights) => weights.len() == units,
            Top::Head(head) => head.first.inputs() == 2 * units,
        }
    }

    /// Computes the value from the accumulators of the side to move and of the other side.
    #[inline]
    pub(in crate::eval::learned) fn evaluate(
        &self,
        kernel: Kernel,
        own: &[i16],
        enemy: &[i16],
    ) -> i32 {
        let sum = match self {
            Top::Clipped(weights) => kernel.clipped_products(weights, own, enemy),
            Top::Squared(weights) => kernel.squared_products(weights, own, enemy),
            Top::Head(head) => i64::from(head.sum(kernel, own, enemy)),
        };
        (sum >> Top::SHIFT).clamp(-Top::LARGEST_VALUE, Top::LARGEST_VALUE) as i32
    }
}

/// Two hidden layers and an output layer.
///
/// Input: both sides' clipped hidden units, `clamp(unit >> 1, 0, 127)`, the side to move's units
/// first. Value: `(bias + sum of weight * activation) >> 4`.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    first: ByteLayer,
    second: ByteLayer,
    /// Shape `[32]`.
    last: Vec<i16>,
    last_bias: i32,
}

impl Head {
    /// Valid widths of the first layer.
    pub const FIRST: [usize; 2] = [16, 32];
    /// Width of the second layer.
    pub const SECOND: usize = 32;

    /// Creates a head. `last` has the shape `[32]`. Returns `None` if the layers do not fit
    /// together or the bias is larger than the bias of a layer may be.
    pub fn new(
        first: ByteLayer,
        second: ByteLayer,
        last: Vec<i16>,
        last_bias: i32,
    ) -> Option<Head> {
        let fits = Head::FIRST.contains(&first.outputs())
            && second.inputs() == first.outputs()
            && second.outputs() == Head::SECOND
            && last.len() == Head::SECOND
            && last_bias.unsigned_abs() <= ByteLayer::LARGEST_BIAS.unsigned_abs();
        fits.then_some(Head { first, second, last, last_bias })
    }

    /// Both hidden layers.
    pub fn layers(&self) -> [&ByteLayer; 2] {
        [&self.first, &self.second]
    }

    /// Weights and bias of the output.
    pub fn last(&self) -> (&[i16], i32) {
        (&self.last, self.last_bias)
    }

    #[inline]
    fn sum(&self, kernel: Kernel, own: &[i16], enemy: &[i16]) -> i32 {
        let mut input = [0; 2 * MAX_UNITS];
        let input = &mut input[..self.first.inputs()];
        let (own_input, enemy_input) = input.split_at_mut(own.len());
        kernel.clip(own_input, own);
        kernel.clip(enemy_input, enemy);
        let mut hidden = [[0; ByteLayer::MAX_OUTPUTS]; 2];
        let [first, second] = &mut hidden;
        self.first.propagate(kernel, input, first);
        self.second.propagate(kernel, &first[..self.second.inputs()], second);
        let products = self.last.iter().zip(second);
        let product = |(&weight, &mut activation)| i32::from(weight) * i32::from(activation);
        self.last_bias + products.map(product).sum::<i32>()
    }
}
