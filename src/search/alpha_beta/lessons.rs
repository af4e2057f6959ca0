//! What a node teaches: what it leaves in the histories and corrections for the nodes to come.

use super::Worker;
use super::correction::Place;
use super::node::{Node, Searched};
use super::params::Techniques;
use super::picker::Guide;
use crate::engine::Bound;
use crate::search::Depth;
use crate::search::stat::StatTable;
use crate::shogi::Move;

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
    let bonus = (params.history_bonus_slope * depth.to_plies())
        .min(params.history_bonus_limit)
        .min(StatTable::LIMIT);
    let knows_captures = params.uses(Techniques::CAPTURE_HISTORY);
    let histories = &mut *worker.memory.histories;
    if worker.pos.is_quiet(mv) {
        worker.memory.stack[worker.ply].killers.add(mv);
        histories.update_quiet(&worker.pos, guide.ply, &guide.rows, mv, bonus);
        for &quiet in quiets {
            histories.update_quiet(&worker.pos, guide.ply, &guide.rows, quiet, -bonus);
        }
    } else if knows_captures {
        histories.update_capture(&worker.pos, mv, bonus);
    }
    for &capture in captures.iter().filter(|_| knows_captures) {
        histories.update_capture(&worker.pos, capture, -bonus);
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
