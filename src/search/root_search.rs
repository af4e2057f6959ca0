//! Root search of one thread: iterative deepening, aspiration windows, MultiPV, proved mates, and
//! reports. [`RootSearcher`] holds the parts that differ between searchers.

use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::depth::{Depth, MAX_DEPTH};
use super::helpers::{Progress, all_nodes, mean_changes};
use super::root_searcher::{Aspiration, Iteration, RootChild, RootMove, RootSearcher, root_moves};
use super::search_thread::SearchThread;
use super::tt::TtEntry;
use super::window::Window;
use crate::engine::{BestMove, Bound, Control, Info, Outcome, Pv, Report};
use crate::eval::{Score, see_values};
use crate::shogi::Move;

/// The current root move is reported only after this time.
pub(crate) const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(3);
/// With a single legal move and a clock, the search stops at this depth. It is deep enough to
/// predict the reply.
pub(crate) const SINGLE_REPLY_DEPTH: u32 = 6;

/// The result of one thread.
pub(crate) struct RootResult {
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
pub(crate) struct RootSearch<'w, 'a, 'r, S: RootSearcher<'a>> {
    searcher: S,
    pub thread: &'w mut SearchThread<'a, S::State>,
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
    /// The best line of the last completed iteration, or of a better move found since.
    best: Option<Info>,
}

impl<'w, 'a, 'r, S: RootSearcher<'a>> RootSearch<'w, 'a, 'r, S> {
    /// `report`: `None` for a helper, which does not report and searches until it is stopped.
    /// `helpers`: the other threads, in the main thread.
    pub(super) fn new(
        searcher: S,
        thread: &'w mut SearchThread<'a, S::State>,
        report: Option<&'r mut dyn FnMut(Report)>,
        helpers: &'r [Progress],
    ) -> Self {
        let moves = root_moves(&thread.pos, thread.settings, thread.limits);
        let (depth, late_iterations, changes, best) = (0, 0, 0, None);
        RootSearch {
            searcher,
            thread,
            report,
            helpers,
            moves,
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
            self.searcher.note(&self.iteration());
            let soft = self.thread.limits.soft_nodes;
            let is_out_of_nodes = soft.is_some_and(|soft| self.nodes() >= soft);
            let stretch = self.searcher.stretch();
            if is_out_of_nodes || control.is_time_used(stretch) || self.is_settled() {
                break;
            }
            self.late_iterations += u32::from(control.is_half_used(stretch));
        }
        self.order_if_unsearched();
        self.searcher.finish(self.thread, self.moves.first());
        let lost = self.moves.iter().filter(|root| root.is_lost()).map(|root| root.mv).collect();
        RootResult { info: self.best, first: self.moves.first().map(|root| root.mv), lost }
    }

