//! Nodes whose score can be told without a look at all their moves.

use super::node::{self, Node};
use super::params::Techniques;
use super::{AlphaBetaThread, pruning, quiescence};
use crate::engine::Bound;
use crate::eval::{Score, see_values};
use crate::search::Depth;
use crate::search::tt::TtEntry;
use crate::search::window::{NonPv, Window};
use crate::shogi::{Declaration, Move, MoveList, Scope, movegen};

/// A win of the side to move that needs no search, and the move that brings it.
pub(super) fn won_at_once(
    thread: &mut AlphaBetaThread,
    in_check: bool,
    unknown: bool,
) -> Option<(Score, Option<Move>)> {
    let params = thread.state.params;
    let score = Score::mate_in(thread.ply as u32 + 1);
    if params.uses(Techniques::DECLARATION) {
        match thread.pos.declaration(thread.settings.declaration) {
            Some(Declaration::Declare) => return Some((score, None)),
            Some(Declaration::Try(mv)) => return Some((score, Some(mv))),
            None => {}
        }
    }
    if in_check || !unknown || !params.uses(Techniques::MATE_IN_ONE) {
        return None;
    }
    thread.pos.mate_in_one().map(|mv| (score, Some(mv)))
}

/// The score of a null-window node that can be told without looking at all moves.
pub(super) fn without_moves(thread: &mut AlphaBetaThread, node: &Node) -> Option<Score> {
    let params = thread.state.params;
    let Window { alpha, beta } = node.window;
    let corrected = node.static_eval?;
    let (depth, pv) = (node.depth, node.pv);
    // What the table knows better.
    let static_eval = match node.tt_entry {
        Some(entry) if entry.improves(corrected) && !entry.score.is_mate() => entry.score,
        _ => corrected,
    };

    if params.uses(Techniques::RAZORING)
        && !alpha.is_mate()
        && pruning::razoring(params, depth, static_eval, alpha)
    {
        let score = quiescence::search::<NonPv>(thread, Window::null(alpha + 1), 0);
        if thread.stopped || score <= alpha {
            return Some(score);
        }
    }
    if params.uses(Techniques::REVERSE_FUTILITY)
        && !pv
        && !beta.is_mate()
        && let Some(score) =
            pruning::reverse_futility(params, depth, static_eval, beta, node.improving)
    {
        return Some(score);
    }
    null_move(thread, node, static_eval).or_else(|| prob_cut(thread, node, corrected))
}

/// Null move pruning: if passing still fails high, so will the best move.
fn null_move(thread: &mut AlphaBetaThread, node: &Node, static_eval: Score) -> Option<Score> {
    let params = thread.state.params;
    let beta = node.window.beta;
    if !params.uses(Techniques::NULL_MOVE)
        || thread.stopped
        || node.depth < Depth::plies(params.null_depth)
        || static_eval < beta
        || node.static_eval? < beta
        || beta.is_mate()
        || thread.pos.last_move().is_none()
    {
        return None;
    }
    let reduced = pruning::null_move_depth(params, node.depth, static_eval, beta);
    thread.stack_entry().made = None;
    let score = thread.descend_null(|thread| {
        -node::search::<NonPv>(thread, Window::null(beta).negated(), reduced, !node.cut_node)
    });
    if thread.stopped || score < beta {
        return None;
    }
    // A mate found after a pass is none.
    Some(if score.is_mate() { beta } else { score })
}

/// Prob-cut (Buro 1995): a capture that beats beta by a margin in a shallower search would beat beta
/// in the full one.
fn prob_cut(thread: &mut AlphaBetaThread, node: &Node, static_eval: Score) -> Option<Score> {
    let params = thread.state.params;
    let beta = node.window.beta;
    let goal = beta + params.prob_cut_margin;
    let reduced = node.depth - Depth::plies(params.prob_cut_reduction);
    if !params.uses(Techniques::PROB_CUT)
        || thread.stopped
        || node.depth < Depth::plies(params.prob_cut_depth)
        || goal.is_mate()
        || beta.is_mate()
        || node.tt_entry.is_some_and(|entry| entry.depth >= reduced && entry.score < goal)
    {
        return None;
    }
    let mut moves = MoveList::new();
    movegen::generate(&thread.pos, Scope::CAPTURES | Scope::PROMOTIONS, &mut moves);
    let needed = goal - static_eval;
    for &mv in &moves {
        if thread.pos.material_gain(mv, see_values()) < needed
            || !thread.pos.see_ge(mv, see_values(), needed)
        {
            continue;
        }
        let score = thread.follow(mv, |thread| {
            let window = Window::null(goal).negated();
            let first = -quiescence::search::<NonPv>(thread, window, 0);
            if first < goal {
                return first;
            }
            -node::search::<NonPv>(thread, window, reduced, !node.cut_node)
        });
        if thread.stopped {
            return None;
        }
        if score >= goal {
            let entry = TtEntry {
                mv: Some(mv),
                score,
                depth: reduced + Depth::ONE,
                bound: Bound::Lower,
                raw_eval: None,
                pv: node.pv,
            };
            thread.tt.store(thread.pos.key(), thread.ply as u32, &entry);
            return Some(score);
        }
    }
    None
}
