//! Along a line only the material is kept up to date, for the search; the value is made from scratch
//! in every position.

use std::sync::Arc;

use super::{FeatureWeights, UNIT, full};
use crate::eval::line_stack::LineStack;
use crate::eval::score::Score;
use crate::shogi::{Color, Delta, Move, PieceKind, Position};

/// Evaluates the positions of a line. The caller pairs each move of the position with
/// [`push`](FeatureStack::push) (or [`push_null`](FeatureStack::push_null)) and each undo with
/// [`pop`](FeatureStack::pop).
#[derive(Clone, Debug)]
pub struct FeatureStack {
    weights: Arc<FeatureWeights>,
    /// Material balance, Black's view.
    line: LineStack<i32>,
}

impl FeatureStack {
    /// A line that begins at `pos`.
    pub fn new(weights: Arc<FeatureWeights>, pos: &Position) -> FeatureStack {
        let balance = weights.piece_values().balance(pos);
        FeatureStack { weights, line: LineStack::new(balance) }
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

    /// The change of what the moved piece is worth by its distances to both kings, mover's view, as
    /// [`Evaluator::piece_king_change`](crate::eval::Evaluator::piece_king_change) says. What it
    /// attacks around them is left out: that is no relation of the piece alone.
    pub fn piece_king_change(&self, pos: &Position, mv: Move) -> i32 {
        let Some(kings) = pos.kings().filter(|_| pos.moved_piece(mv) != PieceKind::King) else {
            return 0;
        };
        let Delta { moved, .. } = pos.delta_of(mv);
        let of = |place| self.weights.near_kings(place, kings.map(Some));
        pos.side_to_move().sign() * (of(moved.after) - of(moved.before)) / UNIT
    }
}
