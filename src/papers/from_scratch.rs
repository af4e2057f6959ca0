//! Evaluations that are computed from scratch in every position. Along a line, only the material is
//! updated incrementally, for the search.

use std::sync::Arc;

use crate::eval::line_stack::LineStack;
use crate::eval::material::PieceValues;
use crate::eval::{RegisteredForm, RegisteredLine, Score};
use crate::shogi::{Color, Delta, Position};

/// A line of moves. Each value is computed from scratch.
#[derive(Debug)]
pub(super) struct ScratchLine {
    form: Arc<dyn RegisteredForm>,
    /// The values of the pieces, in whole centipawns.
    values: PieceValues,
    /// Material balance, from Black's view.
    line: LineStack<i32>,
}

impl ScratchLine {
    /// Creates a line that starts at `pos`.
    pub fn new(form: Arc<dyn RegisteredForm>, values: PieceValues, pos: &Position) -> ScratchLine {
        ScratchLine { form, values, line: LineStack::new(values.balance(pos)) }
    }
}

impl RegisteredLine for ScratchLine {
    fn push(&mut self, delta: &Delta) {
        let change = self.values.of_delta(delta);
        *self.line.push() += change;
    }

    fn push_null(&mut self) {
        self.line.push();
    }

    fn pop(&mut self) {
        self.line.pop();
    }

    fn evaluate(&mut self, pos: &Position) -> Score {
        self.form.evaluate(pos)
    }

    fn material(&self, side: Color) -> i32 {
        side.sign() * self.line.top
    }
}
