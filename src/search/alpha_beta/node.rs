//! The search of one node.

use arrayvec::ArrayVec;

use super::node_info::Node;
use super::params::Techniques;
use super::reduction::LateMove;
use super::thread::AlphaBetaThread;
use super::{history_updates, pruning, quiescence, reduction};
use crate::engine::Bound;
use crate::eval::{Score, see_values};
use crate::search::depth::Depth;
use crate::search::picker::MovePicker;
use crate::search::tt::TtEntry;
use crate::search::window::{NodeType, NonPvNode, PvNode, Searched, Window};
use crate::shogi::{Move, MoveList, Scope, attacks, movegen};

/// Cut-offs among the children from which on late moves are reduced more.
const MANY_CUTOFFS: u8 = 3;
/// Moves remembered to get a malus when a later one cuts off.
type Tried = ArrayVec<Move, 32>;

/// The score of the present position, fail-soft: outside the window a bound. `cut_node`: it is
/// expected to fail high.
pub(super) fn search<N: NodeType>(
    thread: &mut AlphaBetaThread,
    window: Window,
    depth: Depth,
    cut_node: bool,
) -> Score {
    // Step 1. The horizon: quiescence search goes on.
    if depth < Depth::ONE {
        return quiescence::search::<N>(thread, window, 0);
    }
    thread.pv().clear();
    thread.seldepth = thread.seldepth.max(thread.ply);
    let (params, ply) = (thread.state.params, thread.ply);

    // Step 2. The end of the search, of the game, or of the stack.
    if thread.must_stop() {
        return Score::ZERO;
    }
    if let Some(score) = thread.decided_or_full() {
        return score;
    }

    // Step 3. Mate distance pruning: no mate longer than the one already found.
    let window = pruning::mate_distance(params, window, ply);
    if window.alpha >= window.beta {
        return window.alpha;
    }

    // Step 4. Transposition table. At PV nodes only the move is used: the line stays whole. Nor does
    // the entry speak of the node without its best move (step 12).
    let excluded = thread.stack_entry().excluded;
    let key = thread.pos.key();
    let tt_entry = thread.tt.probe(key, ply as u32);
    if !N::PV
        && excluded.is_none()
        && let Some(entry) = tt_entry
        && entry.depth >= depth
        && entry.cuts(window)
    {
        return entry.score;
    }
    let in_check = thread.pos.in_check();

    // Step 5. A win at once: by the declaration of an entered king, or by a mate in one.
    if excluded.is_none()
        && let Some(mv) = thread.win_at_once(!in_check && tt_entry.is_none())
    {
        thread.pv().extend(mv);
        let score = Score::mate_in(ply as u32 + 1);
        let entry = TtEntry { mv, score, depth, bound: Bound::Exact, raw_eval: None, pv: N::PV };
        thread.tt.store(key, ply as u32, &entry);
        return score;
    }

    // Step 6. Static evaluation, corrected by the correction history (Caissa and Stockfish, 2024).
    // A node without its best move has the one it had before.
    let (raw_eval, static_eval) = match excluded {
        None => thread.static_eval(tt_entry),
        Some(_) => (None, thread.stack_entry().static_eval),
    };
    thread.stack_entry().static_eval = static_eval;
    let mut node = Node {
        depth,
        window,
        cut_node,
        pv: N::PV || tt_entry.is_some_and(|entry| entry.pv),
        in_check,
        tt_entry,
        tt_move: tt_entry.and_then(|entry| entry.mv),
        static_eval,
        improving: thread.is_improving(static_eval),
        excluded,
    };
    thread.clear_stack_entry(ply + 2);

    // Pruning of the whole node before a move is looked at, where the window is null.
    if !N::PV
        && excluded.is_none()
        && let Some(static_eval) = static_eval
    {
        let Window { alpha, beta } = window;
        // What the table knows better than the evaluation.
        let eval = match tt_entry {
            Some(entry) if entry.improves(static_eval) && !entry.score.is_mate() => entry.score,
            _ => static_eval,
        };

        // Step 7a. Razoring (Birmingham and Kent 1977): so far below alpha near the horizon only
        // quiescence can tell.
        if pruning::razoring(params, depth, eval, alpha) {
            let score = quiescence::search::<NonPvNode>(thread, Window::null(alpha + 1), 0);
            if thread.stopped || score <= alpha {
                return score;
            }
        }

        // Step 7b. Reverse futility pruning (static null move, as known in the field): so far above
        // beta near the horizon the opponent will not come back.
        if !node.pv
            && let Some(score) =
                pruning::reverse_futility(params, depth, eval, beta, node.improving)
        {
            return score;
        }

        // Step 7c. Null move pruning (Beal 1989; Donninger 1993): if passing still fails high, so
        // will the best move. A mate found after a pass is none.
        if let Some(reduced) = pruning::null_move(params, depth, eval, static_eval, beta)
            && thread.pos.last_move().is_some()
        {
            thread.stack_entry().made = None;
            let score = thread.descend_null(|thread| {
                -search::<NonPvNode>(thread, Window::null(beta).negated(), reduced, !cut_node)
            });
            if thread.stopped {
                return Score::ZERO;
            }
            if score >= beta {
                return if score.is_mate() { beta } else { score };
            }
        }

        // Step 7d. Prob-cut (Buro 1995): a capture that beats beta by a margin in a shallower search
        // would beat beta in the full one.
        if let Some(score) = prob_cut(thread, &node, static_eval) {
            return score;
        }
        if thread.stopped {
            return Score::ZERO;
        }
    }

    // Step 8. Internal iterative reduction (Schröder 2020): without a table move the ordering is
    // poor, and the table will know one the next time.
    if excluded.is_none() && (N::PV || cut_node) && node.tt_move.is_none() {
        node.depth = depth - reduction::internal_iterative(params, depth);
    }

    // Steps 9 to 15. The moves.
    let result = search_moves::<N>(thread, &node);
    if thread.stopped {
        return Score::ZERO;
    }
    if excluded.is_some() {
        return result.score;
    }

    // Step 16. What the node leaves.
    remember(thread, &node, raw_eval, &result);
    result.score
}

