//! Real-valued weights: what learning hands to the evaluation.

use super::factored::Factored;
use super::king_pairs::PairForm;
use super::table::Table;
use super::{
    KingPairs, KingView, RealNetwork, SingleWeights, TRIANGLE, UNIT, Weights, triangle_index,
};
use crate::eval::PieceIndex;
use crate::shogi::Square;

/// Weights in centipawns (factors: in square roots of centipawns), as [`learned`](super) defines
/// them. They need not have the symmetries of the rules: [`quantize`](RealWeights::quantize) takes
/// the mean of what must be equal.
#[derive(Clone, Debug)]
pub struct RealWeights {
    /// KK, Black's normalized view. Shape `[3645]` = own king `[45]`, enemy king `[81]`.
    pub kings: Vec<f32>,
    /// Having the move, normalized view of the side to move. Shape `[3645]`.
    pub turn: Vec<f32>,
    /// KKP, Black's normalized view. Shape `[3645][1548]`.
    pub king_pieces: Vec<f32>,
    /// PP, Black's view. Shape `[TRIANGLE]`, by [`triangle_index`].
    pub pairs: Vec<f32>,
    /// The relations of a king and two pieces, normalized view of the king's side.
    pub king_pairs: RealKingPairs,
    /// A network in their place.
    pub network: Option<RealNetwork>,
}

/// The inverse of [`quantize`](RealWeights::quantize).
impl From<&Weights> for RealWeights {
    fn from(weights: &Weights) -> RealWeights {
        let centipawns = |units: &i16| f32::from(*units) / UNIT as f32;
        let SingleWeights { kings, turn, king_pieces } = weights.single();
        RealWeights {
            kings: kings.iter().map(centipawns).collect(),
            turn: turn.iter().map(centipawns).collect(),
            king_pieces: king_pieces.as_flattened().iter().map(centipawns).collect(),
            pairs: weights.pair_triangle().iter().map(centipawns).collect(),
            king_pairs: weights.king_pairs().into(),
            network: weights.network().map(RealNetwork::from),
        }
    }
}

/// Real-valued weights of a king and two pieces.
#[derive(Clone, Debug)]
pub enum RealKingPairs {
    /// None.
    None,
    /// KPP, shape `[45][TRIANGLE]`; rounded to 16 bits, or 8 bits if `narrow`.
    Table {
        /// The weights.
        triangles: Vec<f32>,
        /// Whether 8 bits are enough.
        narrow: bool,
    },
    /// Factors, shape `[45][1548][lanes]`.
    Factored {
        /// Number of lanes: 32, 64, ... 256.
        lanes: usize,
        /// The factors.
        rows: Vec<f32>,
    },
}

/// Rounded weights, and what rounding cost.
#[derive(Clone, Debug)]
pub struct Quantized {
    /// Ready for use.
    pub weights: Weights,
    /// How many weights were too large for their cells and were cut.
    pub clipped: usize,
}

impl RealWeights {
    /// All zero, without king-relative pairs and network.
    pub fn zero() -> RealWeights {
        RealWeights {
            kings: vec![0.0; KingView::PAIRS],
            turn: vec![0.0; KingView::PAIRS],
            king_pieces: vec![0.0; KingView::PAIRS * PieceIndex::COUNT],
            pairs: vec![0.0; TRIANGLE],
            king_pairs: RealKingPairs::None,
            network: None,
        }
    }

