//! History updates: what a node leaves in the histories and corrections for the nodes to come.

use super::correction::CorrectionKeys;
use super::node::{Node, Searched};
use super::params::{SearchParams, Techniques};
use super::picker::PickerContext;
use super::{AlphaBetaThread, PieceTo};
use crate::engine::Bound;
use crate::search::Depth;
use crate::search::history_table::HistoryTable;
use crate::shogi::Move;

/// What a node of this depth says of a move, for the histories.
#[inline]
fn bonus(params: &SearchParams, depth: Depth) -> i32 {
    (params.history_bonus_slope * depth.to_plies())
        .clamp(0, params.history_bonus_limit)
        .min(HistoryTable::LIMIT)
}

/// A move cut off: it is remembered, and the moves tried before it get a malus.
pub(super) fn on_beta_cutoff(
    thread: &mut AlphaBetaThread,
    context: &PickerContext,
    depth: Depth,
    mv: Move,
    quiets: &[Move],
    captures: &[Move],
) {
    let params = thread.state.params;
    let bonus = bonus(params, depth);
    let malus = -bonus * params.history_malus / 1_024;
    let knows_captures = params.uses(Techniques::CAPTURE_HISTORY);
    let (pos, histories) = (&thread.pos, &mut *thread.state.histories);
    if pos.is_quiet(mv) {
        thread.state.stack[thread.ply].killers.add(mv);
        histories.update_quiet(context.ply, &context.continuations, PieceTo::of(pos, mv), bonus);
        for &quiet in quiets {
            histories.update_quiet(
                context.ply,
                &context.continuations,
                PieceTo::of(pos, quiet),
                malus,
            );
        }
    } else if knows_captures {
        histories.update_capture(pos, mv, bonus);
    }
    for &capture in captures.iter().filter(|_| knows_captures) {
        histories.update_capture(pos, capture, malus);
    }
}

/// No move was good enough against the one that led here: it is remembered if it was quiet.
pub(super) fn on_fail_low(thread: &mut AlphaBetaThread, depth: Depth) {
    let params = thread.state.params;
    let Some(above) = thread.ply.checked_sub(1) else { return };
    if let Some(last) = thread.state.stack[above].made
        && last.is_quiet
        && params.uses(Techniques::FAIL_LOW_HISTORY)
    {
        let continuations = thread.continuations_at(above, last.color);
        let bonus = bonus(params, depth) * params.fail_low_bonus / 1_024;
        thread.state.histories.update_quiet(above, &continuations, last, bonus);
    }
}

/// What the search made of the position mends the next evaluations, where it tells something of
/// quiet play.
pub(super) fn correct(
    thread: &mut AlphaBetaThread,
    node: &Node,
    result: &Searched,
    bound: Bound,
    keys: CorrectionKeys,
) {
    let Some(static_eval) = node.static_eval else { return };
    let quiet = result.best.is_none_or(|mv| thread.pos.is_quiet(mv));
    let tells = match bound {
        Bound::Exact => true,
        Bound::Lower => result.score > static_eval,
        Bound::Upper => result.score < static_eval,
    };
    if quiet && tells && !result.score.is_mate() && thread.state.params.uses(Techniques::CORRECTION)
    {
        let error = result.score - static_eval;
        thread.state.corrections.update(keys, error, node.depth.to_plies());
    }
}
