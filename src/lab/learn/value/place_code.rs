//! Places of pieces from their owners' views.

use std::sync::LazyLock;

use crate::eval::PieceIndex;
use crate::shogi::{Color, Place};

/// Number of places of a piece from its owner's view.
pub(super) const PLACES: usize = PieceIndex::COUNT / 2;

/// A piece's place from its owner's view, and whether the piece is own or enemy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PlaceCode(u16);

/// Codes by piece index; the first code for indices that represent no piece.
static CODES: LazyLock<[PlaceCode; PieceIndex::COUNT]> = LazyLock::new(|| {
    let mut codes = [PlaceCode(0); PieceIndex::COUNT];
    let is_own = |place: Place| place.color() == Color::Black;
    let own = PieceIndex::all().filter(|index| index.to_place(Color::Black).is_some_and(is_own));
    for (index, number) in own.zip(0..) {
        codes[index.index()] = PlaceCode(2 * number);
        codes[index.turned().index()] = PlaceCode(2 * number + 1);
    }
    codes
});

impl PlaceCode {
    /// The code of a piece.
    #[inline]
    pub fn of(piece: PieceIndex) -> PlaceCode {
        CODES[piece.index()]
    }

    /// The code with this [`number`](PlaceCode::number).
    pub const fn from_number(number: u16) -> PlaceCode {
        PlaceCode(number)
    }

    /// Twice the place, plus 1 for enemy pieces: `0..2 * PLACES`.
    pub const fn number(self) -> u16 {
        self.0
    }

    /// The place, `0..PLACES`.
    #[inline]
    pub fn place(self) -> usize {
        usize::from(self.0 / 2)
    }

    /// Whether it is an enemy piece.
    #[inline]
    pub fn is_enemy(self) -> bool {
        self.0 % 2 == 1
    }

    /// Twice the place, plus 1 if the owner is not that of `other`.
    #[inline]
    pub fn paired_with(self, other: PlaceCode) -> usize {
        usize::from(self.0 ^ (other.0 % 2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_distinct_and_turn_in_the_last_bit() {
        let mut seen = [false; PieceIndex::COUNT];
        for index in PieceIndex::all().filter(|index| index.to_place(Color::Black).is_some()) {
            let code = PlaceCode::of(index);
            assert_eq!(PlaceCode::of(index.turned()).number(), code.number() ^ 1);
            assert!(code.place() < PLACES);
            assert!(!std::mem::replace(&mut seen[usize::from(code.number())], true));
        }
    }
}