    /// Takes means over symmetric weights and rounds to fixed point. Weights of empty slots become
    /// zero. Panics if a shape is wrong or there are both king-relative pairs and a network.
    pub fn quantize(&self) -> Quantized {
        let mut rounding = Rounding { clipped: 0 };
        let unit = UNIT as f32;
        let mut kings = Vec::with_capacity(KingView::PAIRS);
        let mut turn = Vec::with_capacity(KingView::PAIRS);
        let mut king_pieces = vec![[0; PieceIndex::COUNT]; KingView::PAIRS];
        for (pair, row) in king_pieces.iter_mut().enumerate() {
            let images = KingImages::of(pair);
            kings.push(rounding.round_to_i16(unit * images.mean(|image| self.kings[image.pair()])));
            turn.push(
                rounding.round_to_i16(unit * images.mirror_mean(|image| self.turn[image.pair()])),
            );
            for index in PieceIndex::all().skip(1) {
                let weight = |image: KingView, index: PieceIndex| {
                    self.king_pieces[image.pair() * PieceIndex::COUNT + index.index()]
                };
                row[index.index()] = rounding.round_to_i16(unit * images.piece_mean(weight, index));
            }
        }
        let mut pairs = vec![0; TRIANGLE];
        for j in PieceIndex::all() {
            for i in PieceIndex::all().take(j.index()).skip(1) {
                pairs[triangle_index(i, j)] = rounding.round_to_i16(unit * self.pair_mean(i, j));
            }
        }
        let king_pairs = self.king_pairs.quantize(&mut rounding);
        let single = SingleWeights { kings, turn, king_pieces };
        let mut weights = Weights::new(single, &pairs, king_pairs).expect("shapes were just made");
        if let Some(network) = &self.network {
            let network = network.quantize(&mut rounding);
            weights = weights.with_network(network).expect("no king-relative pairs beside it");
        }
        Quantized { weights, clipped: rounding.clipped }
    }

    /// Mean of the four images of a pair, turned ones negated.
    fn pair_mean(&self, i: PieceIndex, j: PieceIndex) -> f32 {
        let weight = |i, j| self.pairs[ordered(i, j)];
        let (ti, tj) = (i.turned(), j.turned());
        let here = weight(i, j) + weight(i.mirrored(), j.mirrored());
        let turned = weight(ti, tj) + weight(ti.mirrored(), tj.mirrored());
        (here - turned) / 4.0
    }
}

/// Place of a pair in either order.
#[inline]
fn ordered(i: PieceIndex, j: PieceIndex) -> usize {
    triangle_index(i.min(j), i.max(j))
}

/// A pair of kings as it is, mirrored, turned, and both.
struct KingImages {
    own: Square,
    enemy: Square,
}

impl KingImages {
    fn of(pair: usize) -> KingImages {
        let square = |index| Square::from_index(index).expect("a pair of squares");
        KingImages { own: square(pair / Square::COUNT), enemy: square(pair % Square::COUNT) }
    }

    fn mirror_mean(&self, value: impl Fn(KingView) -> f32) -> f32 {
        let here = KingView::from_own_view(self.own, self.enemy);
        let mirrored = KingView::from_own_view(self.own.mirror(), self.enemy.mirror());
        (value(here) + value(mirrored)) / 2.0
    }

    /// Mean over all images, turned ones negated.
    fn mean(&self, value: impl Fn(KingView) -> f32) -> f32 {
        let turned = KingImages { own: self.enemy.flip(), enemy: self.own.flip() };
        (self.mirror_mean(&value) - turned.mirror_mean(&value)) / 2.0
    }

    fn piece_mean(&self, value: impl Fn(KingView, PieceIndex) -> f32, index: PieceIndex) -> f32 {
        let image = |own: Square, enemy: Square, index: PieceIndex| {
            let view = KingView::from_own_view(own, enemy);
            value(view, view.normal(index))
        };
        let both = |own: Square, enemy: Square, index: PieceIndex| {
            image(own, enemy, index) + image(own.mirror(), enemy.mirror(), index.mirrored())
        };
        let turned = both(self.enemy.flip(), self.own.flip(), index.turned());
        (both(self.own, self.enemy, index) - turned) / 4.0
    }
}

impl From<&KingPairs> for RealKingPairs {
    fn from(king_pairs: &KingPairs) -> RealKingPairs {
        match king_pairs {
            KingPairs::None => RealKingPairs::None,
            KingPairs::Table(table) => RealKingPairs::Table {
                triangles: triangles(table),
                narrow: matches!(table, Table::Narrow(_)),
            },
            KingPairs::Factored(form) => {
                let unit = (1 << form.fraction_bits()) as f32;
                let rows = form.rows().iter().map(|&factor| f32::from(factor) / unit).collect();
                RealKingPairs::Factored { lanes: form.lanes(), rows }
            }
        }
    }
}

