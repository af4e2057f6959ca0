//! Real-valued networks: the result of learning.

use super::rounding::Rounding;
use crate::eval::PieceIndex;
use crate::eval::learned::network::{ByteLayer, Head, HeadInput, HeadShape, NetworkShape};
use crate::eval::learned::{KingView, Network, UNIT};

/// A [`Network`] with real numbers. The clipped activations are `clamp(x, 0, 127/128)`, the squares
/// `min(x * x, 127/128)`. Factors of [products](HeadInput::Products) are `clamp(x, 0, 255/256)`.
#[derive(Clone, Debug, PartialEq)]
pub struct RealNetwork {
    /// Number of hidden units per side: 32, 64, ... 512.
    pub units: usize,
    /// Whether every square of the own king has separate rows.
    pub king_relative: bool,
    /// Shape `[1 or 45][1629][units]`: own king's square, piece index or 1548 + enemy king's
    /// square.
    pub rows: Vec<f32>,
    /// Shape `[45][units]`, by own king's square.
    pub biases: Vec<f32>,
    /// The head.
    pub head: RealHead,
}

/// A [`Head`] with real numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct RealHead {
    /// The input.
    pub input: HeadInput,
    /// Shape `[16 or 32][inputs]`, those of the side to move first: 2 * units clipped units, or
    /// units products. Absolute values are at most 127/64.
    pub first: Vec<f32>,
    /// Shape `[16 or 32]`.
    pub first_bias: Vec<f32>,
    /// Shape `[32][width of the first layer, or twice that for dual activations]`. Absolute values
    /// are at most 127/64.
    pub second: Vec<f32>,
    /// Shape `[32]`.
    pub second_bias: Vec<f32>,
    /// Centipawns per 1.0. Shape `[32]`.
    pub last: Vec<f32>,
    /// Bias in centipawns.
    pub last_bias: f32,
}

/// Units of a sum of the head per centipawn.
const CENTIPAWN: i32 = UNIT << Head::SHIFT;
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
        let NetworkShape { units, king_relative, head } = shape;
        RealNetwork {
            units,
            king_relative,
            rows: numbers(shape.tables() * Network::ROWS * units, 0.15),
            biases: numbers(KingView::KINGS * units, 0.5),
            head: RealHead::draw(head, units, numbers),
        }
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
        let head = self.head.quantize(rounding);
        Network::new(self.units, &rows, &biases, head)
            .expect("the real network has the right shape")
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
            head: RealHead::from(network.head()),
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
            input: head.shape().input,
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

impl RealHead {
    fn draw(
        shape: HeadShape,
        units: usize,
        mut numbers: impl FnMut(usize, f64) -> Vec<f32>,
    ) -> RealHead {
        RealHead {
            input: shape.input,
            first: numbers(shape.width * shape.inputs(units), 0.2),
            first_bias: numbers(shape.width, 0.5),
            second: numbers(Head::SECOND * shape.activations(), 0.5),
            second_bias: numbers(Head::SECOND, 0.3),
            last: numbers(Head::SECOND, 500.0),
            last_bias: 20.0,
        }
    }

    fn quantize(&self, rounding: &mut Rounding) -> Head {
        let inputs = self.first.len() / self.first_bias.len();
        let first = round_layer(inputs, &self.first, &self.first_bias, rounding);
        let activations = self.second.len() / self.second_bias.len();
        let second = round_layer(activations, &self.second, &self.second_bias, rounding);
        let last = round_output(&self.last, rounding);
        let limit = ByteLayer::LARGEST_BIAS as f32;
        let last_bias = rounding.round(self.last_bias * CENTIPAWN as f32, limit) as i32;
        Head::new(self.input, first, second, last, last_bias)
            .expect("the real head has the right shape")
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
