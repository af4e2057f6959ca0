//! Evaluations that are computed from scratch in every position. Along a line, only the material is
//! updated incrementally, for the search.

use std::sync::Arc;

use super::line_stack::LineStack;
use super::material::PieceValues;
use super::score::Score;
use crate::shogi::{Color, Delta, Move, Position};

/// Weights that evaluate a position without incremental state.
pub(super) trait FromScratch {
    /// The values of the pieces, in whole centipawns.
    fn piece_values(&self) -> &PieceValues;

    /// The value of a position from the side to move's view.
    fn evaluate(&self, pos: &Position) -> Score;

    /// Change of the relations between the moved piece and the kings, from the mover's view. See
    /// [`Evaluator::piece_king_change`](super::Evaluator::piece_king_change).
    fn piece_king_change(&self, pos: &Position, mv: Move) -> i32;
}

/// Evaluates the positions of a line. The caller pairs each move of the position with
/// [`push`](ScratchStack::push) (or [`push_null`](ScratchStack::push_null)) and each undo with
/// [`pop`](ScratchStack::pop).
#[derive(Debug)]
pub(super) struct ScratchStack<W> {
    weights: Arc<W>,
    /// Material balance, from Black's view.
    line: LineStack<i32>,
}

impl<W> Clone for ScratchStack<W> {
    fn clone(&self) -> ScratchStack<W> {
        ScratchStack { weights: Arc::clone(&self.weights), line: self.line.clone() }
    }
}

impl<W: FromScratch> ScratchStack<W> {
    /// Creates a line that starts at `pos`.
    pub fn new(weights: Arc<W>, pos: &Position) -> ScratchStack<W> {
        let balance = weights.piece_values().balance(pos);
        ScratchStack { weights, line: LineStack::new(balance) }
    }

    /// Pushes the position after a move.
    #[inline]
    pub fn push(&mut self, delta: &Delta) {
        let change = self.weights.piece_values().of_delta(delta);
        *self.line.push() += change;
    }

    /// Pushes the position after a null move.
    #[inline]
    pub fn push_null(&mut self) {
        self.line.push();
    }

    /// Pops the last position. Panics if no move was pushed.
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

    /// Calls [`FromScratch::piece_king_change`].
    #[inline]
    pub fn piece_king_change(&self, pos: &Position, mv: Move) -> i32 {
        self.weights.piece_king_change(pos, mv)
    }
}
