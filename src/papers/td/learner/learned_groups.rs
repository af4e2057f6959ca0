//! Selection of the weights that are learned.

use crate::papers::td::features::{FeatureGroup, WEIGHTS};

/// Value of a piece in hand divided by its value on the board, in Table 2.
const HAND_RATIO: f64 = 1.1;

/// Which weights are learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum LearnedGroups {
    /// Values of the pieces on the board; those in hand stay
    Board,
    /// Values of the pieces on the board; those in hand follow at 1.1 times the value
    Pieces,
    /// Values of the pieces in hand
    Hand,
    /// Attacked squares around the kings, and pieces near them
    King,
    /// All weights at once
    All,
}

impl LearnedGroups {
    /// The groups whose weights are set to their start values.
    pub fn groups(self) -> &'static [FeatureGroup] {
        match self {
            LearnedGroups::Board | LearnedGroups::Pieces => &[FeatureGroup::Board],
            LearnedGroups::Hand => &[FeatureGroup::Hand],
            LearnedGroups::King => &[FeatureGroup::Attacks, FeatureGroup::Distance],
            LearnedGroups::All => &FeatureGroup::ALL,
        }
    }

    /// Whether the weight at this index is learned.
    pub fn contains(self, place: usize) -> bool {
        self.groups().iter().any(|group| group.places().contains(&place))
    }

    /// The name used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            LearnedGroups::Board => "board",
            LearnedGroups::Pieces => "pieces",
            LearnedGroups::Hand => "hand",
            LearnedGroups::King => "king",
            LearnedGroups::All => "all",
        }
    }

    /// Sets the weights that follow others.
    pub fn bind(self, weights: &mut [f64; WEIGHTS]) {
        if self == LearnedGroups::Pieces {
            for (board, hand) in followed() {
                weights[hand] = HAND_RATIO * weights[board];
            }
        }
    }

    /// Converts derivatives with respect to all weights to those with respect to the learned ones,
    /// each times its share of the learning rate: a fifth for the kings, as in the paper.
    pub fn project(self, gradient: &mut [f64; WEIGHTS]) {
        if self == LearnedGroups::Pieces {
            for (board, hand) in followed() {
                gradient[board] += HAND_RATIO * gradient[hand];
            }
        }
        for group in FeatureGroup::ALL {
            let share = match self.groups().contains(&group) {
                false => 0.0,
                true if is_of_kings(group) => 0.2,
                true => 1.0,
            };
            gradient[group.places()].iter_mut().for_each(|derivative| *derivative *= share);
        }
    }
}

pub(super) fn is_of_kings(group: FeatureGroup) -> bool {
    matches!(group, FeatureGroup::Attacks | FeatureGroup::Distance)
}

/// Indices of the values on the board and in hand of the pieces that have both.
fn followed() -> impl Iterator<Item = (usize, usize)> {
    FeatureGroup::Board.places().zip(FeatureGroup::Hand.places())
}
