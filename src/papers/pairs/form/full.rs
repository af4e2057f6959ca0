//! The value computed from scratch: the definition, and the reference for
//! [`incremental`](super::incremental).

use super::{PairList, PairWeights, TABLE_2};
use crate::eval::Score;
use crate::shogi::Position;

/// Sum of the weights of all relations of a position, from Black's view, eq. (1). Each of several
/// equal pieces in a hand counts.
pub fn relations(weights: &PairWeights, pos: &Position) -> i32 {
    let list = PairList::new(pos);
    let pieces = list.pieces();
    let mut sum = 0;
    for (n, &p) in pieces.iter().enumerate().filter(|(_, p)| p.piece().is_some()) {
        sum += pieces[..=n].iter().map(|&q| i32::from(weights.get(p, q))).sum::<i32>();
    }
    sum
}

/// The value from the side to move's view.
pub fn evaluate(weights: &PairWeights, pos: &Position) -> Score {
    Score::cp(pos.side_to_move().sign() * (TABLE_2.balance(pos) + relations(weights, pos)))
}

/// Splits the value of [`evaluate`] into named parts, from the side to move's view.
pub fn explain(weights: &PairWeights, pos: &Position) -> Vec<(String, i32)> {
    let sign = pos.side_to_move().sign();
    let parts = [("material", TABLE_2.balance(pos)), ("pairs", relations(weights, pos))];
    parts.map(|(name, value)| (name.to_owned(), sign * value)).into()
}
