//! The root node: its stack entry, the search of a root move, and the histories.

use super::history_updates::{self, TriedMoves};
use super::moves::{self, MoveHistory, ReducedMove, search_child};
use super::node_info::{AlphaBetaNode, ChildNode, NodeFacts};
use super::pruning;
use super::thread::{AlphaBetaThread, StackEntry};
use crate::eval::Score;
use crate::search::depth::Depth;
use crate::search::window::{PvNode, Window};
use crate::shogi::Move;

/// A root move about to be searched.
pub(super) struct RootChild {
    pub mv: Move,
    /// Position in the search order; 1 is the first move.
    pub number: usize,
    /// The move searched first: the best one of the line of MultiPV so far.
    pub first: Move,
    pub window: Window,
    /// Depth of the root.
    pub depth: Depth,
    /// Number of earlier moves that raised alpha.
    pub raises: u32,
}

impl AlphaBetaThread<'_> {
    /// Prepares the thread for a search of the root moves with this window to this depth: sets what
    /// the nodes below read. `last_pv`: the line's PV in the last iteration.
    pub(super) fn begin_root(&mut self, window: Window, depth: Depth, last_pv: &[Move]) {
        let tt_entry = self.tt.probe(self.pos.key(), 0);
        let static_eval = self.static_eval(None).1;
        let pawn_row = self.pawn_row();
        *self.stack_entry() = StackEntry {
            facts: NodeFacts {
                static_eval,
                tt_pv: true,
                on_last_line: true,
                ..NodeFacts::default()
            },
            expected_eval: static_eval,
            pawn_row,
            has_tt_entry: tt_entry.is_some(),
            ..StackEntry::default()
        };
        for entry in &mut self.state.stack[1..=2] {
            entry.child_cutoffs = 0;
        }
        let state = &mut self.state;
        state.root_depth = depth.to_plies();
        state.root_window = (window.beta - window.alpha).max(1);
        if last_pv.len() > 1 {
            state.last_line = last_pv.into();
        }
    }

    /// Searches one root move and returns its score.
    pub(super) fn search_root_move(&mut self, child: &RootChild) -> Score {
        let &RootChild { mv, number, first, window, depth, raises } = child;
        let tt_entry = self.tt.probe(self.pos.key(), 0);
        // The move of the entry may belong to another line of MultiPV.
        let tt_move = tt_entry.map(|_| first);
        let depth = (0..raises).fold(depth.to_plies(), |depth, _| {
            pruning::depth_after_raise(self.state.params, depth)
        });
        let node = AlphaBetaNode {
            facts: self.stack_entry().facts,
            depth,
            window,
            pv: true,
            cut_node: false,
            tt_entry,
            tt_move,
            tt_capture: tt_move.is_some_and(|mv| self.pos.is_capture(mv)),
            raw_eval: None,
            improving: false,
        };
        let context = self.history_context();
        let is_capture = self.pos.is_capture(mv);
        let history = MoveHistory::of(self, &context, mv, is_capture).reduction;
        let gives_check = self.pos.gives_check(mv, &self.pos.check_squares());
        let late = moves::late_move(&node, number, self.window_share(window));
        let base = self.state.reductions.base(self.state.params, &late);
        let entry = self.stack_entry();
        (entry.number, entry.history) = (number, history);
        let child = ChildNode {
            mv,
            window,
            best: window.alpha,
            depth: node.depth - 1,
            can_reduce: node.depth >= 2,
            reduction: moves::reduction(
                self,
                &node,
                &late,
                &ReducedMove { mv, gives_check, history, base },
            ),
            number,
            cut_node: false,
            has_tt_move: tt_move.is_some(),
        };
        search_child::<PvNode>(self, &context, &child)
    }

    /// Updates the histories after the root moves were searched. Unlike in other nodes, an earlier
    /// move that raised alpha counts as tried. `searched`: in search order. `best`: the move that
    /// raised alpha last.
    pub(super) fn end_root(&mut self, searched: &[Move], best: Option<Move>) {
        let Some(best) = best else { return };
        let mut tried = TriedMoves::default();
        for &mv in searched.iter().filter(|&&mv| mv != best) {
            tried.push(mv, self.pos.is_capture(mv));
        }
        let (context, depth) = (self.history_context(), self.state.root_depth);
        history_updates::on_best_move(
            self,
            &context,
            depth,
            best,
            searched.first().copied(),
            &tried,
        );
    }
}
