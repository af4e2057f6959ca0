//! The learned evaluation kept up to date along a line of moves.
//!
//! Equal to [`full`] in every position. A move is only noted; when a value is asked for, the sums
//! follow the moves one by one since the nearest earlier position whose sums are known. The
//! positions between are left with their sums: the next line that branches off there is short. The
//! top of a network is no such sum: it is worked out only where a value is asked for.

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::full::{self, Relations};
use super::king_pairs::{PairForm, SideView, Step};
use super::{KingView, UNIT, Weights};
use crate::eval::kernel::{Aligned, Kernel};
use crate::eval::piece_list::{SlotChange, SlotChanges};
use crate::eval::{PieceIndex, PieceList, Score, material};
use crate::shogi::{Color, Delta, Move, Origin, Piece, PieceKind, Place, Position, Square};

/// Evaluates the positions of a line; see [`Evaluator`](crate::eval::Evaluator).
#[derive(Clone, Debug)]
pub struct Line {
    weights: Arc<Weights>,
    kernel: Kernel,
    list: PieceList,
    /// One per position, oldest first; never empty.
    frames: Vec<Frame>,
    /// Partial sums of both halves or accumulators of both sides, `[frame][2][lanes]`.
    lanes: Aligned<i16>,
}

/// One position of the line.
#[derive(Clone, Debug)]
struct Frame {
    side: Color,
    /// Both kings' squares; `None` if one is missing: then material is all.
    kings: Option<[Square; 2]>,
    /// Material balance, Black's view.
    balance: i32,
    /// The move that led here; `None` for a null move and at the start.
    delta: Option<Delta>,
    /// The slots that it changed.
    changes: SlotChanges,
    /// Whose king it moved.
    king_moved: Option<Color>,
    /// The sums, once a value has been asked for here or further on.
    sums: Option<Sums>,
}

#[derive(Clone, Copy, Debug)]
struct Sums {
    king_pieces: i32,
    pairs: i32,
    halves: [i32; 2],
    /// The frame in whose place the lanes are.
    lanes_of: usize,
}

/// A move sends two pieces elsewhere at most.
type Steps = ArrayVec<Step, 2>;

impl Line {
    /// Longest line that needs no new memory.
    const RESERVED: usize = 256;

    /// A line that begins at `pos`.
    pub fn new(weights: Arc<Weights>, kernel: Kernel, pos: &Position) -> Line {
        let kings = match (pos.king(Color::Black), pos.king(Color::White)) {
            (Some(black), Some(white)) => Some([black, white]),
            _ => None,
        };
        let frame = Frame {
            side: pos.side_to_move(),
            kings,
            balance: full::balance(pos),
            delta: None,
            changes: SlotChanges::new(),
            king_moved: None,
            sums: None,
        };
        let mut frames = Vec::with_capacity(Line::RESERVED);
        frames.push(frame);
        let lanes = Aligned::zeros(Line::RESERVED * 2 * weights.lanes());
        Line { weights, kernel, list: PieceList::new(pos), frames, lanes }
    }

    #[inline]
    fn top(&self) -> &Frame {
        self.frames.last().expect("the first frame stays")
    }

    /// Follows a move.
    #[inline]
    pub fn push(&mut self, delta: &Delta) {
        let top = self.top();
        let (mover, mut kings, mut balance) = (top.side, top.kings, top.balance);
        balance += material::change_value(&delta.moved);
        if let Some(captured) = &delta.captured {
            balance += material::change_value(captured);
        }
        let mut king_moved = None;
        if let Place::Board(to, piece) = delta.moved.after
            && piece.kind == PieceKind::King
        {
            king_moved = Some(mover);
            if let Some(kings) = &mut kings {
                kings[mover.index()] = to;
            }
        }
        let changes = self.list.apply(delta);
        self.frames.push(Frame {
            side: !mover,
            kings,
            balance,
            delta: Some(*delta),
            changes,
            king_moved,
            sums: None,
        });
    }

    /// Follows a null move: nothing changes but the side to move.
    #[inline]
    pub fn push_null(&mut self) {
        let top = self.top();
        self.frames.push(Frame {
            side: !top.side,
            delta: None,
            changes: SlotChanges::new(),
            king_moved: None,
            ..*top
        });
    }

    /// Takes back the last move or null move. Panics if there is none.
    #[inline]
    pub fn pop(&mut self) {
        assert!(self.frames.len() > 1, "no move to take back");
        if let Some(delta) = self.frames.pop().and_then(|frame| frame.delta) {
            self.list.revert(&delta);
        }
    }

    /// Material balance of the current position from `side`'s view: M(P) of Hoki (2006).
    #[inline]
    pub fn material(&self, side: Color) -> i32 {
        side.sign() * self.top().balance
    }

