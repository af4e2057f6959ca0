//! The record of a line of moves, for evaluations that compute their sums only when a value is
//! needed.

use super::material::PieceValues;
use super::piece_list::{PieceList, PlaceChanges};
use crate::shogi::{Color, Delta, Position, Square};

/// The positions of a line. `S`: what the evaluation has computed for a position; the default is
/// nothing.
#[derive(Clone, Debug)]
pub(super) struct RecordedLine<S> {
    values: PieceValues,
    /// One entry per position, oldest first. Never empty.
    pub positions: Vec<RecordedPosition<S>>,
    /// The pieces of the position `list_at`. The list follows the line only when it is read.
    list: PieceList,
    list_at: usize,
}

/// One position of the line.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordedPosition<S> {
    pub side: Color,
    /// Squares of Black's and White's king.
    pub kings: [Option<Square>; 2],
    /// Material balance, from Black's view.
    pub balance: i32,
    /// The changes by the move that led to this position, as Black sees them.
    changes: PlaceChanges,
    /// The side whose king moved.
    pub king_moved: Option<Color>,
    /// For each view, the position that stores its accumulator. `None` until it is computed.
    pub accumulators: [Option<u32>; 2],
    pub sums: S,
}

impl<S: Copy + Default> RecordedLine<S> {
    /// Length of the longest line that needs no reallocation.
    pub const RESERVED: usize = 256;

    /// Creates a line that starts at `pos`. `values`: for the material balance.
    pub fn new(values: PieceValues, pos: &Position) -> RecordedLine<S> {
        let mut positions = Vec::with_capacity(RecordedLine::<S>::RESERVED);
        positions.push(RecordedPosition {
            side: pos.side_to_move(),
            kings: Color::ALL.map(|color| pos.king(color)),
            balance: values.balance(pos),
            changes: PlaceChanges::default(),
            king_moved: None,
            accumulators: [None; 2],
            sums: S::default(),
        });
        RecordedLine { values, positions, list: PieceList::new(pos), list_at: 0 }
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
        self.positions.push(RecordedPosition {
            side: !mover,
            kings,
            balance: balance + self.values.of_delta(delta),
            changes: PlaceChanges::of(delta),
            king_moved: king_move.map(|_| mover),
            accumulators: [None; 2],
            sums: S::default(),
        });
    }

    /// Pushes the position after a null move: only the side to move changes.
    #[inline]
    pub fn push_null(&mut self) {
        let top = *self.top();
        self.positions.push(RecordedPosition {
            side: !top.side,
            changes: PlaceChanges::default(),
            king_moved: None,
            ..top
        });
    }

    /// Pops the last position. Panics if no move was pushed.
    #[inline]
    pub fn pop(&mut self) {
        assert!(self.positions.len() > 1, "no move to take back");
        if self.list_at == self.positions.len() - 1 {
            self.seek(self.list_at - 1);
        }
        self.positions.pop();
    }

    /// Material balance of the current position from `side`'s view.
    #[inline]
    pub fn material(&self, side: Color) -> i32 {
        side.sign() * self.top().balance
    }

    /// The places before and after the move that led to a position, of each non-king piece that it
    /// changed, as `view` sees them.
    #[inline]
    pub fn changes(&self, at: usize, view: Color) -> PlaceChanges {
        self.positions[at].changes.seen_by(view)
    }

    /// A sum of the current position that pieces change one by one. `known` selects where a
    /// position stores it. `ends`: whether a move of this side's king changes it as a whole.
    /// `compute` computes it from scratch, and `change` returns the change by the move that led to
    /// a position.
    #[inline]
    pub fn catch_up(
        &mut self,
        known: impl Fn(&mut S) -> &mut Option<i32>,
        ends: impl Fn(Option<Color>) -> bool,
        compute: impl FnOnce(&mut Self, usize) -> i32,
        change: impl Fn(&mut Self, usize) -> i32,
    ) -> i32 {
        let top = self.positions.len() - 1;
        let mut at = top;
        let mut sum = loop {
            let position = &mut self.positions[at];
            if let Some(sum) = *known(&mut position.sums) {
                break sum;
            }
            if at == 0 || ends(position.king_moved) {
                at = top;
                let sum = compute(self, top);
                *known(&mut self.positions[top].sums) = Some(sum);
                break sum;
            }
            at -= 1;
        };
        for at in at + 1..=top {
            sum += change(self, at);
            *known(&mut self.positions[at].sums) = Some(sum);
        }
        sum
    }

    /// The pieces of a position.
    #[inline]
    pub fn list(&mut self, at: usize) -> &PieceList {
        self.seek(at);
        &self.list
    }

    /// The slots, in [`list`](RecordedLine::list), of the pieces of
    /// [`changes`](RecordedLine::changes).
    pub fn changed_slots(&mut self, at: usize) -> impl Iterator<Item = usize> + use<'_, S> {
        self.seek(at);
        let list = &self.list;
        self.positions[at].changes.as_slice().iter().map(|&[_, after]| list.slot_of(after))
    }

    /// Moves the list to a position.
    fn seek(&mut self, at: usize) {
        while self.list_at < at {
            self.list_at += 1;
            self.list.apply_changes(&self.positions[self.list_at].changes);
        }
        while self.list_at > at {
            self.list.revert_changes(&self.positions[self.list_at].changes);
            self.list_at -= 1;
        }
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
