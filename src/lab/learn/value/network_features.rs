//! The features of a network's first layer: the pieces, the enemy king and the own king.

use super::batch::PreparedSample;
use super::king_views::{KINGS, PIECES};
use crate::shogi::Square;

/// First row of the enemy king's squares, and of the own king's.
const ENEMY_KING: usize = PIECES;
pub(super) const OWN_KING: usize = ENEMY_KING + Square::COUNT;
/// Number of features.
pub(super) const FEATURES: usize = OWN_KING + KINGS;
/// Rows of all features but the own king's square.
pub(super) const ROWS: usize = OWN_KING;

/// The rows of a side's pieces and the enemy king.
#[inline]
pub(super) fn rows_of_pieces(sample: &PreparedSample, side: usize) -> impl Iterator<Item = usize> {
    let [enemy_king, _] = kings(sample, side);
    sample.pieces(side).iter().map(|piece| piece.index()).chain([enemy_king])
}

/// The rows of the enemy's and the own king in a side's view.
#[inline]
pub(super) fn kings(sample: &PreparedSample, side: usize) -> [usize; 2] {
    let kings = sample.sides[side].kings;
    [ENEMY_KING + kings.enemy(), OWN_KING + kings.king()]
}
