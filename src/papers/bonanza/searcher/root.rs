//! Root search: iterative deepening with aspiration windows and MultiPV.

use std::cmp::Reverse;

use super::half_plies::HalfPlies;
use super::node::{search_child, store};
use super::params::Rules;
use super::pruning::{self, ExtensionCase};
use super::thread::FullWidthThread;
use crate::engine::{Bound, Info, Outcome, Pv, Report};
use crate::eval::Score;
use crate::search::root_moves::{CURRENT_MOVE_AFTER, outcome, root_moves};
use crate::search::window::{PvNode, Window};
use crate::search::{MAX_DEPTH, TtEntry};
use crate::shogi::Move;

/// First iteration with an aspiration window; earlier iterations have an open window.
const LEAST_ASPIRATION: u32 = 3;
/// Factor by which the half width of the window grows after a failure.
const GROWTH: i32 = 4;
/// If the half width exceeds this, the window is opened fully. Centipawns.
const WIDEST: i32 = 4_000;

/// A root move, its score and its principal variation.
struct RootMove {
    mv: Move,
    /// A bound unless the move was best.
    score: Score,
    pv: Pv,
}

/// A root search.
pub(super) struct RootSearch<'w, 'a, 'r> {
    thread: &'w mut FullWidthThread<'a>,
    report: &'r mut dyn FnMut(Report),
    /// Root moves, best first.
    moves: Vec<RootMove>,
    /// The current iteration.
    depth: u32,
    /// Number of iterations before which half of the time was used.
    late_iterations: u32,
    /// The best line of the last completed iteration, or of a better move found since.
    best: Option<Info>,
}

impl<'w, 'a, 'r> RootSearch<'w, 'a, 'r> {
    pub fn new(thread: &'w mut FullWidthThread<'a>, report: &'r mut dyn FnMut(Report)) -> Self {
        let moves = root_moves(&thread.pos, thread.settings, thread.limits);
        let unsearched = |mv| RootMove { mv, score: -Score::INFINITE, pv: Pv::from_slice(&[mv]) };
        let moves = moves.into_iter().map(unsearched).collect();
        RootSearch { thread, report, moves, depth: 0, late_iterations: 0, best: None }
    }

    /// Runs iterative deepening until a limit is reached.
    pub fn run(mut self) -> Outcome {
        let deepest = self.thread.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let (any, control) = (!self.moves.is_empty(), self.thread.control);
        for depth in (1..=deepest).take_while(|_| any && !control.is_stopped()) {
            self.depth = depth;
            self.iterate();
            let soft = self.thread.limits.soft_nodes;
            let is_out_of_nodes = soft.is_some_and(|soft| self.thread.nodes >= soft);
            if self.thread.stopped
                || is_out_of_nodes
                || control.is_time_used(1.0)
                || self.thread.is_settled(self.moves.len(), depth, self.moves[0].score, false)
            {
                break;
            }
            self.late_iterations += u32::from(control.is_half_used(1.0));
        }
        if self.moves.first().is_some_and(|root| root.score == -Score::INFINITE) {
            let thread = &mut *self.thread;
            self.moves.sort_by_cached_key(|root| {
                thread.unsearched_value(root.mv, FullWidthThread::evaluate)
            });
        }
        let (nodes, time) = (self.thread.nodes, control.elapsed());
        let info = self.best.map(|info| Info { nodes, time, ..info });
        outcome(info, self.moves.first().map(|root| root.mv), nodes)
    }

    /// Runs one iteration over all lines of MultiPV, best first.
    fn iterate(&mut self) {
        self.thread.seldepth = 0;
        let lines = self.thread.settings.multi_pv.clamp(1, self.moves.len());
        for line in 0..lines {
            self.search_line(line);
            if self.thread.stopped {
                return;
            }
            self.thread.has_answer = true;
            // Keep the lines found in this iteration sorted.
            self.moves[..=line].sort_by_key(|root| Reverse(root.score));
        }
        for line in 0..lines {
            let info = self.info(line, self.moves[line].score, Bound::Exact);
            if line == 0 {
                self.best = Some(info.clone());
            }
            (self.report)(Report::Line(info));
        }
    }

