//! Which evaluation is used, and the evaluator that follows a line with it.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use super::Score;
use super::hand_made::{self, king_relation};
use super::kernel::Kernel;
use super::learned::file::WeightsError;
use super::learned::full::Relations;
use super::learned::{self, Weights};
use crate::shogi::{Color, Delta, Move, Position};

/// What values positions. Cheap to clone.
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// Material and hand-made king relations.
    HandMade,
    /// Material and learned relations.
    Learned(Arc<Weights>),
}

impl Evaluation {
    /// Reads a weights file.
    ///
    /// # Errors
    /// [`WeightsError`] if it cannot be read or is none.
    pub fn from_file(path: &Path) -> Result<Evaluation, WeightsError> {
        let weights = learned::file::read(BufReader::new(File::open(path)?))?;
        Ok(Evaluation::Learned(Arc::new(weights)))
    }

    /// Value of a position from the side to move's view, from scratch.
    pub fn evaluate(&self, pos: &Position) -> Score {
        match self {
            Evaluation::HandMade => hand_made::full::evaluate(pos),
            Evaluation::Learned(weights) => learned::full::evaluate(weights, pos),
        }
    }

    /// The parts of [`evaluate`](Evaluation::evaluate) with their names, in centipawns from the side
    /// to move's view; they add up to the value (before it is held within the range of scores), but
    /// for rounding.
    pub fn explain(&self, pos: &Position) -> Vec<(String, i32)> {
        match self {
            Evaluation::HandMade => hand_made::full::explain(pos),
            Evaluation::Learned(weights) => {
                let sign = pos.side_to_move().sign();
                let relations = learned::full::relations(weights, pos).unwrap_or_default();
                let Relations { kings, king_pieces, pairs, halves, turn, network } = relations;
                let mut black = vec![
                    ("material", learned::full::balance(pos) * learned::UNIT),
                    ("kings", kings),
                    ("kings and a piece", king_pieces),
                    ("two pieces", pairs),
                ];
                if weights.network().is_some() {
                    black.push(("network", sign * network));
                } else {
                    black.push(("Black's king and two pieces", halves[0]));
                    black.push(("White's king and two pieces", -halves[1]));
                }
                black.push(("turn", sign * turn));
                let part =
                    |(name, units): (&str, i32)| (name.to_owned(), sign * units / learned::UNIT);
                black.into_iter().map(part).collect()
            }
        }
    }
}

/// Evaluates the positions of a line. The caller pairs each move of the position with
/// [`push`](Evaluator::push) (or [`push_null`](Evaluator::push_null)) and each undo with
/// [`pop`](Evaluator::pop).
#[derive(Clone, Debug)]
pub struct Evaluator {
    line: Line,
}

#[derive(Clone, Debug)]
enum Line {
    HandMade(hand_made::incremental::Line),
    Learned(Box<learned::incremental::Line>),
}

impl Evaluator {
    /// An evaluator that stands at `pos`, with the fastest kernel of this CPU.
    pub fn new(evaluation: &Evaluation, pos: &Position) -> Evaluator {
        Evaluator::with_kernel(evaluation, Kernel::detect(), pos)
    }

    /// The same with a kernel of the caller's choice. All kernels give the same values.
    pub fn with_kernel(evaluation: &Evaluation, kernel: Kernel, pos: &Position) -> Evaluator {
        let line = match evaluation {
            Evaluation::HandMade => Line::HandMade(hand_made::incremental::Line::new(pos)),
            Evaluation::Learned(weights) => {
                let line = learned::incremental::Line::new(Arc::clone(weights), kernel, pos);
                Line::Learned(Box::new(line))
            }
        };
        Evaluator { line }
    }

    /// Follows a move.
    #[inline]
    pub fn push(&mut self, delta: &Delta) {
        match &mut self.line {
            Line::HandMade(line) => line.push(delta),
            Line::Learned(line) => line.push(delta),
        }
    }

    /// Follows a null move.
    #[inline]
    pub fn push_null(&mut self) {
        match &mut self.line {
            Line::HandMade(line) => line.push_null(),
            Line::Learned(line) => line.push_null(),
        }
    }

    /// Takes back the last move or null move. Panics if there is none.
    #[inline]
    pub fn pop(&mut self) {
        match &mut self.line {
            Line::HandMade(line) => line.pop(),
            Line::Learned(line) => line.pop(),
        }
    }

    /// Value of the current position, which must be `pos`, from the side to move's view. Equal to
    /// [`Evaluation::evaluate`]; costs only what has changed since the last values.
    #[inline]
    pub fn evaluate(&mut self, pos: &Position) -> Score {
        match &mut self.line {
            Line::HandMade(line) => line.evaluate(pos),
            Line::Learned(line) => line.evaluate(pos),
        }
    }

    /// Material balance of the current position from `side`'s view, with what having the move is
    /// worth if the evaluation has one number for it: M(P) of Hoki (2006).
    #[inline]
    pub fn material(&self, side: Color) -> i32 {
        match &self.line {
            Line::HandMade(line) => line.material(side),
            Line::Learned(line) => line.material(side),
        }
    }

    /// The change of the moved piece's relations to the kings by a move of the current position,
    /// which must be `pos`, mover's view: M_piece-king(m) of Hoki (2006), eq. (8). 0 for king
    /// moves, whose change is a whole half, and where a king is missing.
    #[inline]
    pub fn piece_king_change(&self, pos: &Position, mv: Move) -> i32 {
        match &self.line {
            Line::HandMade(_) => king_relation::piece_king_change(pos, mv),
            Line::Learned(line) => line.piece_king_change(pos, mv),
        }
    }
}
