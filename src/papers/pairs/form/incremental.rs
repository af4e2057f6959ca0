//! The value updated incrementally along a line of moves. Equal to [`full`] in every position. A
//! move costs 80 look-ups, a capture 160.

use std::sync::Arc;

use super::{PairList, PairPiece, PairWeights, TABLE_2, full};
use crate::eval::line_stack::LineStack;
use crate::eval::{RegisteredForm, RegisteredLine, Score};
use crate::lab::description::{distribution, heading};
use crate::shogi::{Change, Color, Delta, Piece, PieceKind, Place, Position, Square};

/// The name of the form.
const NAME: &str = "pairs of pieces";

impl RegisteredForm for PairWeights {
    fn name(&self) -> &'static str {
        NAME
    }

    fn evaluate(&self, pos: &Position) -> Score {
        full::evaluate(self, pos)
    }

    fn explain(&self, pos: &Position) -> Vec<(String, i32)> {
        full::explain(self, pos)
    }

    fn describe(&self) -> String {
        let weights = self.triangle().into_iter().map(f64::from);
        let row = distribution("pairs", weights.collect());
        format!("form: {NAME}\nunit: 1 centipawn\n\n{}\n{row}\n", heading())
    }

    fn piece_king_change(&self, _: &Position, squares: [Square; 2], moved: &Change) -> i32 {
        let kings = Color::ALL.map(|color| {
            let king = Piece::new(color, PieceKind::King);
            PairPiece::new(Place::Board(squares[color.index()], king))
        });
        let of = |place| -> i32 {
            let piece = PairPiece::new(place);
            kings.iter().map(|&king| i32::from(self.get(piece, king))).sum()
        };
        of(moved.after) - of(moved.before)
    }

    fn line(self: Arc<Self>, pos: &Position) -> Box<dyn RegisteredLine> {
        Box::new(PairLine::new(self, pos))
    }
}

/// A line of moves.
#[derive(Debug)]
struct PairLine {
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

impl PairLine {
    /// Creates a line that starts at `pos`.
    fn new(weights: Arc<PairWeights>, pos: &Position) -> PairLine {
        let top = PairSums {
            side: pos.side_to_move(),
            list: PairList::new(pos),
            balance: TABLE_2.balance(pos),
            relations: full::relations(&weights, pos),
        };
        PairLine { weights, line: LineStack::new(top) }
    }
}

impl RegisteredLine for PairLine {
    fn push(&mut self, delta: &Delta) {
        let top = self.line.push();
        top.side = !top.side;
        top.balance += TABLE_2.of_delta(delta);
        top.relations += self.weights.follow(&mut top.list, delta);
    }

    fn push_null(&mut self) {
        let top = self.line.push();
        top.side = !top.side;
    }

    fn pop(&mut self) {
        self.line.pop();
    }

    fn evaluate(&mut self, pos: &Position) -> Score {
        let PairSums { side, balance, relations, .. } = self.line.top;
        let score = Score::cp(side.sign() * (balance + relations));
        debug_assert_eq!(score, full::evaluate(&self.weights, pos), "{pos}");
        score
    }

    fn material(&self, side: Color) -> i32 {
        side.sign() * self.line.top.balance
    }
}
