//! The move loop of a node: which moves are searched, how deeply, and the best of them.

use super::extension::{Extension, extension};
use super::history::HistoryContext;
use super::history_scorer::gain_value;
use super::history_updates::{self, TriedMoves};
use super::move_picker::MovePicker;
use super::node_info::{AlphaBetaNode, ChildNode};
use super::params::Techniques;
use super::pruning;
use super::reduction::{LateMove, Reduction, ReductionCase};
use super::thread::AlphaBetaThread;
use crate::eval::{Score, see_values};
use crate::search::depth::Depth;
use crate::search::window::{NodeType, NonPvNode, PvNode, Window};
use crate::shogi::{CheckSquares, Move};

/// After this iteration, the TT move of a PV node is searched at least one ply deep instead of by
/// quiescence search.
const KEPT_LINE_DEPTH: i32 = 8;
/// Weight of the butterfly history in the depth that the pruning of quiet moves assumes, relative to
/// the other histories. Fifths.
const BUTTERFLY_FIFTHS: i32 = 11;

/// The result of a node's moves.
pub(super) struct MovesResult {
    pub score: Score,
    /// The move that raised alpha last, if any did.
    pub best: Option<Move>,
    /// The depth stored for the node, in plies.
    pub depth: i32,
    /// Whether the score comes from a multi-cut: a shallower search without the TT move proved it.
    /// It must not be stored at this depth or for the TT move.
    pub is_multi_cut: bool,
}

