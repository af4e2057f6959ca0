//! Mate solver queries at the root.

use std::time::Duration;

use super::params::Techniques;
use super::thread::AlphaBetaThread;
use crate::engine::{MateOutcome, MateVerdict, Pv};
use crate::shogi::{DeclarationRule, Move};

/// Minimum node budget of a query.
const LEAST_NODES: u64 = 100;
/// Node budget if the previous search found a mate. If the game follows that mate, the solver still
/// stores the proof and confirms it with this many nodes.
const KNOWN_MATE_NODES: u64 = 2_000;

/// Minimum node budget to look for a shorter mate after a proof.
const SHORTENING_NODES: u64 = 20_000;

/// A query at the root; the discriminant is its index in [`RootMates::spent`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    Win,
    Refutation,
}

/// The queries at the root: whether its side mates, and whether the opponent mates after the best
/// move.
#[derive(Debug, Default)]
pub(crate) struct RootMates {
    /// Nodes spent on each kind of query.
    spent: [u64; 2],
    /// Whether the root's side is proved to have no mate.
    none: bool,
    /// Moves after which the opponent is proved to have no mate.
    safe: Vec<Move>,
}

impl RootMates {
    /// The line of a mate by the root's side.
    pub fn win(&mut self, thread: &mut AlphaBetaThread) -> Option<Pv> {
        if self.none {
            return None;
        }
        let verdict = self.ask(Question::Win, thread);
        self.none = verdict == MateVerdict::NoMate;
        line_of(verdict)
    }

    /// The line of the opponent's mate after `mv`.
    pub fn refutation(&mut self, thread: &mut AlphaBetaThread, mv: Move) -> Option<Pv> {
        if self.safe.contains(&mv) {
            return None;
        }
        thread.pos.do_move(mv);
        let over = thread.pos.fourfold().is_some();
        let verdict =
            if over { MateVerdict::NoMate } else { self.ask(Question::Refutation, thread) };
        thread.pos.undo_move();
        if verdict == MateVerdict::NoMate {
            self.safe.push(mv);
        }
        line_of(verdict)
    }

    /// Runs a query. Each kind of query may spend its share of all nodes so far.
    fn ask(&mut self, question: Question, thread: &mut AlphaBetaThread) -> MateVerdict {
        let params = thread.state.params;
        let mut share = thread.nodes * params.mate_share as u64 / 1024;
        if question == Question::Win && thread.state.is_mating {
            let half = thread.limits.nodes.map_or(u64::MAX, |limit| limit / 2);
            share = share.max(KNOWN_MATE_NODES.min(half));
        }
        let left = share.saturating_sub(self.spent[question as usize]);
        if !params.uses(Techniques::ROOT_MATE) || left < LEAST_NODES {
            return MateVerdict::Unknown;
        }
        let before = thread.nodes;
        let verdict = thread.ask_solver(left, question == Question::Win);
        self.spent[question as usize] += thread.nodes - before;
        verdict
    }
}

/// The line of a proved mate.
pub(crate) fn line_of(verdict: MateVerdict) -> Option<Pv> {
    if let MateVerdict::Mate(line) = verdict { Some(line) } else { None }
}

impl AlphaBetaThread<'_> {
    /// Queries whether the side to move mates before the move limit makes the game a draw. The
    /// solver's nodes count as search nodes, so the search may have to stop afterwards. With the try
    /// rule, nothing is known: the solver does not know that a king move can win.
    ///
    /// `shortest`: after a proof, use the rest of `nodes`, but at least [`SHORTENING_NODES`], to
    /// look for a shorter mate.
    pub(crate) fn ask_solver(&mut self, nodes: u64, shortest: bool) -> MateVerdict {
        if self.settings.declaration == DeclarationRule::Try || self.must_stop() {
            return MateVerdict::Unknown;
        }
        let left = self.limits.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(self.nodes));
        let control = self.control;
        let stop = || control.must_stop(Duration::ZERO);
        let solver = &mut *self.state.solver;
        let mut outcome = solver.solve(&mut self.pos, nodes.min(left), &stop);
        if shortest {
            let rest = nodes.saturating_sub(outcome.nodes).max(SHORTENING_NODES);
            let left = rest.min(left.saturating_sub(outcome.nodes));
            outcome = solver.shorten(&mut self.pos, outcome, left, &stop).0;
        }
        let MateOutcome { verdict, nodes, plies } = outcome;
        self.nodes += nodes;
        self.must_stop();
        let end = u64::from(self.pos.move_number()) + plies as u64;
        let late = self.last_move_number.is_some_and(|last| end > u64::from(last) + 1);
        if late { MateVerdict::Unknown } else { verdict }
    }
}
