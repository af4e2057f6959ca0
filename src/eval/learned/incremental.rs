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
use crate::eval::piece_list::{SlotChange, SlotChanges};
use crate::eval::recorded_line::RecordedLine;
use crate::eval::refresh_cache::RefreshCache;
use crate::eval::score::Score;
use crate::shogi::{Color, Move, Origin, Piece, PieceKind, Place, Position, Square};

/// Evaluates the positions of a line; see [`Evaluator`](crate::eval::Evaluator).
#[derive(Clone, Debug)]
pub struct AccumulatorStack {
    weights: Arc<Weights>,
    kernel: Kernel,
    /// The line, which the caller updates.
    pub line: Line,
    /// A vector for each side of a position: partial sums of the factored KPP, or hidden units of
    /// the network. Shape `[position][2][width]`.
    vectors: Aligned<i16>,
    /// Hidden units of the network.
    cache: Option<RefreshCache>,
}

/// The sums of one position.
#[derive(Clone, Copy, Debug)]
pub struct Sums {
    /// Of the terms of pieces; 0 for the others.
    terms: Terms<i32>,
    kpp: [i32; 2],
    /// The position that stores the vectors.
    vectors_at: usize,
}

/// The line with the sums of each position. `None` until an evaluation of the position or of a
/// later one computes them.
type Line = RecordedLine<Option<Sums>>;

/// A move changes the places of at most two pieces.
type IndexChanges = ArrayVec<IndexChange, 2>;

impl AccumulatorStack {
    /// Creates a line that starts at `pos`.
    pub fn new(weights: Arc<Weights>, kernel: Kernel, pos: &Position) -> AccumulatorStack {
        let vectors = Aligned::zeros(Line::RESERVED * 2 * weights.width());
        let cache = weights.network().map(|network| RefreshCache::new(network.units()));
        AccumulatorStack { weights, kernel, line: Line::new(pos), vectors, cache }
    }

    /// Value of the current position, which must be `pos`, from the side to move's view. Costs two
    /// rows of every part for each piece that moved since the last known sums, plus the top of the
    /// network. After some king moves, it also computes a half from scratch, or takes a side's
    /// hidden units from the [`RefreshCache`].
    pub fn evaluate(&mut self, pos: &Position) -> Score {
        let top = self.line.top();
        let (side, balance) = (top.side, top.balance);
        let mut value = side.sign() * balance;
        if let Some(kings) = top.both_kings() {
            let views = Color::ALL.map(|side| KingView::new(kings, side));
            let sums = self.catch_up(self.line.positions.len() - 1);
            let relations = Relations {
                terms: Terms::from_fn(|term| match term.shape() {
                    TermShape::Kings => self.weights.kings(term, views[0]),
                    TermShape::KingsToMove => self.weights.kings(term, views[side.index()]),
                    TermShape::KingsAndPiece | TermShape::Pair => sums.terms[term],
                }),
                kpp: sums.kpp,
                network: self.network_value(side, sums.vectors_at),
            };
            value = side.sign() * self.weights.material(balance) + relations.to_centipawns(side);
        }
        let score = Score::cp(value);
        debug_assert_eq!(score, full::evaluate(&self.weights, pos), "{pos}");
        score
    }

    /// The network's value for the hidden units that a position stores, with `side` to move.
    #[inline]
    fn network_value(&self, side: Color, at: usize) -> i32 {
        let Some(network) = self.weights.network() else { return 0 };
        let units = network.units();
        let hidden = |side: Color| &self.vectors[(2 * at + side.index()) * units..][..units];
        network.head().evaluate(self.kernel, [hidden(side), hidden(!side)])
    }

    /// Change of the relations between the moved piece and the kings before the move is made, from
    /// the mover's view: M_piece-king(m) of Hoki (2006), eq. (8). Returns 0 for king moves, and if
    /// a king is missing.
    #[inline]
    pub fn piece_king_change(&self, pos: &Position, mv: Move) -> i32 {
        let us = pos.side_to_move();
        let kind = pos.moved_piece(mv);
        let kings = self.line.top().both_kings().filter(|_| kind != PieceKind::King);
        let Some(kings) = kings else { return 0 };
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
        if let Some(sums) = self.line.positions[at].sums {
            return sums;
        }
        // Undo the move in the list, compute the sums of the previous position, and redo the move.
        let changes = self.line.positions[at].changes.clone();
        let sums = if at == 0 {
            self.work(at).0.refresh()
        } else {
            self.line.list.undo(&changes);
            let base = self.catch_up(at - 1);
            self.line.list.redo(&changes);
            let king_moved = self.line.positions[at].king_moved;
            if changes.is_empty() && king_moved.is_none() {
                base
            } else {
                let kings = self.line.positions[at - 1].both_kings().expect("both kings exist");
                let (mut work, earlier) = self.work(at);
                let width = work.vectors.len();
                let known = &earlier[base.vectors_at * width..][..width];
                let normal = Color::ALL.map(|color| {
                    let kings = work.views[color.index()].kings;
                    index_changes(&changes, color, |index| kings.normal(index))
                });
                work.follow_network(&normal, kings, known);
                let sums = work.follow(&changes, &normal, king_moved, base, known);
                Sums { vectors_at: at, ..sums }
            }
        };
        self.line.positions[at].sums = Some(sums);
        sums
    }

    /// The data needed to compute the sums of a position, whose pieces are in the list. Also
    /// returns the vectors of all earlier positions.
    #[inline]
    fn work(&mut self, at: usize) -> (Work<'_>, &[i16]) {
        let width = 2 * self.weights.width();
        if self.vectors.len() < (at + 1) * width {
            self.vectors = self.vectors.grown((at + 1 + Line::RESERVED) * width);
        }
        let kings = self.line.positions[at].both_kings().expect("both kings exist");
        let (earlier, mine) = self.vectors.split_at_mut(at * width);
        let work = Work {
            weights: &self.weights,
            kernel: self.kernel,
            views: SideView::both(kings, &self.line.list),
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
            let changes = index_changes(changes, Color::Black, |index| index);
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

/// The pieces that a move changed, as one side sees them.
#[inline]
fn index_changes(
    changes: &SlotChanges,
    color: Color,
    normal: impl Fn(PieceIndex) -> PieceIndex,
) -> IndexChanges {
    let change = |&SlotChange { slot, before, after }: &SlotChange| IndexChange {
        slot,
        old: normal(before[color.index()]),
        new: normal(after[color.index()]),
    };
    changes.iter().map(change).collect()
}
