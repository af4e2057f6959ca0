//! The learned evaluation updated incrementally along a line of moves.
//!
//! Values are equal to [`full`] in every position. A move is only recorded. The next evaluation
//! updates the sums move by move, starting from the nearest earlier position with known sums. The
//! positions in between keep their sums, so that later lines that branch off there need few
//! updates. The top of a network is not incremental: each evaluation computes it.

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::features::{IndexChange, SideView, pairs, pairs_change};
use super::full::{self, Relations};
use super::king_view::KingView;
use super::parts::{Term, TermShape, Terms};
use super::unit::UNIT;
use super::weights::Weights;
use crate::eval::index::PieceIndex;
use crate::eval::kernel::{Aligned, Kernel, portable};
use crate::eval::material;
use crate::eval::piece_list::PieceList;
use crate::eval::piece_list::{SlotChange, SlotChanges};
use crate::eval::refresh_cache::RefreshCache;
use crate::eval::score::Score;
use crate::shogi::{Color, Delta, Move, Origin, Piece, PieceKind, Place, Position, Square};

/// Evaluates the positions of a line; see [`Evaluator`](crate::eval::Evaluator).
#[derive(Clone, Debug)]
pub struct AccumulatorStack {
    weights: Arc<Weights>,
    kernel: Kernel,
    list: PieceList,
    /// One entry per position, oldest first. Never empty.
    stack: Vec<Accumulator>,
    /// A vector for each side of a position: partial sums of the factored KPP, or hidden units of
    /// the network. Shape `[position][2][width]`.
    vectors: Aligned<i16>,
    /// Hidden units of the network.
    cache: Option<RefreshCache>,
}

/// One position of the line.
#[derive(Clone, Debug)]
struct Accumulator {
    side: Color,
    /// Both kings' squares. `None` if a king is missing; the value is then material only.
    kings: Option<[Square; 2]>,
    /// Material balance, from Black's view.
    balance: i32,
    /// The move that led to this position. `None` after a null move and at the start.
    delta: Option<Delta>,
    /// The slots that the move changed.
    changes: SlotChanges,
    /// The side whose king moved.
    king_moved: Option<Color>,
    /// The sums. `None` until an evaluation of this position or of a later one computes them.
    sums: Option<Sums>,
}

#[derive(Clone, Copy, Debug)]
struct Sums {
    /// Of the terms of pieces; 0 for the others.
    terms: Terms<i32>,
    kpp: [i32; 2],
    /// The position that stores the vectors.
    vectors_at: usize,
}

/// A move changes the places of at most two pieces.
type IndexChanges = ArrayVec<IndexChange, 2>;

impl AccumulatorStack {
    /// Length of the longest line that needs no reallocation.
    const RESERVED: usize = 256;

    /// Creates a line that starts at `pos`.
    pub fn new(weights: Arc<Weights>, kernel: Kernel, pos: &Position) -> AccumulatorStack {
        let mut stack = Vec::with_capacity(AccumulatorStack::RESERVED);
        stack.push(Accumulator {
            side: pos.side_to_move(),
            kings: pos.kings(),
            balance: material::balance(pos),
            delta: None,
            changes: SlotChanges::new(),
            king_moved: None,
            sums: None,
        });
        let vectors = Aligned::zeros(AccumulatorStack::RESERVED * 2 * weights.width());
        let cache = weights.network().map(|network| RefreshCache::new(network.units()));
        AccumulatorStack { weights, kernel, list: PieceList::new(pos), stack, vectors, cache }
    }

    #[inline]
    fn top(&self) -> &Accumulator {
        self.stack.last().expect("the stack is never empty")
    }

    /// Pushes the position after a move.
    #[inline]
    pub fn push(&mut self, delta: &Delta) {
        let top = self.top();
        let (mover, mut kings, balance) = (top.side, top.kings, top.balance);
        let king_move = delta.king_move();
        if let (Some(to), Some(kings)) = (king_move, &mut kings) {
            kings[mover.index()] = to;
        }
        let changes = self.list.apply(delta);
        self.stack.push(Accumulator {
            side: !mover,
            kings,
            balance: balance + material::delta_value(delta),
            delta: Some(*delta),
            changes,
            king_moved: king_move.map(|_| mover),
            sums: None,
        });
    }

