//! Pieces in hand at the start that a record gives piece by piece.

use crate::shogi::{BoardContent, Color, HandPiece};

/// Adds to a hand. Absurd counts are cut to ones that are still absurd.
pub(super) fn hold(setup: &mut BoardContent, color: Color, held: HandPiece, count: u32) {
    let place = &mut setup.hands[color.index()][held.index()];
    *place = (*place + count.min(99)).min(99);
}

/// Gives a side everything that the set has beyond board and hands.
pub(super) fn hold_rest(setup: &mut BoardContent, color: Color) {
    for held in HandPiece::ALL {
        hold(setup, color, held, held.set_size().saturating_sub(setup.count(held)));
    }
}
