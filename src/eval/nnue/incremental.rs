//! The accumulators updated incrementally along a line of moves.
//!
//! Values are equal to [`full`] in every position. A move is only recorded. The next evaluation
//! updates each view from the nearest earlier position with a known accumulator. The positions in
//! between keep their accumulators, so that later lines that branch off there need few updates. If
//! the rows belong to the own king's square and that king has moved since, the [`RefreshCache`]
//! provides the accumulator instead.

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::feature_set::FeatureView;
use super::full;
use super::network::Nnue;
use crate::eval::index::PieceIndex;
use crate::eval::kernel::{Aligned, Kernel};
use crate::eval::material;
use crate::eval::piece_list::{PieceList, SlotChange};
use crate::eval::refresh_cache::RefreshCache;
use crate::eval::score::Score;
use crate::shogi::{Color, Delta, Position, Square};

/// Evaluates the positions of a line; see [`Evaluator`](crate::eval::Evaluator).
#[derive(Clone, Debug)]
pub struct NnueStack {
    network: Arc<Nnue>,
    kernel: Kernel,
    list: PieceList,
    /// One entry per position, oldest first. Never empty.
    stack: Vec<StackEntry>,
    /// Shape `[position][2][stride]`.
    accumulators: Aligned<i16>,
    cache: RefreshCache,
    /// The input of the head. Every evaluation overwrites it.
    input: Aligned<u8>,
}

/// One position of the line.
#[derive(Clone, Debug)]
struct StackEntry {
    side: Color,
    /// Squares of Black's and White's king on the real board.
    kings: [Option<Square>; 2],
    /// Material balance, from Black's view.
    balance: i32,
    /// The move that led to this position. `None` after a null move and at the start.
    delta: Option<Delta>,
    /// The non-king pieces that the move changed.
    changes: ArrayVec<PieceChange, 2>,
    /// The side whose king moved.
    king_moved: Option<Color>,
    /// For each view, the position that stores its accumulator. `None` until it is computed.
    known_at: [Option<usize>; 2],
}

/// A change of a piece, as Black and White see it.
#[derive(Clone, Copy, Debug)]
struct PieceChange {
    old: [PieceIndex; 2],
    new: [PieceIndex; 2],
}

impl NnueStack {
    /// Length of the longest line that needs no reallocation.
    const RESERVED: usize = 256;

    /// Creates a line that starts at `pos`.
    pub fn new(network: Arc<Nnue>, kernel: Kernel, pos: &Position) -> NnueStack {
        let mut stack = Vec::with_capacity(NnueStack::RESERVED);
        stack.push(StackEntry {
            side: pos.side_to_move(),
            kings: Color::ALL.map(|color| pos.king(color)),
            balance: material::balance(pos),
            delta: None,
            changes: ArrayVec::new(),
            king_moved: None,
            known_at: [None; 2],
        });
        NnueStack {
            kernel,
            list: PieceList::new(pos),
            stack,
            accumulators: Aligned::zeros(NnueStack::RESERVED * 2 * network.stride()),
            cache: RefreshCache::new(network.stride()),
            input: network.input_buffer(),
            network,
        }
    }

    #[inline]
    fn top(&self) -> &StackEntry {
        self.stack.last().expect("the stack is never empty")
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
        let moved = self.list.apply(delta);
        let change = |&SlotChange { slot, held }: &SlotChange| {
            let now = Color::ALL.map(|view| self.list.list(view)[usize::from(slot)]);
            PieceChange { old: held, new: now }
        };
        let changes = moved.iter().map(change).collect();
        self.stack.push(StackEntry {
            side: !mover,
            kings,
            balance: balance + material::delta_value(delta),
            delta: Some(*delta),
            changes,
            king_moved: king_move.map(|_| mover),
            known_at: [None; 2],
        });
    }

    /// Pushes the position after a null move: only the side to move changes.
    #[inline]
    pub fn push_null(&mut self) {
        let top = self.top();
        self.stack.push(StackEntry {
            side: !top.side,
            delta: None,
            changes: ArrayVec::new(),
            king_moved: None,
            ..*top
        });
    }

    /// Pops the last position. Panics if no move was pushed.
    #[inline]
    pub fn pop(&mut self) {
        assert!(self.stack.len() > 1, "no move to take back");
        if let Some(delta) = self.stack.pop().and_then(|position| position.delta) {
            self.list.revert(&delta);
        }
    }

    /// Material balance of the current position from `side`'s view.
    #[inline]
    pub fn material(&self, side: Color) -> i32 {
        side.sign() * self.top().balance
    }

