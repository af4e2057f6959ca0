//! The weights of all features, and the ratings of moves.

use arrayvec::ArrayVec;

use super::features::{FEATURES, RatedPosition};
use crate::shogi::{MAX_MOVES, Move, Position};

/// The weights of all features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveRatings {
    /// Weights in units of 1 / [`UNIT`]. Shape [`FEATURES`].
    weights: Vec<i16>,
}

/// Weight units per rating of 1. A rating that is higher by 1 makes a move e times as probable.
pub const UNIT: i32 = 1024;

/// Moves with their ratings.
pub type RatedMoves = ArrayVec<(Move, f32), MAX_MOVES>;

impl MoveRatings {
    /// Creates ratings from weights in units. Returns `None` unless the length is [`FEATURES`].
    pub fn new(weights: Vec<i16>) -> Option<MoveRatings> {
        (weights.len() == FEATURES).then_some(MoveRatings { weights })
    }

    /// Rounds weights, and clamps those that are too large.
    pub fn from_reals(weights: &[f32]) -> Option<MoveRatings> {
        let limit = f32::from(i16::MAX);
        let round = |weight: &f32| (weight * UNIT as f32).round().clamp(-limit, limit) as i16;
        MoveRatings::new(weights.iter().map(round).collect())
    }

    /// The weights in units.
    pub fn weights(&self) -> &[i16] {
        &self.weights
    }

    /// Rates moves of a position.
    pub fn rate(&self, pos: &Position, moves: &[Move]) -> RatedMoves {
        let position = RatedPosition::new(pos);
        let rate = |mv: Move| {
            let mut sum = 0;
            position.each_feature(mv, |feature| sum += i32::from(self.weights[feature]));
            sum as f32 / UNIT as f32
        };
        moves.iter().map(|&mv| (mv, rate(mv))).collect()
    }
}