    /// Searches the moves from index `line` on, with an aspiration window that widens until the
    /// score lies inside.
    fn search_line(&mut self, line: usize) {
        // At full depth, a late iteration would probably not end in time.
        let plies = self.depth.saturating_sub(3 * (self.late_iterations + 1) / 4).max(1);
        let (params, last) = (self.thread.state.params, self.moves[line].score);
        let is_narrow = params.rules.contains(Rules::ASPIRATION)
            && self.depth >= LEAST_ASPIRATION
            && !last.is_mate()
            && last > -Score::INFINITE;
        let mut reach = params.aspiration;
        let mut window = Window { alpha: last - reach, beta: last + reach };
        if !is_narrow {
            window = Window::open();
        }
        loop {
            let score = self.search_moves(line, window, HalfPlies::plies(plies as i32));
            let bound = window.bound(score);
            if self.thread.stopped || bound == Bound::Exact {
                return;
            }
            reach *= GROWTH;
            if bound == Bound::Upper {
                window.alpha = score - reach;
            } else {
                window.beta = score + reach;
            }
            if line == 0 && bound == Bound::Upper {
                self.thread.control.ponder_on();
            }
            if line == 0 && self.thread.settings.multi_pv == 1 {
                let info = self.info(line, score, bound);
                (self.report)(Report::Line(info));
            }
            if reach > WIDEST || score.is_mate() {
                window = Window::open();
            }
        }
    }

    /// Principal variation search of the root moves from index `line` on. Moves the best one to
    /// `line`.
    fn search_moves(&mut self, line: usize, window: Window, depth: HalfPlies) -> Score {
        let Window { mut alpha, beta } = window;
        let mut best = -Score::INFINITE;
        self.thread.pv().clear();
        for index in line..self.moves.len() {
            let mv = self.moves[index].mv;
            if self.thread.control.elapsed() >= CURRENT_MOVE_AFTER {
                (self.report)(Report::CurrentMove(mv, index + 1));
            }
            let (is_first, thread) = (index == line, &mut *self.thread);
            let case = ExtensionCase {
                gives_check: thread.pos.gives_check(mv, &thread.pos.check_squares()),
                one_reply: self.moves.len() == 1 && thread.pos.in_check(),
                recapture: false,
            };
            let depth = depth + pruning::extension(thread.state.params, case) - HalfPlies::ONE_PLY;
            thread.state.stack[0].promise = None;
            let score = search_child::<PvNode>(thread, mv, is_first, Window { alpha, beta }, depth);
            if self.thread.stopped {
                return best;
            }
            best = best.max(score);
            self.moves[index].score = score;
            if score > alpha || is_first {
                self.thread.update_pv(mv);
                self.moves[index].pv = self.thread.pv().clone();
                // Move the best move so far to the front; the others keep their order.
                self.moves[line..=index].rotate_right(1);
            }
            if score >= beta {
                break;
            }
            if score > alpha {
                alpha = score;
                // The better move stays the answer even if the iteration is interrupted.
                if line == 0 && self.best.is_some() {
                    let info = self.info(line, score, Bound::Exact);
                    self.best = Some(info.clone());
                    (self.report)(Report::Better(info));
                }
            }
        }
        // A search of selected moves only must not store a score of the root.
        if line == 0 && self.thread.limits.search_moves.is_empty() {
            let (mv, bound, depth) = (Some(self.moves[0].mv), window.bound(best), depth.in_table());
            let entry = TtEntry { mv, score: best, depth, bound, raw_eval: None, pv: true };
            store(self.thread.tt, self.thread.pos.key(), 0, &entry);
        }
        best
    }

    /// The report of a line; `line` 0 is the best.
    fn info(&self, line: usize, score: Score, bound: Bound) -> Info {
        self.thread.info(&self.moves[line].pv, self.depth, line, score, bound)
    }
}
