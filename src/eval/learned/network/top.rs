//! The top of a network, which computes a value from both sides' hidden units.

use super::layer::ByteLayer;
use super::shape::{HeadChoice, HeadInput, HeadShape};
use crate::eval::kernel::Kernel;
use crate::eval::kernel::portable::MAX_UNITS;
use crate::eval::learned::features::SideView;

/// The last layers. Values are in weight units, from the side to move's view.
#[derive(Clone, Debug, PartialEq)]
pub enum Top {
    /// One weight per clipped hidden unit: a = `clamp(unit >> 1, 0, 127)`, value = sum of `weight *
    /// (a of the own unit - a of the enemy unit)`, `>> 4`. Shape `[units]`.
    Clipped(Vec<i16>),
    /// The same with the squares of the rectified hidden units: a = `x * x >> 9` with
    /// x = `clamp(unit, 0, 1023)`. Shape `[units]`.
    Squared(Vec<i16>),
    /// Two more hidden layers.
    Head(Heads),
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
            Top::Head(heads) => heads.heads[0].first.inputs() == heads.shape().inputs(units),
        }
    }

    /// Computes the value from the accumulators of the side to move and of the other side. `side`
    /// is the view of the side to move.
    #[inline]
    pub(in crate::eval::learned) fn evaluate(
        &self,
        kernel: Kernel,
        side: SideView<'_>,
        [own, enemy]: [&[i16]; 2],
    ) -> i32 {
        let sum = match self {
            Top::Clipped(weights) => kernel.clipped_products(weights, own, enemy),
            Top::Squared(weights) => kernel.squared_products(weights, own, enemy),
            Top::Head(heads) => i64::from(heads.sum(kernel, side, [own, enemy])),
        };
        (sum >> Top::SHIFT).clamp(-Top::LARGEST_VALUE, Top::LARGEST_VALUE) as i32
    }
}

/// One or several heads of the same shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Heads {
    input: HeadInput,
    choice: HeadChoice,
    /// One head for each result of the choice.
    heads: Vec<Head>,
}

impl Heads {
    /// Creates heads. Returns `None` if their number is wrong or their shapes differ.
    pub fn new(input: HeadInput, choice: HeadChoice, heads: Vec<Head>) -> Option<Heads> {
        let sizes = |head: &Head| [&head.first, &head.second].map(ByteLayer::inputs);
        let fits = heads.len() == choice.count()
            && heads.iter().all(|head| sizes(head) == sizes(&heads[0]));
        fits.then_some(Heads { input, choice, heads })
    }

    /// Their shape.
    pub fn shape(&self) -> HeadShape {
        let width = self.heads[0].first.outputs();
        HeadShape { width, input: self.input, choice: self.choice }
    }

    /// The heads, in the order of [`HeadChoice::select`].
    pub fn heads(&self) -> &[Head] {
        &self.heads
    }

    #[inline]
    fn sum(&self, kernel: Kernel, side: SideView<'_>, accumulators: [&[i16]; 2]) -> i32 {
        let head = &self.heads[self.choice.select(side.kings, side.pieces)];
        let mut input = [0; 2 * MAX_UNITS];
        let input = &mut input[..head.first.inputs()];
        let (own, enemy) = input.split_at_mut(input.len() / 2);
        for (input, accumulator) in [own, enemy].into_iter().zip(accumulators) {
            match self.input {
                HeadInput::Clipped => kernel.clip(input, accumulator),
                HeadInput::Products => kernel.clip_products(input, accumulator),
            }
        }
        head.sum(kernel, input)
    }
}

/// Two hidden layers and an output layer.
///
/// Input: numbers of both sides' hidden units, the side to move's first. They are `clamp(unit >> 1,
/// 0, 127)`, or the products `(clamp(a, 0, 255) * clamp(b, 0, 255) + 256) >> 9` of a unit of the
/// first half and its partner in the second half.
///
/// Value: `(bias + sum of weight * activation) >> 4`.
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
    pub const SECOND: usize = HeadShape::SECOND;

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
    fn sum(&self, kernel: Kernel, input: &[u8]) -> i32 {
        let mut hidden = [[0; ByteLayer::MAX_OUTPUTS]; 2];
        let [first, second] = &mut hidden;
        self.first.propagate(kernel, input, first);
        self.second.propagate(kernel, &first[..self.second.inputs()], second);
        let products = self.last.iter().zip(second);
        let product = |(&weight, &mut activation)| i32::from(weight) * i32::from(activation);
        self.last_bias + products.map(product).sum::<i32>()
    }
}
