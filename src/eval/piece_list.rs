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

    /// Applies a move. Returns the changed slots.
    #[inline]
    pub fn apply(&mut self, delta: &Delta) -> SlotChanges {
        let mut changes = SlotChanges::new();
        // The captured piece is first, because the mover takes over its square.
        if let Some(Change { before, after }) = delta.captured {
            changes.extend(self.relocate(before, after));
        }
        changes.extend(self.relocate(delta.moved.before, delta.moved.after));
        changes
    }

    /// Takes a move back.
    #[inline]
    pub fn revert(&mut self, delta: &Delta) {
        self.relocate(delta.moved.after, delta.moved.before);
        if let Some(Change { before, after }) = delta.captured {
            self.relocate(after, before);
        }
    }

    /// Sets the slots of a move to their content before it. Does not update the slots of the
    /// places. The caller must [`redo`](PieceList::redo) the move before the next one.
    #[inline]
    pub fn undo(&mut self, changes: &SlotChanges) {
        changes.iter().for_each(|change| self.set(change.slot, change.before));
    }

    /// Reverses [`undo`](PieceList::undo).
    #[inline]
    pub fn redo(&mut self, changes: &SlotChanges) {
        changes.iter().for_each(|change| self.set(change.slot, change.after));
    }

    #[inline]
    fn set(&mut self, slot: u8, content: [PieceIndex; 2]) {
        for view in Color::ALL {
            self.indices[view.index()][usize::from(slot)] = content[view.index()];
        }
    }

    /// What a slot contains, as Black and White see it.
    #[inline]
    fn content(&self, slot: usize) -> [PieceIndex; 2] {
        Color::ALL.map(|view| self.indices[view.index()][slot])
    }

    /// Moves a piece to another place. Returns `None` for kings, which have no slot.
    #[inline]
    fn relocate(&mut self, from: Place, to: Place) -> Option<SlotChange> {
        let slot = self.slot(from)?;
        let before = self.content(slot);
        self.fill(slot, to);
        Some(SlotChange { slot: slot as u8, before, after: self.content(slot) })
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

/// A slot whose piece moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotChange {
    /// The slot, 0..38.
    pub slot: u8,
    /// The content of the slot before the move, as Black and White see it.
    pub before: [PieceIndex; 2],
    /// The content after the move.
    pub after: [PieceIndex; 2],
}

/// The slots that one move changes: those of the captured piece and of the mover.
pub type SlotChanges = ArrayVec<SlotChange, 2>;

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
