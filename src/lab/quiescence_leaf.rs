//! Quiescence search as a separate tool: the value of a position after its exchanges, and the moves
//! to that leaf.
//!
//! The rules are those of the full-width search of Hoki 2006 without futility pruning:
//! the bounds of that pruning grow during a search, and the value of a leaf must depend on its
//! position only.

use std::iter;

use super::capture_search::{BestFirst, ScoredMove, best_value};
use crate::engine::Pv;
use crate::eval::{Evaluation, Evaluator, Score, see_values};
use crate::search::MAX_PLY;
use crate::search::window::Window;
use crate::shogi::{Move, MoveList, PieceKind, Position, Scope, movegen};

/// Plies of the first stage.
const FIRST_STAGE: u32 = 7;

/// Searches positions by quiescence with an open window.
///
/// ```
/// use kankei::eval::Evaluation;
/// use kankei::lab::QuiescenceLeaf;
/// use kankei::shogi::Position;
/// // The pawn captures the silver in front of it.
/// let pos = Position::from_sfen("4k4/9/9/4s4/4P4/9/9/9/4K4 b - 1").expect("a position");
/// let mut leaf = QuiescenceLeaf::new(&Evaluation::HandMade);
/// let (_, line) = leaf.search(&pos);
/// assert_eq!(line.first().map(ToString::to_string).as_deref(), Some("5e5d"));
/// ```
pub struct QuiescenceLeaf<'a> {
    evaluation: &'a Evaluation,
    evaluator: Evaluator,
    pos: Position,
    /// Moves made from the position that was set.
    ply: usize,
}

impl<'a> QuiescenceLeaf<'a> {
    /// A searcher. It keeps nothing between positions.
    pub fn new(evaluation: &'a Evaluation) -> QuiescenceLeaf<'a> {
        let pos = Position::startpos();
        let evaluator = Evaluator::new(evaluation, &pos);
        QuiescenceLeaf { evaluation, evaluator, pos, ply: 0 }
    }

    /// The value of `pos` for the side to move, and the line to the leaf with this value. The line
    /// is empty if `pos` is quiet. For a mate score, the line ends with the mating move.
    pub fn search(&mut self, pos: &Position) -> (Score, Pv) {
        self.go_to(pos);
        self.quiesce(Window::open(), 0)
    }

    /// Sets the position whose moves are searched next.
    pub fn go_to(&mut self, pos: &Position) {
        self.pos.clone_from(pos);
        self.evaluator = Evaluator::new(self.evaluation, pos);
    }

    /// Like [`search`](QuiescenceLeaf::search), for the position after a legal move of the position
    /// set by [`go_to`](QuiescenceLeaf::go_to).
    pub fn search_after(&mut self, mv: Move) -> (Score, Pv) {
        self.descend(mv, |leaf| leaf.quiesce(Window::open(), 0))
    }

    /// The evaluation after a legal move of the current position, from the mover's side.
    pub fn evaluate_after(&mut self, mv: Move) -> Score {
        self.descend(mv, |leaf| -leaf.evaluator.evaluate(&leaf.pos))
    }

    /// The value of the current position, fail-soft, and the line to its leaf, which is valid if
    /// the value exceeds alpha. `depth`: plies since the search started.
    fn quiesce(&mut self, Window { alpha, beta }: Window, depth: u32) -> (Score, Pv) {
        let mut line = Pv::new();
        let static_eval = self.evaluator.evaluate(&self.pos);
        if static_eval >= beta || self.ply >= MAX_PLY {
            return (static_eval, line);
        }
        let first_stage = depth < FIRST_STAGE;
        if first_stage && let Some(mv) = self.pos.mate_in_one() {
            line.push(mv);
            return (Score::mate_in(self.ply as u32 + 1), line);
        }
        let mut moves = quiescence_moves(&self.pos, first_stage, true);
        let value_of = |ScoredMove { mv, .. }, [alpha, beta]: [Score; 2]| {
            let window = Window { alpha, beta }.negated();
            let (value, rest) = self.descend(mv, |leaf| leaf.quiesce(window, depth + 1));
            if -value > alpha {
                line = iter::once(mv).chain(rest).collect();
            }
            Some(-value)
        };
        (best_value(static_eval, [alpha, beta], &mut moves, value_of), line)
    }

    /// Makes a move, calls `then`, and takes the move back.
    fn descend<T>(&mut self, mv: Move, then: impl FnOnce(&mut Self) -> T) -> T {
        let delta = self.pos.do_move(mv);
        self.evaluator.push(&delta);
        self.ply += 1;
        let result = then(self);
        self.ply -= 1;
        self.evaluator.pop();
        self.pos.undo_move();
        result
    }
}

/// The moves of a stage that do not lose material, with their SEE values. First stage: captures,
/// promotions and, with `king_moves`, king moves out of check. Second stage: captures, except
/// captures of pawns without promotion.
///
/// Source: Hoki 2006, appendix. The paper gives no condition for king moves. Here they are limited
/// to evasions: quiet moves of a king not in check lost 54 +- 48 Elo in 200 games at 20,000 nodes.
pub(crate) fn quiescence_moves(pos: &Position, first_stage: bool, king_moves: bool) -> BestFirst {
    let mut scope = Scope::CAPTURES;
    if first_stage {
        scope |= Scope::PROMOTIONS;
        if king_moves && pos.in_check() {
            scope |= Scope::KING;
        }
    }
    let mut moves = MoveList::new();
    movegen::generate(pos, scope, &mut moves);
    if !first_stage {
        let is_pawn = |to| pos.piece_on(to).is_some_and(|piece| piece.kind == PieceKind::Pawn);
        moves.retain(|mv| mv.is_promotion() || !is_pawn(mv.to()));
    }
    let scored = moves.iter().map(|&mv| ScoredMove { mv, value: pos.see(mv, see_values()) });
    BestFirst(scored.filter(|scored| scored.value >= 0).collect())
}
