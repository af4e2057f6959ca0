//! Root search of one thread: iterative deepening, the mate solver, and the decision when to stop.

use std::cmp::Reverse;

use super::alpha_beta_pruning as pruning;
use super::alpha_beta_thread::{AlphaBetaState, AlphaBetaThread, StackEntry};
use super::history_updates::{self, TriedMoves};
use super::moves::{self, MoveHistory, ReducedMove, search_child};
use super::node_info::{AlphaBetaNode, ChildNode};
use super::root_mate::RootMates;
use super::search_params::Techniques;
use super::time_manager::{Iteration, TimeManager};
use crate::engine::{Bound, Info, Report};
use crate::eval::Score;
use crate::search::depth::{Depth, MAX_DEPTH};
use crate::search::root_search::{Aspiration, RootChild, RootMove, RootSearch, RootSearcher};
use crate::search::window::{PvNode, Window};
use crate::shogi::{DeclarationRule, Move};

/// The result of one thread.
pub(super) struct ThreadResult {
    /// The best line of the last completed iteration, or of a better move found since.
    pub info: Option<Info>,
    /// The best move; `None` if no move is legal.
    pub first: Option<Move>,
    /// Moves after which the mate solver proved a mate by the opponent.
    pub lost: Vec<Move>,
}

/// A root search by one thread.
pub(super) struct Root<'w, 'a, 'r> {
    search: RootSearch<'w, 'a, 'r, AlphaBetaState<'a>>,
    mates: RootMates,
    time_manager: TimeManager,
}

