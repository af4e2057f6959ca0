//! Real-valued networks: the result of learning.

use std::iter::repeat_n;

use super::rounding::Rounding;
use crate::eval::index::PieceIndex;
use crate::eval::learned::king_view::KingView;
use crate::eval::learned::network::{
    ByteLayer, Head, HeadChoice, HeadInput, HeadShape, Heads, Network, NetworkShape, Top, TopShape,
};
use crate::eval::learned::unit::UNIT;

/// A [`Network`] with real numbers. The non-linearity is `clamp(x, 0, 127/128)`. For
/// [`Squared`](RealTop::Squared), it is the square of `clamp(x, 0, 1023/256)`. Factors of
/// [products](HeadInput::Products) are `clamp(x, 0, 255/256)`.
#[derive(Clone, Debug, PartialEq)]
pub struct RealNetwork {
    /// Number of hidden units per side: 32, 64, ... 512.
    pub units: usize,
    /// Whether every square of the own king has separate rows.
    pub king_relative: bool,
    /// Shape `[1 or 45][1629][units]`: own king's square, piece index or 1548 + enemy king's square.
    pub rows: Vec<f32>,
    /// Shape `[45][units]`, by own king's square.
    pub biases: Vec<f32>,
    /// The top.
    pub top: RealTop,
}

/// A [`Top`] with real numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum RealTop {
    /// Centipawns per 1.0 of each clipped hidden unit. Shape `[units]`.
    Clipped(Vec<f32>),
    /// Centipawns per 1.0 of each rectified and squared hidden unit. Shape `[units]`.
    Squared(Vec<f32>),
    /// Two more hidden layers.
    Head(RealHeads),
}

/// [`Heads`] with real numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct RealHeads {
    /// The input of every head.
    pub input: HeadInput,
    /// The rule that selects a head.
    pub choice: HeadChoice,
    /// The heads. Shape `[choice.count()]`.
    pub heads: Vec<RealHead>,
}

/// A [`Head`] with real numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct RealHead {
    /// Shape `[16 or 32][inputs]`, those of the side to move first: 2 * units clipped units, or
    /// units products. Absolute values are at most 127/64.
    pub first: Vec<f32>,
    /// Shape `[16 or 32]`.
    pub first_bias: Vec<f32>,
    /// Shape `[32][16 or 32]`. Absolute values are at most 127/64.
    pub second: Vec<f32>,
    /// Shape `[32]`.
    pub second_bias: Vec<f32>,
    /// Centipawns per 1.0. Shape `[32]`.
    pub last: Vec<f32>,
    /// Bias in centipawns.
    pub last_bias: f32,
}

/// Units of a sum of the top per centipawn.
const CENTIPAWN: i32 = UNIT << Top::SHIFT;
/// Output weight that gives one centipawn for an activation of 1.0, which is stored as 128.
const OUTPUT_CENTIPAWN: i32 = CENTIPAWN / 128;

impl RealNetwork {
    /// Creates a network for tests and benchmarks. `numbers(count, size)` draws `count` numbers of
    /// at most `size`. With uniform numbers, about half of the hidden units are above zero and few
    /// are clipped.
    pub fn draw(
        shape: NetworkShape,
        mut numbers: impl FnMut(usize, f64) -> Vec<f32>,
    ) -> RealNetwork {
        let NetworkShape { units, king_relative, top } = shape;
        RealNetwork {
            units,
            king_relative,
            rows: numbers(shape.tables() * Network::ROWS * units, 0.15),
            biases: numbers(KingView::KINGS * units, 0.5),
            top: match top {
                TopShape::Clipped => RealTop::Clipped(numbers(units, 100.0)),
                TopShape::Squared => RealTop::Squared(numbers(units, 100.0)),
                TopShape::Head(shape) => RealTop::Head(RealHeads {
                    input: shape.input,
                    choice: shape.choice,
                    heads: (0..shape.choice.count())
                        .map(|_| RealHead::draw(shape, units, &mut numbers))
                        .collect(),
                }),
            },
        }
    }

