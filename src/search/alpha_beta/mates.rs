//! What the mate solver tells the root.

use std::time::Duration;

use super::Worker;
use super::params::Techniques;
use crate::engine::Pv;
use crate::search::mate::{Solved, Verdict};
use crate::shogi::Move;

/// Fewer nodes are not worth a question at the root.
const LEAST_NODES: u64 = 100;

/// The questions asked at the root: may its side mate, and may the other after the best move?
#[derive(Debug, Default)]
pub(super) struct RootMates {
    /// Nodes spent on the first question and on the second.
    spent: [u64; 2],
    /// The root's side has no mate.
    none: bool,
    /// Moves after which the opponent has none.
    safe: Vec<Move>,
}

impl RootMates {
    /// The line of a mate at the root.
    pub fn win(&mut self, worker: &mut Worker) -> Option<Pv> {
        if self.none {
            return None;
        }
        let verdict = self.ask(0, worker);
        self.none = verdict == Verdict::NoMate;
        line_of(verdict)
    }

    /// The line of the opponent's mate after `mv`.
    pub fn refutation(&mut self, worker: &mut Worker, mv: Move) -> Option<Pv> {
        if self.safe.contains(&mv) {
            return None;
        }
        worker.pos.do_move(mv);
        let verdict = self.ask(1, worker);
        worker.pos.undo_move();
        if verdict == Verdict::NoMate {
            self.safe.push(mv);
        }
        line_of(verdict)
    }

    /// Each question may take its share of all nodes so far.
    fn ask(&mut self, question: usize, worker: &mut Worker) -> Verdict {
        let params = worker.memory.params;
        let share = worker.nodes * params.mate_share as u64 / 1024;
        let left = share.saturating_sub(self.spent[question]);
        if !params.uses(Techniques::ROOT_MATE) || left < LEAST_NODES {
            return Verdict::Unknown;
        }
        let before = worker.nodes;
        let verdict = worker.ask_solver(left);
        self.spent[question] += worker.nodes - before;
        verdict
    }
}

fn line_of(verdict: Verdict) -> Option<Pv> {
    if let Verdict::Mate(line) = verdict { Some(line) } else { None }
}

impl Worker<'_> {
    /// Asks whether the side to move mates. The solver's nodes count as the search's own; the search
    /// may have to stop after it.
    fn ask_solver(&mut self, nodes: u64) -> Verdict {
        if self.must_stop() {
            return Verdict::Unknown;
        }
        let left = self.limits.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(self.nodes));
        let control = self.control;
        let stop = || control.must_stop(Duration::ZERO);
        let Solved { verdict, nodes } =
            self.memory.solver.solve(&mut self.pos, nodes.min(left), &stop);
        self.nodes += nodes;
        self.must_stop();
        verdict
    }
}
