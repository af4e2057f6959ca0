//! The alpha-beta searcher's part of the root search: its aspiration windows, the search of a root
//! move, the mate solver, and time management.

use std::cmp::Reverse;

use super::history_updates::{self, TriedMoves};
use super::moves::{self, MoveHistory, ReducedMove, search_child};
use super::node_info::{AlphaBetaNode, ChildNode};
use super::params::Techniques;
use super::pruning;
use super::root_mate::RootMates;
use super::thread::{AlphaBetaState, AlphaBetaThread, StackEntry};
use super::time_manager::TimeManager;
use crate::engine::{Pv, Report};
use crate::eval::Score;
use crate::search::depth::Depth;
use crate::search::helpers::Progress;
use crate::search::root_search::{RootResult, RootSearch};
use crate::search::root_searcher::{Aspiration, Iteration, RootChild, RootMove, RootSearcher};
use crate::search::window::{PvNode, Window};
use crate::shogi::{DeclarationRule, Move};

/// The root of one thread's search.
pub(super) struct AlphaBetaRoot {
    /// `None` in a helper thread, which does not query the solver.
    mates: Option<RootMates>,
    time_manager: TimeManager,
}

/// Searches the root by one thread. `report`: `None` for a helper, which does not report and
/// searches until it is stopped. `helpers`: the other threads, in the main thread.
pub(super) fn search_root<'r>(
    thread: &mut AlphaBetaThread<'_>,
    report: Option<&'r mut dyn FnMut(Report)>,
    helpers: &'r [Progress],
) -> RootResult {
    let root = AlphaBetaRoot::new(thread, report.is_some());
    RootSearch::new(root, thread, report, helpers).run()
}

impl AlphaBetaRoot {
    /// `is_main`: whether the thread is not a helper.
    fn new(thread: &AlphaBetaThread<'_>, is_main: bool) -> AlphaBetaRoot {
        AlphaBetaRoot {
            mates: is_main.then(RootMates::default),
            time_manager: TimeManager::new(thread.root_side, *thread.state.last_move),
        }
    }

    /// The solver's queries; `None` if it must not be asked. The solver does not know the try rule,
    /// where a king move wins the game.
    fn mates(&mut self, thread: &AlphaBetaThread<'_>) -> Option<&mut RootMates> {
        self.mates.as_mut().filter(|_| thread.settings.declaration != DeclarationRule::Try)
    }
}

impl<'a> RootSearcher<'a> for AlphaBetaRoot {
    const FAIL_HIGH_ANSWERS: bool = true;
    type State = AlphaBetaState<'a>;

    fn evaluate(thread: &mut AlphaBetaThread<'a>) -> Score {
        thread.evaluate()
    }

    /// The window is centered on the mean score of the best move. It widens with the mean squared
    /// score. Helper threads use wider windows, so that their searches differ.
    fn aspiration(
        &self,
        thread: &AlphaBetaThread<'a>,
        last: &RootMove,
        _depth: u32,
    ) -> Option<Aspiration> {
        let AlphaBetaState { params, number, .. } = thread.state;
        let (mean, square) = last.mean.filter(|_| params.uses(Techniques::ASPIRATION))?;
        let wider = square.abs() / i64::from(params.aspiration_square);
        Some(Aspiration {
            center: Score::cp(mean),
            reach: params.aspiration + (number % 8) as i32 + wider.min(1_000) as i32,
            growth: 133,
            widest: 3_000,
            follows: true,
        })
    }

    /// Late moves are reduced at the root as well, so their order matters.
    fn order(&self, thread: &AlphaBetaThread<'a>, moves: &mut [RootMove]) {
        let (context, checks) = (thread.history_context(), thread.pos.check_squares());
        let scorer = thread.scorer(&context, &checks, 0);
        moves.sort_by_cached_key(|root| Reverse(scorer.value(&thread.pos, root.mv)));
    }

    /// Fills the stack entry of the root, which the nodes below read.
    fn begin(&self, thread: &mut AlphaBetaThread<'a>, window: Window, depth: Depth, line: &[Move]) {
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

    fn search_move(&self, thread: &mut AlphaBetaThread<'a>, child: &RootChild) -> Score {
        let &RootChild { mv, number, first, window, depth, raises } = child;
        let tt_entry = thread.tt.probe(thread.pos.key(), 0);
        // The move of the entry may belong to another line of MultiPV.
        let tt_move = tt_entry.map(|_| first);
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
    fn end(&self, thread: &mut AlphaBetaThread<'a>, searched: &[Move], best: Option<Move>) {
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

    fn mate(&mut self, thread: &mut AlphaBetaThread<'a>) -> Option<Pv> {
        self.mates(thread)?.win(thread)
    }

    fn refutation(&mut self, thread: &mut AlphaBetaThread<'a>, best: Move) -> Option<Pv> {
        self.mates(thread)?.refutation(thread, best)
    }

    fn note(&mut self, iteration: &Iteration) {
        self.time_manager.note(iteration);
    }

    fn stretch(&self) -> f64 {
        self.time_manager.stretch()
    }

    fn finish(self, thread: &mut AlphaBetaThread<'a>, best: Option<&RootMove>) {
        let mean = best.and_then(|root| root.mean);
        *thread.state.last_move =
            mean.map(|(mean, _)| self.time_manager.left(thread.root_side, mean));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::alpha_beta::params::SearchParams;
    use crate::search::alpha_beta::testing::{QUIET, with_thread};

    /// The share of the best move includes all its searches, also those with wider windows.
    #[test]
    fn the_share_of_a_move_includes_all_its_searches() {
        with_thread(&SearchParams::DEFAULT, QUIET, |thread| {
            let root = AlphaBetaRoot::new(thread, false);
            let mut search = RootSearch::new(root, thread, None, &[]);
            for depth in 1..=8 {
                search.depth = depth;
                let before = search.thread.nodes;
                search.iterate();
                let all: u64 = search.moves.iter().map(|root| root.nodes).sum();
                assert_eq!(all, search.thread.nodes - before);
                let share = search.iteration().share;
                assert!(share > 0.0 && share <= 1.0, "{share}");
            }
        });
    }

    #[test]
    fn late_iterations_are_searched_to_a_smaller_depth() {
        for (late_iterations, depth) in [(0, 8), (1, 7), (2, 6), (3, 5), (4, 5), (100, 1)] {
            with_thread(&SearchParams::DEFAULT, QUIET, |thread| {
                let root = AlphaBetaRoot::new(thread, false);
                let mut search = RootSearch::new(root, thread, None, &[]);
                (search.depth, search.late_iterations) = (8, late_iterations);
                search.iterate();
                assert_eq!(search.thread.state.root_depth, depth);
            });
        }
    }
}
