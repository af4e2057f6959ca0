//! The evaluation: the value, its parts, and what a search needs along a line.

use std::sync::Arc;

use super::counts::of;
use super::group::{FeatureGroup, weight_name};
use super::text;
use super::weights::{FeatureWeights, UNIT};
use crate::eval::{RegisteredForm, RegisteredLine, Score};
use crate::papers::from_scratch::ScratchLine;
use crate::shogi::{Change, Position, Square};

impl RegisteredForm for FeatureWeights {
    fn name(&self) -> &'static str {
        text::NAME
    }

    fn evaluate(&self, pos: &Position) -> Score {
        Score::cp(self.value(&of(pos)) / UNIT)
    }

    /// The parts are the pieces on the board, the pieces in hand, and each weight of the kings.
    fn explain(&self, pos: &Position) -> Vec<(String, i32)> {
        let features = self.features(&of(pos));
        let part = |place: usize| self.weights()[place] * features[place];
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

    fn describe(&self) -> String {
        text::describe(self)
    }

    /// Change of the moved piece's value by its distances to both kings. The squares that it
    /// attacks near them are not included, because they are not a relation of this piece alone.
    fn piece_king_change(&self, _: &Position, kings: [Square; 2], moved: &Change) -> i32 {
        let of = |place| self.near_kings(place, kings.map(Some));
        (of(moved.after) - of(moved.before)) / UNIT
    }

    fn line(self: Arc<Self>, pos: &Position) -> Box<dyn RegisteredLine> {
        let values = *self.piece_values();
        Box::new(ScratchLine::new(self, values, pos))
    }
}