    /// Value of the new partner of a unit in every position.
    ///
    /// Below 1, so that learning can both raise and lower it.
    const PARTNER: f32 = 0.875;

    /// Changes the shape and keeps the values: all squares of the own king get the same rows, or
    /// all positions the same head. Clipped units of a network with half the units get constant
    /// partners for products, which keep the values except for rounding. Does nothing to a part
    /// that has another shape.
    pub fn widen(&mut self, shape: NetworkShape) {
        if shape.units == 2 * self.units {
            self.add_partners(shape.top);
        }
        if shape.king_relative && !self.king_relative {
            self.rows = self.rows.repeat(KingView::KINGS);
            self.king_relative = true;
        }
        if let (RealTop::Head(heads), TopShape::Head(wanted)) = (&mut self.top, shape.top)
            && heads.choice == HeadChoice::One
        {
            heads.heads = vec![heads.heads[0].clone(); wanted.choice.count()];
            heads.choice = wanted.choice;
        }
    }

    /// Replaces each clipped unit by the product of it and a constant partner. Larger weights in the
    /// head make up for the partner.
    fn add_partners(&mut self, wanted: TopShape) {
        let (RealTop::Head(heads), TopShape::Head(wanted)) = (&mut self.top, wanted) else {
            return;
        };
        if (heads.input, wanted.input) != (HeadInput::Clipped, HeadInput::Products) {
            return;
        }
        heads.input = HeadInput::Products;
        for weight in heads.heads.iter_mut().flat_map(|head| &mut head.first) {
            *weight /= RealNetwork::PARTNER;
        }
        let doubled = |rows: &[f32], partner: f32| -> Vec<f32> {
            let rows = rows.chunks_exact(self.units);
            rows.flat_map(|row| row.iter().copied().chain(repeat_n(partner, self.units))).collect()
        };
        self.rows = doubled(&self.rows, 0.0);
        self.biases = doubled(&self.biases, RealNetwork::PARTNER);
        self.units *= 2;
    }

    /// Rounds to fixed point, with rows and biases rounded to multiples of `step`. Rows of the
    /// empty slot become zero. Panics if a shape is wrong.
    pub(super) fn quantize(&self, step: i16, rounding: &mut Rounding) -> Network {
        let kings = if self.king_relative { KingView::KINGS } else { 1 };
        assert_eq!(
            self.rows.len(),
            kings * Network::ROWS * self.units,
            "the rows have the wrong shape"
        );
        let (one, weight_limit) =
            (f32::from(Network::ONE / step), f32::from(Network::LARGEST_WEIGHT / step));
        let round = |real: &f32| step * rounding.round(real * one, weight_limit) as i16;
        let mut rows: Vec<i16> = self.rows.iter().map(round).collect();
        let empty = PieceIndex::NONE.index() * self.units;
        for table in rows.chunks_exact_mut(Network::ROWS * self.units) {
            table[empty..][..self.units].fill(0);
        }
        let bias_limit = f32::from(Network::LARGEST_BIAS / step);
        let round = |real: &f32| step * rounding.round(real * one, bias_limit) as i16;
        let biases: Vec<i16> = self.biases.iter().map(round).collect();
        let top = match &self.top {
            RealTop::Clipped(weights) => Top::Clipped(round_output(weights, rounding)),
            RealTop::Squared(weights) => Top::Squared(round_output(weights, rounding)),
            RealTop::Head(heads) => Top::Head(heads.quantize(rounding)),
        };
        Network::new(self.units, &rows, &biases, top).expect("the real network has the right shape")
    }
}

