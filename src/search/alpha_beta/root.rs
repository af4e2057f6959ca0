//! The root: iterative deepening, aspiration windows, several lines, and when to stop.

use std::time::Duration;

use super::node::{self, Child, search_child};
use super::params::Techniques;
use super::picker;
use super::reduction::LateMove;
use super::root_mate::RootMates;
use super::time_manager::TimeManager;
use super::{AlphaBetaThread, Depth};
use crate::engine::{Bound, Info, Report};
use crate::eval::{Score, see_values};
use crate::search::MAX_DEPTH;
use crate::search::root::{RootLine, RootMove, root_moves};
use crate::search::tt::TtEntry;
use crate::search::window::{Pv, Window};
use crate::shogi::Move;

/// Root moves are announced one by one only after this time.
const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(3);
/// With a single legal move and a clock, this depth is enough to expect an answer.
const SINGLE_REPLY_DEPTH: u32 = 6;
/// Once a window is wider than this it is opened, centipawns.
const WIDEST: i32 = 3_000;

/// What a thread found.
pub(super) struct ThreadResult {
    /// The best line, of the last completed iteration or of a better move found since.
    pub info: Option<Info>,
    /// Best first; `None` without a legal move.
    pub first: Option<RootMove>,
    /// Moves after which the opponent is known to mate.
    pub lost: Vec<Move>,
}

/// One search from the root by one thread.
pub(super) struct Root<'w, 'a, 'r> {
    pub(super) thread: &'w mut AlphaBetaThread<'a>,
    /// `None`: a helper, which is silent and searches until it is stopped.
    pub(super) report: Option<&'r mut dyn FnMut(Report<'_>)>,
    /// Nodes of the other threads.
    others: &'r dyn Fn() -> u64,
    /// Best first.
    pub(super) moves: Vec<RootMove>,
    depth: u32,
    pub(super) best: Option<Info>,
    pub(super) mates: RootMates,
    time_manager: TimeManager,
    /// Nodes below the best move in this iteration.
    best_nodes: u64,
}

