//! The search of one node: the steps before and after its moves.

use super::moves::MovesResult;
use super::node_info::AlphaBetaNode;
use super::prob_cut::prob_cut;
use super::thread::{AlphaBetaThread, StackEntry};
use super::{history_updates, moves, pruning};
use crate::engine::Bound;
use crate::eval::Score;
use crate::search::depth::Depth;
use crate::search::tt::TtEntry;
use crate::search::window::{NodeType, NonPvNode, Window};

impl AlphaBetaThread<'_> {
    /// The score of the current position, fail-soft: a bound if outside the window. `cut_node`:
    /// whether the node is expected to fail high.
    pub(crate) fn search_node<N: NodeType>(
        &mut self,
        window: Window,
        depth: Depth,
        cut_node: bool,
    ) -> Score {
        debug_assert!(!(N::PV && cut_node), "an open window expects no cutoff");
        debug_assert!(N::PV || window.beta - window.alpha == 1, "{window:?}");

        // Step 1. At the horizon, enter quiescence search.
        if depth < Depth::ONE {
            return self.search_quiescence::<N>(window, 0);
        }
        self.pv().clear();
        self.seldepth = self.seldepth.max(self.ply);
        let (params, ply, depth) = (self.state.params, self.ply, depth.to_plies());

        // Step 2. End of the search, of the game, or of the search stack.
        if self.must_stop() {
            return Score::ZERO;
        }
        if let Some(score) = self.decided_or_full() {
            return score;
        }

        // Step 3. Mate distance pruning: no score can improve on a shorter mate already found.
        let window = pruning::mate_distance(params, window, ply);
        if window.alpha >= window.beta {
            return window.alpha;
        }

        // Step 4. Transposition table. PV nodes use only the move, to keep the whole PV. An entry
        // does not apply to a search with an excluded move (step 11).
        let excluded = self.stack_entry().facts.excluded;
        let key = self.pos.key();
        let tt_entry = self.tt.probe(key, ply as u32);
        let tt_move = tt_entry.and_then(|entry| entry.mv);
        if !N::PV
            && excluded.is_none()
            && let Some(entry) = tt_entry
            && pruning::table_cut(params, &entry, window, depth, cut_node)
        {
            if entry.score >= window.beta
                && let Some(mv) = tt_move
            {
                history_updates::on_table_cutoff(self, depth, mv);
            }
            return entry.score;
        }
        let in_check = self.pos.in_check();

        // Step 5. Immediate wins: declaration by an entered king, or mate in one.
        let seeks_mate = excluded.is_none() && !in_check && tt_entry.is_none();
        let checks = seeks_mate.then(|| self.pos.check_squares());
        if excluded.is_none()
            && let Some(win) = self.win_at_once(checks.as_ref())
        {
            let mv = win.mv();
            self.pv().extend(mv);
            let score = Score::mate_in(ply as u32 + 1);
            let depth = Depth::plies(depth);
            let entry =
                TtEntry { mv, score, depth, bound: Bound::Exact, raw_eval: None, pv: N::PV };
            self.tt.store(key, ply as u32, &entry);
            return score;
        }

        let above = self.take_above();
        let mut node = examine::<N>(self, window, depth, cut_node, tt_entry);
        if let Some(score) = before_moves::<N>(self, &mut node, &above) {
            return score;
        }
        if self.stopped {
            return Score::ZERO;
        }

        // Steps 9 to 16. Search the moves.
        let checks = checks.unwrap_or_else(|| self.pos.check_squares());
        let result = moves::search_moves::<N>(self, &node, &checks);
        if self.stopped {
            return Score::ZERO;
        }
        if excluded.is_some() || result.is_multi_cut {
            return result.score;
        }
        remember(self, &node, &above, &result)
    }
}

