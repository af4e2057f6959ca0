//! Real-valued KPP.

use super::rounding::Rounding;
use crate::eval::PieceIndex;
use crate::eval::learned::kpp::{Factored, Kpp, KppTable};
use crate::eval::learned::{KingView, TRIANGLE, UNIT, triangle_pairs, unordered_index};

/// Real-valued weights of a king and two pieces.
#[derive(Clone, Debug)]
pub enum RealKpp {
    /// A weight for each king and pair, shape `[45][TRIANGLE]`.
    Table(Vec<f32>),
    /// Factors, shape `[45][1548][rank]`.
    Factored {
        /// The rank: 32, 64, ... 256.
        rank: usize,
        /// The factors.
        rows: Vec<f32>,
    },
}

impl From<&Kpp> for RealKpp {
    fn from(kpp: &Kpp) -> RealKpp {
        match kpp {
            Kpp::Table(table) => RealKpp::Table(triangles(table)),
            Kpp::Factored(form) => {
                let unit = (1 << form.fraction_bits()) as f32;
                let rows = form.rows().iter().map(|&factor| f32::from(factor) / unit).collect();
                RealKpp::Factored { rank: form.rank(), rows }
            }
        }
    }
}

/// All weights of a table in centipawns, shape `[45][TRIANGLE]`.
fn triangles(table: &KppTable) -> Vec<f32> {
    let mut weights = vec![0.0; KingView::KINGS * TRIANGLE];
    for (king, triangle) in weights.chunks_exact_mut(TRIANGLE).enumerate() {
        for ((i, j), weight) in triangle_pairs().zip(triangle) {
            *weight = (table.weight(king, i, j) / f64::from(UNIT)) as f32;
        }
    }
    weights
}

impl RealKpp {
    pub(super) fn quantize(&self, rounding: &mut Rounding) -> Kpp {
        match self {
            RealKpp::Table(triangles) => {
                let weights = round_triangles(triangles, rounding);
                Kpp::Table(KppTable::new(&weights).expect("the real weights have the right shape"))
            }
            RealKpp::Factored { rank, rows } => Kpp::Factored(round_factors(*rank, rows, rounding)),
        }
    }
}

/// Rounds all weights of a table. Weights of a king on the middle file are tied to their mirror
/// images.
fn round_triangles(real: &[f32], rounding: &mut Rounding) -> Vec<i16> {
    assert_eq!(real.len(), KingView::KINGS * TRIANGLE, "the real weights have the wrong shape");
    let mut weights = vec![0; real.len()];
    let squares = real.chunks_exact(TRIANGLE).zip(weights.chunks_exact_mut(TRIANGLE));
    for (king, (real, rounded)) in squares.enumerate() {
        let on_middle_file = king / 9 == 4;
        let pairs = triangle_pairs().zip(real).zip(rounded);
        for (((i, j), &weight), rounded) in pairs.filter(|(((i, _), _), _)| *i != PieceIndex::NONE)
        {
            let centipawns = if on_middle_file {
                (weight + real[unordered_index(i.mirrored(), j.mirrored())]) / 2.0
            } else {
                weight
            };
            *rounded = rounding.round_to_i16(centipawns * UNIT as f32);
        }
    }
    weights
}

/// Rounds factors with the largest number of fraction bits at which nearly all of them fit.
fn round_factors(rank: usize, real: &[f32], rounding: &mut Rounding) -> Factored {
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
    for row in rows.chunks_exact_mut(PieceIndex::COUNT * rank) {
        row[..rank].fill(0);
    }
    Factored::new(rank, bits, rows).expect("the real weights have the right shape")
}