    /// Value of the current position, which must be `pos`, from the side to move's view. Cost: two
    /// rows of every part for each piece that went elsewhere since sums were known, a half or
    /// accumulator from scratch for king moves that need it, and the top of the network.
    pub fn evaluate(&mut self, pos: &Position) -> Score {
        let (side, balance) = (self.top().side, self.top().balance);
        let mut value = side.sign() * balance;
        if let Some(kings) = self.top().kings {
            let views = Color::ALL.map(|side| KingView::new(kings, side));
            let sums = self.settle(self.frames.len() - 1);
            let relations = Relations {
                kings: self.weights.kings(views[0]),
                king_pieces: sums.king_pieces,
                pairs: sums.pairs,
                halves: sums.halves,
                turn: self.weights.turn(views[side.index()]),
                network: self.network_value(side, sums.lanes_of),
            };
            value += relations.to_centipawns(side);
        }
        let score = Score::cp(value);
        debug_assert_eq!(score, full::evaluate(&self.weights, pos), "{pos}");
        score
    }

    /// What the network says of the accumulators of a frame, `side` to move.
    #[inline]
    fn network_value(&self, side: Color, frame: usize) -> i32 {
        let Some(network) = self.weights.network() else { return 0 };
        let units = network.units();
        let accumulator = |side: Color| &self.lanes[(2 * frame + side.index()) * units..][..units];
        network.evaluate(self.kernel, accumulator(side), accumulator(!side))
    }

    /// What the evaluation foresees of a move before it is made: the change of the moved piece's
    /// relations to the kings, mover's view; M_piece-king(m) of Hoki (2006), eq. (8). 0 for king
    /// moves and where a king is missing.
    #[inline]
    pub fn piece_king_change(&self, pos: &Position, mv: Move) -> i32 {
        let us = pos.side_to_move();
        let kind = pos.moved_piece(mv);
        let Some(kings) = self.top().kings.filter(|_| kind != PieceKind::King) else { return 0 };
        let view = KingView::new(kings, Color::Black);
        let row = self.weights.king_piece_row(view);
        let weight = |place: Place| {
            let index = PieceIndex::new(place, Color::Black).unwrap_or(PieceIndex::NONE);
            i32::from(row[view.normal(index).index()])
        };
        let before = match mv.origin() {
            Origin::Board(from) => Place::Board(from, Piece::new(us, kind)),
            Origin::Hand(held) => Place::Hand(us, held, pos.hand(us).count(held)),
        };
        let after = Place::Board(mv.to(), Piece::new(us, pos.piece_after(mv)));
        us.sign() * (weight(after) - weight(before)) / UNIT
    }

    /// The sums of the position of a frame, brought up to date. Its kings are there.
    fn settle(&mut self, at: usize) -> Sums {
        if let Some(sums) = self.frames[at].sums {
            return sums;
        }
        // The list goes back to the position before, whose sums come first, and forth again.
        let changes = self.frames[at].changes.clone();
        let sums = if at == 0 {
            self.work(at).0.refresh()
        } else {
            let after = self.list.exchange(&changes);
            let base = self.settle(at - 1);
            self.list.exchange(&after);
            let king_moved = self.frames[at].king_moved;
            if changes.is_empty() && king_moved.is_none() {
                base
            } else {
                let kings = self.frames[at - 1].kings.expect("kings are there");
                let (mut work, earlier) = self.work(at);
                let width = work.lanes.len();
                let known = &earlier[base.lanes_of * width..][..width];
                work.follow_network(&changes, kings, known);
                Sums { lanes_of: at, ..work.follow(&changes, king_moved, base, known) }
            }
        };
        self.frames[at].sums = Some(sums);
        sums
    }

    /// What it takes to fill a frame whose position the list holds, and the partial sums of the
    /// frames before it.
    #[inline]
    fn work(&mut self, at: usize) -> (Work<'_>, &[i16]) {
        let width = 2 * self.weights.lanes();
        if self.lanes.len() < (at + 1) * width {
            self.lanes = self.lanes.grown((at + 1 + Line::RESERVED) * width);
        }
        let kings = self.frames[at].kings.expect("kings are there");
        let (earlier, mine) = self.lanes.split_at_mut(at * width);
        let sides = Color::ALL.map(|side| SideView {
            kings: KingView::new(kings, side),
            pieces: self.list.list(side),
        });
        let work =
            Work { weights: &self.weights, kernel: self.kernel, sides, lanes: &mut mine[..width] };
        (work, earlier)
    }
}

