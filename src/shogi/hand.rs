//! Pieces in hand, packed into one word.

use std::fmt;

use super::HandPiece;

/// The pieces in hand of one side. Each kind has its own bit field followed by a spare bit. A
/// single subtraction then tests whether one hand holds at least as many of every kind as another.
///
/// Layout, low bit first: pawns 5 bits; lance, knight, silver and gold 3 bits each; bishop and rook
/// 2 bits each. One spare bit follows each field.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Hand(u32);

const SHIFT: [u32; 7] = [0, 6, 10, 14, 18, 22, 25];
const MASK: [u32; 7] = [31, 7, 7, 7, 7, 3, 3];
const SPARE: u32 = 1 << 5 | 1 << 9 | 1 << 13 | 1 << 17 | 1 << 21 | 1 << 24 | 1 << 27;

impl Hand {
    /// An empty hand.
    pub const EMPTY: Hand = Hand(0);

    /// Number of `piece` in hand.
    pub const fn count(self, piece: HandPiece) -> u32 {
        self.0 >> SHIFT[piece.index()] & MASK[piece.index()]
    }

    /// Whether the hand has at least one `piece`.
    pub const fn has(self, piece: HandPiece) -> bool {
        self.0 & MASK[piece.index()] << SHIFT[piece.index()] != 0
    }

    /// Whether the hand is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the hand has any piece other than pawns.
    pub const fn has_non_pawn(self) -> bool {
        self.0 >> SHIFT[1] != 0
    }

    /// Whether the hand has a piece that can be dropped on every empty square: silver, gold, bishop
    /// or rook.
    pub const fn has_unrestricted(self) -> bool {
        self.0 >> SHIFT[3] != 0
    }

    /// The hand with one more `piece`. The caller must not exceed the bit field, which can store at
    /// least [`HandPiece::set_size`] pieces.
    #[inline]
    pub const fn with(self, piece: HandPiece) -> Hand {
        debug_assert!(self.count(piece) < MASK[piece.index()]);
        Hand(self.0 + (1 << SHIFT[piece.index()]))
    }

    /// The hand with one `piece` less. The hand must have one.
    #[inline]
    pub const fn without(self, piece: HandPiece) -> Hand {
        debug_assert!(self.has(piece));
        Hand(self.0 - (1 << SHIFT[piece.index()]))
    }

    /// Whether this hand has at least as many pieces of every kind as `other`.
    pub const fn is_superior_or_equal(self, other: Hand) -> bool {
        self.0.wrapping_sub(other.0) & SPARE == 0
    }

    /// The larger count of each kind.
    pub fn most(self, other: Hand) -> Hand {
        self.merge(other, |piece| self.count(piece) >= other.count(piece))
    }

    /// The smaller count of each kind.
    pub fn least(self, other: Hand) -> Hand {
        self.merge(other, |piece| self.count(piece) <= other.count(piece))
    }

    /// The sum of both hands. The caller must not exceed a full set.
    pub const fn joined(self, other: Hand) -> Hand {
        Hand(self.0 + other.0)
    }

    /// The pieces of the kinds that `other` has as well.
    pub fn of_kinds_in(self, other: Hand) -> Hand {
        self.merge(Hand::EMPTY, |piece| other.has(piece))
    }

    /// The pieces of the kinds that `other` does not have.
    pub fn of_kinds_not_in(self, other: Hand) -> Hand {
        self.merge(Hand::EMPTY, |piece| !other.has(piece))
    }

    /// This hand's count for the kinds for which `is_own` is true, the other's count for the rest.
    fn merge(self, other: Hand, is_own: impl Fn(HandPiece) -> bool) -> Hand {
        HandPiece::ALL.into_iter().fold(Hand::EMPTY, |sum, piece| {
            let count = if is_own(piece) { self } else { other }.count(piece);
            Hand(sum.0 | count << SHIFT[piece.index()])
        })
    }

    /// Kinds in hand with their counts, pawn first.
    pub fn iter(self) -> impl Iterator<Item = (HandPiece, u32)> {
        HandPiece::ALL.into_iter().filter(move |&p| self.has(p)).map(move |p| (p, self.count(p)))
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_are_counted_and_compared() {
        let mut hand = Hand::EMPTY;
        for piece in HandPiece::ALL {
            for n in 0..piece.set_size() {
                assert_eq!(hand.count(piece), n);
                let more = hand.with(piece);
                assert!(more.is_superior_or_equal(hand));
                assert!(!hand.is_superior_or_equal(more));
                assert_eq!(more.without(piece), hand);
                hand = more;
            }
        }
        let (pawn, rook) = (Hand::EMPTY.with(HandPiece::Pawn), Hand::EMPTY.with(HandPiece::Rook));
        assert!(!pawn.is_superior_or_equal(rook) && !rook.is_superior_or_equal(pawn));
        assert!(!pawn.has_non_pawn() && rook.has_non_pawn());
    }
}
