//! Root search of one thread: iterative deepening, aspiration windows, MultiPV, proved mates, and
//! reports.

use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;

use super::params::Techniques;
use super::root::RootChild;
use super::root_mate::RootMates;
use super::thread::AlphaBetaThread;
use super::time_manager::{Iteration, TimeManager};
use crate::engine::{Bound, Control, Info, Outcome, Pv, Report};
use crate::eval::Score;
use crate::search::depth::{Depth, MAX_DEPTH};
use crate::search::helpers::{Progress, all_nodes, mean_changes};
use crate::search::root_moves::{CURRENT_MOVE_AFTER, outcome, root_moves};
use crate::search::tt::TtEntry;
use crate::search::window::Window;
use crate::shogi::{Declaration, Move};

/// Growth of the half width of the aspiration window after a failure, in hundredths.
const GROWTH: i32 = 133;
/// If the half width exceeds this, the window is opened fully. Centipawns.
const WIDEST: i32 = 3_000;

/// A root move and its search results.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub mv: Move,
    /// Score of the latest completed search of this move. A bound unless the move was best.
    pub score: Score,
    /// Running means of the scores and of the signed squared scores, including bounds. Centipawns
    /// and squared centipawns.
    pub mean: Option<(i32, i64)>,
    /// Nodes searched below this move in the current iteration, over all its searches.
    pub nodes: u64,
    pub pv: Pv,
    /// The score if the mate solver has proved it. `pv` is then the line of the solver.
    pub decided: Option<Score>,
}

impl RootMove {
    fn new(mv: Move) -> RootMove {
        let (score, pv) = (-Score::INFINITE, Pv::from_slice(&[mv]));
        RootMove { mv, score, mean: None, nodes: 0, pv, decided: None }
    }

    /// Records the score of a search. The latest score has weight one half in the means.
    pub fn note(&mut self, score: Score) {
        self.score = score;
        if score.is_mate() {
            return;
        }
        let cp = score.to_cp();
        let square = i64::from(cp) * i64::from(cp.abs());
        self.mean = Some(self.mean.map_or((cp, square), |(mean, mean_square)| {
            ((cp + mean) / 2, (square + mean_square) / 2)
        }));
    }

    /// Whether the mate solver has proved that the opponent mates after this move.
    pub fn is_lost(&self) -> bool {
        self.decided.is_some_and(|score| score < Score::ZERO)
    }
}

/// The result of one thread.
pub(super) struct RootResult {
    /// The best line of the last completed iteration, or of a better move found since.
    pub info: Option<Info>,
    /// The best move; `None` if no move is legal.
    pub first: Option<Move>,
    /// Moves after which the opponent is proved to mate.
    pub lost: Vec<Move>,
}

impl RootResult {
    /// The result of the whole search, which ends now. `nodes`: of all threads.
    pub fn outcome(self, nodes: u64, control: &Control) -> Outcome {
        let info = self.info.map(|info| Info { nodes, time: control.elapsed(), ..info });
        outcome(info, self.first, nodes)
    }
}

/// A root search by one thread.
pub(super) struct RootSearch<'w, 'a, 'r> {
    pub thread: &'w mut AlphaBetaThread<'a>,
    /// `None` in helper threads, which do not query the solver.
    mates: Option<RootMates>,
    time_manager: TimeManager,
    /// `None` in helper threads, which do not report.
    report: Option<&'r mut dyn FnMut(Report)>,
    /// The other threads, in the main thread.
    helpers: &'r [Progress],
    /// Root moves, best first.
    pub moves: Vec<RootMove>,
    /// The current iteration.
    pub depth: u32,
    /// Number of iterations before which half of the time was used.
    pub late_iterations: u32,
    /// Number of changes of the best move in this iteration.
    changes: u32,
    /// The best line of the last completed iteration, or of a better move found since. An unfinished
    /// iteration overwrites the scores and lines of `moves`, which therefore cannot replace it.
    best: Option<Info>,
}