/// Step 6: collects the information about a node before its moves are searched, and fills its stack
/// entry.
fn examine<N: NodeType>(
    thread: &mut AlphaBetaThread,
    window: Window,
    depth: i32,
    cut_node: bool,
    tt_entry: Option<TtEntry>,
) -> AlphaBetaNode {
    let ply = thread.ply;
    let StackEntry { mut facts, child_cutoffs, .. } = *thread.stack_entry();
    // Correction history adjusts the evaluation (Caissa and Stockfish, 2024). A search with an
    // excluded move reuses the values of the node.
    let mut raw_eval = None;
    if facts.excluded.is_none() {
        (raw_eval, facts.static_eval) = thread.static_eval(tt_entry);
        let evals = raw_eval.zip(facts.static_eval);
        facts.correction = evals.map_or(0, |(raw, now)| (now - raw).abs());
        facts.tt_pv = N::PV || tt_entry.is_some_and(|entry| entry.pv);
    }
    facts.on_last_line = N::PV && thread.is_on_last_line();
    // Many nodes return without storing a score, so store at least the evaluation.
    if tt_entry.is_none() && raw_eval.is_some() {
        let entry = TtEntry::evaluated(raw_eval, facts.tt_pv);
        thread.tt.store(thread.pos.key(), ply as u32, &entry);
    }
    *thread.stack_entry() = StackEntry {
        facts,
        expected_eval: facts.static_eval.or_else(|| thread.eval_before()),
        has_tt_entry: tt_entry.is_some(),
        child_cutoffs,
        ..StackEntry::default()
    };
    if let Some(below) = thread.state.stack.get_mut(ply + 2) {
        below.child_cutoffs = 0;
    }
    let tt_move = tt_entry.and_then(|entry| entry.mv);
    AlphaBetaNode {
        facts,
        depth,
        window,
        pv: N::PV,
        cut_node,
        tt_entry,
        tt_move,
        tt_capture: tt_move.is_some_and(|mv| thread.pos.is_capture(mv)),
        raw_eval,
        improving: thread.is_improving(facts.static_eval),
    }
}

/// Steps 7 and 8: prunes the whole node before its moves, or changes its depth. `above`: the stack
/// entry of the parent.
fn before_moves<N: NodeType>(
    thread: &mut AlphaBetaThread,
    node: &mut AlphaBetaNode,
    above: &StackEntry,
) -> Option<Score> {
    let params = thread.state.params;
    let is_whole = node.facts.excluded.is_none();
    if let Some(static_eval) = node.facts.static_eval {
        // Step 7. The evaluation judges the move that led here and its reduction.
        let worsening = above.expected_eval.is_some_and(|above| static_eval > -above);
        if is_whole {
            history_updates::on_trend(thread, static_eval, node.tt_entry.is_some());
            let sum = above.expected_eval.map(|above| static_eval.to_cp() + above.to_cp());
            let depth = node.depth;
            node.depth += pruning::hindsight(params, depth, above.reduction, worsening, sum);
        }
        if let Some(score) = prune_node::<N>(thread, node, static_eval, worsening) {
            return Some(score);
        }
        node.improving |= static_eval >= node.window.beta;
        // Step 7e. Internal iterative reduction.
        if is_whole && !node.facts.on_last_line && !thread.stopped {
            node.depth -= pruning::internal_iterative(params, node, above.reduction);
        }
        // Step 7f. ProbCut (Buro 1995): a capture beats beta by a margin in a shallower search.
        if let Some(score) = prob_cut(thread, node, static_eval) {
            return Some(score);
        }
    }
    // Step 8. Small ProbCut: a TT entry is already far above beta.
    let known = node.tt_entry.filter(|_| is_whole && !thread.stopped);
    pruning::small_prob_cut(params, known, node.depth, node.window.beta)
}

/// Step 17: stores the node's result as a sample, a TT entry and a correction. Returns the score.
fn remember(
    thread: &mut AlphaBetaThread,
    node: &AlphaBetaNode,
    above: &StackEntry,
    result: &MovesResult,
) -> Score {
    let AlphaBetaNode { window, raw_eval, facts, .. } = *node;
    let (mut score, best, depth) = (result.score, result.best, result.depth);
    if !window.alpha.is_decisive() {
        score = pruning::soften(thread.state.params, score, window.beta, (depth, depth + 1));
    }
    let (bound, depth) = (window.bound(score), Depth::plies(depth));
    // A node that fails low below a `tt_pv` parent counts as part of the parent's PV.
    let pv = facts.tt_pv || bound == Bound::Upper && above.facts.tt_pv;
    let entry = TtEntry { mv: best, score, depth, bound, raw_eval, pv };
    thread.tt.store(thread.pos.key(), thread.ply as u32, &entry);
    history_updates::correct(thread, node, &entry);
    score
}

