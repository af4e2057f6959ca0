//! Evaluations that are made from scratch in every position: along a line only the material is kept up
//! to date, for the search.

use std::sync::Arc;

use super::line_stack::LineStack;
use super::material::PieceValues;
use super::score::Score;
use crate::shogi::{Color, Delta, Move, Position};

/// Weights that value any position by themselves.
pub(super) trait FromScratch {
    /// The values of the pieces, in whole centipawns.
    fn piece_values(&self) -> &PieceValues;

    /// The value of a position from the side to move's view.
    fn evaluate(&self, pos: &Position) -> Score;

    /// The change of the moved piece's relations to the kings, mover's view, as
    /// [`Evaluator::piece_king_change`](super::Evaluator::piece_king_change) says.
    fn piece_king_change(&self, pos: &Position, mv: Move) -> i32;
}

/// Evaluates the positions of a line. The caller pairs each move of the position with
/// [`push`](ScratchStack::push) (or [`push_null`](ScratchStack::push_null)) and each undo with
/// [`pop`](ScratchStack::pop).
#[derive(Debug)]
pub(super) struct ScratchStack<W> {
    weights: Arc<W>,
    /// Material balance, Black's view.
    line: LineStack<i32>,
}

impl<W> Clone for ScratchStack<W> {
    fn clone(&self) -> ScratchStack<W> {
        ScratchStack { weights: Arc::clone(&self.weights), line: self.line.clone() }
    }
}

impl<W: FromScratch> ScratchStack<W> {
    /// A line that begins at `pos`.
    pub fn new(weights: Arc<W>, pos: &Position) -> ScratchStack<W> {
        let balance = weights.piece_values().balance(pos);
        ScratchStack { weights, line: LineStack::new(balance) }
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
        self.weights.evaluate(pos)
    }

    /// Material balance of the current position from `side`'s view.
    #[inline]
    pub fn material(&self, side: Color) -> i32 {
        side.sign() * self.line.top
    }

    /// As [`FromScratch::piece_king_change`].
    #[inline]
    pub fn piece_king_change(&self, pos: &Position, mv: Move) -> i32 {
        self.weights.piece_king_change(pos, mv)
    }
}
