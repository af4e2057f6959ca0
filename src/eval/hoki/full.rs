//! The value of a position, and its parts.

use super::group::HokiGroup;
use super::weights::{HokiWeights, UNIT};
use crate::eval::score::Score;
use crate::shogi::Position;

/// The value from the side to move's view.
#[inline]
pub fn evaluate(weights: &HokiWeights, pos: &Position) -> Score {
    Score::cp(pos.side_to_move().sign() * weights.value(pos) / UNIT)
}

/// Splits the value of [`evaluate`] into one named part per group, from the side to move's view.
pub fn explain(weights: &HokiWeights, pos: &Position) -> Vec<(String, i32)> {
    let parts = weights.parts(pos);
    let part = |group: HokiGroup| {
        let units = pos.side_to_move().sign() * parts[group.number()];
        let centipawns = f64::from(units) / f64::from(UNIT);
        (group.name().to_owned(), centipawns.round() as i32)
    };
    weights.groups().iter().map(part).collect()
}
