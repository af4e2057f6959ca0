//! Nodes whose score can be told without a look at all their moves.

use super::node::{self, Node};
use super::params::Techniques;
use super::{Worker, pruning, quiescence};
use crate::engine::Bound;
use crate::eval::{Score, see_values};
use crate::search::Depth;
use crate::search::tt::Entry;
use crate::search::window::{NonPv, Window};
use crate::shogi::{Declaration, Move, MoveList, Scope, movegen};

/// A win of the side to move that needs no search, and the move that brings it.
pub(super) fn won_at_once(
    worker: &mut Worker,
    in_check: bool,
    unknown: bool,
) -> Option<(Score, Option<Move>)> {
    let params = worker.memory.params;
    let score = Score::mate_in(worker.ply as u32 + 1);
    if params.uses(Techniques::DECLARATION) {
        match worker.pos.declaration(worker.settings.declaration) {
            Some(Declaration::Declare) => return Some((score, None)),
            Some(Declaration::Try(mv)) => return Some((score, Some(mv))),
            None => {}
        }
    }
    if in_check || !unknown || !params.uses(Techniques::MATE_IN_ONE) {
        return None;
    }
    worker.pos.mate_in_one().map(|mv| (score, Some(mv)))
}

/// The score of a null-window node that can be told without looking at all moves.
pub(super) fn without_moves(worker: &mut Worker, node: &Node) -> Option<Score> {
    let params = worker.memory.params;
    let Window { alpha, beta } = node.window;
    let corrected = node.standing?;
    let (depth, pv) = (node.depth, node.pv);
    // What the table knows better.
    let standing = match node.known {
        Some(entry) if entry.improves(corrected) && !entry.score.is_mate() => entry.score,
        _ => corrected,
    };

    if params.uses(Techniques::RAZORING)
        && !alpha.is_mate()
        && pruning::is_hopeless(params, depth, standing, alpha)
    {
        let score = quiescence::search::<NonPv>(worker, Window::null(alpha + 1), 0);
        if worker.stopped || score <= alpha {
            return Some(score);
        }
    }
    if params.uses(Techniques::REVERSE_FUTILITY)
        && !pv
        && !beta.is_mate()
        && let Some(score) =
            pruning::is_won_back_never(params, depth, standing, beta, node.improving)
    {
        return Some(score);
    }
    null_move(worker, node, standing).or_else(|| prob_cut(worker, node, corrected))
}

/// Null move pruning: if passing still fails high, so will the best move.
fn null_move(worker: &mut Worker, node: &Node, standing: Score) -> Option<Score> {
    let params = worker.memory.params;
    let beta = node.window.beta;
    if !params.uses(Techniques::NULL_MOVE)
        || worker.stopped
        || node.depth < Depth::plies(params.null_depth)
        || standing < beta
        || node.standing? < beta
        || beta.is_mate()
        || worker.pos.last_move().is_none()
    {
        return None;
    }
    let reduced = pruning::null_move_depth(params, node.depth, standing, beta);
    worker.state().made = None;
    let score = worker.descend_null(|w| {
        -node::search::<NonPv>(w, Window::null(beta).turned(), reduced, !node.cut_node)
    });
    if worker.stopped || score < beta {
        return None;
    }
    // A mate found after a pass is none.
    Some(if score.is_mate() { beta } else { score })
}

/// Prob-cut (Buro 1995): a capture that beats beta by a margin in a shallower search would beat beta
/// in the full one.
fn prob_cut(worker: &mut Worker, node: &Node, standing: Score) -> Option<Score> {
    let params = worker.memory.params;
    let beta = node.window.beta;
    let goal = beta + params.prob_cut_margin;
    let reduced = node.depth - Depth::plies(params.prob_cut_reduction);
    if !params.uses(Techniques::PROB_CUT)
        || worker.stopped
        || node.depth < Depth::plies(params.prob_cut_depth)
        || goal.is_mate()
        || beta.is_mate()
        || node.known.is_some_and(|entry| entry.depth >= reduced && entry.score < goal)
    {
        return None;
    }
    let mut moves = MoveList::new();
    movegen::generate(&worker.pos, Scope::CAPTURES | Scope::PROMOTIONS, &mut moves);
    let needed = goal - standing;
    for &mv in &moves {
        if worker.pos.material_gain(mv, see_values()) < needed
            || !worker.pos.see_ge(mv, see_values(), needed)
        {
            continue;
        }
        let score = worker.follow(mv, |w| {
            let window = Window::null(goal).turned();
            let first = -quiescence::search::<NonPv>(w, window, 0);
            if first < goal {
                return first;
            }
            -node::search::<NonPv>(w, window, reduced, !node.cut_node)
        });
        if worker.stopped {
            return None;
        }
        if score >= goal {
            let entry = Entry {
                mv: Some(mv),
                score,
                depth: reduced + Depth::ONE,
                bound: Bound::Lower,
                standing: None,
                pv: node.pv,
            };
            worker.tt.store(worker.pos.key(), worker.ply as u32, &entry);
            return Some(score);
        }
    }
    None
}
