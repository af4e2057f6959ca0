//! Along a line only the material is kept up to date, for the search; the value is made from scratch
//! in every position.

use std::sync::Arc;

use super::full;
use super::group::HokiGroup;
use super::side::Side;
use super::walk::king_row;
use super::weights::{HokiWeights, UNIT};
use crate::eval::index::PieceIndex;
use crate::eval::learned::triangle_index;
use crate::eval::line_stack::LineStack;
use crate::eval::score::Score;
use crate::shogi::{Color, Delta, Move, PieceKind, Place, Position};

/// Evaluates the positions of a line. The caller pairs each move of the position with
/// [`push`](HokiStack::push) (or [`push_null`](HokiStack::push_null)) and each undo with
/// [`pop`](HokiStack::pop).
#[derive(Clone, Debug)]
pub struct HokiStack {
    weights: Arc<HokiWeights>,
    /// Material balance, Black's view.
    line: LineStack<i32>,
}

impl HokiStack {
    /// A line that begins at `pos`.
    pub fn new(weights: Arc<HokiWeights>, pos: &Position) -> HokiStack {
        let balance = weights.piece_values().balance(pos);
        HokiStack { weights, line: LineStack::new(balance) }
    }

    /// Follows a move.
    #[inline]
    pub fn push(&mut self, delta: &Delta) {
        let change = self.weights.piece_values().of_delta(delta);
        *self.line.push() += change;
    }

    /// Follows a null move.
    #[inline]
    pub fn push_null(&mut self) {
        self.line.push();
    }

    /// Takes back the last move or null move. Panics if there is none.
    #[inline]
    pub fn pop(&mut self) {
        self.line.pop();
    }

    /// Value of the current position, which must be `pos`, from the side to move's view.
    #[inline]
    pub fn evaluate(&self, pos: &Position) -> Score {
        full::evaluate(&self.weights, pos)
    }

    /// Material balance of the current position from `side`'s view.
    #[inline]
    pub fn material(&self, side: Color) -> i32 {
        side.sign() * self.line.top
    }

    /// The change of the moved piece's relations to each king and any other piece, mover's view, as
    /// [`Evaluator::piece_king_change`](crate::eval::Evaluator::piece_king_change) says: those of
    /// [`HokiGroup::Kpp`]. A piece that is taken still counts among the others. Cost: 148 look-ups.
    pub fn piece_king_change(&self, pos: &Position, mv: Move) -> i32 {
        let is_of_king = pos.moved_piece(mv) == PieceKind::King;
        if is_of_king || pos.kings().is_none() || !self.weights.groups().contains(HokiGroup::Kpp) {
            return 0;
        }
        let Delta { moved, .. } = pos.delta_of(mv);
        let change = |color: Color| {
            let side = Side::new(pos, color);
            color.sign() * self.kpp_change(side, moved.before, moved.after)
        };
        pos.side_to_move().sign() * Color::ALL.into_iter().map(change).sum::<i32>() / UNIT
    }

    /// What a side's KPP changes by, units, when a piece goes and the others stay.
    fn kpp_change(&self, side: Side, before: Place, after: Place) -> i32 {
        let index =
            |place| PieceIndex::new(place, side.color).map(|index| side.normal_index(index));
        let (Some(king), Some(before), Some(after)) = (side.king, index(before), index(after))
        else {
            return 0;
        };
        let first = king_row(side, king);
        let row = &self.weights.table(HokiGroup::Kpp)[first..];
        let of = |piece: PieceIndex, other: PieceIndex| {
            i32::from(row[triangle_index(piece.min(other), piece.max(other))])
        };
        let others = side.sorted_indices();
        // A piece has no weight with one in the same place: that is what would be taken.
        let relation = |piece, other| if piece == other { 0 } else { of(piece, other) };
        let others = others.iter().filter(|&&other| other != before);
        others.map(|&other| relation(after, other) - of(before, other)).sum()
    }
}
