//! Pieces in hand of a start position that a record lists piece by piece.

use crate::shogi::{BoardContent, Color, HandPiece};

/// Adds pieces to a hand. Counts are capped at 99, which the position check still refuses.
pub(super) fn hold(setup: &mut BoardContent, color: Color, held: HandPiece, count: u32) {
    let place = &mut setup.hands[color.index()][held.index()];
    *place = (*place + count.min(99)).min(99);
}

/// Gives a side all remaining pieces of the set.
pub(super) fn hold_rest(setup: &mut BoardContent, color: Color) {
    for held in HandPiece::ALL {
        hold(setup, color, held, held.set_size().saturating_sub(setup.count(held)));
    }
}