    /// Whether a proved mate ends the search. With MultiPV, the search continues with the mate as
    /// its first line.
    fn is_won(&mut self) -> bool {
        // If the search has found a mate itself, the solver is unlikely to find a shorter one.
        let decided = self.moves[0].score.is_mate();
        if decided || !self.thread.limits.search_moves.is_empty() {
            return false;
        }
        let Some(line) = self.searcher.mate(self.thread) else { return false };
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
        let Some(line) = self.searcher.refutation(self.thread, best.mv) else { return false };
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

    /// If the search stopped before any move had a score, sorts the moves by static evaluation
    /// after each move. Moves that lose material come last.
    fn order_if_unsearched(&mut self) {
        if self.moves.first().is_none_or(|root| root.score > -Score::INFINITE) {
            return;
        }
        let thread = &mut *self.thread;
        // These moves are not a search and must not count towards the node limit.
        let nodes = thread.nodes;
        self.moves.sort_by_cached_key(|root| {
            let sound = thread.pos.see_ge(root.mv, see_values(), 0);
            let value = thread.descend(root.mv, |thread| -S::evaluate(thread));
            Reverse((sound, value))
        });
        thread.nodes = nodes;
    }

    /// Runs one iteration over all lines of MultiPV, best first.
    pub fn iterate(&mut self) {
        (self.thread.seldepth, self.changes) = (0, 0);
        self.moves.iter_mut().for_each(|root| root.nodes = 0);
        let lines = self.thread.settings.multi_pv.clamp(1, self.moves.len());
        self.searcher.order(self.thread, &mut self.moves[lines..]);
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

    /// The iteration just completed.
    pub fn iteration(&self) -> Iteration {
        let RootMove { mv: best, score, nodes, .. } = self.moves[0];
        let all: u64 = self.moves.iter().map(|root| root.nodes).sum();
        let share = nodes as f64 / all.max(1) as f64;
        let changes = mean_changes(self.changes, self.helpers);
        Iteration { depth: self.depth, best, score, share, changes }
    }

    /// Whether deeper iterations cannot change the answer.
    fn is_settled(&self) -> bool {
        let clocked = self.thread.control.soft_limit().is_some();
        if clocked && self.moves.len() == 1 && self.depth >= SINGLE_REPLY_DEPTH {
            return true;
        }
        // A mate within the searched depth cannot become much shorter.
        let plies = self.moves[0].score.mate_plies();
        plies.is_some_and(|plies| {
            let is_decided = self.moves[0].decided.is_some();
            (clocked || self.thread.limits.mate)
                && (is_decided || plies.unsigned_abs() <= self.depth)
        })
    }

    /// The depth of the search in this iteration. A late iteration is shallower: at full depth it
    /// would probably not end in time.
    fn search_depth(&self) -> u32 {
        self.depth.saturating_sub(3 * (self.late_iterations + 1) / 4).max(1)
    }

    /// Searches the moves from index `line` on, with an aspiration window that widens until the
    /// score lies inside.
    fn search_line(&mut self, line: usize) {
        let full_depth = self.search_depth();
        let last = &self.moves[line];
        let last_pv = last.pv.clone();
        let usable = !last.score.is_mate() && last.score > -Score::INFINITE;
        let aspiration = self.searcher.aspiration(self.thread, last, self.depth);
        let Some(Aspiration { center, mut reach, growth, widest, follows }) =
            aspiration.filter(|_| usable)
        else {
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
            let (before, Window { alpha, beta }) = (reach, window);
            reach = (reach * growth + 99) / 100;
            let bound = window.bound(score);
            if bound == Bound::Upper && line == 0 {
                self.thread.control.ponder_on();
            }
            match bound {
                Bound::Exact => return,
                Bound::Upper if follows => {
                    window = Window { alpha: score - before, beta: alpha };
                    fail_highs = 0;
                }
                Bound::Upper => window.alpha = score - reach,
                Bound::Lower if follows => {
                    let alpha = alpha.max(beta - before);
                    window = Window { alpha, beta: score + before };
                    fail_highs += 1;
                }
                Bound::Lower => window.beta = score + reach,
            }
            if line == 0 && self.thread.settings.multi_pv == 1 {
                let info = self.info(line, score, bound);
                self.report(Report::Line(info));
            }
            if reach > widest || score.is_mate() {
                window = Window::open();
            }
        }
    }

    /// Principal variation search of the root moves from index `line` on, to a depth in plies.
    /// Moves the best one to `line`. `last_pv`: the line's PV in the last iteration.
    fn search_moves(&mut self, line: usize, window: Window, depth: u32, last_pv: &Pv) -> Score {
        let Window { mut alpha, beta } = window;
        let depth = Depth::plies(depth as i32);
        let mut best = -Score::INFINITE;
        let (mut searched, mut raised, mut raises) = (Vec::new(), None, 0);
        self.thread.pv().clear();
        self.searcher.begin(self.thread, window, depth, last_pv);
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
            let score = decided.unwrap_or_else(|| self.searcher.search_move(self.thread, &child));
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
                    self.note_better(line, score, window);
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
        self.searcher.end(self.thread, &searched, raised);
        best
    }

    /// Makes a better move the answer. It stays the answer even if the iteration, or the re-search
    /// with a wider window, is interrupted.
    fn note_better(&mut self, line: usize, score: Score, window: Window) {
        let bound = window.bound(score);
        if line == 0 && self.best.is_some() && (bound == Bound::Exact || S::FAIL_HIGH_ANSWERS) {
            self.prefer(self.info(line, score, bound));
        }
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

/// The result of a search: the move of the best line, else the `first` root move.
pub(crate) fn outcome(info: Option<Info>, first: Option<Move>, nodes: u64) -> Outcome {
    let best = match (&info, first) {
        (_, None) => BestMove::Resign,
        (Some(info), Some(first)) => {
            BestMove::Play(info.pv.first().copied().unwrap_or(first), info.pv.get(1).copied())
        }
        // Interrupted in the first iteration: the best move so far is the first root move.
        (None, Some(first)) => BestMove::Play(first, None),
    };
    Outcome { best, info, nodes }
}

impl<S> SearchThread<'_, S> {
    /// The report of a line of the iteration `depth`; `line` 0 is the best.
    pub fn info(&self, pv: &Pv, depth: u32, line: usize, score: Score, bound: Bound) -> Info {
        // A beta cutoff at the root leaves a PV of one move. A reader also needs the reply.
        let complete = pv.len() == 1
            || score.is_mate()
            || bound == Bound::Exact && self.settings.consideration;
        let mate = score.mate_plies().map(|plies| plies.unsigned_abs());
        Info {
            depth,
            seldepth: (self.seldepth as u32).max(depth),
            multi_pv: line + 1,
            score,
            bound,
            nodes: self.nodes,
            time: self.control.elapsed(),
            hashfull: self.tt.hashfull(),
            pv: if complete { self.completed(pv, depth, mate) } else { pv.clone() },
        }
    }

    /// Extends a PV with TT moves up to the depth of the iteration, or up to the `mate` given in
    /// plies. A TT cutoff may have shortened the PV. The extension ends at a repetition, because
    /// the table ignores game history.
    fn completed(&self, line: &Pv, depth: u32, mate: Option<u32>) -> Pv {
        let mut pos = self.pos.clone();
        let mut pv = line.clone();
        for &mv in line {
            pos.do_move(mv);
        }
        while pv.len() < mate.unwrap_or(depth) as usize && pos.repetition().is_none() {
            let next = if mate == Some(pv.len() as u32 + 1) {
                pos.mate_in_one()
            } else {
                let known = self.tt.probe(pos.key(), pv.len() as u32);
                known.and_then(|entry| entry.mv).filter(|&mv| pos.is_legal(mv))
            };
            let Some(mv) = next else { break };
            pos.do_move(mv);
            pv.push(mv);
        }
        pv
    }
}