/// Searches the moves of a node (steps 9 to 16). `checks`: the check squares of the position.
pub(super) fn search_moves<N: NodeType>(
    thread: &mut AlphaBetaThread,
    node: &AlphaBetaNode,
    checks: &CheckSquares,
) -> MovesResult {
    let params = thread.state.params;
    let mut node = *node;
    let context = thread.history_context();
    let all = thread.settings.all_legal_moves;
    let mut picker = MovePicker::new(&thread.pos, node.tt_move, all);
    thread.stack_entry().pawn_row = context.pawns;
    let mut tried = TriedMoves::default();
    let mut result =
        MovesResult { score: -Score::INFINITE, best: None, depth: node.depth, is_multi_cut: false };
    let mut number = 0;
    let mut window_share = thread.window_share(node.window);

    // Step 9. Take the next move, most promising first.
    while let Some(mv) = picker.next(&thread.pos, &thread.scorer(&context, checks, node.depth)) {
        if Some(mv) == node.facts.excluded {
            continue;
        }
        number += 1;
        let is_capture = thread.pos.is_capture(mv);
        let gives_check = thread.pos.gives_check(mv, checks);
        let late = late_move(&node, number, window_share);
        let base = thread.state.reductions.base(params, &late);
        let mut history = MoveHistory::of(thread, &context, mv, is_capture);

        // Step 10. Pruning of the move, once a move that does not lose is known.
        if !result.score.is_loss() {
            // Step 10a. Late move pruning (by move count, as known in the field). Captures count
            // too, so that quiet moves often need not be generated.
            if number >= pruning::late_move_count(params, node.depth, node.improving) {
                picker.skip_quiets();
            }
            let case = PruningCase { mv, is_capture, gives_check, base, history };
            if let Some(bound) = prune(thread, &node, &result, case) {
                result.score = result.score.max(bound);
                continue;
            }
        }

        // Step 11. Singular extension.
        let plies = match extension(thread, &node, mv) {
            Extension::By(plies) => plies,
            Extension::MultiCut(score) => {
                return MovesResult { score, is_multi_cut: true, ..result };
            }
        };
        if thread.stopped {
            return result;
        }
        let mut child_depth = node.depth - 1 + plies;
        // If the TT move is singular, the others are compared with a deeper search of it.
        node.depth += i32::from(plies > 0);

        // Step 12. Late move reduction, and the search of the move. The singularity test has
        // changed the histories.
        if Some(mv) == node.tt_move {
            history = MoveHistory::of(thread, &context, mv, is_capture);
        }
        let history = history.reduction;
        let entry = thread.stack_entry();
        (entry.number, entry.history) = (number, history);
        if N::PV
            && Some(mv) == node.tt_move
            && node.tt_entry.is_some_and(|entry| entry.depth > Depth::ONE)
            && thread.state.root_depth > KEPT_LINE_DEPTH
        {
            child_depth = child_depth.max(1);
        }
        let child = ChildNode {
            mv,
            window: node.window,
            best: result.score,
            depth: child_depth,
            can_reduce: node.depth >= 2,
            reduction: reduction(
                thread,
                &node,
                &late,
                &ReducedMove { mv, gives_check, history, base },
            ),
            number,
            cut_node: node.cut_node,
            has_tt_move: node.tt_move.is_some(),
        };
        let score = search_child::<N>(thread, &context, &child);
        if thread.stopped {
            return result;
        }

        // Step 13. Update the best score and move.
        result.score = result.score.max(score);
        if score > node.window.alpha {
            result.best = Some(mv);
            if N::PV {
                thread.update_pv(mv);
            }
            if score >= node.window.beta {
                let entry = thread.stack_entry();
                if plies < 2 || N::PV {
                    entry.child_cutoffs = entry.child_cutoffs.saturating_add(1);
                }
                break;
            }
            node.window.alpha = score;
            window_share = thread.window_share(node.window);
            // Step 14. The remaining moves are expected to be worse, so reduce their depth.
            if !score.is_decisive() {
                node.depth = pruning::depth_after_raise(params, node.depth);
            }
        } else {
            tried.push(mv, is_capture);
        }
    }
    result.depth = node.depth;

    // Step 15. No legal move: mated (shogi has no stalemate draw).
    if number == 0 {
        let alone = node.facts.excluded.is_some();
        result.score = if alone { node.window.alpha } else { thread.mated_here() };
        return result;
    }

    // Step 16. Update the histories.
    match result.best {
        Some(best) => {
            let AlphaBetaNode { depth, tt_move, .. } = node;
            history_updates::on_best_move(thread, &context, depth, best, tt_move, &tried);
            if !N::PV {
                let is_hit = result.best == node.tt_move;
                let bonus = if is_hit { params.table_move_hit } else { -params.table_move_miss };
                thread.state.histories.update_table_move(bonus);
            }
        }
        None if node.facts.excluded.is_none() => {
            history_updates::on_fail_low(thread, node.depth, node.facts.static_eval, result.score);
        }
        None => (),
    }
    result
}

/// The input of the base reduction. `window_share`: see [`AlphaBetaThread::window_share`].
#[inline]
pub(super) fn late_move(node: &AlphaBetaNode, number: usize, window_share: i32) -> LateMove {
    LateMove {
        depth: node.depth,
        number,
        improving: node.improving,
        window: window_share,
        tt_pv: node.facts.tt_pv,
    }
}

impl AlphaBetaThread<'_> {
    /// Width of a window relative to the root window, in 1/1024.
    #[inline]
    pub(super) fn window_share(&self, window: Window) -> i32 {
        let width = i64::from(window.beta - window.alpha) * 1_024;
        (width / i64::from(self.state.root_window)).min(1_024) as i32
    }
}

/// A move whose search may be reduced.
pub(super) struct ReducedMove {
    pub mv: Move,
    pub gives_check: bool,
    /// See [`MoveHistory::reduction`].
    pub history: i32,
    /// The base reduction, which pruning assumes.
    pub base: Reduction,
}

