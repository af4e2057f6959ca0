//! The value updated incrementally along a line of moves. Equal to [`full`] in every position. A
//! move costs 80 look-ups, a capture 160.

use std::sync::Arc;

use super::{PairList, PairPiece, PairWeights, TABLE_2, full};
use crate::eval::line_stack::LineStack;
use crate::eval::score::Score;
use crate::shogi::{Color, Delta, Move, Piece, PieceKind, Place, Position};

/// Evaluates the positions of a line. The caller pairs each move of the position with
/// [`push`](PairStack::push) (or [`push_null`](PairStack::push_null)) and each undo with
/// [`pop`](PairStack::pop).
#[derive(Clone, Debug)]
pub struct PairStack {
    weights: Arc<PairWeights>,
    line: LineStack<PairSums>,
}

/// The sums of one position, from Black's view.
#[derive(Clone, Copy, Debug)]
struct PairSums {
    side: Color,
    list: PairList,
    balance: i32,
    relations: i32,
}

impl PairStack {
    /// Creates a line that starts at `pos`.
    pub fn new(weights: Arc<PairWeights>, pos: &Position) -> PairStack {
        let top = PairSums {
            side: pos.side_to_move(),
            list: PairList::new(pos),
            balance: TABLE_2.balance(pos),
            relations: full::relations(&weights, pos),
        };
        PairStack { weights, line: LineStack::new(top) }
    }

    /// Pushes the position after a move.
    #[inline]
    pub fn push(&mut self, delta: &Delta) {
        let top = self.line.push();
        top.side = !top.side;
        top.balance += TABLE_2.of_delta(delta);
        top.relations += self.weights.follow(&mut top.list, delta);
    }

    /// Pushes the position after a null move.
    #[inline]
    pub fn push_null(&mut self) {
        let top = self.line.push();
        top.side = !top.side;
    }

    /// Pops the last position. Panics if no move was pushed.
    #[inline]
    pub fn pop(&mut self) {
        self.line.pop();
    }

    /// Value of the current position, which must be `pos`, from the side to move's view.
    #[inline]
    pub fn evaluate(&self, pos: &Position) -> Score {
        let PairSums { side, balance, relations, .. } = self.line.top;
        let score = Score::cp(side.sign() * (balance + relations));
        debug_assert_eq!(score, full::evaluate(&self.weights, pos), "{pos}");
        score
    }

    /// Material balance of the current position from `side`'s view, with the values of Table 2.
    #[inline]
    pub fn material(&self, side: Color) -> i32 {
        side.sign() * self.line.top.balance
    }

    /// Change of the relations between the moved piece and both kings, from the mover's view. See
    /// [`Evaluator::piece_king_change`](crate::eval::Evaluator::piece_king_change).
    pub fn piece_king_change(&self, pos: &Position, mv: Move) -> i32 {
        let Some(squares) = pos.kings().filter(|_| pos.moved_piece(mv) != PieceKind::King) else {
            return 0;
        };
        let Delta { moved, .. } = pos.delta_of(mv);
        let kings = Color::ALL.map(|color| {
            let king = Piece::new(color, PieceKind::King);
            PairPiece::new(Place::Board(squares[color.index()], king))
        });
        let of = |place| -> i32 {
            let piece = PairPiece::new(place);
            kings.iter().map(|&king| i32::from(self.weights.get(piece, king))).sum()
        };
        pos.side_to_move().sign() * (of(moved.after) - of(moved.before))
    }
}
