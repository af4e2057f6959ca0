//! Ordering values of moves: captures by capture history and captured material, quiet moves by
//! their histories.

use super::history::{Histories, HistoryContext};
use super::params::SearchParams;
use crate::eval::see_values;
use crate::search::ordering::ScoredMove;
use crate::shogi::{CheckSquares, Move, Position};

/// Puts captures before quiet moves.
const CAPTURE: i32 = 1 << 20;

/// Ordering value of a capture: its history plus the captured material. A rook counts as half of
/// the history's range.
#[inline]
pub(super) fn capture_value(
    params: &SearchParams,
    histories: Histories,
    pos: &Position,
    mv: Move,
) -> i32 {
    histories.capture(pos, mv) + gain_value(params, pos, mv)
}

/// Ordering value of an evasion: captures first, then quiet moves by their histories.
#[inline]
pub(super) fn evasion_value(
    histories: Histories,
    context: &HistoryContext,
    pos: &Position,
    mv: Move,
) -> i32 {
    if pos.is_capture(mv) {
        CAPTURE + pos.material_gain(mv, see_values())
    } else {
        histories.evasion_value(context, pos, mv)
    }
}

/// The captured material in units of history.
#[inline]
pub(super) fn gain_value(params: &SearchParams, pos: &Position, mv: Move) -> i32 {
    pos.material_gain(mv, see_values()) * params.order_capture / 1_024
}

/// Scores the moves of one node.
pub(super) struct HistoryScorer<'a> {
    pub context: &'a HistoryContext,
    pub checks: &'a CheckSquares,
    pub histories: Histories<'a>,
    pub params: &'a SearchParams,
    /// Bonus of a quiet check that loses little material, in addition to its history.
    pub check: i32,
    /// Remaining depth in plies.
    pub depth: i32,
}

impl HistoryScorer<'_> {
    /// Ordering value of any move, for lists without stages.
    pub fn value(&self, pos: &Position, mv: Move) -> i32 {
        if !pos.is_capture(mv) {
            return self.quiets(pos)(mv);
        }
        let stage = if pos.see_ge(mv, see_values(), 0) { CAPTURE } else { -CAPTURE };
        stage + self.capture(pos, mv)
    }

    /// Quiet moves with at most this value come after the bad captures.
    pub fn bad_quiet(&self) -> i32 {
        self.params.order_bad_quiet
    }

    /// Value of a capture.
    #[inline]
    pub fn capture(&self, pos: &Position, mv: Move) -> i32 {
        capture_value(self.params, self.histories, pos, mv)
    }

    /// Whether a capture is searched before the quiet moves. One with a better value may lose more
    /// material by SEE.
    #[inline]
    pub fn is_good_capture(&self, pos: &Position, capture: ScoredMove) -> bool {
        pos.see_ge(
            capture.mv,
            see_values(),
            -capture.value * self.params.order_good_capture / 1_024,
        )
    }

    /// Returns the function that scores quiet moves of this position by their histories, with a
    /// bonus for a check that loses little material.
    #[inline]
    pub fn quiets(&self, pos: &Position) -> impl Fn(Move) -> i32 {
        let histories = self.histories.quiets(self.context);
        move |mv| {
            let is_good_check = self.check > 0
                && pos.gives_direct_check(mv, self.checks)
                && pos.see_ge(mv, see_values(), -self.params.quiet_check_loss);
            histories.value(self.params, pos, mv) + if is_good_check { self.check } else { 0 }
        }
    }

    /// Value of an evasion.
    #[inline]
    pub fn evasion(&self, pos: &Position, mv: Move) -> i32 {
        evasion_value(self.histories, self.context, pos, mv)
    }

    /// Quiet moves with a greater value are taken best first, before the others, which are taken in
    /// list order. Fewer moves are searched at low depth, so fewer are sorted.
    pub fn promising_quiet(&self) -> i32 {
        self.params.order_unsorted * self.depth
    }
}
