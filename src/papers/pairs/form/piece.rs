//! The pieces that relations connect.

use std::fmt;

use crate::eval::places_of;
use crate::shogi::{Change, Color, Delta, Piece, PieceKind, Place, Position, Square};

/// A piece with its owner and its square or hand. Index order: kind, owner, square; the hand comes
/// last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PairPiece(u16);

impl PairPiece {
    /// Number of squares plus the hand.
    const PLACES: usize = Square::COUNT + 1;

    /// Number of pieces: 28 kinds with their owners, times 82 places. Includes impossible ones:
    /// kings and promoted pieces are never in hand, and pawns, for example, are not on all squares.
    pub const COUNT: usize = 2 * PieceKind::COUNT * PairPiece::PLACES;

    /// The empty slot.
    pub const NONE: PairPiece = PairPiece(PairPiece::COUNT as u16);

    /// The piece in a place. Pieces of one kind in one hand are equal.
    #[inline]
    pub fn new(place: Place) -> PairPiece {
        let (color, kind, at) = match place {
            Place::Board(sq, Piece { color, kind }) => (color, kind, sq.index()),
            Place::Hand(color, held, _) => (color, held.kind(), Square::COUNT),
        };
        PairPiece(((2 * kind.index() + color.index()) * PairPiece::PLACES + at) as u16)
    }

    /// The index, 0..=[`COUNT`](PairPiece::COUNT). The last one is [`NONE`](PairPiece::NONE).
    #[inline]
    pub fn index(self) -> usize {
        self.0.into()
    }

    /// All pieces in index order, including impossible ones.
    pub fn all() -> impl ExactSizeIterator<Item = PairPiece> {
        (0..PairPiece::COUNT).map(|index| PairPiece(index as u16))
    }

    /// The kind and owner. `None` for the empty slot.
    pub fn piece(self) -> Option<Piece> {
        let kind = self.index() / PairPiece::PLACES;
        PieceKind::ALL.get(kind / 2).map(|&piece| Piece::new(Color::ALL[kind % 2], piece))
    }

    /// The square. `None` in hand.
    pub fn square(self) -> Option<Square> {
        Square::from_index(self.index() % PairPiece::PLACES)
    }
}

/// Formats as in USI: `P7g`, or `r*` for a rook in White's hand.
impl fmt::Display for PairPiece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(piece) = self.piece() else { return f.write_str("none") };
        match self.square() {
            Some(square) => write!(f, "{piece}{square}"),
            None => write!(f, "{piece}*"),
        }
    }
}

/// The pieces of a position, including kings. The order has no meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairList([PairPiece; PairList::SLOTS]);

impl PairList {
    /// Number of pieces in a full set.
    pub const SLOTS: usize = 40;

    /// Builds the list of a position from scratch.
    pub fn new(pos: &Position) -> PairList {
        let king = |color| {
            let square = pos.king(color)?;
            Some(Place::Board(square, Piece::new(color, PieceKind::King)))
        };
        let kings = Color::ALL.into_iter().filter_map(king);
        let mut list = PairList([PairPiece::NONE; PairList::SLOTS]);
        for (slot, place) in list.0.iter_mut().zip(kings.chain(places_of(pos))) {
            *slot = PairPiece::new(place);
        }
        list
    }

    /// The pieces. Empty slots contain [`PairPiece::NONE`].
    #[inline]
    pub fn pieces(&self) -> &[PairPiece; PairList::SLOTS] {
        &self.0
    }

    /// A slot that contains the piece, 0..40.
    #[inline]
    pub fn slot(&self, piece: PairPiece) -> Option<usize> {
        self.0.iter().position(|&held| held == piece)
    }

    /// Puts a piece into a slot.
    #[inline]
    pub fn set(&mut self, slot: usize, piece: PairPiece) {
        self.0[slot] = piece;
    }

    /// Applies one change.
    #[inline]
    pub fn apply_change(&mut self, change: &Change) {
        if let Some(slot) = self.slot(PairPiece::new(change.before)) {
            self.set(slot, PairPiece::new(change.after));
        }
    }

    /// Applies a move.
    pub fn apply(&mut self, delta: &Delta) {
        delta.captured.iter().for_each(|change| self.apply_change(change));
        self.apply_change(&delta.moved);
    }
}