/// The reduction of the search of a move.
pub(super) fn reduction(
    thread: &AlphaBetaThread,
    node: &AlphaBetaNode,
    late: &LateMove,
    reduced: &ReducedMove,
) -> Reduction {
    let params = thread.state.params;
    let case = ReductionCase {
        pv: node.pv,
        cut_node: node.cut_node,
        tt_above: node.tt_entry.is_some_and(|entry| entry.score > node.window.alpha),
        tt_deep: node.tt_entry.is_some_and(|entry| entry.depth.to_plies() >= node.depth),
        has_tt_move: node.tt_move.is_some(),
        tt_capture: node.tt_capture,
        is_tt_move: Some(reduced.mv) == node.tt_move,
        gives_check: reduced.gives_check,
        child_cutoffs: thread.state.stack[thread.ply + 1].child_cutoffs,
        history: reduced.history,
        correction: node.facts.correction,
    };
    reduced.base.adjusted(params, late, &case)
}

/// History values of a move.
#[derive(Clone, Copy)]
pub(super) struct MoveHistory {
    /// For a capture, its history. For a quiet move, the sum that pruning reads: the first two
    /// continuation histories and the pawn history.
    pruning: i32,
    /// For a quiet move, the butterfly history.
    butterfly: i32,
    /// The history value that the reduction reads; see
    /// [`ReductionCase::history`](super::reduction::ReductionCase::history).
    pub reduction: i32,
}

impl MoveHistory {
    #[inline]
    pub fn of(
        thread: &AlphaBetaThread,
        context: &HistoryContext,
        mv: Move,
        is_capture: bool,
    ) -> MoveHistory {
        let (pos, histories) = (&thread.pos, thread.state.histories);
        if is_capture {
            let history = histories.capture(pos, mv);
            let reduction = history + gain_value(thread.state.params, pos, mv);
            return MoveHistory { pruning: history, butterfly: 0, reduction };
        }
        let [last, own, pawns] = histories.followers(context, pos, mv);
        let butterfly = histories.butterfly(context.side, mv);
        let reduction = 2 * butterfly + last + own;
        MoveHistory { pruning: last + own + pawns, butterfly, reduction }
    }
}

/// A candidate for pruning.
#[derive(Clone, Copy)]
struct PruningCase {
    mv: Move,
    is_capture: bool,
    gives_check: bool,
    /// The base reduction.
    base: Reduction,
    history: MoveHistory,
}

/// Steps 10b to 10d: returns the bound of a pruned move, or `None` if the move must be searched.
fn prune(
    thread: &AlphaBetaThread,
    node: &AlphaBetaNode,
    result: &MovesResult,
    case: PruningCase,
) -> Option<Score> {
    let params = thread.state.params;
    let pos = &thread.pos;
    let PruningCase { mv, is_capture, gives_check, base, history } = case;
    let alpha = node.window.alpha;
    let left = node.depth - 1 - base.to_plies();
    let none = Some(-Score::INFINITE);

    if is_capture || gives_check {
        let history = if is_capture { history.pruning } else { 0 };
        // Step 10b. Futility pruning of captures: even the captured piece does not lift the
        // evaluation above alpha.
        if !gives_check && let Some(static_eval) = node.facts.static_eval {
            let gain = pos.material_gain(mv, see_values()) / 2;
            if pruning::capture_futility(params, left, static_eval, (gain, history), alpha) {
                return none;
            }
        }
        // Step 10c. SEE pruning: the move loses too much material on its destination. Not if the
        // side is behind, because a sacrifice may be its only chance.
        if alpha >= Score::ZERO
            && let Some(margin) = pruning::see_margin(params, node.depth, history)
            && !pos.see_ge(mv, see_values(), -margin)
        {
            return none;
        }
        return None;
    }
    if node.facts.on_last_line && params.uses(Techniques::LAST_LINE) {
        return None;
    }
    // Step 10d. Quiet moves: history pruning (as known in the field), futility pruning (Heinz 1998)
    // and SEE pruning. The last two use the depth after reduction and history.
    if pruning::history_pruning(params, node.depth, history.pruning) {
        return none;
    }
    let left =
        left + (history.pruning + history.butterfly * BUTTERFLY_FIFTHS / 5) / params.history_plies;
    if let Some(static_eval) = node.facts.static_eval {
        let has_best = result.best.is_some();
        if let Some(bound) = pruning::futility_bound(params, left, static_eval, has_best, alpha) {
            return Some(bound);
        }
    }
    if let Some(margin) = pruning::quiet_see_margin(params, left)
        && !pos.see_ge(mv, see_values(), -margin)
    {
        return none;
    }
    None
}