impl<'w, 'a, 'r> RootSearch<'w, 'a, 'r> {
    /// `report`: `None` for a helper, which does not report and searches until it is stopped.
    /// `helpers`: the other threads, in the main thread.
    pub fn new(
        thread: &'w mut AlphaBetaThread<'a>,
        report: Option<&'r mut dyn FnMut(Report)>,
        helpers: &'r [Progress],
    ) -> Self {
        let moves = root_moves(&thread.pos, thread.settings, thread.limits);
        let (depth, late_iterations, changes, best) = (0, 0, 0, None);
        RootSearch {
            mates: report.is_some().then(RootMates::default),
            time_manager: TimeManager::new(thread.root_side, *thread.state.last_move),
            thread,
            report,
            helpers,
            moves: moves.into_iter().map(RootMove::new).collect(),
            depth,
            late_iterations,
            changes,
            best,
        }
    }

    /// Runs iterative deepening until a limit is reached.
    pub fn run(mut self) -> RootResult {
        let deepest = self.thread.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let (any, control) = (!self.moves.is_empty(), self.thread.control);
        for depth in (1..=deepest).take_while(|_| any && !control.is_stopped()) {
            self.depth = depth;
            if self.is_won() || self.thread.stopped {
                break;
            }
            self.iterate();
            while self.is_refuted() && !self.thread.stopped {
                self.iterate();
            }
            if self.thread.stopped {
                break;
            }
            self.time_manager.note(&self.iteration());
            let soft = self.thread.limits.soft_nodes;
            let is_out_of_nodes = soft.is_some_and(|soft| self.nodes() >= soft);
            let (stretch, best) = (self.time_manager.stretch(), &self.moves[0]);
            let (moves, is_decided) = (self.moves.len(), best.decided.is_some());
            if is_out_of_nodes
                || control.is_time_used(stretch)
                || self.thread.is_settled(moves, depth, best.score, is_decided)
            {
                break;
            }
            self.late_iterations += u32::from(control.is_half_used(stretch));
        }
        if self.moves.first().is_some_and(|root| root.score == -Score::INFINITE) {
            let thread = &mut *self.thread;
            self.moves.sort_by_cached_key(|root| {
                thread.unsearched_value(root.mv, AlphaBetaThread::evaluate)
            });
        }
        let mean = self.moves.first().and_then(|root| root.mean);
        let side = self.thread.root_side;
        *self.thread.state.last_move = mean.map(|(mean, _)| self.time_manager.left(side, mean));
        let lost = self.moves.iter().filter(|root| root.is_lost()).map(|root| root.mv).collect();
        RootResult { info: self.best, first: self.moves.first().map(|root| root.mv), lost }
    }

    /// Whether a proved win ends the search. With MultiPV, the search continues with the win as its
    /// first line.
    fn is_won(&mut self) -> bool {
        let best = &self.moves[0];
        let line = match self.thread.declaration() {
            _ if best.decided.is_some() => None,
            Some(Declaration::Try(mv)) => Some(Pv::from_slice(&[mv])),
            // If the search has found a mate itself, the solver is unlikely to find a shorter one.
            _ if best.score.is_mate() || !self.thread.limits.search_moves.is_empty() => None,
            _ => self.mates.as_mut().and_then(|mates| mates.win(self.thread)),
        };
        let Some(line) = line else { return false };
        let Some(at) = self.moves.iter().position(|root| Some(&root.mv) == line.first()) else {
            return false;
        };
        self.moves[..=at].rotate_right(1);
        let score = Score::mate_in(line.len() as u32);
        self.thread.seldepth = self.thread.seldepth.max(line.len());
        let root = &mut self.moves[0];
        (root.score, root.pv, root.decided) = (score, line, Some(score));
        let is_alone = self.thread.settings.multi_pv == 1;
        let info = self.info(0, score, Bound::Exact);
        if is_alone {
            self.report(Report::Line(info.clone()));
        }
        self.prefer(info);
        is_alone
    }

