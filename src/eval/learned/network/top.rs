//! What makes a value of both sides' hidden units.

use super::layer::ByteLayer;
use crate::eval::kernel::Kernel;
use crate::eval::kernel::portable::MAX_UNITS;

/// The last layers. Values are in weight units, side to move's view.
#[derive(Clone, Debug, PartialEq)]
pub enum Top {
    /// A weight for each clipped hidden unit: a = `clamp(unit >> 1, 0, 127)`, value = sum of
    /// `weight * (a of the own unit - a of the enemy's)`, `>> 4`. Shape `[units]`.
    Clipped(Vec<i16>),
    /// The same for the squares of the rectified hidden units: x = `clamp(unit, 0, 1023)`, a =
    /// `x * x >> 9`. Shape `[units]`.
    Squared(Vec<i16>),
    /// Two more hidden layers, which see both sides' clipped hidden units.
    Head(Head),
}

impl Top {
    /// Bits of a sum beyond weight units.
    pub const SHIFT: u32 = 4;
    /// Values are cut to this, 2^23 centipawns: far beyond all scores, and with the other relations
    /// still within 32 bits. Only large weights of squared units can reach it.
    const LARGEST_VALUE: i64 = 1 << 28;

    /// Whether this is a top for so many hidden units of a side.
    pub(super) fn fits(&self, units: usize) -> bool {
        match self {
            Top::Clipped(weights) | Top::Squared(weights) => weights.len() == units,
            Top::Head(head) => head.first.inputs() == 2 * units,
        }
    }

    /// The value of the accumulators of the side to move and of the other side.
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

/// Two hidden layers and an output.
///
/// Input: both sides' clipped hidden units, `clamp(unit >> 1, 0, 127)`, those of the side to move
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
    /// Possible widths of the first layer.
    pub const FIRST: [usize; 2] = [16, 32];
    /// Width of the second layer.
    pub const SECOND: usize = 32;

    /// `last`: shape `[32]`. `None` if the layers do not fit each other or the bias is larger than
    /// that of a layer may be.
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
