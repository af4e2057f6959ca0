//! Evaluations that are computed from scratch in every position. Along a line, only the material is
//! updated incrementally, for the search.

use std::sync::Arc;

use crate::eval::line_stack::LineStack;
use crate::eval::material::PieceValues;
use crate::eval::{RegisteredForm, RegisteredLine, Score};
use crate::shogi::{Color, Delta, Position};

/// Weights that evaluate a position without incremental state.
pub(super) trait FromScratch: RegisteredForm {
    /// The values of the pieces, in whole centipawns.
    fn piece_values(&self) -> &PieceValues;
}

/// A line of moves. Each value is computed from scratch.
#[derive(Debug)]
pub(super) struct ScratchLine<W> {
    weights: Arc<W>,
    /// Material balance, from Black's view.
    line: LineStack<i32>,
}

impl<W: FromScratch> ScratchLine<W> {
    /// Creates a line that starts at `pos`.
    pub fn new(weights: Arc<W>, pos: &Position) -> ScratchLine<W> {
        let balance = weights.piece_values().balance(pos);
        ScratchLine { weights, line: LineStack::new(balance) }
    }
}

impl<W: FromScratch> RegisteredLine for ScratchLine<W> {
    fn push(&mut self, delta: &Delta) {
        let change = self.weights.piece_values().of_delta(delta);
        *self.line.push() += change;
    }

    fn push_null(&mut self) {
        self.line.push();
    }

    fn pop(&mut self) {
        self.line.pop();
    }

    fn evaluate(&mut self, pos: &Position) -> Score {
        self.weights.evaluate(pos)
    }

    fn material(&self, side: Color) -> i32 {
        side.sign() * self.line.top
    }
}
