//! The value of a position, and its parts.

use super::{FeatureGroup, FeatureWeights, UNIT, of, weight_name};
use crate::eval::score::Score;
use crate::shogi::Position;

/// The value from the side to move's view.
pub fn evaluate(weights: &FeatureWeights, pos: &Position) -> Score {
    Score::cp(weights.value(&of(pos)) / UNIT)
}

/// Splits the value of [`evaluate`] into named parts, from the side to move's view. The parts are
/// the pieces on the board, the pieces in hand, and each weight of the kings.
pub fn explain(weights: &FeatureWeights, pos: &Position) -> Vec<(String, i32)> {
    let features = weights.features(&of(pos));
    let part = |place: usize| weights.weights()[place] * features[place];
    let mut parts = Vec::new();
    for group in FeatureGroup::ALL {
        match group {
            FeatureGroup::Board | FeatureGroup::Hand => {
                parts.push((group.name().to_owned(), group.places().map(part).sum()));
            }
            FeatureGroup::Attacks | FeatureGroup::Distance => {
                parts.extend(group.places().map(|place| (weight_name(place), part(place))));
            }
        }
    }
    parts.into_iter().map(|(name, value): (String, f64)| (name, value.round() as i32)).collect()
}