/// Steps 7a to 7d: pruning of the whole node. `worsening`: whether the opponent's evaluation became
/// worse.
fn prune_node<N: NodeType>(
    thread: &mut AlphaBetaThread,
    node: &AlphaBetaNode,
    static_eval: Score,
    worsening: bool,
) -> Option<Score> {
    if N::PV {
        return None;
    }
    // Prefer the TT score if it is a better estimate than the evaluation. It mostly belongs to the TT
    // move, so it says nothing about a search without that move.
    let eval = match node.tt_entry.filter(|_| node.facts.excluded.is_none()) {
        Some(entry) if entry.improves(static_eval) && !entry.score.is_decisive() => entry.score,
        _ => static_eval,
    };
    let params = thread.state.params;
    let Window { alpha, beta } = node.window;

    // Step 7a. Razoring (Birmingham and Kent 1977): far below alpha, quiescence search decides.
    if pruning::razoring(params, node.depth, eval, alpha) {
        return Some(thread.search_quiescence::<NonPvNode>(node.window, 0));
    }

    // Step 7b. Reverse futility pruning (static null move, as known in the field).
    if let Some(score) = pruning::reverse_futility(params, node, eval, worsening) {
        return Some(score);
    }

    // Step 7c. Null-move pruning (Beal 1989; Donninger 1993): if a pass still fails high, so does
    // the best move. A mate found after a pass is not proved.
    if let Some(reduced) = pruning::null_move(params, node, static_eval)
        && thread.pos.last_move().is_some()
        && thread.ply >= thread.state.null_from
    {
        let entry = *thread.stack_entry();
        let depth = Depth::plies(reduced);
        let score = thread.pass(|thread| {
            -thread.search_node::<NonPvNode>(Window::null(beta).negated(), depth, false)
        });
        if thread.stopped {
            return None;
        }
        if score >= beta && !score.is_win() {
            let is_verifying = thread.state.null_from > 0;
            if is_verifying || node.depth < params.null_verified {
                return Some(score);
            }
            // Step 7d. At high depth, a search without null moves near the node verifies the
            // result. Zugzwang is rare in shogi, but a pass hides threats.
            thread.state.null_from = thread.ply + 3 * usize::try_from(reduced).unwrap_or(0) / 4;
            let verified = thread.search_node::<NonPvNode>(Window::null(beta), depth, false);
            thread.state.null_from = 0;
            if thread.stopped {
                return None;
            }
            // The verification has overwritten the stack entry of this node.
            *thread.stack_entry() = entry;
            if verified >= beta {
                return Some(score);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::alpha_beta::node_info::NodeFacts;
    use crate::search::alpha_beta::params::{SearchParams, Techniques};
    use crate::search::alpha_beta::testing::{
        AHEAD, QUIET, entry, node, with_thread, with_thread_at,
    };
    use crate::search::minimax::{for_each_position, minimax};
    use crate::search::window::PvNode;

    /// Covers leaves with and without quiescence search. Also checks that the full set of
    /// techniques gives other scores.
    #[test]
    fn search_without_techniques_equals_minimax() {
        let off = SearchParams {
            // Histories order the evasions of quiescence search, which searches only one of them.
            bonus_slope: 0,
            bonus_base: 0,
            bonus_table_move: 0,
            bonus_above: 0,
            malus_slope: 0,
            malus_base: 0,
            ..SearchParams::DEFAULT.without(Techniques::all())
        };
        let static_leaves = SearchParams { qsearch_see: 1_000_000, ..off };
        let mut pruned = 0;
        for_each_position(|pos, depth| {
            let search_with = |params: &SearchParams| {
                with_thread_at(params, pos, |thread| {
                    thread.search_node::<PvNode>(Window::open(), depth, false)
                })
            };
            let minimax_with = |params: &SearchParams| {
                with_thread_at(params, pos, |thread| {
                    minimax(thread, depth.to_plies(), |thread| {
                        thread.search_quiescence::<PvNode>(Window::open(), 0)
                    })
                })
            };
            for params in [off, static_leaves] {
                assert_eq!(search_with(&params), minimax_with(&params), "{pos} {depth:?}");
            }
            pruned += usize::from(search_with(&SearchParams::DEFAULT) != minimax_with(&off));
        });
        assert!(pruned > 1, "{pruned}");
    }

    /// The best move of an exact node gets a bonus. An earlier move that raised alpha gets no
    /// malus.
    #[test]
    fn an_exact_node_updates_the_histories() {
        // At depth 1 no other node updates the histories, if children do not update the move above.
        let others = Techniques::TREND_HISTORY | Techniques::FAIL_LOW_HISTORY;
        with_thread(&SearchParams::DEFAULT.without(others), QUIET, |thread| {
            let known = entry("9f9e", 0, 0, Bound::Lower);
            let first = known.mv.expect("a move");
            thread.tt.store(thread.pos.key(), 0, &known);
            let score = thread.search_node::<PvNode>(Window::open(), Depth::ONE, false);
            assert!(!score.is_decisive());
            let best = thread.pv()[0];
            assert_ne!(best, first, "the first move raises alpha but another move is best");
            let (side, histories) = (thread.pos.side_to_move(), thread.state.histories);
            assert!(histories.butterfly(side, best) > 0, "{best}");
            assert_eq!(histories.butterfly(side, first), 0);
        });
    }

    /// The score of a TT entry does not end the search without the entry's move.
    #[test]
    fn the_score_of_an_excluded_move_is_no_evaluation() {
        with_thread(&SearchParams::DEFAULT, QUIET, |thread| {
            let known = TtEntry { mv: None, ..entry("9f9e", 9_000, 4, Bound::Lower) };
            let whole = AlphaBetaNode { cut_node: false, tt_entry: Some(known), ..node(6) };
            let mut prune =
                |node: &AlphaBetaNode| prune_node::<NonPvNode>(thread, node, Score::ZERO, false);
            assert_eq!(prune(&whole), Some(Score::cp(3_000)), "reverse futility");
            let excluded = "9f9e".parse().ok();
            let facts = NodeFacts { excluded, ..whole.facts };
            assert_eq!(prune(&AlphaBetaNode { facts, ..whole }), None);
        });
    }

    /// A second search of a node, such as the verification of a null move, does not judge the
    /// reduction of the move above again.
    #[test]
    fn the_reduction_above_is_judged_once() {
        with_thread(&SearchParams::DEFAULT, QUIET, |thread| {
            thread.stack_entry().reduction = 3;
            thread.follow("9f9e".parse().expect("a move"), |thread| {
                assert_eq!([(); 2].map(|()| thread.take_above().reduction), [3, 0]);
            });
        });
    }

    /// From `null_verified` plies on, a search without null moves verifies a null-move cutoff.
    #[test]
    fn deep_null_moves_are_verified() {
        // Disables the other steps that could end the node.
        let others = Techniques::REVERSE_FUTILITY | Techniques::PROB_CUT;
        let nodes = |null_verified| {
            let params = SearchParams { null_verified, ..SearchParams::DEFAULT.without(others) };
            let mut nodes = 0;
            // Null moves are disabled at the root, so White moves first.
            with_thread(&params, &AHEAD.replace(" b ", " w "), |thread| {
                thread.follow("8c8d".parse().expect("a move"), |thread| {
                    let window = Window::null(Score::ZERO);
                    let score = thread.search_node::<NonPvNode>(window, Depth::plies(20), true);
                    assert!(score >= window.beta, "{score}");
                });
                nodes = thread.nodes;
            });
            nodes
        };
        let (trusted, verified) = (nodes(21), nodes(20));
        assert!(verified > trusted && trusted > 0, "{verified} {trusted}");
    }

    /// A null move is not a move and must not count as a node.
    #[test]
    fn null_moves_do_not_count_as_nodes() {
        with_thread(&SearchParams::DEFAULT, QUIET, |thread| {
            let before = thread.nodes;
            thread.descend_null(|_| ());
            assert_eq!(thread.nodes, before);
        });
    }

    /// The first plies have no earlier evaluation to compare with.
    #[test]
    fn improving_is_false_at_the_first_plies() {
        with_thread(&SearchParams::DEFAULT, QUIET, |thread| {
            assert!(!thread.is_improving(Some(Score::cp(500))));
            thread.ply = 2;
            thread.state.stack[0].expected_eval = Some(Score::cp(400));
            assert!(thread.is_improving(Some(Score::cp(500))));
            thread.ply = 0;
        });
    }
}
