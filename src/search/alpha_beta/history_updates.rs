//! History updates: what a node leaves in the histories and corrections for the nodes to come.

use super::history::PieceTo;
use super::params::{SearchParams, Techniques};
use super::picker::PickerContext;
use super::thread::AlphaBetaThread;
use crate::eval::Score;
use crate::search::depth::Depth;
use crate::search::history_table::HistoryTable;
use crate::search::tt::TtEntry;
use crate::shogi::Move;

/// What a node of this depth says of a move, for the histories.
#[inline]
fn bonus(params: &SearchParams, depth: Depth) -> i32 {
    (params.history_bonus_slope * depth.to_plies())
        .clamp(0, params.history_bonus_limit)
        .min(HistoryTable::LIMIT)
}

/// A move cut off: it gets a bonus, and the `tried` moves before it, quiet ones and captures, a
/// malus.
pub(super) fn on_beta_cutoff(
    thread: &mut AlphaBetaThread,
    context: &PickerContext,
    depth: Depth,
    mv: Move,
    [quiets, captures]: [&[Move]; 2],
) {
    let params = thread.state.params;
    let bonus = bonus(params, depth);
    let malus = -bonus * params.history_malus / 1_024;
    let knows_captures = params.uses(Techniques::CAPTURE_HISTORY);
    let (pos, histories) = (&thread.pos, &mut thread.state.history.histories);
    let PickerContext { ply, continuations, .. } = context;
    if pos.is_quiet(mv) {
        thread.state.stack[thread.ply].killers.add(mv);
        histories.update_quiet(*ply, continuations, PieceTo::of(pos, mv), bonus);
        for &quiet in quiets {
            histories.update_quiet(*ply, continuations, PieceTo::of(pos, quiet), malus);
        }
    } else if knows_captures {
        histories.update_capture(pos, mv, bonus);
    }
    for &capture in captures.iter().filter(|_| knows_captures) {
        histories.update_capture(pos, capture, malus);
    }
}

/// No move was good enough against the one that led here: that gets a bonus if it was quiet.
pub(super) fn on_fail_low(thread: &mut AlphaBetaThread, depth: Depth) {
    let params = thread.state.params;
    let Some(above) = thread.ply.checked_sub(1) else { return };
    if let Some(last) = thread.state.stack[above].made
        && last.is_quiet
        && params.uses(Techniques::FAIL_LOW_HISTORY)
    {
        let continuations = thread.continuations_at(above, last.color);
        let bonus = bonus(params, depth) * params.fail_low_bonus / 1_024;
        thread.state.history.histories.update_quiet(above, &continuations, last, bonus);
    }
}

/// What the search made of the position corrects the next evaluations, where it tells something of
/// quiet play.
pub(super) fn correct(thread: &mut AlphaBetaThread, static_eval: Option<Score>, found: &TtEntry) {
    let Some(static_eval) = static_eval else { return };
    if thread.state.params.uses(Techniques::CORRECTION)
        && found.mv.is_none_or(|mv| thread.pos.is_quiet(mv))
        && found.improves(static_eval)
        && !found.score.is_mate()
    {
        let keys = thread.correction_keys();
        let error = found.score - static_eval;
        thread.state.history.corrections.update(keys, error, found.depth.to_plies());
    }
}
