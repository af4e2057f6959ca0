//! What moves are worth to the selective searcher, for their order: captures by what they take,
//! quiet moves by all histories that know them.

use super::history::{ContinuationTables, Histories, LOW_PLIES, PieceTo};
use crate::eval::see_values;
use crate::search::ordering::{Killers, ScoredMove, ScoredMoves};
use crate::search::picker::MoveScorer;
use crate::shogi::{CheckSquares, Move, PieceKind, Position};

/// Quiet moves of less value are not sorted.
const UNPROMISING: i32 = -8_000;
/// Puts captures before quiet moves.
const CAPTURE: i32 = 1 << 20;

/// Picker context: what orders the quiet moves of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct PickerContext {
    pub killers: Killers,
    pub continuations: ContinuationTables,
    /// What a quiet check that loses nothing is worth beside its history.
    pub check: i32,
    /// Distance from the root; beyond [`LOW_PLIES`] it does not matter.
    pub ply: usize,
}

/// Scores the moves of one node.
pub(super) struct HistoryScorer<'a> {
    pub context: &'a PickerContext,
    pub checks: &'a CheckSquares,
    pub histories: &'a Histories,
}

impl HistoryScorer<'_> {
    /// Value of any move, for lists that have no stages.
    pub fn value(&self, pos: &Position, mv: Move) -> i32 {
        if pos.is_quiet(mv) {
            return self.quiet(pos, mv);
        }
        let stage = if pos.see_ge(mv, see_values(), 0) { CAPTURE } else { -CAPTURE };
        stage + self.capture(pos, mv)
    }

    /// Value of a quiet move: all histories that know it.
    #[inline]
    fn quiet_history(&self, pos: &Position, mv: Move) -> i32 {
        let PickerContext { continuations, ply, .. } = self.context;
        let histories = self.histories;
        let [last, own, earlier] = histories.after(continuations, PieceTo::of(pos, mv));
        2 * histories.quiet(pos, mv)
            + 2 * last
            + own
            + earlier / 2
            + 4 * histories.near_root(*ply, mv) / (1 + (*ply).min(LOW_PLIES) as i32)
    }
}

impl MoveScorer for HistoryScorer<'_> {
    /// Most valuable victim, then history, then least valuable attacker.
    #[inline]
    fn capture(&self, pos: &Position, mv: Move) -> i32 {
        let values = see_values();
        let moved = pos.moved_piece(mv);
        let risk = if moved == PieceKind::King { 0 } else { values.capture[moved.index()] };
        16 * pos.material_gain(mv, values) + self.histories.capture(pos, mv) - risk
    }

    #[inline]
    fn is_good_capture(&self, pos: &Position, capture: ScoredMove) -> bool {
        pos.see_ge(capture.mv, see_values(), 0)
    }

    /// History, and more for a check that loses nothing.
    #[inline]
    fn quiet(&self, pos: &Position, mv: Move) -> i32 {
        let check = self.context.check;
        let good = check > 0 && pos.gives_check(mv, self.checks) && pos.see_ge(mv, see_values(), 0);
        self.quiet_history(pos, mv) + if good { check } else { 0 }
    }

    #[inline]
    fn evasion(&self, pos: &Position, mv: Move) -> i32 {
        if pos.is_quiet(mv) { self.quiet_history(pos, mv) } else { CAPTURE + self.capture(pos, mv) }
    }

    /// Moves that have served before come in order, the rest as generated: sorting them all costs
    /// more than it gains.
    fn order_quiets(quiets: &mut ScoredMoves) -> usize {
        quiets.gather(UNPROMISING).len()
    }
}