impl<'w, 'a, 'r> Root<'w, 'a, 'r> {
    pub fn new(
        thread: &'w mut AlphaBetaThread<'a>,
        report: Option<&'r mut dyn FnMut(Report<'_>)>,
        others: &'r dyn Fn() -> u64,
    ) -> Self {
        let moves = root_moves(&thread.pos, thread.settings, thread.limits);
        Root {
            thread,
            report,
            others,
            moves,
            depth: 0,
            best: None,
            mates: RootMates::default(),
            time_manager: TimeManager::default(),
            best_nodes: 0,
        }
    }

    /// Deepens until a limit is reached.
    pub fn run(mut self) -> ThreadResult {
        let deepest = self.thread.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let (any, control) = (!self.moves.is_empty(), self.thread.control);
        for depth in (1..=deepest).take_while(|_| any && !control.is_stopped()) {
            self.depth = depth;
            if self.is_won() || self.thread.stopped {
                break;
            }
            let before = self.thread.nodes;
            self.iterate();
            while self.is_refuted() && !self.thread.stopped {
                self.iterate();
            }
            if self.thread.stopped {
                break;
            }
            let nodes = (self.thread.nodes - before).max(1);
            let share = self.best_nodes as f64 / nodes as f64;
            self.time_manager.note(self.moves[0].mv, self.moves[0].score, share);
            if self.is_enough() {
                break;
            }
        }
        if self.moves.first().is_some_and(|root| root.score == -Score::INFINITE) {
            // Cut off before anything was known.
            self.order_by_evaluation();
        }
        let lost =
            self.moves.iter().filter(|root| root.lost.is_some()).map(|root| root.mv).collect();
        ThreadResult { info: self.best, first: self.moves.into_iter().next(), lost }
    }

    /// One iteration: all lines, best first.
    fn iterate(&mut self) {
        self.thread.seldepth = 0;
        let lines = self.thread.settings.multi_pv.clamp(1, self.moves.len());
        self.order(lines);
        for line in 0..lines {
            self.search_line(line);
            if self.thread.stopped {
                return;
            }
            self.thread.has_answer = true;
            // Lines already found this iteration stay in order.
            self.moves[..=line].sort_by_key(|root| std::cmp::Reverse(root.score));
        }
        for line in 0..lines {
            let info = self.info(line, self.moves[line].score, Bound::Exact);
            if line == 0 {
                self.best = Some(info.clone());
            }
            if let Some(report) = &mut self.report {
                report(Report::Line(&info));
            }
        }
    }

    /// Puts the moves below the `lines` best ones in order: late moves are reduced here, too.
    fn order(&mut self, lines: usize) {
        let (pos, histories) = (&self.thread.pos, &*self.thread.state.histories);
        let (context, checks) = (self.thread.context(), pos.check_squares());
        self.moves[lines..].sort_by_cached_key(|root| {
            std::cmp::Reverse(picker::value(pos, &checks, histories, &context, root.mv))
        });
    }

    /// Puts the moves in the order of the evaluation after them, those that lose material last.
    fn order_by_evaluation(&mut self) {
        let thread = &mut *self.thread;
        // No search: the limit of nodes holds.
        let nodes = thread.nodes;
        self.moves.sort_by_cached_key(|root| {
            let sound = thread.pos.see_ge(root.mv, see_values(), 0);
            let value = thread.descend(root.mv, |thread| -thread.evaluate());
            std::cmp::Reverse((sound, value))
        });
        thread.nodes = nodes;
    }

    /// Whether deeper iterations are not worth their time, or none is left.
    fn is_enough(&self) -> bool {
        let control = self.thread.control;
        let plan = control.soft_limit();
        if let Some(soft) = plan {
            let fixed = control.hard_limit().is_none_or(|hard| hard <= soft);
            if !fixed && self.time_manager.is_enough(control.elapsed(), soft)
                || fixed && control.is_time_used()
                || self.moves.len() == 1 && self.depth >= SINGLE_REPLY_DEPTH
            {
                return true;
            }
        }
        // A mate within the depth searched cannot become shorter by much.
        let plies = self.moves[0].score.mate_plies();
        plies.is_some_and(|plies| {
            (plan.is_some() || self.thread.limits.mate) && plies.unsigned_abs() <= self.depth
        })
    }

    /// Searches for the best of the moves from `line` on, with an aspiration window that widens
    /// until the score lies in it.
    fn search_line(&mut self, line: usize) {
        let params = self.thread.state.params;
        let last = self.moves[line].score;
        let mut reach = params.aspiration;
        let narrow = params.uses(Techniques::ASPIRATION)
            && self.depth >= 4
            && !last.is_mate()
            && last > -Score::INFINITE;
        let mut window = if narrow {
            Window { alpha: last - reach, beta: last + reach }
        } else {
            Window::open()
        };
        loop {
            let score = self.search_moves(line, window);
            if self.thread.stopped {
                return;
            }
            reach *= 2;
            let bound = if score <= window.alpha {
                // The fall is real or not: alpha goes down, beta comes closer.
                let beta = window.alpha + (window.beta - window.alpha) / 2;
                window = Window { alpha: score - reach, beta };
                Bound::Upper
            } else if score >= window.beta {
                window.beta = score + reach;
                Bound::Lower
            } else {
                return;
            };
            if line == 0 && self.thread.settings.multi_pv == 1 {
                let info = self.info(line, score, bound);
                if let Some(report) = &mut self.report {
                    report(Report::Line(&info));
                }
            }
            if reach > WIDEST || score.is_mate() {
                window = Window::open();
            }
        }
    }

    /// Principal variation search over the root moves from `line` on. The best one is moved to
    /// `line`.
    fn search_moves(&mut self, line: usize, window: Window) -> Score {
        let Window { mut alpha, beta } = window;
        let depth = Depth::plies(self.depth as i32);
        let (context, checks) = (self.thread.context(), self.thread.pos.check_squares());
        let mut best = -Score::INFINITE;
        self.thread.lines[0].clear();
        self.note_standing();
        for index in line..self.moves.len() {
            let mv = self.moves[index].mv;
            if let Some(report) = &mut self.report
                && self.thread.control.elapsed() >= CURRENT_MOVE_AFTER
            {
                report(Report::CurrentMove(mv, index + 1));
            }
            let first = index == line;
            let gives_check = self.thread.pos.gives_check(mv, &checks);
            let history = node::history(self.thread, &context, mv);
            let child = Child {
                mv,
                window: Window { alpha, beta },
                depth: depth - Depth::ONE,
                reduction: self.reduction(index - line + 1, depth, gives_check, history),
                first,
                cut_node: false,
            };
            let before = self.thread.nodes;
            let lost = self.moves[index].lost;
            let score = lost.unwrap_or_else(|| search_child::<Pv>(self.thread, &child));
            if self.thread.stopped {
                return best;
            }
            best = best.max(score);
            self.moves[index].score = score;
            if score > alpha || first {
                if lost.is_none() {
                    self.thread.update_pv(mv);
                    self.moves[index].pv = self.thread.lines[0].clone();
                }
                // The best so far goes in front; the others keep their order.
                self.moves[line..=index].rotate_right(1);
                self.best_nodes = self.thread.nodes - before;
                if score > alpha {
                    alpha = score;
                    self.note_better(line, score, window);
                }
                if score >= beta {
                    break;
                }
            }
        }
        let bound = window.bound(best);
        // After a search of some moves only, the table learns nothing of the root.
        if line == 0 && self.thread.limits.search_moves.is_empty() {
            let mv = Some(self.moves[0].mv);
            let entry = TtEntry { mv, score: best, depth, bound, raw_eval: None, pv: true };
            self.thread.tt.store(self.thread.pos.key(), 0, &entry);
        }
        best
    }

    /// The root's evaluation, for those below.
    fn note_standing(&mut self) {
        let thread = &mut *self.thread;
        let static_eval = if thread.pos.in_check() {
            None
        } else {
            let (raw, keys) = (thread.evaluate(), thread.correction_keys());
            Some(thread.corrected(raw, keys))
        };
        thread.stack_entry().static_eval = static_eval;
        for state in &mut thread.state.stack[1..=2] {
            state.killers = Default::default();
            state.child_cutoffs = 0;
        }
    }

    /// Late root moves are searched less deeply first, too.
    fn reduction(
        &self,
        number: usize,
        depth: Depth,
        gives_check: bool,
        history: i32,
    ) -> Option<Depth> {
        let state = &self.thread.state;
        let wanted = state.params.uses(Techniques::LATE_MOVE_REDUCTION);
        if !wanted || number == 1 || depth < Depth::plies(2) {
            return None;
        }
        let late = LateMove {
            depth,
            number,
            cut_node: false,
            pv: true,
            improving: true,
            table_capture: false,
            gives_check,
            near_king: false,
            killer: false,
            history,
            child_cutoffs: false,
        };
        Some(state.reductions.of(state.params, &late))
    }

    /// A better move is the answer even if the iteration is cut off, or the search with a wider
    /// window that would tell how much better.
    fn note_better(&mut self, line: usize, score: Score, window: Window) {
        if line == 0 && self.best.is_some() {
            self.best = Some(self.info(line, score, window.bound(score)));
        }
    }

    pub(super) fn info(&self, line: usize, score: Score, bound: Bound) -> Info {
        let nodes = self.thread.nodes + (self.others)();
        let (pv, depth) = (&self.moves[line].pv, self.depth);
        self.thread.info(&RootLine { line, pv, score, bound, depth, nodes })
    }
}
