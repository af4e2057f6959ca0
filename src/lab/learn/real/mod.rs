//! Real-valued weights: the result of learning.

mod kpp;
mod network;
mod rounding;

pub use kpp::RealKpp;
pub use network::{RealHead, RealNetwork};

use crate::eval::PieceIndex;
use crate::eval::learned::{
    KingView, Term, TermShape, Terms, UNIT, Upper, Weights, triangle_pairs, unordered_index,
};
use crate::eval::material::PieceValues;
use crate::shogi::Square;
use rounding::Rounding;

/// Weights in centipawns (factors: in square roots of centipawns), as defined in
/// [`learned`](crate::eval::learned). They do not need the symmetries of the rules:
/// [`quantize`](RealWeights::quantize) averages the weights that must be equal.
#[derive(Clone, Debug)]
pub struct RealWeights {
    /// The values of the pieces, in the order of [`PieceValues::to_array`].
    pub piece_values: [f32; PieceValues::COUNT],
    /// The terms, in the shapes of [`TermShape`].
    pub terms: Terms<Vec<f32>>,
    /// KPP, a network, or neither.
    pub upper: RealUpper,
}

/// The real-valued [`Upper`].
#[derive(Clone, Debug)]
pub enum RealUpper {
    /// Nothing.
    None,
    /// KPP, from the normalized view of the king's side.
    Kpp(RealKpp),
    /// A network of all pieces.
    Network(RealNetwork),
    /// A network that is the whole value, without material. Such a network has a classic head, its
    /// rows of the enemy king are 0, and its first bias applies to all kings.
    Standalone(RealNetwork),
}

/// The inverse of rounding.
impl From<&Upper> for RealUpper {
    fn from(upper: &Upper) -> RealUpper {
        match upper {
            Upper::None => RealUpper::None,
            Upper::Kpp(kpp) => RealUpper::Kpp(kpp.into()),
            Upper::Network(network) => RealUpper::Network(network.into()),
            Upper::Standalone(network) => RealUpper::Standalone(network.into()),
        }
    }
}

impl RealUpper {
    fn quantize(&self, rounding: &mut Rounding) -> Upper {
        match self {
            RealUpper::None => Upper::None,
            RealUpper::Kpp(kpp) => Upper::Kpp(kpp.quantize(rounding)),
            RealUpper::Network(network) => Upper::Network(network.quantize(1, rounding)),
            // The unit of a standalone network is that of other programs, which is twice as large.
            RealUpper::Standalone(network) => Upper::Standalone(network.quantize(2, rounding)),
        }
    }
}

/// The inverse of [`quantize`](RealWeights::quantize).
impl From<&Weights> for RealWeights {
    fn from(weights: &Weights) -> RealWeights {
        let centipawns = |units: &i16| f32::from(*units) / UNIT as f32;
        RealWeights {
            piece_values: weights.piece_values().to_array().map(|value| value as f32),
            terms: Terms::from_fn(|term| weights.table(term).iter().map(centipawns).collect()),
            upper: weights.upper().into(),
        }
    }
}

/// Rounded weights, and the loss by rounding.
#[derive(Clone, Debug)]
pub struct Quantized {
    /// The weights, prepared for evaluation.
    pub weights: Weights,
    /// Number of weights that were too large for their cells and were clamped.
    pub clipped: usize,
}

impl RealWeights {
    /// The engine's piece values, and weights that are all zero, without KPP and network.
    pub fn zero() -> RealWeights {
        RealWeights {
            piece_values: PieceValues::ENGINE.to_array().map(|value| value as f32),
            terms: Terms::from_fn(|term| vec![0.0; term.size()]),
            upper: RealUpper::None,
        }
    }

    /// Creates weights for tests and benchmarks. `numbers(count, size)` draws `count` numbers of at
    /// most `size`.
    pub fn draw(upper: RealUpper, mut numbers: impl FnMut(usize, f64) -> Vec<f32>) -> RealWeights {
        let terms = Terms::from_fn(|term| numbers(term.size(), drawn(term)));
        let mut weights = RealWeights { terms, upper, ..RealWeights::zero() };
        let changes = numbers(PieceValues::COUNT, 50.0);
        weights.piece_values.iter_mut().zip(changes).for_each(|(value, change)| *value += change);
        weights
    }