/// Leaves what came of a node: a sample, a table entry, and in the correction and move histories.
fn remember(
    thread: &mut AlphaBetaThread,
    node: &Node,
    raw_eval: Option<Score>,
    &Searched { score, best }: &Searched,
) {
    let Node { depth, window, pv, static_eval, .. } = *node;
    let bound = window.bound(score);
    if let Some(sampler) = &mut thread.state.sampler {
        sampler.searched(&thread.pos, depth, raw_eval, (score, bound), best);
    }
    let entry = TtEntry { mv: best, score, depth, bound, raw_eval, pv };
    thread.tt.store(thread.pos.key(), thread.ply as u32, &entry);
    history_updates::correct(thread, static_eval, &entry);
    if best.is_none() {
        history_updates::on_fail_low(thread, depth);
    }
}

/// Prob-cut: the score of a capture that is expected to beat beta in the full search.
fn prob_cut(thread: &mut AlphaBetaThread, node: &Node, static_eval: Score) -> Option<Score> {
    let Node { depth, window: Window { beta, .. }, tt_entry, .. } = *node;
    let (goal, reduced) = pruning::prob_cut(thread.state.params, depth, beta, tt_entry)?;
    let needed = goal - static_eval;
    let mut moves = MoveList::new();
    movegen::generate(&thread.pos, Scope::CAPTURES | Scope::PROMOTIONS, &mut moves);
    for &mv in &moves {
        if thread.pos.material_gain(mv, see_values()) < needed
            || !thread.pos.see_ge(mv, see_values(), needed)
        {
            continue;
        }
        let score = thread.follow(mv, |thread| {
            let window = Window::null(goal).negated();
            let first = -quiescence::search::<NonPvNode>(thread, window, 0);
            if first < goal {
                return first;
            }
            -search::<NonPvNode>(thread, window, reduced, !node.cut_node)
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

fn search_moves<N: NodeType>(thread: &mut AlphaBetaThread, node: &Node) -> Searched {
    let params = thread.state.params;
    let Window { mut alpha, beta } = node.window;
    let ply = thread.ply;
    let context = thread.picker_context();
    let all = thread.settings.all_legal_moves;
    let mut picker = MovePicker::new(&thread.pos, node.tt_move, context.killers, all);
    let checks = thread.pos.check_squares();
    let enemy_zone =
        thread.pos.king(!thread.pos.side_to_move()).map(attacks::near).unwrap_or_default();
    let table_capture = node.tt_move.is_some_and(|mv| !thread.pos.is_quiet(mv));
    let (mut quiets, mut captures) = (Tried::new(), Tried::new());
    let mut result = Searched { score: -Score::INFINITE, best: None };
    let mut number = 0;

    // Step 9. The next move, most promising first.
    while let Some(mv) = picker.next(&thread.pos, &thread.scorer(&context, &checks)) {
        if Some(mv) == node.excluded {
            continue;
        }
        number += 1;
        let quiet = thread.pos.is_quiet(mv);
        let gives_check = thread.pos.gives_check(mv, &checks);
        let late = LateMove {
            depth: node.depth,
            number,
            cut_node: node.cut_node,
            pv: node.pv,
            improving: node.improving,
            table_capture,
            gives_check,
            near_king: quiet && enemy_zone.contains(mv.to()),
            killer: context.killers.contains(mv),
            history: thread.history(&context, mv),
            child_cutoffs: thread.state.stack[ply + 1].child_cutoffs > MANY_CUTOFFS,
        };
        let reduction = thread.state.reductions.of(params, &late);

        // Pruning of the move, once one is known that does not lose.
        if result.score > -Score::MAX_EVAL && !node.in_check {
            let left = (node.depth - Depth::ONE - reduction).max(Depth::ZERO);
            if quiet && !gives_check {
                // Step 10a. Late move pruning (move count, as known in the field).
                if number >= pruning::late_move_count(params, node.depth, node.improving) {
                    picker.skip_quiets();
                }
                // Step 10b. History pruning (as known in the field).
                if pruning::history_pruning(params, left, late.history) {
                    continue;
                }
            }
            // Step 10c. Futility pruning (Heinz 1998): not even all that it may bring lifts the
            // evaluation above alpha.
            if !gives_check && let Some(static_eval) = node.static_eval {
                let gain = (!quiet).then(|| thread.pos.material_gain(mv, see_values()));
                let bound = pruning::futility_bound(params, left, static_eval, gain, alpha);
                if let Some(bound) = bound {
                    result.score = result.score.max(bound);
                    continue;
                }
            }
            // Step 10d. SEE pruning: the move loses too much on its square.
            let depth = if quiet { left } else { node.depth };
            if let Some(margin) = pruning::see_margin(params, depth, quiet)
                && !thread.pos.see_ge(mv, see_values(), -margin)
            {
                continue;
            }
        }

        // Steps 11 and 12. Extensions.
        let extension = match extension(thread, node, mv, gives_check) {
            Extension::By(extension) => extension,
            Extension::MultiCut(score) => return Searched { score, best: Some(mv) },
        };
        if thread.stopped {
            return result;
        }

        // Step 13. Late move reductions, and the search of the move.
        let reduced = number > 1
            && node.depth >= Depth::plies(2)
            && params.uses(Techniques::LATE_MOVE_REDUCTION);
        let child = ChildNode {
            mv,
            window: Window { alpha, beta },
            depth: node.depth + extension - Depth::ONE,
            reduction: reduced.then_some(reduction),
            first: number == 1,
            cut_node: node.cut_node,
        };
        let score = search_child::<N>(thread, &child);
        if thread.stopped {
            return result;
        }

        // Step 14. A better move.
        result.score = result.score.max(score);
        if score > alpha {
            alpha = score;
            result.best = Some(mv);
            if N::PV {
                thread.update_pv(mv);
            }
            if score >= beta {
                let entry = thread.stack_entry();
                entry.child_cutoffs = entry.child_cutoffs.saturating_add(1);
                let tried = [&quiets[..], &captures[..]];
                history_updates::on_beta_cutoff(thread, &context, node.depth, mv, tried);
                break;
            }
        }
        // Beyond the room for them, moves get no malus.
        let _ = if quiet { quiets.try_push(mv) } else { captures.try_push(mv) };
    }

    // Step 15. No legal move: mated (there is no stalemate draw in shogi).
    if number == 0 {
        let alone = node.excluded.is_some();
        result.score = if alone { node.window.alpha } else { thread.mated_here() };
    }
    result
}

enum Extension {
    By(Depth),
    /// Several moves fail high: the node does.
    MultiCut(Score),
}

/// By how much the child of a move is searched deeper.
fn extension(thread: &mut AlphaBetaThread, node: &Node, mv: Move, gives_check: bool) -> Extension {
    let params = thread.state.params;
    // Step 11. Singular extension.
    if let Some(extension) = singular(thread, node, mv) {
        return extension;
    }
    // Step 12. Check extension: of checks that lose nothing.
    let check = gives_check
        && params.uses(Techniques::CHECK_EXTENSION)
        && thread.pos.see_ge(mv, see_values(), 0);
    Extension::By(if check { Depth::ONE } else { Depth::ZERO })
}

/// Singular extension (Anantharaman, Campbell and Hsu 1988): if all other moves are far worse than
/// the table move, everything hangs on it.
fn singular(thread: &mut AlphaBetaThread, node: &Node, mv: Move) -> Option<Extension> {
    let params = thread.state.params;
    let entry = node.tt_entry?;
    let Window { beta, .. } = node.window;
    if !params.uses(Techniques::SINGULAR)
        || node.excluded.is_some()
        || Some(mv) != node.tt_move
        || node.depth < params.singular_depth
        || entry.bound == Bound::Upper
        || entry.score.is_mate()
        || entry.depth + Depth::plies(3) < node.depth
    {
        return None;
    }
    let goal = entry.score - params.singular_margin * node.depth.to_plies();
    let depth = Depth::half_plies((node.depth - Depth::ONE).to_half_plies() / 2);
    thread.stack_entry().excluded = Some(mv);
    let score = search::<NonPvNode>(thread, Window::null(goal), depth, node.cut_node);
    thread.stack_entry().excluded = None;
    if score < goal {
        let twice = !node.pv && score < goal - params.double_margin;
        Some(Extension::By(Depth::plies(if twice { 2 } else { 1 })))
    } else if score >= beta && !score.is_mate() {
        Some(Extension::MultiCut(score))
    } else if entry.score >= beta {
        Some(Extension::By(Depth::plies(-2)))
    } else {
        node.cut_node.then_some(Extension::By(Depth::plies(-1)))
    }
}

/// A move about to be searched.
pub(super) struct ChildNode {
    pub mv: Move,
    pub window: Window,
    /// Depth of the child, unreduced.
    pub depth: Depth,
    /// Plies by which it is searched less deeply at first; `None`: not at all.
    pub reduction: Option<Depth>,
    /// The first move of its node.
    pub first: bool,
    /// Its node is expected to fail high.
    pub cut_node: bool,
}

/// Principal variation search (Marsland and Campbell 1982): the first move with the window; the
/// others with a null window, perhaps reduced, and again as long as they turn out better.
pub(super) fn search_child<N: NodeType>(thread: &mut AlphaBetaThread, child: &ChildNode) -> Score {
    let &ChildNode { window, depth, cut_node, .. } = child;
    let Window { alpha, beta } = window;
    thread.follow(child.mv, |thread| {
        let null = Window::null(alpha + 1).negated();
        let mut score = alpha + 1;
        if let Some(reduction) = child.reduction {
            let reduced = (depth - reduction).clamp(depth.min(Depth::ONE), depth);
            score = -search::<NonPvNode>(thread, null, reduced, true);
            if score > alpha && reduced < depth {
                score = -search::<NonPvNode>(thread, null, depth, !cut_node);
            }
        } else if !N::PV || !child.first {
            score = -search::<NonPvNode>(thread, null, depth, !cut_node);
        }
        if N::PV && (child.first || score > alpha && score < beta) {
            score = -search::<PvNode>(thread, window.negated(), depth, false);
        }
        score
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluation;
    use crate::search::alpha_beta::params::SearchParams;
    use crate::search::alpha_beta::reduction::Reductions;
    use crate::search::alpha_beta::thread::{AlphaBetaState, ThreadHistory};
    use crate::search::minimax::{for_each_position, minimax};
    use crate::search::tt::TranspositionTable;

    /// With and without quiescence; a search with all techniques gives other scores.
    #[test]
    fn without_techniques_it_is_minimax() {
        let off = SearchParams {
            // Histories order the evasions of quiescence, which takes one of them only.
            history_bonus_slope: 0,
            ..SearchParams::DEFAULT.without(Techniques::all())
        };
        let static_leaves = SearchParams { qsearch_see: 1_000_000, ..off };
        let mut pruned = 0;
        for_each_position(|pos, depth, setup| {
            let search_with = |params: &SearchParams, full: bool| {
                let tt = TranspositionTable::new(1);
                let reductions = Reductions::new(params);
                let mut history = ThreadHistory::new();
                let state = AlphaBetaState::new(params, &reductions, &mut history);
                let mut thread =
                    AlphaBetaThread::new(pos, &Evaluation::HandMade, &tt, setup, state);
                if full {
                    let leaf =
                        |thread: &mut _| quiescence::search::<PvNode>(thread, Window::open(), 0);
                    minimax(&mut thread, depth.to_plies(), leaf)
                } else {
                    search::<PvNode>(&mut thread, Window::open(), depth, false)
                }
            };
            for params in [off, static_leaves] {
                let full = search_with(&params, true);
                assert_eq!(search_with(&params, false), full, "{pos} {depth}");
            }
            let other = search_with(&SearchParams::DEFAULT, false) != search_with(&off, true);
            pruned += usize::from(other);
        });
        assert!(pruned > 1, "{pruned}");
    }
}
