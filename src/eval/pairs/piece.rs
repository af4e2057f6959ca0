//! The pieces between which relations are.

use std::fmt;

use crate::eval::piece_list::places_of;
use crate::shogi::{Change, Color, Delta, Piece, PieceKind, Place, Position, Square};

/// A piece with its owner and square, or hand. Index order: kind, owner, square, the hand last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PairPiece(u16);

impl PairPiece {
    /// Squares and the hand.
    const PLACES: usize = Square::COUNT + 1;

    /// Number of pieces: 28 kinds with their owners, 82 places. King and promoted pieces are never
    /// in hand; pawns and the like are not on all squares.
    pub const COUNT: usize = 2 * PieceKind::COUNT * PairPiece::PLACES;

    /// No piece.
    pub const NONE: PairPiece = PairPiece(PairPiece::COUNT as u16);

    /// The piece in a place. Those of one kind in one hand are the same.
    #[inline]
    pub fn new(place: Place) -> PairPiece {
        let (color, kind, at) = match place {
            Place::Board(sq, Piece { color, kind }) => (color, kind, sq.index()),
            Place::Hand(color, held, _) => (color, held.kind(), Square::COUNT),
        };
        PairPiece(((2 * kind.index() + color.index()) * PairPiece::PLACES + at) as u16)
    }

    /// 0..=[`COUNT`](PairPiece::COUNT), the last being none.
    #[inline]
    pub fn index(self) -> usize {
        self.0.into()
    }

    /// All pieces in index order, those that cannot be among them.
    pub fn all() -> impl ExactSizeIterator<Item = PairPiece> {
        (0..PairPiece::COUNT).map(|index| PairPiece(index as u16))
    }

    /// Its kind and owner; `None` for no piece.
    pub fn piece(self) -> Option<Piece> {
        let kind = self.index() / PairPiece::PLACES;
        PieceKind::ALL.get(kind / 2).map(|&piece| Piece::new(Color::ALL[kind % 2], piece))
    }

    /// Its square; `None` in hand.
    pub fn square(self) -> Option<Square> {
        Square::from_index(self.index() % PairPiece::PLACES)
    }
}

/// As USI names it: `P7g`, `r*` for a rook in White's hand.
impl fmt::Display for PairPiece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(piece) = self.piece() else { return f.write_str("none") };
        match self.square() {
            Some(square) => write!(f, "{piece}{square}"),
            None => write!(f, "{piece}*"),
        }
    }
}

/// The pieces of a position, kings too. The order means nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairList([PairPiece; PairList::SLOTS]);

impl PairList {
    /// Pieces of a full set.
    pub const SLOTS: usize = 40;

    /// The list of a position, from scratch.
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

    /// The pieces; slots without one hold [`PairPiece::NONE`].
    #[inline]
    pub fn pieces(&self) -> &[PairPiece; PairList::SLOTS] {
        &self.0
    }

    /// A slot of a piece, 0..40.
    #[inline]
    pub fn slot(&self, piece: PairPiece) -> Option<usize> {
        self.0.iter().position(|&held| held == piece)
    }

    /// Puts a piece into a slot.
    #[inline]
    pub fn set(&mut self, slot: usize, piece: PairPiece) {
        self.0[slot] = piece;
    }

    /// Follows one change.
    #[inline]
    pub fn apply_change(&mut self, change: &Change) {
        if let Some(slot) = self.slot(PairPiece::new(change.before)) {
            self.set(slot, PairPiece::new(change.after));
        }
    }

    /// Follows a move.
    pub fn apply(&mut self, delta: &Delta) {
        delta.captured.iter().for_each(|change| self.apply_change(change));
        self.apply_change(&delta.moved);
    }
}
