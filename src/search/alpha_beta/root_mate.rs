//! What the mate solver tells the root.

use std::cmp::Reverse;
use std::time::Duration;

use super::AlphaBetaThread;
use super::params::Techniques;
use super::root::Root;
use crate::engine::{Bound, MateOutcome, MateVerdict, Pv, Report};
use crate::eval::Score;
use crate::shogi::{DeclarationRule, Move};

/// Fewer nodes are not worth a question at the root.
const LEAST_NODES: u64 = 100;

impl Root<'_, '_, '_> {
    /// Whether the mate solver finds a mate: that is the answer then.
    pub(super) fn is_won(&mut self) -> bool {
        // A mate the search has found itself is hardly longer.
        let decided = self.moves[0].score.is_mate();
        if decided || !self.asks_solver() || !self.thread.limits.search_moves.is_empty() {
            return false;
        }
        let Some(line) = self.mates.win(self.thread) else { return false };
        let at = self.moves.iter().position(|root| Some(&root.mv) == line.first());
        let Some(at) = at else { return false };
        self.moves[..=at].rotate_right(1);
        let score = Score::mate_in(line.len() as u32);
        self.thread.seldepth = self.thread.seldepth.max(line.len());
        self.moves[0].score = score;
        self.moves[0].pv = line;
        let info = self.info(0, score, Bound::Exact);
        if let Some(report) = &mut self.report {
            report(Report::Line(&info));
        }
        self.best = Some(info);
        true
    }

    /// Whether the mate solver finds that the opponent mates after the best move: then the next best
    /// stands in front, and the iteration must be done again.
    pub(super) fn is_refuted(&mut self) -> bool {
        let decided = self.moves[0].lost.is_some() || self.moves[0].score.is_mate();
        if self.thread.stopped || decided || !self.asks_solver() {
            return false;
        }
        let mv = self.moves[0].mv;
        let Some(line) = self.mates.refutation(self.thread, mv) else { return false };
        let root = &mut self.moves[0];
        let score = Score::mated_in(1 + line.len() as u32);
        (root.score, root.lost) = (score, Some(score));
        root.pv.truncate(1);
        root.pv.extend(line);
        let hope =
            |at: &usize| (self.moves[*at].lost.is_none(), self.moves[*at].score, Reverse(*at));
        let next = (0..self.moves.len()).max_by_key(hope).unwrap_or(0);
        self.moves[..=next].rotate_right(1);
        // The answer should there be no time to do it again.
        self.best = Some(self.info(0, self.moves[0].score, Bound::Upper));
        true
    }

    /// Whether the solver is asked, which knows no game that is won by a move of the king.
    fn asks_solver(&self) -> bool {
        let settings = self.thread.settings;
        self.report.is_some()
            && settings.multi_pv == 1
            && settings.declaration != DeclarationRule::Try
    }
}

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
    fn win(&mut self, thread: &mut AlphaBetaThread) -> Option<Pv> {
        if self.none {
            return None;
        }
        let verdict = self.ask(0, thread);
        self.none = verdict == MateVerdict::NoMate;
        line_of(verdict)
    }

    /// The line of the opponent's mate after `mv`.
    fn refutation(&mut self, thread: &mut AlphaBetaThread, mv: Move) -> Option<Pv> {
        if self.safe.contains(&mv) {
            return None;
        }
        thread.pos.do_move(mv);
        let over = thread.pos.fourfold().is_some();
        let verdict = if over { MateVerdict::NoMate } else { self.ask(1, thread) };
        thread.pos.undo_move();
        if verdict == MateVerdict::NoMate {
            self.safe.push(mv);
        }
        line_of(verdict)
    }

    /// Each question may take its share of all nodes so far.
    fn ask(&mut self, question: usize, thread: &mut AlphaBetaThread) -> MateVerdict {
        let params = thread.state.params;
        let share = thread.nodes * params.mate_share as u64 / 1024;
        let left = share.saturating_sub(self.spent[question]);
        if !params.uses(Techniques::ROOT_MATE) || left < LEAST_NODES {
            return MateVerdict::Unknown;
        }
        let before = thread.nodes;
        let verdict = thread.ask_solver(left);
        self.spent[question] += thread.nodes - before;
        verdict
    }
}

fn line_of(verdict: MateVerdict) -> Option<Pv> {
    if let MateVerdict::Mate(line) = verdict { Some(line) } else { None }
}

impl AlphaBetaThread<'_> {
    /// Asks whether the side to move mates before the game is drawn by its length. The solver's nodes
    /// count as the search's own; the search may have to stop after it.
    fn ask_solver(&mut self, nodes: u64) -> MateVerdict {
        if self.must_stop() {
            return MateVerdict::Unknown;
        }
        let left = self.limits.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(self.nodes));
        let control = self.control;
        let stop = || control.must_stop(Duration::ZERO);
        let MateOutcome { verdict, nodes, plies } =
            self.state.solver.solve(&mut self.pos, nodes.min(left), &stop);
        self.nodes += nodes;
        self.must_stop();
        let end = u64::from(self.pos.move_number()) + plies as u64;
        let late = self.last_move_number.is_some_and(|last| end > u64::from(last) + 1);
        if late { MateVerdict::Unknown } else { verdict }
    }
}
