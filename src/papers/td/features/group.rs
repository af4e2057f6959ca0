//! The groups of weights and their names.

use std::ops::Range;

/// Number of weights.
pub const WEIGHTS: usize = FeatureGroup::Distance.places().end;

/// A group of weights. The indices of all weights follow the order of the groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeatureGroup {
    /// Values of the pieces on the board, without the king.
    Board,
    /// Values of the pieces in hand.
    Hand,
    /// A square next to the own king or to the enemy king that a piece other than the king attacks.
    Attacks,
    /// Pieces near the own king or the enemy king, in tenths of a percent of their values.
    Distance,
}

const KINDS: [&str; 13] = [
    "pawn",
    "lance",
    "knight",
    "silver",
    "gold",
    "bishop",
    "rook",
    "tokin",
    "promoted-lance",
    "promoted-knight",
    "promoted-silver",
    "horse",
    "dragon",
];
const KINGS: [&str; 2] = ["own", "enemy"];

impl FeatureGroup {
    /// All groups, in order.
    pub const ALL: [FeatureGroup; 4] =
        [FeatureGroup::Board, FeatureGroup::Hand, FeatureGroup::Attacks, FeatureGroup::Distance];

    /// The name in files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            FeatureGroup::Board => "board",
            FeatureGroup::Hand => "hand",
            FeatureGroup::Attacks => "attacks",
            FeatureGroup::Distance => "distance",
        }
    }

    /// Indices of the group's weights among all weights, in the order of
    /// [`weight_names`](FeatureGroup::weight_names).
    pub const fn places(self) -> Range<usize> {
        match self {
            FeatureGroup::Board => 0..13,
            FeatureGroup::Hand => 13..20,
            FeatureGroup::Attacks => 20..22,
            FeatureGroup::Distance => 22..24,
        }
    }

    /// Names of the weights within the group: pieces in the order of
    /// [`PieceKind`](crate::shogi::PieceKind) and [`HandPiece`](crate::shogi::HandPiece), or the
    /// owner of the king.
    pub fn weight_names(self) -> &'static [&'static str] {
        match self {
            FeatureGroup::Board => &KINDS,
            FeatureGroup::Hand => &KINDS[..self.places().len()],
            FeatureGroup::Attacks | FeatureGroup::Distance => &KINGS,
        }
    }
}

/// The full name of the weight with this index, such as `hand.pawn`. Panics if the index is
/// [`WEIGHTS`] or more.
pub fn weight_name(place: usize) -> String {
    let group = FeatureGroup::ALL.into_iter().find(|group| group.places().contains(&place));
    let group = group.expect("the index should be below WEIGHTS");
    format!("{}.{}", group.name(), group.weight_names()[place - group.places().start])
}
