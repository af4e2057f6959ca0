//! The learned evaluation updated incrementally along a line of moves.
//!
//! Values are equal to [`full`] in every position. A move is only recorded. The next evaluation
//! updates each sum from the nearest earlier position in which it is known. The top of a network and
//! the threats are not incremental: each evaluation computes them.

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::features::{IndexChange, SideView, pairs, pairs_change};
use super::full::{self, Relations};
use super::king_view::KingView;
use super::kpp::{Kpp, KppTable};
use super::parts::{Term, TermShape, Terms};
use super::weights::Weights;
use crate::eval::accumulators::Accumulators;
use crate::eval::index::PieceIndex;
use crate::eval::kernel::{Aligned, Kernel, portable};
use crate::eval::recorded_line::RecordedLine;
use crate::eval::score::Score;
use crate::shogi::{Color, Position, Square};

/// Evaluates the positions of a line; see [`Evaluator`](crate::eval::Evaluator).
#[derive(Clone, Debug)]
pub struct AccumulatorStack {
    weights: Arc<Weights>,
    kernel: Kernel,
    /// The line, which the caller updates.
    pub line: Line,
    /// Partial sums of the factored KPP, or hidden units of the network.
    accumulators: Accumulators,
    /// The input of the network's head. Every evaluation overwrites it.
    input: Aligned<u8>,
}

/// The sums of one position. `None` until they are computed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sums {
    /// Of the terms of pieces.
    terms: Terms<Option<i32>>,
    /// Of a table of KPP, for each side's king.
    halves: [Option<i32>; 2],
}

type Line = RecordedLine<Sums>;

impl AccumulatorStack {
    /// Creates a line that starts at `pos`.
    pub fn new(weights: Arc<Weights>, kernel: Kernel, pos: &Position) -> AccumulatorStack {
        let inputs = weights.network().map_or(0, |network| network.head().inputs());
        AccumulatorStack {
            kernel,
            line: Line::new(*weights.piece_values(), pos),
            accumulators: Accumulators::new(kernel, weights.width()),
            input: Aligned::zeros(inputs),
            weights,
        }
    }

    /// Value of the current position, which must be `pos`, from the side to move's view. Costs two
    /// rows of every part for each piece that moved since the last known sums, plus the top of the
    /// network. After king moves, some sums are computed from scratch.
    pub fn evaluate(&mut self, pos: &Position) -> Score {
        let top = self.line.top();
        let (side, balance) = (top.side, top.balance);
        let mut value = side.sign() * balance;
        if let Some(kings) = top.both_kings() {
            let relations = self.relations(pos, side, kings);
            value = side.sign() * self.weights.material(balance) + relations.to_centipawns(side);
        }
        let score = Score::cp(value);
        debug_assert_eq!(score, full::evaluate(&self.weights, pos), "{pos}");
        score
    }

    /// The relations of the current position `pos`, with `side` to move.
    #[inline]
    fn relations(&mut self, pos: &Position, side: Color, kings: [Square; 2]) -> Relations {
        let AccumulatorStack { weights, kernel, line, accumulators, input } = self;
        let views = Color::ALL.map(|side| KingView::new(kings, side));
        let terms = Terms::from_fn(|term| match term.shape() {
            TermShape::Kings => weights.kings(term, views[0]),
            TermShape::KingsToMove => weights.kings(term, views[side.index()]),
            _ if !weights.has(term) => 0,
            TermShape::KingsAndPiece => kings_and_piece(weights, line, term, views[0]),
            TermShape::Pair => pair(weights, line, term),
            TermShape::Threats => weights.threats(term, pos),
        });
        let kpp = weights.kpp().map_or([0; 2], |kpp| {
            Color::ALL.map(|color| match kpp {
                Kpp::Table(form) => half(form, line, views, color),
                Kpp::Factored(form) => {
                    let at = accumulators.catch_up(form, line, color);
                    form.half_of_sums(*kernel, accumulators.get(at, color))
                }
            })
        });
        let network = weights.network().map_or(0, |network| {
            let sides = [side, !side];
            let known_at = sides.map(|side| accumulators.catch_up(network, line, side));
            let hidden = [0, 1].map(|n| accumulators.get(known_at[n], sides[n]));
            network.head().evaluate(*kernel, hidden, input)
        });
        Relations { terms, kpp, network }
    }
}

/// The sum of a term of both kings and each piece, in the current position.
#[inline]
fn kings_and_piece(weights: &Weights, line: &mut Line, term: Term, black: KingView) -> i32 {
    let row = weights.kings_row(term, black);
    let weight = |index| i32::from(row[black.normal(index).index()]);
    line.catch_up(
        |sums| &mut sums.terms[term],
        |king_moved| king_moved.is_some(),
        |line, at| line.list(at).list(Color::Black).iter().map(|&index| weight(index)).sum(),
        |line, at| {
            let changes = line.changes(at, Color::Black);
            changes.as_slice().iter().map(|&[old, new]| weight(new) - weight(old)).sum()
        },
    )
}

/// The sum of a term of pairs of pieces, in the current position.
fn pair(weights: &Weights, line: &mut Line, term: Term) -> i32 {
    let row = |index| weights.pair_row(term, index);
    line.catch_up(
        |sums| &mut sums.terms[term],
        |_| false,
        |line, at| {
            let with = |(i, others): (PieceIndex, &[PieceIndex])| portable::row_sum(row(i), others);
            pairs(line.list(at).list(Color::Black)).map(with).sum()
        },
        |line, at| {
            let changes = slot_changes(line, at, Color::Black, |index| index);
            pairs_change(*line.list(at).list(Color::Black), &changes, |old, new, others| {
                portable::row_change(row(old), row(new), others)
            })
        },
    )
}

/// The half of a table of KPP for the king of `color`, in the current position.
fn half(form: &KppTable, line: &mut Line, views: [KingView; 2], color: Color) -> i32 {
    let kings = views[color.index()];
    line.catch_up(
        |sums| &mut sums.halves[color.index()],
        |king_moved| king_moved == Some(color),
        |line, at| form.half(SideView { kings, pieces: line.list(at).list(color) }),
        |line, at| {
            let changes = slot_changes(line, at, color, |index| kings.normal(index));
            form.change(SideView { kings, pieces: line.list(at).list(color) }, &changes)
        },
    )
}

/// The pieces that the move to a position changed, in a view.
fn slot_changes(
    line: &mut Line,
    at: usize,
    color: Color,
    normal: impl Fn(PieceIndex) -> PieceIndex,
) -> ArrayVec<IndexChange, 2> {
    let changes = line.changes(at, color);
    let changes = changes.as_slice().iter().map(|places| places.map(&normal));
    let slots = line.changed_slots(at);
    slots.zip(changes).map(|(slot, [old, new])| IndexChange { slot, old, new }).collect()
}