/// Principal variation search (Marsland and Campbell 1982). The first move is searched with the
/// full window; the others with a null window, late ones at reduced depth. A move that beats alpha
/// is searched again without reduction or with the full window.
pub(super) fn search_child<N: NodeType>(
    thread: &mut AlphaBetaThread,
    context: &HistoryContext,
    child: &ChildNode,
) -> Score {
    let &ChildNode { window, cut_node, number, .. } = child;
    let Window { alpha, .. } = window;
    let params = thread.state.params;
    let at = thread.ply;
    let mut came_through = false;
    let score = thread.follow(child.mv, |thread| {
        let null = Window::null(alpha + 1).negated();
        let mut depth = child.depth;
        let mut score = alpha + 1;
        if child.can_reduce && number > 1 && params.uses(Techniques::LATE_MOVE_REDUCTION) {
            let reduced =
                (depth - child.reduction.to_plies()).min(depth + 2).max(1) + i32::from(N::PV);
            thread.state.stack[at].reduction = depth - reduced;
            score = -thread.search_node::<NonPvNode>(null, Depth::plies(reduced), true);
            thread.state.stack[at].reduction = 0;
            if score > alpha && !thread.stopped {
                if params.uses(Techniques::RESEARCH_DEPTH) {
                    depth +=
                        i32::from(reduced < depth && score > child.best + params.deeper_margin);
                    depth -= i32::from(score < child.best + params.shallower_margin);
                }
                if depth > reduced {
                    score = -thread.search_node::<NonPvNode>(null, Depth::plies(depth), !cut_node);
                }
                came_through = true;
            }
        } else if !N::PV || number > 1 {
            let taken = pruning::first_move_reduction(params, child);
            score = -thread.search_node::<NonPvNode>(null, Depth::plies(depth - taken), !cut_node);
        }
        if N::PV && (number == 1 || score > alpha) && !thread.stopped {
            score = -thread.search_node::<PvNode>(window.negated(), Depth::plies(depth), false);
        }
        score
    });
    if came_through && !thread.stopped {
        let made = thread.stack_entry().made;
        let histories = thread.state.histories;
        if let Some(piece_to) = made {
            histories.update_continuations(&context.continuations, piece_to, params.research_bonus);
        }
    }
    score
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::alpha_beta::params::SearchParams;
    use crate::search::alpha_beta::testing::{node, with_thread};

    /// However much its search is reduced, a check may lose material by the depth of the node.
    #[test]
    fn a_check_is_judged_by_the_depth_of_the_node() {
        // A rook dropped next to the king is lost.
        let sfen = "4k4/9/9/9/9/9/9/9/4K4 b Rr2b4g4s4n4l18p 1";
        for (depth, is_pruned) in [(2, true), (9, false)] {
            with_thread(&SearchParams::DEFAULT, sfen, |thread| {
                let mv: Move = "R*5b".parse().expect("a move");
                let node = AlphaBetaNode { window: Window::null(Score::cp(1)), ..node(depth) };
                let base =
                    thread.state.reductions.base(thread.state.params, &late_move(&node, 100, 0));
                let history = MoveHistory::of(thread, &thread.history_context(), mv, false);
                let result =
                    MovesResult { score: Score::ZERO, best: None, depth, is_multi_cut: false };
                let case = PruningCase { mv, is_capture: false, gives_check: true, base, history };
                assert!(base.to_plies() > 2);
                assert_eq!(prune(thread, &node, &result, case).is_some(), is_pruned, "{depth}");
            });
        }
    }
}
