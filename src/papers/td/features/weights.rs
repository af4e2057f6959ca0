//! The weights, prepared for the evaluation of positions.

use super::counts::{self, ATTACKS, FeatureCounts, KINDS, NEAR, TERMS, distance, nearness};
use super::group::{FeatureGroup, WEIGHTS};
use crate::eval::material::PieceValues;
use crate::shogi::{Change, Color, Delta, Place, Position, Square};

/// Value units per centipawn.
pub const UNIT: i32 = 256;

/// Share of a piece's value for a weight of 1 of [`FeatureGroup::Distance`].
const SHARE: f64 = 0.001;

/// The weights of all features.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureWeights {
    weights: [f64; WEIGHTS],
    /// The weight of each count, in units.
    terms: [i32; TERMS],
    /// The values of the pieces, rounded.
    values: PieceValues,
}

impl FeatureWeights {
    /// Largest absolute value of a weight. Sums over 40 pieces then fit in 32 bits.
    pub const LARGEST: f64 = 10_000.0;

    /// Creates weights in the order of [`FeatureGroup::ALL`]. They are in centipawns; those of
    /// [`FeatureGroup::Distance`] are in tenths of a percent of a piece's value. All are clamped to
    /// +-[`LARGEST`](FeatureWeights::LARGEST).
    pub fn new(weights: [f64; WEIGHTS]) -> FeatureWeights {
        let largest = FeatureWeights::LARGEST;
        let weights = weights.map(|weight| weight.clamp(-largest, largest));
        let [own, enemy] = [0, 1].map(|row| weights[FeatureGroup::Distance.places().start + row]);
        let units = |value: f64| (value.clamp(-largest, largest) * f64::from(UNIT)).round() as i32;
        let mut terms = [0; TERMS];
        for (term, &weight) in terms[..NEAR].iter_mut().zip(&weights) {
            *term = units(weight);
        }
        for kind in 0..KINDS {
            terms[NEAR + kind] = units(weights[kind] * SHARE * own);
            terms[NEAR + KINDS + kind] = units(weights[kind] * SHARE * enemy);
        }
        FeatureWeights { weights, terms, values: piece_values(&weights) }
    }

    /// The weights in the order of [`FeatureGroup::ALL`].
    pub fn weights(&self) -> &[f64; WEIGHTS] {
        &self.weights
    }

    /// The values of the pieces, in whole centipawns.
    pub fn piece_values(&self) -> &PieceValues {
        &self.values
    }

    /// The value of a position with these counts: eq. (4), in units, from the view of the counts.
    #[inline]
    pub fn value(&self, counts: &FeatureCounts) -> i32 {
        self.terms.iter().zip(&counts.0).map(|(term, count)| term * count).sum()
    }

    /// The features x of eq. (4). The value is the sum of each feature times its weight.
    pub fn features(&self, counts: &FeatureCounts) -> [f64; WEIGHTS] {
        let mut features = [0.0; WEIGHTS];
        for (feature, &count) in features[..NEAR].iter_mut().zip(&counts.0) {
            *feature = f64::from(count);
        }
        for (row, place) in FeatureGroup::Distance.places().enumerate() {
            let near = &counts.0[NEAR + row * KINDS..][..KINDS];
            let value =
                near.iter().zip(&self.weights).map(|(&count, value)| f64::from(count) * value);
            features[place] = SHARE * value.sum::<f64>();
        }
        features
    }

    /// The derivatives of the value with respect to the weights. They equal the features, except
    /// that those for the board values also contain a term of the distance features.
    pub fn gradient(&self, counts: &FeatureCounts) -> [f64; WEIGHTS] {
        let mut gradient = self.features(counts);
        for (row, place) in FeatureGroup::Distance.places().enumerate() {
            let near = &counts.0[NEAR + row * KINDS..][..KINDS];
            for (derivative, &count) in gradient.iter_mut().zip(near) {
                *derivative += SHARE * self.weights[place] * f64::from(count);
            }
        }
        gradient
    }

    /// The [`value`](FeatureWeights::value) of a position without the attacked squares, in units,
    /// from Black's view, computed from scratch.
    pub fn standing(&self, pos: &Position) -> i32 {
        self.value(&counts::standing(pos, Color::Black))
    }

    /// Change of [`standing`](FeatureWeights::standing) by a move of this position. `None` for
    /// moves of kings, which change all distances.
    #[inline]
    pub fn standing_change(&self, pos: &Position, delta: &Delta) -> Option<i32> {
        if delta.king_move().is_some() {
            return None;
        }
        let kings = Color::ALL.map(|color| pos.king(color));
        let of = |place| self.of_place(place) + self.near_kings(place, kings);
        let change = |change: &Change| of(change.after) - of(change.before);
        Some(change(&delta.moved) + delta.captured.as_ref().map_or(0, change))
    }

    /// The term of the attacked squares, which [`standing`](FeatureWeights::standing) does not
    /// include, in units, from Black's view.
    #[inline]
    pub fn attacks(&self, pos: &Position) -> i32 {
        let [own, enemy] = counts::attacked(pos, Color::Black);
        self.terms[ATTACKS] * own + self.terms[ATTACKS + 1] * enemy
    }

    /// Largest absolute value that [`attacks`](FeatureWeights::attacks) can return.
    pub fn largest_attacks(&self) -> i32 {
        8 * (self.terms[ATTACKS].abs() + self.terms[ATTACKS + 1].abs())
    }

    /// Value of a piece without its distances to the kings, in units, from Black's view.
    #[inline]
    fn of_place(&self, place: Place) -> i32 {
        PieceValues::number(place).map_or(0, |term| place.color().sign() * self.terms[term])
    }

    /// Value of a piece by its distances to Black's king and White's king alone, in units, from
    /// Black's view.
    #[inline]
    pub(super) fn near_kings(&self, place: Place, kings: [Option<Square>; 2]) -> i32 {
        let Place::Board(sq, piece) = place else { return 0 };
        let Some(kind) = PieceValues::board_number(piece.kind) else { return 0 };
        let of = |row: usize, owner: Color| {
            let near = kings[owner.index()].map_or(0, |king| nearness(distance(sq, king)));
            self.terms[NEAR + row * KINDS + kind] * near
        };
        piece.color.sign() * (of(0, piece.color) + of(1, !piece.color))
    }
}

fn piece_values(weights: &[f64; WEIGHTS]) -> PieceValues {
    PieceValues::from_array(&std::array::from_fn(|number| weights[number].round() as i32))
}

/// The counts before the rows of distance are the features with the same indices.
const _: () = assert!(ATTACKS == FeatureGroup::Attacks.places().start);
const _: () = assert!(NEAR == FeatureGroup::Distance.places().start);