/// All weights of a table, centipawns, shape `[45][TRIANGLE]`.
fn triangles(table: &Table) -> Vec<f32> {
    let mut weights = vec![0.0; KingView::KINGS * TRIANGLE];
    for (king, triangle) in weights.chunks_exact_mut(TRIANGLE).enumerate() {
        for j in PieceIndex::all() {
            for i in PieceIndex::all().take(j.index()) {
                let units = table.weight(king, i, j);
                triangle[triangle_index(i, j)] = (units / f64::from(UNIT)) as f32;
            }
        }
    }
    weights
}

impl RealKingPairs {
    fn quantize(&self, rounding: &mut Rounding) -> KingPairs {
        match self {
            RealKingPairs::None => KingPairs::None,
            RealKingPairs::Table { triangles, narrow: false } => {
                let weights =
                    round_triangles(triangles, |cp| rounding.round_to_i16(cp * UNIT as f32));
                KingPairs::Table(Table::wide(&weights).expect("shape of the real weights"))
            }
            RealKingPairs::Table { triangles, narrow: true } => {
                let unit = (UNIT / Table::NARROW_UNIT) as f32;
                let weights = round_triangles(triangles, |cp| rounding.round_to_i8(cp * unit));
                KingPairs::Table(Table::narrow(&weights).expect("shape of the real weights"))
            }
            RealKingPairs::Factored { lanes, rows } => {
                KingPairs::Factored(round_factors(*lanes, rows, rounding))
            }
        }
    }
}

/// Rounds all weights of a table; those of a king on the middle file are tied to their mirror
/// images.
fn round_triangles<T: Copy + Default>(real: &[f32], mut round: impl FnMut(f32) -> T) -> Vec<T> {
    assert_eq!(real.len(), KingView::KINGS * TRIANGLE, "shape of the real weights");
    let mut weights = vec![T::default(); real.len()];
    for (king, triangle) in real.chunks_exact(TRIANGLE).enumerate() {
        let on_middle_file = king / 9 == 4;
        for j in PieceIndex::all() {
            for i in PieceIndex::all().take(j.index()).skip(1) {
                let mut weight = triangle[triangle_index(i, j)];
                if on_middle_file {
                    weight = (weight + triangle[ordered(i.mirrored(), j.mirrored())]) / 2.0;
                }
                weights[king * TRIANGLE + triangle_index(i, j)] = round(weight);
            }
        }
    }
    weights
}

/// Rounds factors with as many fraction bits as let nearly all of them fit.
fn round_factors(lanes: usize, real: &[f32], rounding: &mut Rounding) -> Factored {
    let limit = f32::from(Factored::LARGEST);
    let fits = |bits: &u32| {
        let unit = (1 << bits) as f32;
        let too_large = real.iter().filter(|factor| factor.abs() * unit > limit).count();
        too_large <= real.len() / 1_000_000
    };
    let bits = Factored::FRACTION_BITS.rev().find(fits).unwrap_or(*Factored::FRACTION_BITS.start());
    let unit = (1 << bits) as f32;
    let mut rows: Vec<i16> =
        real.iter().map(|factor| rounding.round(factor * unit, limit) as i16).collect();
    for row in rows.chunks_exact_mut(PieceIndex::COUNT * lanes) {
        row[..lanes].fill(0);
    }
    Factored::new(lanes, bits, rows).expect("shape of the real weights")
}

/// Rounds to integers and counts what does not fit.
pub(super) struct Rounding {
    clipped: usize,
}

impl Rounding {
    pub(super) fn round_to_i16(&mut self, value: f32) -> i16 {
        self.round(value, f32::from(i16::MAX)) as i16
    }

    pub(super) fn round_to_i8(&mut self, value: f32) -> i8 {
        self.round(value, f32::from(i8::MAX)) as i8
    }

    pub(super) fn round(&mut self, value: f32, limit: f32) -> f32 {
        let rounded = value.round();
        if rounded.abs() > limit {
            self.clipped += 1;
        }
        rounded.clamp(-limit, limit)
    }
}
