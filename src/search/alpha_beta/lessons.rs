//! What a node teaches: what it leaves in the histories and corrections for the nodes to come.

use super::correction::Place;
use super::node::{Node, Searched};
use super::params::{SearchParams, Techniques};
use super::picker::Guide;
use super::{Arrival, Worker};
use crate::engine::Bound;
use crate::search::Depth;
use crate::search::stat::StatTable;
use crate::shogi::Move;

/// What a node of this depth says of a move, for the histories.
#[inline]
fn bonus(params: &SearchParams, depth: Depth) -> i32 {
    (params.history_bonus_slope * depth.to_plies())
        .clamp(0, params.history_bonus_limit)
        .min(StatTable::LIMIT)
}

/// A move cut off: it is remembered, and the moves tried before it are blamed.
pub(super) fn cut(
    worker: &mut Worker,
    guide: &Guide,
    depth: Depth,
    mv: Move,
    quiets: &[Move],
    captures: &[Move],
) {
    let params = worker.memory.params;
    let praise = bonus(params, depth);
    let blame = -praise * params.history_malus / 1_024;
    let knows_captures = params.uses(Techniques::CAPTURE_HISTORY);
    let (pos, histories) = (&worker.pos, &mut *worker.memory.histories);
    if pos.is_quiet(mv) {
        worker.memory.stack[worker.ply].killers.add(mv);
        histories.update_quiet(guide.ply, &guide.rows, Arrival::of(pos, mv), praise);
        for &quiet in quiets {
            histories.update_quiet(guide.ply, &guide.rows, Arrival::of(pos, quiet), blame);
        }
    } else if knows_captures {
        histories.update_capture(pos, mv, praise);
    }
    for &capture in captures.iter().filter(|_| knows_captures) {
        histories.update_capture(pos, capture, blame);
    }
}

/// No move was good enough against the one that led here: it is remembered if it was quiet.
pub(super) fn refuted_nothing(worker: &mut Worker, depth: Depth) {
    let params = worker.memory.params;
    let Some(above) = worker.ply.checked_sub(1) else { return };
    if let Some(last) = worker.memory.stack[above].made
        && last.is_quiet
        && params.uses(Techniques::FAIL_LOW_HISTORY)
    {
        let rows = worker.rows_at(above, last.color);
        let praise = bonus(params, depth) * params.fail_low_bonus / 1_024;
        worker.memory.histories.update_quiet(above, &rows, last, praise);
    }
}

/// What the search made of the position mends the next evaluations, where it tells something of
/// quiet play.
pub(super) fn correct(
    worker: &mut Worker,
    node: &Node,
    result: &Searched,
    bound: Bound,
    place: Place,
) {
    let Some(standing) = node.standing else { return };
    let quiet = result.best.is_none_or(|mv| worker.pos.is_quiet(mv));
    let tells = match bound {
        Bound::Exact => true,
        Bound::Lower => result.score > standing,
        Bound::Upper => result.score < standing,
    };
    if quiet
        && tells
        && !result.score.is_mate()
        && worker.memory.params.uses(Techniques::CORRECTION)
    {
        let error = result.score - standing;
        worker.memory.corrections.update(place, error, node.depth.to_plies());
    }
}