    /// Whether the opponent is proved to mate after the best move. The next best move then comes
    /// first, and the iteration must be repeated.
    fn is_refuted(&mut self) -> bool {
        let best = &self.moves[0];
        if self.thread.stopped || best.decided.is_some() || best.score.is_mate() {
            return false;
        }
        let mv = best.mv;
        let line = self.mates.as_mut().and_then(|mates| mates.refutation(self.thread, mv));
        let Some(line) = line else { return false };
        let moves = &mut self.moves;
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
        self.prefer(self.info(0, score, Bound::Upper));
        true
    }

    /// Runs one iteration over all lines of MultiPV, best first.
    pub fn iterate(&mut self) {
        (self.thread.seldepth, self.changes) = (0, 0);
        self.moves.iter_mut().for_each(|root| root.nodes = 0);
        let lines = self.thread.settings.multi_pv.clamp(1, self.moves.len());
        self.order(lines);
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
            self.report(Report::Line(info));
        }
    }

    /// Sorts the moves after the `lines` best ones. Late moves are reduced at the root as well, so
    /// their order matters.
    fn order(&mut self, lines: usize) {
        let thread = &*self.thread;
        let (context, checks) = (thread.history_context(), thread.pos.check_squares());
        let scorer = thread.scorer(&context, &checks, 0);
        let moves = &mut self.moves[lines..];
        moves.sort_by_cached_key(|root| Reverse(scorer.value(&thread.pos, root.mv)));
    }

    /// The iteration just completed.
    pub fn iteration(&self) -> Iteration {
        let RootMove { mv: best, score, nodes, .. } = self.moves[0];
        let all: u64 = self.moves.iter().map(|root| root.nodes).sum();
        let share = nodes as f64 / all.max(1) as f64;
        let changes = mean_changes(self.changes, self.helpers);
        Iteration { depth: self.depth, best, score, share, changes }
    }

    /// The depth of the search in this iteration. A late iteration is shallower: at full depth it
    /// would probably not end in time.
    fn search_depth(&self) -> u32 {
        self.depth.saturating_sub(3 * (self.late_iterations + 1) / 4).max(1)
    }

    /// Searches the moves from index `line` on, with an aspiration window that widens until the
    /// score lies inside. After a failure, the other bound moves as well, and each fail high reduces
    /// the next search by one ply.
    fn search_line(&mut self, line: usize) {
        let full_depth = self.search_depth();
        let last_pv = self.moves[line].pv.clone();
        let Some((center, mut reach)) = self.aspiration(line) else {
            self.search_moves(line, Window::open(), full_depth, &last_pv);
            return;
        };
        let mut window = Window { alpha: center - reach, beta: center + reach };
        let mut fail_highs = 0;
        loop {
            let depth = full_depth.saturating_sub(fail_highs).max(1);
            let score = self.search_moves(line, window, depth, &last_pv);
            if self.thread.stopped {
                return;
            }
            let Window { alpha, beta } = window;
            let bound = window.bound(score);
            match bound {
                Bound::Exact => return,
                Bound::Upper => {
                    window = Window { alpha: score - reach, beta: alpha };
                    fail_highs = 0;
                    if line == 0 {
                        self.thread.control.ponder_on();
                    }
                }
                Bound::Lower => {
                    let alpha = alpha.max(beta - reach);
                    window = Window { alpha, beta: score + reach };
                    fail_highs += 1;
                }
            }
            if line == 0 && self.thread.settings.multi_pv == 1 {
                let info = self.info(line, score, bound);
                self.report(Report::Line(info));
            }
            reach = (reach * GROWTH + 99) / 100;
            if reach > WIDEST || score.is_mate() {
                window = Window::open();
            }
        }
    }

    /// Center and half width of the first aspiration window of a line; `None` for an open window.
    /// The window is centered on the mean score of the best move. It widens with the mean squared
    /// score. Helper threads use wider windows, so that their searches differ.
    fn aspiration(&self, line: usize) -> Option<(Score, i32)> {
        let (last, state) = (&self.moves[line], &self.thread.state);
        let is_usable = !last.score.is_mate() && last.score > -Score::INFINITE;
        let is_used = is_usable && state.params.uses(Techniques::ASPIRATION);
        let (mean, square) = last.mean.filter(|_| is_used)?;
        let wider = square.abs() / i64::from(state.params.aspiration_square);
        let number = (state.number % 8) as i32;
        Some((Score::cp(mean), state.params.aspiration + number + wider.min(1_000) as i32))
    }

    /// Principal variation search of the root moves from index `line` on, to a depth in plies.
    /// Moves the best one to `line`. `last_pv`: the line's PV in the last iteration.
    fn search_moves(&mut self, line: usize, window: Window, depth: u32, last_pv: &Pv) -> Score {
        let Window { mut alpha, beta } = window;
        let depth = Depth::plies(depth as i32);
        let mut best = -Score::INFINITE;
        let (mut searched, mut raised, mut raises) = (Vec::new(), None, 0);
        self.thread.pv().clear();
        self.thread.begin_root(window, depth, last_pv);
        let first = self.moves[line].mv;
        for index in line..self.moves.len() {
            let RootMove { mv, decided, .. } = self.moves[index];
            if self.report.is_some() && self.thread.control.elapsed() >= CURRENT_MOVE_AFTER {
                self.report(Report::CurrentMove(mv, index + 1));
            }
            let number = index - line + 1;
            let window = Window { alpha, beta };
            let child = RootChild { mv, number, first, window, depth, raises };
            let before = self.thread.nodes;
            let score = decided.unwrap_or_else(|| self.thread.search_root_move(&child));
            self.moves[index].nodes += self.thread.nodes - before;
            if self.thread.stopped {
                return best;
            }
            best = best.max(score);
            searched.push(mv);
            self.moves[index].note(score);
            if score > alpha || number == 1 {
                if decided.is_none() {
                    self.thread.update_pv(mv);
                    self.moves[index].pv = self.thread.pv().clone();
                }
                // Move the best move so far to the front; the others keep their order.
                self.moves[line..=index].rotate_right(1);
                if score > alpha {
                    alpha = score;
                    raised = Some(mv);
                    raises += 1;
                    if line == 0 && number > 1 {
                        self.changes += 1;
                        self.thread.progress.inspect(|own| _ = own.changes.fetch_add(1, Relaxed));
                    }
                    // A better move stays the answer even if the iteration, or the re-search with a
                    // wider window, is interrupted.
                    if line == 0 && self.best.is_some() {
                        self.prefer(self.info(line, score, window.bound(score)));
                    }
                }
                if score >= beta {
                    break;
                }
            }
        }
        // A search of selected moves only must not store a score of the root.
        if line == 0 && self.thread.limits.search_moves.is_empty() {
            let (mv, bound) = (Some(self.moves[0].mv), window.bound(best));
            let entry = TtEntry { mv, score: best, depth, bound, raw_eval: None, pv: true };
            self.thread.tt.store(self.thread.pos.key(), 0, &entry);
        }
        self.thread.end_root(&searched, raised);
        best
    }

    /// Makes this line the answer before the iteration ends.
    fn prefer(&mut self, info: Info) {
        self.best = Some(info.clone());
        self.report(Report::Better(info));
    }

    /// The report of a line; `line` 0 is the best.
    fn info(&self, line: usize, score: Score, bound: Bound) -> Info {
        let info = self.thread.info(&self.moves[line].pv, self.depth, line, score, bound);
        Info { nodes: self.nodes(), ..info }
    }

    /// Nodes of all threads.
    fn nodes(&self) -> u64 {
        self.thread.nodes + all_nodes(self.helpers)
    }

    /// Sends a report, unless the thread is a helper.
    fn report(&mut self, report: Report) {
        if let Some(send) = &mut self.report {
            send(report);
        }
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
            let mut search = RootSearch::new(thread, None, &[]);
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
                let mut search = RootSearch::new(thread, None, &[]);
                (search.depth, search.late_iterations) = (8, late_iterations);
                search.iterate();
                assert_eq!(search.thread.state.root_depth, depth);
            });
        }
    }
}