/// The inverse of rounding.
impl From<&Network> for RealNetwork {
    fn from(network: &Network) -> RealNetwork {
        let real = |numbers: &[i16]| -> Vec<f32> {
            numbers.iter().map(|&number| f32::from(number) / f32::from(Network::ONE)).collect()
        };
        RealNetwork {
            units: network.units(),
            king_relative: network.is_king_relative(),
            rows: real(network.rows()),
            biases: real(network.biases()),
            top: match network.top() {
                Top::Clipped(weights) => RealTop::Clipped(real_output(weights)),
                Top::Squared(weights) => RealTop::Squared(real_output(weights)),
                Top::Head(heads) => RealTop::Head(RealHeads {
                    input: heads.shape().input,
                    choice: heads.shape().choice,
                    heads: heads.heads().iter().map(RealHead::from).collect(),
                }),
            },
        }
    }
}

/// The inverse of rounding.
impl From<&Head> for RealHead {
    fn from(head: &Head) -> RealHead {
        let layers = head.layers();
        let weights = layers.map(|layer| {
            layer
                .weights()
                .into_iter()
                .map(|weight| f32::from(weight) / ByteLayer::ONE as f32)
                .collect()
        });
        let biases = layers.map(|layer| {
            layer.biases().iter().map(|&bias| bias as f32 / ByteLayer::BIAS_ONE as f32).collect()
        });
        let ([first, second], [first_bias, second_bias]) = (weights, biases);
        let (last, last_bias) = head.last();
        RealHead {
            first,
            first_bias,
            second,
            second_bias,
            last: real_output(last),
            last_bias: last_bias as f32 / CENTIPAWN as f32,
        }
    }
}

fn real_output(weights: &[i16]) -> Vec<f32> {
    weights.iter().map(|&weight| f32::from(weight) / OUTPUT_CENTIPAWN as f32).collect()
}

impl RealHeads {
    fn quantize(&self, rounding: &mut Rounding) -> Heads {
        let heads = self.heads.iter().map(|head| head.quantize(rounding)).collect();
        Heads::new(self.input, self.choice, heads).expect("the real heads have the right shape")
    }
}

impl RealHead {
    fn draw(
        shape: HeadShape,
        units: usize,
        mut numbers: impl FnMut(usize, f64) -> Vec<f32>,
    ) -> RealHead {
        RealHead {
            first: numbers(shape.width * shape.inputs(units), 0.2),
            first_bias: numbers(shape.width, 0.5),
            second: numbers(Head::SECOND * shape.width, 0.5),
            second_bias: numbers(Head::SECOND, 0.3),
            last: numbers(Head::SECOND, 500.0),
            last_bias: 20.0,
        }
    }

    fn quantize(&self, rounding: &mut Rounding) -> Head {
        let inputs = self.first.len() / self.first_bias.len();
        let first = round_layer(inputs, &self.first, &self.first_bias, rounding);
        let second = round_layer(first.outputs(), &self.second, &self.second_bias, rounding);
        let last = round_output(&self.last, rounding);
        let limit = ByteLayer::LARGEST_BIAS as f32;
        let last_bias = rounding.round(self.last_bias * CENTIPAWN as f32, limit) as i32;
        Head::new(first, second, last, last_bias).expect("the real head has the right shape")
    }
}

fn round_layer(
    inputs: usize,
    weights: &[f32],
    biases: &[f32],
    rounding: &mut Rounding,
) -> ByteLayer {
    let round = |real: &f32| rounding.round_to_i8(real * ByteLayer::ONE as f32);
    let weights: Vec<i8> = weights.iter().map(round).collect();
    let (one, limit) = (ByteLayer::BIAS_ONE as f32, ByteLayer::LARGEST_BIAS as f32);
    let biases = biases.iter().map(|real| rounding.round(real * one, limit) as i32).collect();
    ByteLayer::new(inputs, &weights, biases).expect("the real layer has the right shape")
}

/// Rounds weights of activations, in centipawns per 1.0.
fn round_output(weights: &[f32], rounding: &mut Rounding) -> Vec<i16> {
    let unit = OUTPUT_CENTIPAWN as f32;
    weights.iter().map(|centipawns| rounding.round_to_i16(centipawns * unit)).collect()
}