    /// Averages symmetric weights and rounds to fixed point. Weights of empty slots become zero.
    /// Panics if a shape is wrong or a standalone network has other parts.
    pub fn quantize(&self) -> Quantized {
        let mut rounding = Rounding::default();
        let tables = Terms::from_fn(|term| round_term(term, &self.terms[term], &mut rounding));
        let upper = self.upper.quantize(&mut rounding);
        let values = self.piece_values.map(|centipawns| rounding.round_to_i16(centipawns).into());
        let weights = Weights::new(PieceValues::from_array(&values), tables, upper);
        let weights = weights.expect(
            "the shapes are correct, and a standalone network is plain and has no other parts",
        );
        Quantized { weights, clipped: rounding.clipped }
    }
}

/// Largest weight drawn for tests and benchmarks, centipawns.
fn drawn(term: Term) -> f64 {
    match term {
        Term::Kk => 100.0,
        Term::Tempo | Term::Kkp => 50.0,
        Term::Pp | Term::Threats => 20.0,
    }
}

/// Averages the symmetric weights of a term and rounds them.
fn round_term(term: Term, real: &[f32], rounding: &mut Rounding) -> Vec<i16> {
    assert_eq!(real.len(), term.size(), "shape of the real weights");
    let mut round = |centipawns: f32| rounding.round_to_i16(UNIT as f32 * centipawns);
    let of_kings = |image: KingView, _| real[image.pair()];
    let kings = (0..KingView::PAIRS).map(KingImages::of);
    match term.shape() {
        TermShape::Kings => {
            kings.map(|images| round(images.mean(PieceIndex::NONE, of_kings))).collect()
        }
        TermShape::KingsToMove => {
            kings.map(|images| round(images.mirror_mean(PieceIndex::NONE, of_kings))).collect()
        }
        TermShape::KingsAndPiece => {
            let weight = |image: KingView, index: PieceIndex| {
                real[image.pair() * PieceIndex::COUNT + index.index()]
            };
            let mut weights = vec![0; real.len()];
            for (images, row) in kings.zip(weights.chunks_exact_mut(PieceIndex::COUNT)) {
                for (index, rounded) in PieceIndex::all().zip(row).skip(1) {
                    *rounded = round(images.mean(index, weight));
                }
            }
            weights
        }
        TermShape::Threats => real.iter().map(|&weight| round(weight)).collect(),
        TermShape::Pair => {
            let of = |(i, j): (PieceIndex, PieceIndex)| {
                if i == PieceIndex::NONE { 0 } else { round(pair_mean(real, i, j)) }
            };
            triangle_pairs().map(of).collect()
        }
    }
}

/// Mean of the four images of a pair. Rotated images are negated.
fn pair_mean(real: &[f32], i: PieceIndex, j: PieceIndex) -> f32 {
    let weight = |i, j| real[unordered_index(i, j)];
    let (ti, tj) = (i.turned(), j.turned());
    let here = weight(i, j) + weight(i.mirrored(), j.mirrored());
    let turned = weight(ti, tj) + weight(ti.mirrored(), tj.mirrored());
    (here - turned) / 4.0
}

/// A pair of kings: unchanged, mirrored, rotated, and both.
struct KingImages {
    own: Square,
    enemy: Square,
}

impl KingImages {
    fn of(pair: usize) -> KingImages {
        let square = |index| Square::from_index(index).expect("the index is a pair of squares");
        KingImages { own: square(pair / Square::COUNT), enemy: square(pair % Square::COUNT) }
    }

    /// Mean over the unchanged and the mirrored kings with a piece.
    fn mirror_mean(&self, index: PieceIndex, value: impl Fn(KingView, PieceIndex) -> f32) -> f32 {
        let image = |own: Square, enemy: Square, index: PieceIndex| {
            let view = KingView::from_own_view(own, enemy);
            value(view, view.normal(index))
        };
        let mirrored = image(self.own.mirror(), self.enemy.mirror(), index.mirrored());
        (image(self.own, self.enemy, index) + mirrored) / 2.0
    }

    /// Mean over all images. Rotated images are negated.
    fn mean(&self, index: PieceIndex, value: impl Fn(KingView, PieceIndex) -> f32) -> f32 {
        let turned = KingImages { own: self.enemy.flip(), enemy: self.own.flip() };
        (self.mirror_mean(index, &value) - turned.mirror_mean(index.turned(), &value)) / 2.0
    }
}
