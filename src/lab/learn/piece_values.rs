//! Piece values that best explain the labels of samples, independent of the squares of the pieces.
//!
//! Logistic regression: the logarithm of a label's odds is the sum over own pieces minus the sum
//! over enemy pieces, plus a constant for the side to move. The loss is convex, and Newton's method
//! finds its minimum.

use rayon::prelude::*;

use super::Sample;
use super::logistic::excess;
use crate::eval::material;
use crate::shogi::{Color, HandPiece, PieceKind};

/// Kinds of pieces on the board (the king's count is always zero), kinds in hand, and the tempo.
const FEATURES: usize = PieceKind::COUNT + HandPiece::COUNT + 1;
const TEMPO: usize = FEATURES - 1;

type Vector = [f64; FEATURES];
type Matrix = [Vector; FEATURES];

/// A sample's pieces, own minus enemy, and its label.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Balance {
    counts: [i8; FEATURES],
    expected: f32,
}

impl Balance {
    /// Counts the pieces of a sample. `scale`: centipawns of its score that multiply the odds of
    /// winning by e. `None` if its position is invalid.
    pub fn new(sample: &Sample, scale: f32) -> Option<Balance> {
        let pos = sample.position.unpack().ok()?;
        let us = pos.side_to_move();
        let mut counts = [0; FEATURES];
        for color in Color::ALL {
            let sign = if color == us { 1 } else { -1 };
            for kind in PieceKind::ALL.into_iter().filter(|&kind| kind != PieceKind::King) {
                counts[kind.index()] += sign * pos.pieces(color, kind).len() as i8;
            }
            for (held, count) in pos.hand(color).iter() {
                counts[PieceKind::COUNT + held.index()] += sign * count as i8;
            }
        }
        counts[TEMPO] = 1;
        Some(Balance { counts, expected: sample.expected(scale) })
    }

    fn value(&self, weights: &Vector) -> f64 {
        self.counts.iter().zip(weights).map(|(&count, weight)| f64::from(count) * weight).sum()
    }
}

/// Fitted values.
#[derive(Clone, Debug, PartialEq)]
pub struct PieceValues {
    /// On the board, by [`PieceKind`]; 0 for the king. Centipawns.
    pub board: [f64; PieceKind::COUNT],
    /// In hand, by [`HandPiece`]. Centipawns.
    pub hand: [f64; HandPiece::COUNT],
    /// Value of having the move. Centipawns.
    pub tempo: f64,
    /// Centipawns that multiply the odds of winning by e.
    pub scale: f64,
    /// Mean excess over the labels' entropy, nats.
    pub excess: f64,
}

impl PieceValues {
    /// Fits the values, scaled so that the pieces of the start position have the same total as in
    /// [`material`]. So the unit stays that of the search. `None` if no finite values minimize the
    /// loss, or if the fitted values of the start position sum to zero.
    pub fn fit(balances: &[Balance]) -> Option<PieceValues> {
        let weights = minimum(balances)?;
        let scale = set_total(material_board) / set_total(|kind| weights[kind.index()]);
        if !scale.is_finite() || scale <= 0.0 {
            return None;
        }
        let loss = |balance: &Balance| excess(balance.value(&weights) as f32, balance.expected);
        let total: f64 = balances.iter().map(loss).sum();
        Some(PieceValues {
            board: std::array::from_fn(|at| scale * weights[at]),
            hand: std::array::from_fn(|at| scale * weights[PieceKind::COUNT + at]),
            tempo: scale * weights[TEMPO],
            scale,
            excess: total / balances.len() as f64,
        })
    }
}

/// The weights of minimal loss, logits. `None` if Newton's method does not converge.
fn minimum(balances: &[Balance]) -> Option<Vector> {
    /// Five or six steps suffice where a minimum exists.
    const MOST_STEPS: usize = 30;
    /// Logits. After a step this small the next one would change nothing.
    const SMALL: f64 = 1e-6;
    let mut weights = [0.0; FEATURES];
    for _ in 0..MOST_STEPS {
        let (gradient, curvature) = derivatives(balances, &weights);
        let step = solve(curvature, gradient)?;
        weights.iter_mut().zip(step).for_each(|(weight, change)| *weight -= change);
        if step.iter().all(|change| change.abs() < SMALL) {
            return Some(weights);
        }
    }
    None
}

fn material_board(kind: PieceKind) -> f64 {
    f64::from(material::board_value(kind))
}

/// Total value of one side's pieces in the start position.
fn set_total(value: impl Fn(PieceKind) -> f64) -> f64 {
    let count = |held: HandPiece| f64::from(held.set_size()) / 2.0;
    HandPiece::ALL.into_iter().map(|held| count(held) * value(held.kind())).sum()
}

