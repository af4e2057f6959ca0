//! The list of all non-king pieces as indices, updated with every move.
//!
//! Sums of learned weights over pieces or pairs of pieces read this list. No other part of the
//! evaluation needs the places of the pieces.

use super::index::PieceIndex;
use crate::shogi::{Change, Color, Delta, HandPiece, Piece, PieceKind, Place, Position, Square};

/// The non-king pieces of a position, one slot each, in both sides' views. A piece keeps its slot
/// when it moves, is captured or is dropped. The order of the slots has no meaning.
#[derive(Clone, Debug)]
pub struct PieceList {
    /// Shape `[2][38]`: view (Black, White), slot. Slots without a piece hold [`PieceIndex::NONE`].
    indices: [[PieceIndex; PieceList::SLOTS]; 2],
    /// Slot of the piece in a place, by [`PieceIndex::place`] of its index in Black's view. Entries
    /// of empty places are stale and never read.
    slots: [u8; PieceIndex::PLACES],
}

impl PieceList {
    /// Number of non-king pieces in a full set.
    pub const SLOTS: usize = 38;

    /// Builds the list of a position from scratch.
    pub fn new(pos: &Position) -> PieceList {
        let mut list = PieceList {
            indices: [[PieceIndex::NONE; PieceList::SLOTS]; 2],
            slots: [0; PieceIndex::PLACES],
        };
        let index = |place| PieceIndex::new(place, Color::Black);
        for (slot, index) in places_of(pos).filter_map(index).enumerate() {
            list.fill(slot, index);
        }
        list
    }

    /// The indices as `view` sees them.
    #[inline]
    pub fn list(&self, view: Color) -> &[PieceIndex; PieceList::SLOTS] {
        &self.indices[view.index()]
    }

    /// The slot of the piece in a place, 0..38. Returns `None` for kings. The place must contain
    /// the piece.
    #[inline]
    pub fn slot(&self, place: Place) -> Option<usize> {
        PieceIndex::new(place, Color::Black).map(|index| self.slot_of(index))
    }

    /// The slot of the piece with this index in Black's view.
    #[inline]
    pub(super) fn slot_of(&self, index: PieceIndex) -> usize {
        usize::from(self.slots[index.place()])
    }

    /// Applies a move.
    pub fn apply(&mut self, delta: &Delta) {
        self.apply_changes(&PlaceChanges::of(delta));
    }

    /// Takes a move back.
    pub fn revert(&mut self, delta: &Delta) {
        self.revert_changes(&PlaceChanges::of(delta));
    }

    /// Applies the changes of a move.
    #[inline]
    pub(super) fn apply_changes(&mut self, changes: &PlaceChanges) {
        for &[before, after] in changes.as_slice() {
            self.fill(self.slot_of(before), after);
        }
    }

    /// Takes the changes of a move back.
    #[inline]
    pub(super) fn revert_changes(&mut self, changes: &PlaceChanges) {
        for &[before, after] in changes.as_slice().iter().rev() {
            self.fill(self.slot_of(after), before);
        }
    }

    /// Puts a piece, given as Black sees it, into a slot.
    #[inline]
    fn fill(&mut self, slot: usize, index: PieceIndex) {
        self.indices[Color::Black.index()][slot] = index;
        self.indices[Color::White.index()][slot] = index.turned();
        self.slots[index.place()] = slot as u8;
    }
}

/// The places before and after a move of each non-king piece that it changes: the captured piece,
/// whose square the mover takes over, then the moved one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PlaceChanges {
    places: [[PieceIndex; 2]; 2],
    count: u8,
}

impl PlaceChanges {
    /// The changes of a move, as Black sees them.
    #[inline]
    pub fn of(delta: &Delta) -> PlaceChanges {
        let mut changes = PlaceChanges::default();
        for Change { before, after } in delta.captured.iter().chain([&delta.moved]) {
            if let Some(before) = PieceIndex::new(*before, Color::Black)
                && let Some(after) = PieceIndex::new(*after, Color::Black)
            {
                changes.places[usize::from(changes.count)] = [before, after];
                changes.count += 1;
            }
        }
        changes
    }

    /// The same changes as `view` sees them.
    #[inline]
    pub fn seen_by(self, view: Color) -> PlaceChanges {
        let turned = |place: PieceIndex| place.turned();
        match view {
            Color::Black => self,
            Color::White => {
                PlaceChanges { places: self.places.map(|places| places.map(turned)), ..self }
            }
        }
    }

    /// The places of each piece before and after the move.
    #[inline]
    pub fn as_slice(&self) -> &[[PieceIndex; 2]] {
        &self.places[..usize::from(self.count)]
    }
}

/// Places of all non-king pieces of a position, in the order of a new list's slots.
pub fn places_of(pos: &Position) -> impl Iterator<Item = Place> {
    let on_board = pos.occupied().iter().filter_map(|sq| Some((sq, pos.piece_on(sq)?)));
    places(on_board, |color, held| pos.hand(color).count(held))
}

/// Places of all non-king pieces: those on the board in the given order, then those in hand.
/// `count` returns the number of pieces of a kind in a side's hand.
pub fn places(
    on_board: impl Iterator<Item = (Square, Piece)>,
    count: impl Fn(Color, HandPiece) -> u32,
) -> impl Iterator<Item = Place> {
    let held = Color::ALL.into_iter().flat_map(|color| HandPiece::ALL.map(|held| (color, held)));
    let in_hand = held.flat_map(move |(color, held)| {
        (1..=count(color, held)).map(move |n| Place::Hand(color, held, n))
    });
    let on_board = on_board.filter(|(_, piece)| piece.kind != PieceKind::King);
    on_board.map(|(sq, piece)| Place::Board(sq, piece)).chain(in_hand)
}