    /// Pushes the position after a null move: only the side to move changes.
    #[inline]
    pub fn push_null(&mut self) {
        let top = self.top();
        self.stack.push(Accumulator {
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
        assert!(self.stack.len() > 1, "no move to take back");
        if let Some(delta) = self.stack.pop().and_then(|accumulator| accumulator.delta) {
            self.list.revert(&delta);
        }
    }

    /// Material balance of the current position from `side`'s view: M(P) of Hoki (2006).
    #[inline]
    pub fn material(&self, side: Color) -> i32 {
        side.sign() * self.top().balance
    }

    /// Value of the current position, which must be `pos`, from the side to move's view. Costs two
    /// rows of every part for each piece that moved since the last known sums, plus the top of the
    /// network. After some king moves, it also computes a half from scratch, or takes a side's
    /// hidden units from the [`RefreshCache`].
    pub fn evaluate(&mut self, pos: &Position) -> Score {
        let (side, balance) = (self.top().side, self.top().balance);
        let mut value = side.sign() * balance;
        if let Some(kings) = self.top().kings {
            let views = Color::ALL.map(|side| KingView::new(kings, side));
            let sums = self.catch_up(self.stack.len() - 1);
            let relations = Relations {
                terms: Terms::from_fn(|term| match term.shape() {
                    TermShape::Kings => self.weights.kings(term, views[0]),
                    TermShape::KingsToMove => self.weights.kings(term, views[side.index()]),
                    TermShape::KingsAndPiece | TermShape::Pair => sums.terms[term],
                }),
                kpp: sums.kpp,
                network: self.network_value(side, views[side.index()], sums.vectors_at),
            };
            value = side.sign() * self.weights.material(balance) + relations.to_centipawns(side);
        }
        let score = Score::cp(value);
        debug_assert_eq!(score, full::evaluate(&self.weights, pos), "{pos}");
        score
    }

    /// The network's value for the hidden units that a position stores, with `side` to move.
    /// `kings` is its view.
    #[inline]
    fn network_value(&self, side: Color, kings: KingView, at: usize) -> i32 {
        let Some(network) = self.weights.network() else { return 0 };
        let units = network.units();
        let hidden = |side: Color| &self.vectors[(2 * at + side.index()) * units..][..units];
        let view = SideView { kings, pieces: self.list.list(side) };
        network.top().evaluate(self.kernel, view, [hidden(side), hidden(!side)])
    }

    /// Change of the relations between the moved piece and the kings before the move is made, from
    /// the mover's view: M_piece-king(m) of Hoki (2006), eq. (8). Returns 0 for king moves, and if
    /// a king is missing.
    #[inline]
    pub fn piece_king_change(&self, pos: &Position, mv: Move) -> i32 {
        let us = pos.side_to_move();
        let kind = pos.moved_piece(mv);
        let Some(kings) = self.top().kings.filter(|_| kind != PieceKind::King) else { return 0 };
        let view = KingView::new(kings, Color::Black);
        let weight = |place: Place| -> i32 {
            let index = PieceIndex::new(place, Color::Black).unwrap_or(PieceIndex::NONE);
            let index = view.normal(index).index();
            let row = |term| self.weights.kings_row(term, view);
            Term::OF_KINGS_AND_PIECE.map(|term| i32::from(row(term)[index])).iter().sum()
        };
        let before = match mv.origin() {
            Origin::Board(from) => Place::Board(from, Piece::new(us, kind)),
            Origin::Hand(held) => Place::Hand(us, held, pos.hand(us).count(held)),
        };
        let after = Place::Board(mv.to(), Piece::new(us, pos.piece_after(mv)));
        us.sign() * (weight(after) - weight(before)) / UNIT
    }

    /// Computes the sums of a position. Both kings must exist.
    fn catch_up(&mut self, at: usize) -> Sums {
        if let Some(sums) = self.stack[at].sums {
            return sums;
        }
        // Undo the move in the list, compute the sums of the previous position, and redo the move.
        let changes = self.stack[at].changes.clone();
        let sums = if at == 0 {
            self.work(at).0.refresh()
        } else {
            let after = self.list.exchange(&changes);
            let base = self.catch_up(at - 1);
            self.list.exchange(&after);
            let king_moved = self.stack[at].king_moved;
            if changes.is_empty() && king_moved.is_none() {
                base
            } else {
                let kings = self.stack[at - 1].kings.expect("both kings exist");
                let (mut work, earlier) = self.work(at);
                let width = work.vectors.len();
                let known = &earlier[base.vectors_at * width..][..width];
                let normal = Color::ALL
                    .map(|color| normal_changes(&changes, color, work.views[color.index()]));
                work.follow_network(&normal, kings, known);
                let sums = work.follow(&changes, &normal, king_moved, base, known);
                Sums { vectors_at: at, ..sums }
            }
        };
        self.stack[at].sums = Some(sums);
        sums
    }

    /// The data needed to compute the sums of a position, whose pieces are in the list. Also
    /// returns the vectors of all earlier positions.
    #[inline]
    fn work(&mut self, at: usize) -> (Work<'_>, &[i16]) {
        let width = 2 * self.weights.width();
        if self.vectors.len() < (at + 1) * width {
            self.vectors = self.vectors.grown((at + 1 + AccumulatorStack::RESERVED) * width);
        }
        let kings = self.stack[at].kings.expect("both kings exist");
        let (earlier, mine) = self.vectors.split_at_mut(at * width);
        let work = Work {
            weights: &self.weights,
            kernel: self.kernel,
            views: SideView::both(kings, &self.list),
            vectors: &mut mine[..width],
            cache: self.cache.as_mut(),
        };
        (work, earlier)
    }
}

/// The computation of the sums of one position.
struct Work<'a> {
    weights: &'a Weights,
    kernel: Kernel,
    /// Black's view and White's view.
    views: [SideView<'a>; 2],
    /// The output vectors of both sides.
    vectors: &'a mut [i16],
    /// Of the network, if there is one.
    cache: Option<&'a mut RefreshCache>,
}

impl Work<'_> {
    /// Computes the sums after one move from the previous sums `base`. `normal` contains the
    /// changes in the normalized view of each side. `known` contains the previous vectors.
    #[inline]
    fn follow(
        &mut self,
        changes: &SlotChanges,
        normal: &[IndexChanges; 2],
        king_moved: Option<Color>,
        base: Sums,
        known: &[i16],
    ) -> Sums {
        let weights = self.weights;
        let mut sums = base;
        if let Some(form) = weights.kpp() {
            let (known, mine) =
                (known.split_at(form.rank()), self.vectors.split_at_mut(form.rank()));
            for (color, known, mine) in
                [(Color::Black, known.0, mine.0), (Color::White, known.1, mine.1)]
            {
                let (view, half) = (self.views[color.index()], &mut sums.kpp[color.index()]);
                *half = if king_moved == Some(color) {
                    form.refresh(self.kernel, view, mine)
                } else {
                    let changes = &normal[color.index()];
                    form.follow(self.kernel, view, changes, (*half, known), mine)
                };
            }
        }
        let black = self.views[0];
        for term in Term::OF_KINGS_AND_PIECE {
            let (row, sum) = (weights.kings_row(term, black.kings), &mut sums.terms[term]);
            if king_moved.is_some() {
                *sum = portable::row_sum(row, &black.normal_pieces());
                continue;
            }
            for change in &normal[Color::Black.index()] {
                *sum += i32::from(row[change.new.index()]) - i32::from(row[change.old.index()]);
            }
        }
        for term in Term::OF_PAIR.into_iter().filter(|&term| weights.has(term)) {
            let changes = index_changes(changes, Color::Black, black, |index| index);
            sums.terms[term] += pairs_change(*black.pieces, &changes, |old, new, others| {
                let row = |index| weights.pair_row(term, index);
                portable::row_change(row(old), row(new), others)
            });
        }
        sums
    }

    /// Computes the network's hidden units after one move from the previous ones, when the kings
    /// were on `kings_before`.
    #[inline]
    fn follow_network(
        &mut self,
        normal: &[IndexChanges; 2],
        kings_before: [Square; 2],
        known: &[i16],
    ) {
        let (Some(network), Some(cache)) = (self.weights.network(), &mut self.cache) else {
            return;
        };
        let hidden = self.vectors.chunks_exact_mut(network.units());
        let before = known.chunks_exact(network.units());
        for ((color, hidden), before) in Color::ALL.into_iter().zip(hidden).zip(before) {
            let view = self.views[color.index()];
            let before = (KingView::new(kings_before, color), before);
            if !network.follow(self.kernel, view, &normal[color.index()], before, hidden) {
                network.refresh(self.kernel, cache, (color, view), hidden);
            }
        }
    }

    /// Computes the sums from scratch.
    #[cold]
    fn refresh(&mut self) -> Sums {
        let (weights, [black, white]) = (self.weights, self.views);
        if let (Some(network), Some(cache)) = (weights.network(), &mut self.cache) {
            let hidden = self.vectors.chunks_exact_mut(network.units());
            for (color, hidden) in Color::ALL.into_iter().zip(hidden) {
                let view = self.views[color.index()];
                network.refresh(self.kernel, cache, (color, view), hidden);
            }
        }
        let kpp = weights.kpp().map_or([0; 2], |form| {
            let vectors = self.vectors.split_at_mut(form.rank());
            [
                form.refresh(self.kernel, black, vectors.0),
                form.refresh(self.kernel, white, vectors.1),
            ]
        });
        let sum = |term: Term| match term.shape() {
            TermShape::Kings | TermShape::KingsToMove => 0,
            TermShape::KingsAndPiece => {
                portable::row_sum(weights.kings_row(term, black.kings), &black.normal_pieces())
            }
            TermShape::Pair => {
                let with = |(i, others): (PieceIndex, &[PieceIndex])| {
                    portable::row_sum(weights.pair_row(term, i), others)
                };
                pairs(black.pieces).map(with).sum()
            }
        };
        Sums { terms: Terms::from_fn(sum), kpp, vectors_at: 0 }
    }
}

/// The pieces that a move changed, in the normalized view of a side.
#[inline]
fn normal_changes(changes: &SlotChanges, color: Color, view: SideView<'_>) -> IndexChanges {
    index_changes(changes, color, view, |index| view.kings.normal(index))
}

#[inline]
fn index_changes(
    changes: &SlotChanges,
    color: Color,
    view: SideView<'_>,
    normal: impl Fn(PieceIndex) -> PieceIndex,
) -> IndexChanges {
    let change = |change: &SlotChange| IndexChange {
        slot: change.slot,
        old: normal(change.held[color.index()]),
        new: normal(view.pieces[usize::from(change.slot)]),
    };
    changes.iter().map(change).collect()
}
