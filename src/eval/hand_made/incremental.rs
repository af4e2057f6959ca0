//! The evaluation updated incrementally along a line of moves.
//!
//! Equal to [`evaluate`] in every position. A move costs a few additions instead of a loop over the
//! board.

use super::{TEMPO, evaluate, king_relation};
use crate::eval::line_stack::LineStack;
use crate::eval::material::PieceValues;
use crate::eval::score::Score;
use crate::shogi::{Change, Color, Delta, Position, Square};

/// Evaluates the positions of a line. The caller pairs each move of the position with
/// [`push`](HandMadeStack::push) (or [`push_null`](HandMadeStack::push_null)) and each undo with
/// [`pop`](HandMadeStack::pop).
#[derive(Clone, Debug)]
pub struct HandMadeStack(LineStack<HandMadeAccumulator>);

/// The sums of one position.
#[derive(Clone, Copy, Debug)]
struct HandMadeAccumulator {
    side: Color,
    /// Both kings' squares. `None` if a king is missing; the value is then material only.
    kings: Option<[Square; 2]>,
    /// Material balance from Black's view, without the tempo.
    balance: i32,
    /// Relations of each side's king, from that side's view. `None` after a move of that king until
    /// the next evaluation.
    halves: [Option<i32>; 2],
}

impl HandMadeStack {
    /// Creates a line that starts at `pos`.
    pub fn new(pos: &Position) -> HandMadeStack {
        HandMadeStack(LineStack::new(HandMadeAccumulator::new(pos)))
    }

    /// Pushes the position after a move.
    #[inline]
    pub fn push(&mut self, delta: &Delta) {
        self.0.push().follow(delta);
    }

    /// Pushes the position after a null move.
    #[inline]
    pub fn push_null(&mut self) {
        let top = self.0.push();
        top.side = !top.side;
    }

    /// Pops the last position. Panics if no move was pushed.
    #[inline]
    pub fn pop(&mut self) {
        self.0.pop();
    }

    /// Value of the current position, which must be `pos`, from the side to move's view. Costs a
    /// few additions, and a loop over the pieces for each king that moved since the last
    /// evaluation.
    #[inline]
    pub fn evaluate(&mut self, pos: &Position) -> Score {
        let mut value = self.0.top.balance;
        if let Some(kings) = self.0.top.kings {
            for side in Color::ALL {
                let half = &mut self.0.top.halves[side.index()];
                let half = *half
                    .get_or_insert_with(|| king_relation::half(pos, side, kings[side.index()]));
                value += side.sign() * half;
            }
        }
        let score = Score::cp(self.0.top.side.sign() * value + TEMPO);
        debug_assert_eq!(score, evaluate(pos), "{pos}");
        score
    }

    /// Material balance of the current position from `side`'s view: M(P) of Hoki (2006). Includes
    /// the tempo: plus [`TEMPO`] if `side` is to move, minus it otherwise.
    /// [`evaluate`](HandMadeStack::evaluate) adds the relations term to this value for the side to
    /// move.
    #[inline]
    pub fn material(&self, side: Color) -> i32 {
        let tempo = if side == self.0.top.side { TEMPO } else { -TEMPO };
        side.sign() * self.0.top.balance + tempo
    }
}

impl HandMadeAccumulator {
    fn new(pos: &Position) -> HandMadeAccumulator {
        HandMadeAccumulator {
            side: pos.side_to_move(),
            kings: pos.kings(),
            balance: PieceValues::ENGINE.balance(pos),
            halves: [None; 2],
        }
    }

    #[inline]
    fn follow(&mut self, delta: &Delta) {
        let mover = self.side;
        self.side = !mover;
        self.balance += PieceValues::ENGINE.of_delta(delta);
        let Some(kings) = &mut self.kings else { return };
        let king_move = delta.king_move();
        if let Some(to) = king_move {
            kings[mover.index()] = to;
            self.halves[mover.index()] = None;
        }
        for side in Color::ALL {
            let king = kings[side.index()];
            if let Some(half) = &mut self.halves[side.index()] {
                if king_move.is_none() {
                    *half += half_change(side, king, &delta.moved);
                }
                if let Some(captured) = &delta.captured {
                    *half += half_change(side, king, captured);
                }
            }
        }
    }
}

/// Change of the relations of `side`'s king by one change of a non-king piece.
#[inline]
fn half_change(side: Color, king: Square, change: &Change) -> i32 {
    king_relation::of_place(side, king, change.after)
        - king_relation::of_place(side, king, change.before)
}
