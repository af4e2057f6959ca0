//! The record of a line of moves, for evaluations that compute their sums only when a value is
//! needed.

use super::material;
use super::piece_list::{PieceList, SlotChanges};
use crate::shogi::{Color, Delta, Position, Square};

/// The positions of a line. `S`: what the evaluation has computed for a position; the default is
/// nothing.
#[derive(Clone, Debug)]
pub(super) struct RecordedLine<S> {
    /// The pieces of the current position.
    pub list: PieceList,
    /// One entry per position, oldest first. Never empty.
    pub positions: Vec<RecordedPosition<S>>,
}

/// One position of the line.
#[derive(Clone, Debug)]
pub(super) struct RecordedPosition<S> {
    pub side: Color,
    /// Squares of Black's and White's king.
    pub kings: [Option<Square>; 2],
    /// Material balance, from Black's view.
    pub balance: i32,
    /// The move that led to this position. `None` after a null move and at the start.
    delta: Option<Delta>,
    /// The slots that the move changed.
    pub changes: SlotChanges,
    /// The side whose king moved.
    pub king_moved: Option<Color>,
    pub sums: S,
}

impl<S: Copy + Default> RecordedLine<S> {
    /// Length of the longest line that needs no reallocation.
    pub const RESERVED: usize = 256;

    /// Creates a line that starts at `pos`.
    pub fn new(pos: &Position) -> RecordedLine<S> {
        let mut positions = Vec::with_capacity(RecordedLine::<S>::RESERVED);
        positions.push(RecordedPosition {
            side: pos.side_to_move(),
            kings: Color::ALL.map(|color| pos.king(color)),
            balance: material::balance(pos),
            delta: None,
            changes: SlotChanges::new(),
            king_moved: None,
            sums: S::default(),
        });
        RecordedLine { list: PieceList::new(pos), positions }
    }

    /// The current position.
    #[inline]
    pub fn top(&self) -> &RecordedPosition<S> {
        self.positions.last().expect("the line is never empty")
    }

    /// Pushes the position after a move.
    #[inline]
    pub fn push(&mut self, delta: &Delta) {
        let top = self.top();
        let (mover, mut kings, balance) = (top.side, top.kings, top.balance);
        let king_move = delta.king_move();
        if king_move.is_some() {
            kings[mover.index()] = king_move;
        }
        let changes = self.list.apply(delta);
        self.positions.push(RecordedPosition {
            side: !mover,
            kings,
            balance: balance + material::delta_value(delta),
            delta: Some(*delta),
            changes,
            king_moved: king_move.map(|_| mover),
            sums: S::default(),
        });
    }

    /// Pushes the position after a null move: only the side to move changes.
    #[inline]
    pub fn push_null(&mut self) {
        let top = self.top();
        self.positions.push(RecordedPosition {
            side: !top.side,
            delta: None,
            changes: SlotChanges::new(),
            king_moved: None,
            ..*top
        });
    }

    /// Pops the last position. Panics if no move was pushed.
    #[inline]
    pub fn pop(&mut self) {
        assert!(self.positions.len() > 1, "no move to take back");
        if let Some(delta) = self.positions.pop().and_then(|position| position.delta) {
            self.list.revert(&delta);
        }
    }

    /// Material balance of the current position from `side`'s view.
    #[inline]
    pub fn material(&self, side: Color) -> i32 {
        side.sign() * self.top().balance
    }
}

impl<S> RecordedPosition<S> {
    /// Both kings' squares. `None` if a king is missing.
    #[inline]
    pub fn both_kings(&self) -> Option<[Square; 2]> {
        let [Some(black), Some(white)] = self.kings else { return None };
        Some([black, white])
    }
}