/// One position whose sums are wanted.
struct Work<'a> {
    weights: &'a Weights,
    kernel: Kernel,
    /// Black's and White's view.
    sides: [SideView<'a>; 2],
    /// Partial sums of both halves or accumulators of both sides, to be filled.
    lanes: &'a mut [i16],
}

impl Work<'_> {
    /// The sums after one move from those before it, `base`. `known`: the partial sums there.
    #[inline]
    fn follow(
        &mut self,
        changes: &SlotChanges,
        king_moved: Option<Color>,
        base: Sums,
        known: &[i16],
    ) -> Sums {
        let (weights, form) = (self.weights, self.weights.king_pairs());
        let (known, mine) = (known.split_at(form.lanes()), self.lanes.split_at_mut(form.lanes()));
        let mut sums = base;
        for (color, known, mine) in
            [(Color::Black, known.0, mine.0), (Color::White, known.1, mine.1)]
        {
            let (side, half) = (self.sides[color.index()], &mut sums.halves[color.index()]);
            *half = if king_moved == Some(color) {
                form.refresh(self.kernel, side, mine)
            } else {
                form.follow(self.kernel, side, &steps(changes, color, side), (*half, known), mine)
            };
        }
        let black = self.sides[0];
        let row = weights.king_piece_row(black.kings);
        if king_moved.is_none() {
            for step in &steps(changes, Color::Black, black) {
                sums.king_pieces +=
                    i32::from(row[step.new.index()]) - i32::from(row[step.old.index()]);
            }
        } else {
            sums.king_pieces = self.kernel.row_sum(row, &black.normal_pieces());
        }
        sums.pairs += self.pair_change(changes);
        sums
    }

    /// The network's accumulators after one move from those before it, where the kings were
    /// `kings_before`.
    #[inline]
    fn follow_network(&mut self, changes: &SlotChanges, kings_before: [Square; 2], known: &[i16]) {
        let Some(network) = self.weights.network() else { return };
        let accumulators = self.lanes.chunks_exact_mut(network.units());
        let before = known.chunks_exact(network.units());
        for ((color, accumulator), before) in Color::ALL.into_iter().zip(accumulators).zip(before) {
            let side = self.sides[color.index()];
            let before = (KingView::new(kings_before, color), before);
            let steps = steps(changes, color, side);
            network.follow(self.kernel, side, &steps, before, accumulator);
        }
    }

    /// What the king-free pairs changed: one piece after the other, the others standing where they
    /// stood before or after it.
    #[inline]
    fn pair_change(&self, changes: &SlotChanges) -> i32 {
        if !self.weights.has_pairs() {
            return 0;
        }
        let mut standing = *self.sides[0].pieces;
        for change in changes {
            standing[usize::from(change.slot)] = change.held[0];
        }
        let mut sum = 0;
        for change in changes {
            let slot = usize::from(change.slot);
            // Nothing is related to the empty slot: the piece does not meet itself.
            standing[slot] = PieceIndex::NONE;
            let (old, new) = (change.held[0], self.sides[0].pieces[slot]);
            let (old_row, new_row) = (self.weights.pair_row(old), self.weights.pair_row(new));
            sum += self.kernel.row_change(old_row, new_row, &standing);
            standing[slot] = new;
        }
        sum
    }

    /// The sums from scratch.
    #[cold]
    fn refresh(&mut self) -> Sums {
        let (weights, form, [black, white]) = (self.weights, self.weights.king_pairs(), self.sides);
        if let Some(network) = weights.network() {
            let accumulators = self.lanes.chunks_exact_mut(network.units());
            for (side, accumulator) in self.sides.into_iter().zip(accumulators) {
                network.refresh(self.kernel, side, accumulator);
            }
        }
        let lanes = self.lanes.split_at_mut(form.lanes());
        let row = weights.king_piece_row(black.kings);
        let earlier = black.pieces.iter().enumerate();
        let pair_sum = |(n, &i)| self.kernel.row_sum(weights.pair_row(i), &black.pieces[..n]);
        Sums {
            king_pieces: self.kernel.row_sum(row, &black.normal_pieces()),
            pairs: earlier.map(pair_sum).sum(),
            halves: [
                form.refresh(self.kernel, black, lanes.0),
                form.refresh(self.kernel, white, lanes.1),
            ],
            lanes_of: 0,
        }
    }
}

/// The pieces that a move sent elsewhere, in the normalized view of a side.
#[inline]
fn steps(changes: &SlotChanges, color: Color, side: SideView<'_>) -> Steps {
    let step = |change: &SlotChange| Step {
        slot: change.slot,
        old: side.kings.normal(change.held[color.index()]),
        new: side.kings.normal(side.pieces[usize::from(change.slot)]),
    };
    changes.iter().map(step).collect()
}
