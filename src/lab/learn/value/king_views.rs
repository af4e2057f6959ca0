//! Numbers of places as their pieces' owners see them.

use std::sync::LazyLock;

use crate::eval::PieceIndex;
use crate::eval::learned::KingView;
use crate::shogi::{Color, Place, Square};

/// Number of squares of the own king in a normalized view.
pub(super) const KINGS: usize = KingView::KINGS;
/// Number of pairs of king squares in a normalized view.
pub(super) const KING_PAIRS: usize = KingView::PAIRS;
/// Number of piece indices.
pub(super) const PIECES: usize = PieceIndex::COUNT;
/// Number of places of a piece as its owner sees them.
pub(super) const PLACES: usize = PIECES / 2;

/// By piece index: twice the number of the place as the piece's owner sees it (0..774), plus 1 for
/// enemy pieces. 0 for indices that stand for no piece.
pub(super) static CODES: LazyLock<[u16; PIECES]> = LazyLock::new(|| {
    let mut codes = [0; PIECES];
    let own = PieceIndex::all().filter(|index| index.to_place(Color::Black).is_some_and(is_black));
    for (index, number) in own.zip(0..) {
        codes[index.index()] = 2 * number;
        codes[index.turned().index()] = 2 * number + 1;
    }
    codes
});

/// The kings as both sides see them.
#[derive(Clone, Copy, Debug)]
pub(super) struct KingViews {
    /// A side's normalized view.
    pub here: KingView,
    /// The other side's of the same board.
    pub there: KingView,
}

impl KingViews {
    /// The views of a side that sees the kings on these squares, and of the other side.
    pub fn new(own: Square, enemy: Square) -> KingViews {
        KingViews {
            here: KingView::from_own_view(own, enemy),
            there: KingView::from_own_view(enemy.flip(), own.flip()),
        }
    }

    /// Those of all pairs of king squares in the order of [`KingView::pair`].
    pub fn all() -> impl Iterator<Item = KingViews> {
        let own = Square::all().take(KINGS);
        own.flat_map(|own| Square::all().map(move |enemy| KingViews::new(own, enemy)))
    }

    /// What a piece, as `here` sees it, is worth to both sides together: here less there.
    pub fn antisymmetric(
        self,
        piece: PieceIndex,
        weight: impl Fn(KingView, PieceIndex) -> f32,
    ) -> f32 {
        let seen = self.there.normal(piece.turned());
        weight(self.here, self.here.normal(piece)) - weight(self.there, seen)
    }
}

fn is_black(place: Place) -> bool {
    match place {
        Place::Board(_, piece) => piece.color == Color::Black,
        Place::Hand(color, _, _) => color == Color::Black,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_distinct_and_turn_in_the_last_bit() {
        let mut seen = [false; PIECES];
        for index in PieceIndex::all().filter(|index| index.to_place(Color::Black).is_some()) {
            let code = CODES[index.index()];
            assert_eq!(CODES[index.turned().index()], code ^ 1);
            assert!(usize::from(code / 2) < PLACES);
            assert!(!std::mem::replace(&mut seen[usize::from(code)], true));
        }
    }
}