impl<'w, 'a, 'r> Root<'w, 'a, 'r> {
    /// `report`: `None` for a helper, which does not report and searches until it is stopped.
    /// `others`: node count of the other threads.
    pub fn new(
        thread: &'w mut AlphaBetaThread<'a>,
        report: Option<&'r mut dyn FnMut(Report<'_>)>,
        others: &'r dyn Fn() -> u64,
    ) -> Self {
        let last_move = thread.state.history.last_move;
        Root {
            time_manager: TimeManager::new(thread.root_side, last_move),
            search: RootSearch::new(thread, report, others),
            mates: RootMates::default(),
        }
    }

    /// Runs iterative deepening until a limit is reached.
    pub fn run(mut self) -> ThreadResult {
        let thread = &self.search.thread;
        let deepest = thread.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let (any, control) = (!self.search.moves.is_empty(), thread.control);
        for depth in (1..=deepest).take_while(|_| any && !control.is_stopped()) {
            self.search.depth = depth;
            if self.is_won() || self.search.thread.stopped {
                break;
            }
            self.search.iterate();
            while self.is_refuted() && !self.search.thread.stopped {
                self.search.iterate();
            }
            if self.search.thread.stopped {
                break;
            }
            let (share, changes) = (self.search.best_share(), self.search.changes);
            let RootMove { mv: best, score, .. } = self.search.moves[0];
            self.time_manager.note(&Iteration { depth, best, score, share, changes });
            if self.is_enough() {
                break;
            }
        }
        self.search.order_if_unsearched();
        let RootSearch { moves, best, thread, .. } = self.search;
        let mean = moves.first().and_then(|root| root.mean);
        thread.state.history.last_move =
            mean.map(|(mean, _)| self.time_manager.left(thread.root_side, mean));
        let lost = moves.iter().filter(|root| root.is_lost()).map(|root| root.mv).collect();
        ThreadResult { info: best, first: moves.first().map(|root| root.mv), lost }
    }

    /// Whether the search must not start another iteration.
    fn is_enough(&self) -> bool {
        let control = self.search.thread.control;
        let is_time_up = control.soft_limit().is_some_and(|soft| {
            let fixed = control.hard_limit().is_none_or(|hard| hard <= soft);
            if fixed {
                control.is_time_used()
            } else {
                self.time_manager.is_enough(control.elapsed(), soft)
            }
        });
        is_time_up || self.search.is_settled()
    }

    /// Whether the mate solver finds a mate and this ends the search. With MultiPV, the search
    /// continues with the mate as its first line.
    fn is_won(&mut self) -> bool {
        // If the search has found a mate itself, the solver is unlikely to find a shorter one.
        let decided = self.search.moves[0].score.is_mate();
        let all_moves = self.search.thread.limits.search_moves.is_empty();
        if decided || !all_moves || !self.asks_solver() {
            return false;
        }
        let RootSearch { thread, moves, .. } = &mut self.search;
        let Some(line) = self.mates.win(thread) else { return false };
        let Some(at) = moves.iter().position(|root| Some(&root.mv) == line.first()) else {
            return false;
        };
        moves[..=at].rotate_right(1);
        let score = Score::mate_in(line.len() as u32);
        thread.seldepth = thread.seldepth.max(line.len());
        (moves[0].score, moves[0].pv) = (score, line);
        moves[0].decided = Some(score);
        let is_alone = thread.settings.multi_pv == 1;
        let info = self.search.info(0, score, Bound::Exact);
        if is_alone {
            self.search.tell(&info);
        }
        self.search.prefer(info);
        is_alone
    }

    /// Whether the mate solver proves a mate by the opponent after the best move. The next best
    /// move then comes first, and the iteration must be repeated.
    fn is_refuted(&mut self) -> bool {
        let best = &self.search.moves[0];
        let decided = best.decided.is_some() || best.score.is_mate();
        if self.search.thread.stopped || decided || !self.asks_solver() {
            return false;
        }
        let RootSearch { thread, moves, .. } = &mut self.search;
        let Some(line) = self.mates.refutation(thread, moves[0].mv) else { return false };
        let root = &mut moves[0];
        let score = Score::mated_in(1 + line.len() as u32);
        (root.score, root.decided) = (score, Some(score));
        root.pv.truncate(1);
        root.pv.extend(line);
        let hope = |at: &usize| (!moves[*at].is_lost(), moves[*at].score, Reverse(*at));
        let next = (0..moves.len()).max_by_key(hope).unwrap_or(0);
        moves[..=next].rotate_right(1);
        // This move is the answer if no time is left to repeat the iteration.
        let score = moves[0].score;
        self.search.prefer(self.search.info(0, score, Bound::Upper));
        true
    }

    /// Whether to query the solver. It does not know the try rule, where a king move wins the game.
    fn asks_solver(&self) -> bool {
        let rule = self.search.thread.settings.declaration;
        self.search.report.is_some() && rule != DeclarationRule::Try
    }
}

