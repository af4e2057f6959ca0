//! The list of all non-king pieces as indices, updated with every move.
//!
//! Sums of learned weights over pieces or pairs of pieces read this list. No other part of the
//! evaluation needs the places of the pieces.

use arrayvec::ArrayVec;

use super::index::PieceIndex;
use crate::shogi::{Change, Color, Delta, HandPiece, Piece, PieceKind, Place, Position, Square};

/// The non-king pieces of a position, one slot each, in both sides' views. A piece keeps its slot
/// when it moves, is captured or is dropped. The order of the slots has no meaning.
#[derive(Clone, Debug)]
pub struct PieceList {
    /// Shape `[2][38]`: view (Black, White), slot. Slots without a piece hold [`PieceIndex::NONE`].
    indices: [[PieceIndex; PieceList::SLOTS]; 2],
    /// Slot of the piece in a hand, by its index in Black's view. Entries of empty places are stale
    /// and never read.
    hand_slots: [u8; PieceIndex::HAND_COUNT],
    /// Slot of the piece on a square. Entries of empty squares are stale and never read.
    board_slots: [u8; Square::COUNT],
}

impl PieceList {
    /// Number of non-king pieces in a full set.
    pub const SLOTS: usize = 38;

    /// Builds the list of a position from scratch.
    pub fn new(pos: &Position) -> PieceList {
        let mut list = PieceList {
            indices: [[PieceIndex::NONE; PieceList::SLOTS]; 2],
            hand_slots: [0; PieceIndex::HAND_COUNT],
            board_slots: [0; Square::COUNT],
        };
        for (slot, place) in places_of(pos).enumerate() {
            list.fill(slot, place);
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
        let slot = match place {
            Place::Board(_, Piece { kind: PieceKind::King, .. }) => return None,
            Place::Board(sq, _) => self.board_slots[sq.index()],
            Place::Hand(color, held, n) => self.hand_slots[hand_index(color, held, n)],
        };
        Some(usize::from(slot))
    }

    /// Applies a move.
    #[inline]
    pub fn apply(&mut self, delta: &Delta) {
        // The captured piece is first, because the mover takes over its square.
        if let Some(Change { before, after }) = delta.captured {
            self.relocate(before, after);
        }
        self.relocate(delta.moved.before, delta.moved.after);
    }

    /// Takes a move back.
    #[inline]
    pub fn revert(&mut self, delta: &Delta) {
        self.relocate(delta.moved.after, delta.moved.before);
        if let Some(Change { before, after }) = delta.captured {
            self.relocate(after, before);
        }
    }

    /// Moves a piece to another place. Kings have no slot.
    #[inline]
    fn relocate(&mut self, from: Place, to: Place) {
        if let Some(slot) = self.slot(from) {
            self.fill(slot, to);
        }
    }

    /// Puts a non-king piece into a slot.
    #[inline]
    fn fill(&mut self, slot: usize, place: Place) {
        for view in Color::ALL {
            match PieceIndex::new(place, view) {
                Some(index) => self.indices[view.index()][slot] = index,
                None => return,
            }
        }
        match place {
            Place::Board(sq, _) => self.board_slots[sq.index()] = slot as u8,
            Place::Hand(color, held, n) => {
                self.hand_slots[hand_index(color, held, n)] = slot as u8;
            }
        }
    }
}

/// Places before and after a move; see [`changed_places`].
pub(super) type PlaceChanges = ArrayVec<[PieceIndex; 2], 2>;

/// The places before and after a move, as `view` sees them, of each non-king piece that it changes:
/// the captured piece, then the moved one.
#[inline]
pub(super) fn changed_places(delta: &Delta, view: Color) -> PlaceChanges {
    let mut changes = PlaceChanges::new();
    for Change { before, after } in delta.captured.iter().chain([&delta.moved]) {
        if let Some(before) = PieceIndex::new(*before, view)
            && let Some(after) = PieceIndex::new(*after, view)
        {
            changes.push([before, after]);
        }
    }
    changes
}

#[inline]
fn hand_index(color: Color, held: HandPiece, n: u32) -> usize {
    match PieceIndex::new(Place::Hand(color, held, n), Color::Black) {
        Some(index) => index.index(),
        None => unreachable!("every piece in hand has an index"),
    }
}

/// Places of all non-king pieces of a position, in the order of a new list's slots.
pub(super) fn places_of(pos: &Position) -> impl Iterator<Item = Place> {
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