/// Gradient of the sum of losses, and its second derivatives.
fn derivatives(balances: &[Balance], weights: &Vector) -> (Vector, Matrix) {
    let zero = || ([0.0; FEATURES], [[0.0; FEATURES]; FEATURES]);
    let add = |mut sums: (Vector, Matrix), balance: &Balance| {
        let expected = 1.0 / (1.0 + (-balance.value(weights)).exp());
        let error = expected - f64::from(balance.expected);
        let counts = balance.counts.map(f64::from);
        for (row, &count) in counts.iter().enumerate().filter(|(_, count)| **count != 0.0) {
            sums.0[row] += count * error;
            for (sum, other) in sums.1[row].iter_mut().zip(&counts) {
                *sum += count * other * expected * (1.0 - expected);
            }
        }
        sums
    };
    // Sums of fixed parts, added in order: the result does not depend on the number of threads.
    let parts: Vec<_> =
        balances.par_chunks(1 << 14).map(|part| part.iter().fold(zero(), add)).collect();
    parts.into_iter().fold(zero(), |mut sums, part| {
        for row in 0..FEATURES {
            sums.0[row] += part.0[row];
            for column in 0..FEATURES {
                sums.1[row][column] += part.1[row][column];
            }
        }
        sums
    })
}

/// Solves a symmetric system by elimination. Pieces that never occur get 0. `None` if numbers are
/// not finite.
fn solve(mut matrix: Matrix, mut right: Vector) -> Option<Vector> {
    /// Keeps rows of zeros solvable. Negligible next to the curvatures of thousands of samples.
    const RIDGE: f64 = 1e-6;
    for (at, row) in matrix.iter_mut().enumerate() {
        row[at] += RIDGE;
    }
    for at in 0..FEATURES {
        let (pivot, below) = matrix[at..].split_first_mut().expect("a row");
        for (row, below) in below.iter_mut().enumerate() {
            let factor = below[at] / pivot[at];
            for (number, above) in below.iter_mut().zip(&*pivot).skip(at) {
                *number -= factor * above;
            }
            right[at + 1 + row] -= factor * right[at];
        }
    }
    let mut solution = [0.0; FEATURES];
    for row in (0..FEATURES).rev() {
        let known: f64 = (row + 1..FEATURES).map(|at| matrix[row][at] * solution[at]).sum();
        solution[row] = (right[row] - known) / matrix[row][row];
    }
    solution.iter().all(|number| number.is_finite()).then_some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn planted_values_are_recovered() {
        let mut rng = Rng::from_seed(5);
        let planted = |at: usize| match at {
            at if at == PieceKind::King.index() => 0.0,
            TEMPO => 0.1,
            at => 0.1 + 0.05 * at as f64,
        };
        let balances: Vec<Balance> = (0..20_000)
            .map(|_| {
                let mut counts = [(); FEATURES].map(|()| rng.below(3) as i8 - 1);
                counts[PieceKind::King.index()] = 0;
                counts[TEMPO] = 1;
                let value: f64 = (0..FEATURES).map(|at| f64::from(counts[at]) * planted(at)).sum();
                Balance { counts, expected: (1.0 / (1.0 + (-value).exp())) as f32 }
            })
            .collect();
        let found = PieceValues::fit(&balances).expect("data");
        let close = |a: f64, b: f64| (a - b).abs() < 1e-3 * found.scale;
        for kind in PieceKind::ALL {
            assert!(close(found.board[kind.index()], found.scale * planted(kind.index())));
        }
        for held in HandPiece::ALL {
            let at = PieceKind::COUNT + held.index();
            assert!(close(found.hand[held.index()], found.scale * planted(at)));
        }
        assert!(close(found.tempo, 0.1 * found.scale) && found.excess < 1e-6);
        let total = set_total(|kind| found.board[kind.index()]);
        assert!((total - set_total(material_board)).abs() < 1.0, "the unit is that of material");
    }

    #[test]
    fn labels_that_no_values_explain_give_none() {
        assert_eq!(PieceValues::fit(&[]), None);
        let with_pawn = |expected: f32| {
            let mut counts = [0; FEATURES];
            (counts[PieceKind::Pawn.index()], counts[TEMPO]) = (1, 1);
            Balance { counts, expected }
        };
        let without = |expected: f32| Balance { counts: [0; FEATURES], expected };
        assert!(PieceValues::fit(&[with_pawn(0.6), without(0.5)]).is_some());
        // With labels that favour the side without pawns, or a side that always wins, no finite
        // values exist.
        assert_eq!(PieceValues::fit(&[with_pawn(0.4), without(0.5)]), None);
        assert_eq!(PieceValues::fit(&[with_pawn(1.0), without(0.5)]), None);
    }
}
