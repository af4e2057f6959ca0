//! Real-valued weights: the result of learning.

mod kpp;
mod network;
mod rounding;

pub use kpp::RealKpp;
pub use network::{RealHead, RealNetwork, RealTop};

use super::king_view::KingView;
use super::triangle::{TRIANGLE, triangle_pairs, unordered_index};
use super::unit::UNIT;
use super::weights::{SingleWeights, Upper, Weights};
use crate::eval::index::PieceIndex;
use crate::shogi::Square;
use rounding::Rounding;

/// Weights in centipawns (factors: in square roots of centipawns), as defined in
/// [`learned`](super). They do not need the symmetries of the rules:
/// [`quantize`](RealWeights::quantize) averages the weights that must be equal.
#[derive(Clone, Debug)]
pub struct RealWeights {
    /// KK, from Black's normalized view. Shape `[3645]` = own king `[45]`, enemy king `[81]`.
    pub kk: Vec<f32>,
    /// Tempo, from the normalized view of the side to move. Shape `[3645]`.
    pub tempo: Vec<f32>,
    /// KKP, from Black's normalized view. Shape `[3645][1548]`.
    pub kkp: Vec<f32>,
    /// PP, from Black's view. Shape `[TRIANGLE]`, by [`triangle_index`](super::triangle_index).
    pub pp: Vec<f32>,
    /// What values a king and several pieces at once.
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
    /// A network that is the whole value, without material. Such a network has a head, its rows of
    /// the enemy king are 0, and its first bias applies to all kings.
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
        let SingleWeights { kk, tempo, kkp } = weights.single();
        RealWeights {
            kk: kk.iter().map(centipawns).collect(),
            tempo: tempo.iter().map(centipawns).collect(),
            kkp: kkp.as_flattened().iter().map(centipawns).collect(),
            pp: weights.pp_triangle().iter().map(centipawns).collect(),
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
    /// Weights that are all zero, with nothing for a king and several pieces.
    pub fn zero() -> RealWeights {
        RealWeights {
            kk: vec![0.0; KingView::PAIRS],
            tempo: vec![0.0; KingView::PAIRS],
            kkp: vec![0.0; KingView::PAIRS * PieceIndex::COUNT],
            pp: vec![0.0; TRIANGLE],
            upper: RealUpper::None,
        }
    }

    /// Creates weights for tests and benchmarks. `numbers(count, size)` draws `count` numbers of at
    /// most `size`.
    pub fn draw(upper: RealUpper, mut numbers: impl FnMut(usize, f64) -> Vec<f32>) -> RealWeights {
        RealWeights {
            kk: numbers(KingView::PAIRS, 100.0),
            tempo: numbers(KingView::PAIRS, 50.0),
            kkp: numbers(KingView::PAIRS * PieceIndex::COUNT, 50.0),
            pp: numbers(TRIANGLE, 20.0),
            upper,
        }
    }

    /// Averages symmetric weights and rounds to fixed point. Weights of empty slots become zero.
    /// Panics if a shape is wrong or a standalone network has other parts.
    pub fn quantize(&self) -> Quantized {
        let mut rounding = Rounding::default();
        let unit = UNIT as f32;
        let mut kk = Vec::with_capacity(KingView::PAIRS);
        let mut tempo = Vec::with_capacity(KingView::PAIRS);
        let mut kkp = vec![[0; PieceIndex::COUNT]; KingView::PAIRS];
        for (pair, row) in kkp.iter_mut().enumerate() {
            let images = KingImages::of(pair);
            let weight = |image: KingView, _| self.kk[image.pair()];
            kk.push(rounding.round_to_i16(unit * images.mean(PieceIndex::NONE, weight)));
            let weight = |image: KingView, _| self.tempo[image.pair()];
            tempo.push(rounding.round_to_i16(unit * images.mirror_mean(PieceIndex::NONE, weight)));
            let weight = |image: KingView, index: PieceIndex| {
                self.kkp[image.pair() * PieceIndex::COUNT + index.index()]
            };
            for index in PieceIndex::all().skip(1) {
                row[index.index()] = rounding.round_to_i16(unit * images.mean(index, weight));
            }
        }
        let mut pp = vec![0; TRIANGLE];
        for ((i, j), weight) in triangle_pairs().zip(&mut pp) {
            if i != PieceIndex::NONE {
                *weight = rounding.round_to_i16(unit * self.pp_mean(i, j));
            }
        }
        let upper = self.upper.quantize(&mut rounding);
        let single = SingleWeights { kk, tempo, kkp };
        let weights = Weights::new(single, &pp, upper)
            .expect("the shapes are correct, and a standalone network is plain and has no other parts");
        Quantized { weights, clipped: rounding.clipped }
    }

    /// Mean of the four images of a pair. Rotated images are negated.
    fn pp_mean(&self, i: PieceIndex, j: PieceIndex) -> f32 {
        let weight = |i, j| self.pp[unordered_index(i, j)];
        let (ti, tj) = (i.turned(), j.turned());
        let here = weight(i, j) + weight(i.mirrored(), j.mirrored());
        let turned = weight(ti, tj) + weight(ti.mirrored(), tj.mirrored());
        (here - turned) / 4.0
    }
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