impl<'a> RootSearcher<'a> for AlphaBetaState<'a> {
    const FAIL_HIGH_ANSWERS: bool = true;

    fn evaluate(thread: &mut AlphaBetaThread<'a>) -> Score {
        thread.evaluate()
    }

    /// The window is centered on the mean score of the best move. It widens with the mean squared
    /// score. Helper threads use wider windows, so that their searches differ.
    fn aspiration(&self, last: &RootMove, _depth: u32) -> Option<Aspiration> {
        let params = self.params;
        let (mean, square) = last.mean.filter(|_| params.uses(Techniques::ASPIRATION))?;
        let wider = square.abs() / i64::from(params.aspiration_square);
        Some(Aspiration {
            center: Score::cp(mean),
            reach: params.aspiration + (self.number % 8) as i32 + wider.min(1_000) as i32,
            growth: 133,
            widest: 3_000,
            follows: true,
        })
    }

    /// Late moves are reduced at the root as well, so their order matters.
    fn order(thread: &AlphaBetaThread<'a>, moves: &mut [RootMove]) {
        let (context, checks) = (thread.history_context(), thread.pos.check_squares());
        let scorer = thread.scorer(&context, &checks, 0);
        moves.sort_by_cached_key(|root| Reverse(scorer.value(&thread.pos, root.mv)));
    }

    /// Fills the stack entry of the root, which the nodes below read.
    fn begin(thread: &mut AlphaBetaThread<'a>, window: Window, depth: Depth, line: &[Move]) {
        let tt_entry = thread.tt.probe(thread.pos.key(), 0);
        let static_eval = thread.static_eval(None).1;
        let pawn_row = thread.pawn_row();
        *thread.stack_entry() = StackEntry {
            static_eval,
            expected_eval: static_eval,
            pawn_row,
            has_tt_entry: tt_entry.is_some(),
            tt_pv: true,
            on_last_line: true,
            ..StackEntry::default()
        };
        for entry in &mut thread.state.stack[1..=2] {
            entry.child_cutoffs = 0;
        }
        let state = &mut thread.state;
        state.root_depth = depth.to_plies();
        state.root_window = (window.beta - window.alpha).max(1);
        if line.len() > 1 {
            state.last_line = line.into();
        }
    }

    fn search_move(thread: &mut AlphaBetaThread<'a>, child: &RootChild) -> Score {
        let &RootChild { mv, number, window, depth, raises, .. } = child;
        let tt_entry = thread.tt.probe(thread.pos.key(), 0);
        let tt_move = tt_entry.and_then(|entry| entry.mv);
        let depth = (0..raises).fold(depth.to_plies(), |depth, _| {
            pruning::depth_after_raise(thread.state.params, depth)
        });
        let node = AlphaBetaNode {
            depth,
            window,
            pv: true,
            cut_node: false,
            tt_pv: true,
            on_last_line: true,
            tt_entry,
            tt_move,
            tt_capture: tt_move.is_some_and(|mv| thread.pos.is_capture(mv)),
            raw_eval: None,
            static_eval: thread.stack_entry().static_eval,
            correction: 0,
            improving: false,
            excluded: None,
        };
        let context = thread.history_context();
        let is_capture = thread.pos.is_capture(mv);
        let history = MoveHistory::of(thread, &context, mv, is_capture).reduction;
        let gives_check = thread.pos.gives_check(mv, &thread.pos.check_squares());
        let late = moves::late_move(&node, number, thread.window_share(window));
        let base = thread.state.reductions.base(thread.state.params, &late);
        let entry = thread.stack_entry();
        (entry.number, entry.history) = (number, history);
        let child = ChildNode {
            mv,
            window,
            best: window.alpha,
            depth: node.depth - 1,
            can_reduce: node.depth >= 2,
            reduction: moves::reduction(
                thread,
                &node,
                &late,
                &ReducedMove { mv, gives_check, history, base },
            ),
            number,
            cut_node: false,
            has_tt_move: tt_move.is_some(),
        };
        search_child::<PvNode>(thread, &context, &child)
    }

    /// Updates the histories as in other nodes.
    fn end(thread: &mut AlphaBetaThread<'a>, searched: &[Move], best: Option<Move>) {
        let Some(best) = best else { return };
        let mut tried = TriedMoves::default();
        for &mv in searched.iter().filter(|&&mv| mv != best) {
            tried.push(mv, thread.pos.is_capture(mv));
        }
        let (context, depth) = (thread.history_context(), thread.state.root_depth);
        history_updates::on_best_move(
            thread,
            &context,
            depth,
            best,
            searched.first().copied(),
            &tried,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::alpha_beta::search_params::SearchParams;
    use crate::search::alpha_beta::testing::{QUIET, with_thread};

    /// The share of the best move includes all its searches, also those with wider windows.
    #[test]
    fn the_share_of_a_move_includes_all_its_searches() {
        with_thread(&SearchParams::DEFAULT, QUIET, |thread| {
            let mut search = RootSearch::new(thread, None, &|| 0);
            for depth in 1..=8 {
                search.depth = depth;
                let before = search.thread.nodes;
                search.iterate();
                let all: u64 = search.moves.iter().map(|root| root.nodes).sum();
                assert_eq!(all, search.thread.nodes - before);
                let share = search.best_share();
                assert!(share > 0.0 && share <= 1.0, "{share}");
            }
        });
    }
}
