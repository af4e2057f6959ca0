//! The weights, and a position's features, as text.

use std::fmt::Write as _;

use super::counts::of;
use super::group::{FeatureGroup, weight_name};
use super::weights::FeatureWeights;
use crate::command::language::{Language, Text};
use crate::command::notation::{at_right, padded};
use crate::command::texts::{self, part_name};
use crate::shogi::Position;

/// The name of the form.
pub(super) const NAME: &str = "features";

/// Features have few weights, so each is printed.
pub(super) fn describe(weights: &FeatureWeights) -> String {
    let mut text = format!("form: {NAME}\nunit: 1 centipawn; distance: 0.1 % of a piece\n");
    for group in FeatureGroup::ALL {
        let _ = writeln!(text, "\n{}", group.name());
        for (name, place) in group.weight_names().iter().zip(group.places()) {
            let _ = writeln!(text, "  {name:<18} {:>9.1}", weights.weights()[place]);
        }
    }
    text
}

/// The features that are not 0, own minus enemy.
pub(crate) fn table(weights: &FeatureWeights, pos: &Position, language: Language) -> String {
    let right = |text: Text<0>| at_right(text.get(language), 9);
    let name = padded(texts::WEIGHT.get(language), 24);
    let (feature, product) = (right(texts::FEATURE), right(texts::PRODUCT));
    let mut text = format!("{name} {:>9} {feature} {product}\n", "");
    let counted = weights.features(&of(pos));
    for (place, (&weight, feature)) in weights.weights().iter().zip(counted).enumerate() {
        if feature != 0.0 {
            let name = padded(&part_name(language, &weight_name(place)), 24);
            let product = weight * feature;
            let _ = writeln!(text, "{name} {weight:>9.1} {feature:>+9.2} {product:>+9.1}");
        }
    }
    text
}