    /// Value of the current position, which must be `pos`, from the side to move's view. Costs the
    /// head, and two rows per view for each piece that moved since the last known accumulator.
    pub fn evaluate(&mut self, pos: &Position) -> Score {
        let (side, balance) = (self.top().side, self.top().balance);
        let score = Score::cp(match self.raw() {
            Some(raw) => self.network.calibration().to_centipawns(raw),
            None => side.sign() * balance,
        });
        debug_assert_eq!(score, full::evaluate(&self.network, pos), "{pos}");
        score
    }

    /// The raw value of the current position from the side to move's view. `None` if the network
    /// needs a king that is missing.
    fn raw(&mut self) -> Option<i32> {
        let (top, sides) = (self.stack.len() - 1, [self.top().side, !self.top().side]);
        let views = [self.view(top, sides[0])?, self.view(top, sides[1])?];
        let known_at = sides.map(|side| self.catch_up(side));
        let spans = [0, 1].map(|n| self.span(known_at[n], sides[n]));
        let accumulators = spans.map(|span| &self.accumulators[span]);
        Some(self.network.raw(self.kernel, views, accumulators, &mut self.input))
    }

    /// `color`'s view of the kings in a position of the line. `None` if the network needs a king
    /// that is missing.
    #[inline]
    fn view(&self, at: usize, color: Color) -> Option<FeatureView> {
        let kings = self.stack[at].kings;
        let king = |of: Color| kings[of.index()].map(|sq| sq.relative(color));
        self.network.view(king(color), king(!color))
    }

    /// The range of the accumulator of a view for a position of the line.
    #[inline]
    fn span(&self, at: usize, color: Color) -> std::ops::Range<usize> {
        let stride = self.network.stride();
        let first = (2 * at + color.index()) * stride;
        first..first + stride
    }

    /// Computes the accumulator of a view of the current position. Returns the position that stores
    /// it. The view must exist.
    fn catch_up(&mut self, color: Color) -> usize {
        let (top, view) = (self.stack.len() - 1, color.index());
        let relative = self.network.form().features.is_king_relative();
        let mut at = top;
        let mut known = loop {
            let position = &self.stack[at];
            if let Some(known) = position.known_at[view] {
                break known;
            }
            if at == 0 || (relative && position.king_moved == Some(color)) {
                self.refresh(color);
                return top;
            }
            at -= 1;
        };
        for next in at + 1..=top {
            known = self.follow(next, color, known);
        }
        known
    }

    /// Computes the accumulator of a view from that of the previous position, which is stored at
    /// `base`.
    #[inline]
    fn follow(&mut self, at: usize, color: Color, base: usize) -> usize {
        let here = "a move does not remove kings";
        let before = self.view(at - 1, color).expect(here);
        let after = self.view(at, color).expect(here);
        // At most one king has moved. In that case no other piece changed, except a captured one.
        let mut rows: ArrayVec<[u32; 2], 2> = ArrayVec::new();
        for PieceChange { old, new } in &self.stack[at].changes {
            rows.push([before.piece(old[color.index()]), after.piece(new[color.index()])]);
        }
        if self.stack[at].king_moved.is_some()
            && let (Some(old), Some(new)) = (before.kings(), after.kings())
        {
            let moved = old.into_iter().zip(new).filter(|(old, new)| old != new);
            rows.extend(moved.map(|(old, new)| [old, new]));
        }
        let known = if rows.is_empty() { base } else { at };
        if known == at {
            self.reserve(at);
            let (from, to) = (self.span(base, color), self.span(at, color));
            let (earlier, later) = self.accumulators.split_at_mut(to.start);
            let rows: ArrayVec<[&[i16]; 2], 2> =
                rows.iter().map(|pair| pair.map(|row| self.network.row(row))).collect();
            let accumulator = &mut later[..to.end - to.start];
            self.kernel.replace_rows(accumulator, &earlier[from], &rows);
        }
        self.stack[at].known_at[color.index()] = Some(known);
        known
    }

    /// Computes the accumulator of a view of the current position without earlier positions.
    fn refresh(&mut self, color: Color) {
        let at = self.stack.len() - 1;
        self.reserve(at);
        let view = self.view(at, color).expect("the caller checked that the kings exist");
        let rows = view.rows(self.list.list(color));
        let (to, king) = (self.span(at, color), self.stack[at].kings[color.index()]);
        let network = &self.network;
        let row = |row| network.row(row);
        let accumulator =
            self.cache.refresh(self.kernel, (color, king), &rows, network.bias(), row);
        self.accumulators[to].copy_from_slice(accumulator);
        self.stack[at].known_at[color.index()] = Some(at);
    }

    /// Allocates the accumulators of this position.
    #[inline]
    fn reserve(&mut self, at: usize) {
        let size = 2 * self.network.stride();
        if self.accumulators.len() < (at + 1) * size {
            self.accumulators = self.accumulators.grown((at + 1 + NnueStack::RESERVED) * size);
        }
    }
}
