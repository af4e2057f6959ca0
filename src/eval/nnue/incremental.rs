//! The accumulators kept up to date along a line of moves.
//!
//! Equal to [`full`] in every position. A move is only noted; when a value is asked for, each view
//! follows the moves since the nearest earlier position where its accumulator is known. The
//! positions between keep theirs: the next line that branches off there is short. Where the own king
//! has moved since, and rows belong to its square, the view starts over instead, from the
//! [`RefreshCache`].

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::feature_set::FeatureView;
use super::full;
use super::network::Nnue;
use super::refresh_cache::RefreshCache;
use crate::eval::index::PieceIndex;
use crate::eval::kernel::{Aligned, Kernel};
use crate::eval::material;
use crate::eval::piece_list::{PieceList, SlotChange};
use crate::eval::score::Score;
use crate::shogi::{Color, Delta, Position, Square};

/// Evaluates the positions of a line; see [`Evaluator`](crate::eval::Evaluator).
#[derive(Clone, Debug)]
pub struct NnueStack {
    network: Arc<Nnue>,
    kernel: Kernel,
    list: PieceList,
    /// One per position, oldest first; never empty.
    stack: Vec<StackEntry>,
    /// Shape `[position][2][stride]`.
    accumulators: Aligned<i16>,
    cache: RefreshCache,
    /// Of the head, written over by every value.
    input: Aligned<u8>,
}

/// One position of the line.
#[derive(Clone, Debug)]
struct StackEntry {
    side: Color,
    /// Black's and White's, on the board as it is.
    kings: [Option<Square>; 2],
    /// Material balance, Black's view.
    balance: i32,
    /// The move that led here; `None` for a null move and at the start.
    delta: Option<Delta>,
    /// The pieces but the kings that it sent elsewhere.
    changes: ArrayVec<PieceChange, 2>,
    /// Whose king it moved.
    king_moved: Option<Color>,
    /// The position in whose place the accumulator of each view is, once it is known.
    known_at: [Option<usize>; 2],
}

/// A piece that went elsewhere, as Black and White see it.
#[derive(Clone, Copy, Debug)]
struct PieceChange {
    old: [PieceIndex; 2],
    new: [PieceIndex; 2],
}

impl NnueStack {
    /// Longest line that needs no new memory.
    const RESERVED: usize = 256;

    /// A line that begins at `pos`.
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
            cache: RefreshCache::new(&network),
            input: network.input_buffer(),
            network,
        }
    }

    #[inline]
    fn top(&self) -> &StackEntry {
        self.stack.last().expect("the first position stays")
    }

    /// Follows a move.
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

    /// Follows a null move: nothing changes but the side to move.
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

    /// Takes back the last move or null move. Panics if there is none.
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

    /// Value of the current position, which must be `pos`, from the side to move's view. Cost: two
    /// rows of each view for each piece that went elsewhere since its accumulator was known, and the
    /// head.
    pub fn evaluate(&mut self, pos: &Position) -> Score {
        let (side, balance) = (self.top().side, self.top().balance);
        let score = Score::cp(match self.raw() {
            Some(raw) => self.network.calibration().to_centipawns(raw),
            None => side.sign() * balance,
        });
        debug_assert_eq!(score, full::evaluate(&self.network, pos), "{pos}");
        score
    }

    /// The raw value of the current position from the side to move's view; `None` if a king is missing
    /// that the network needs.
    fn raw(&mut self) -> Option<i32> {
        let (top, sides) = (self.stack.len() - 1, [self.top().side, !self.top().side]);
        let views = [self.view(top, sides[0])?, self.view(top, sides[1])?];
        let known_at = sides.map(|side| self.catch_up(side));
        let spans = [0, 1].map(|n| self.span(known_at[n], sides[n]));
        let accumulators = spans.map(|span| &self.accumulators[span]);
        Some(self.network.raw(self.kernel, views, accumulators, &mut self.input))
    }

    /// How `color` sees the kings of a position of the line; `None` if one is missing that the network
    /// needs.
    #[inline]
    fn view(&self, at: usize, color: Color) -> Option<FeatureView> {
        let kings = self.stack[at].kings;
        let king = |of: Color| kings[of.index()].map(|sq| sq.relative(color));
        self.network.view(king(color), king(!color))
    }

    /// Where the accumulator of a view is that belongs to a position of the line.
    #[inline]
    fn span(&self, at: usize, color: Color) -> std::ops::Range<usize> {
        let stride = self.network.stride();
        let first = (2 * at + color.index()) * stride;
        first..first + stride
    }

    /// Makes the accumulator of a view of the current position known, and returns the position in
    /// whose place it is. The view is there.
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

    /// Makes the accumulator of a view known from that of the position before, which is in the place
    /// of `base`.
    #[inline]
    fn follow(&mut self, at: usize, color: Color, base: usize) -> usize {
        let here = "a move leaves the kings that were there";
        let before = self.view(at - 1, color).expect(here);
        let after = self.view(at, color).expect(here);
        // One king at most has moved, and with it no piece but a captured one.
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

    /// Makes the accumulator of a view of the current position known by itself.
    fn refresh(&mut self, color: Color) {
        let at = self.stack.len() - 1;
        self.reserve(at);
        let view = self.view(at, color).expect("asked for with its kings there");
        let rows = view.rows(self.list.list(color));
        let (to, king) = (self.span(at, color), self.stack[at].kings[color.index()]);
        let accumulator = self.cache.refresh(&self.network, self.kernel, (color, king), &rows);
        self.accumulators[to].copy_from_slice(accumulator);
        self.stack[at].known_at[color.index()] = Some(at);
    }

    /// Room for the accumulators of this position.
    #[inline]
    fn reserve(&mut self, at: usize) {
        let size = 2 * self.network.stride();
        if self.accumulators.len() < (at + 1) * size {
            self.accumulators = self.accumulators.grown((at + 1 + NnueStack::RESERVED) * size);
        }
    }
}
