//! Root search: aspiration windows, MultiPV, and reports. Each searcher decides how deep to search
//! and when to stop; [`RootSearcher`] holds the parts of an iteration that differ between
//! searchers.

use std::cmp::Reverse;
use std::time::Duration;

use super::depth::Depth;
use super::search_thread::SearchThread;
use super::tt::TtEntry;
use super::window::Window;
use crate::engine::{BestMove, Bound, Info, Limits, Outcome, Pv, Report, Settings};
use crate::eval::{Score, see_values};
use crate::shogi::{Move, Position, Scope, movegen};

/// The current root move is reported only after this time.
const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(3);
/// With a single legal move and a clock, the search stops at this depth. It is deep enough to
/// predict the reply.
const SINGLE_REPLY_DEPTH: u32 = 6;

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
    /// Records the score of a search. The latest score has weight one half in the means.
    fn note(&mut self, score: Score) {
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

/// The root moves to search, in generation order.
pub(super) fn root_moves(pos: &Position, settings: &Settings, limits: &Limits) -> Vec<RootMove> {
    let wanted = &limits.search_moves;
    // Moves requested by name may be useless non-promotions; otherwise the setting decides.
    let all = settings.all_legal_moves || !wanted.is_empty();
    let scope = if all { Scope::LEGAL } else { Scope::USEFUL };
    let mut legal = movegen::legal_moves(pos, scope);
    if legal.is_empty() {
        legal = movegen::legal_moves(pos, Scope::LEGAL);
    }
    if legal.iter().any(|mv| wanted.contains(mv)) {
        legal.retain(|mv| wanted.contains(mv));
    }
    legal
        .into_iter()
        .map(|mv| RootMove {
            mv,
            score: -Score::INFINITE,
            mean: None,
            nodes: 0,
            pv: Pv::from_slice(&[mv]),
            decided: None,
        })
        .collect()
}

/// The first aspiration window of an iteration, and how it widens after a failure.
pub(super) struct Aspiration {
    /// Center of the first window.
    pub center: Score,
    /// Half width of the first window in centipawns.
    pub reach: i32,
    /// Factor by which the half width grows, in hundredths.
    pub growth: i32,
    /// If the half width exceeds this, the window is opened fully. Centipawns.
    pub widest: i32,
    /// Whether the other bound moves as well after a failure, and each fail high reduces the next
    /// search by one ply.
    pub follows: bool,
}

/// A root move about to be searched.
pub(super) struct RootChild {
    pub mv: Move,
    /// Position in the search order; 1 is the first move.
    pub number: usize,
    /// Whether this is the only root move.
    pub only: bool,
    pub window: Window,
    /// Depth of the root.
    pub depth: Depth,
    /// Number of earlier moves that raised alpha.
    pub raises: u32,
}

/// The parts of the root search that differ between searchers.
pub(super) trait RootSearcher<'a>: Sized {
    /// Whether a move that fails high becomes the answer if the search stops before its exact score
    /// is known.
    const FAIL_HIGH_ANSWERS: bool;

    /// Static evaluation of the current position.
    fn evaluate(thread: &mut SearchThread<'a, Self>) -> Score;

    /// The aspiration window around the previous best move; `None` for an open window. `depth`: the
    /// iteration.
    fn aspiration(&self, last: &RootMove, depth: u32) -> Option<Aspiration>;

    /// Sorts the moves after the `lines` best ones before an iteration.
    fn order(_thread: &SearchThread<'a, Self>, _moves: &mut [RootMove]) {}

    /// Called before the root moves are searched with this window to this depth. `line`: the
    /// principal variation of the previous best move.
    fn begin(_thread: &mut SearchThread<'a, Self>, _window: Window, _depth: Depth, _line: &[Move]) {
    }

    /// Called after the root moves were searched. `searched`: in search order. `best`: the move
    /// that raised alpha last.
    fn end(_thread: &mut SearchThread<'a, Self>, _searched: &[Move], _best: Option<Move>) {}

    /// Searches one root move and returns its score.
    fn search_move(thread: &mut SearchThread<'a, Self>, child: &RootChild) -> Score;
}

/// A root search by one thread.
pub(super) struct RootSearch<'w, 'a, 'r, S> {
    pub thread: &'w mut SearchThread<'a, S>,
    /// `None` in helper threads, which do not report.
    pub report: Option<&'r mut dyn FnMut(Report<'_>)>,
    /// Nodes of the other threads.
    others: &'r dyn Fn() -> u64,
    /// Root moves, best first.
    pub moves: Vec<RootMove>,
    /// The current iteration.
    pub depth: u32,
    /// Number of changes of the best move in this iteration.
    pub changes: u32,
    /// The best line of the last completed iteration, or of a better move found since.
    pub best: Option<Info>,
}

impl<'w, 'a, 'r, S: RootSearcher<'a>> RootSearch<'w, 'a, 'r, S> {
    pub fn new(
        thread: &'w mut SearchThread<'a, S>,
        report: Option<&'r mut dyn FnMut(Report<'_>)>,
        others: &'r dyn Fn() -> u64,
    ) -> Self {
        let moves = root_moves(&thread.pos, thread.settings, thread.limits);
        RootSearch { thread, report, others, moves, depth: 0, changes: 0, best: None }
    }

    /// If the search stopped before any move had a score, sorts the moves by static evaluation
    /// after each move. Moves that lose material come last.
    pub fn order_if_unsearched(&mut self) {
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
        S::order(self.thread, &mut self.moves[lines..]);
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
            self.tell(&info);
            if line == 0 {
                self.best = Some(info);
            }
        }
    }

    /// The best move's share of the nodes of this iteration, 0 to 1.
    pub fn best_share(&self) -> f64 {
        let all: u64 = self.moves.iter().map(|root| root.nodes).sum();
        self.moves[0].nodes as f64 / all.max(1) as f64
    }

    /// Whether deeper iterations cannot change the answer.
    pub fn is_settled(&self) -> bool {
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

    /// Searches the moves from index `line` on, with an aspiration window that widens until the
    /// score lies inside.
    fn search_line(&mut self, line: usize) {
        let last = &self.moves[line];
        let usable = !last.score.is_mate() && last.score > -Score::INFINITE;
        let aspiration = self.thread.state.aspiration(last, self.depth).filter(|_| usable);
        let Some(Aspiration { center, mut reach, growth, widest, follows }) = aspiration else {
            self.search_moves(line, Window::open(), self.depth);
            return;
        };
        let mut window = Window { alpha: center - reach, beta: center + reach };
        let mut fail_highs = 0;
        loop {
            let depth = self.depth.saturating_sub(fail_highs).max(1);
            let score = self.search_moves(line, window, depth);
            if self.thread.stopped {
                return;
            }
            let (before, Window { alpha, beta }) = (reach, window);
            reach = (reach * growth + 99) / 100;
            let bound = window.bound(score);
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
                self.tell(&info);
            }
            if reach > widest || score.is_mate() {
                window = Window::open();
            }
        }
    }

    /// Principal variation search of the root moves from index `line` on, to a depth in plies.
    /// Moves the best one to `line`.
    fn search_moves(&mut self, line: usize, window: Window, depth: u32) -> Score {
        let Window { mut alpha, beta } = window;
        let depth = Depth::plies(depth as i32);
        let mut best = -Score::INFINITE;
        let (mut searched, mut raised, mut raises) = (Vec::new(), None, 0);
        self.thread.pv().clear();
        S::begin(self.thread, window, depth, &self.moves[line].pv);
        for index in line..self.moves.len() {
            let RootMove { mv, decided, .. } = self.moves[index];
            if let Some(report) = &mut self.report
                && self.thread.control.elapsed() >= CURRENT_MOVE_AFTER
            {
                report(Report::CurrentMove(mv, index + 1));
            }
            let (number, only) = (index - line + 1, self.moves.len() == 1);
            let window = Window { alpha, beta };
            let child = RootChild { mv, number, only, window, depth, raises };
            let before = self.thread.nodes;
            let score = decided.unwrap_or_else(|| S::search_move(self.thread, &child));
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
                    self.changes += u32::from(line == 0 && number > 1);
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
        S::end(self.thread, &searched, raised);
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
    pub fn prefer(&mut self, info: Info) {
        if let Some(report) = &mut self.report {
            report(Report::Better(&info));
        }
        self.best = Some(info);
    }

    /// The report of a line; `line` 0 is the best.
    pub fn info(&self, line: usize, score: Score, bound: Bound) -> Info {
        let RootSearch { thread, depth, .. } = self;
        let (pv, depth) = (&self.moves[line].pv, *depth);
        // A beta cutoff at the root leaves a PV of one move. A reader also needs the reply.
        let complete = pv.len() == 1
            || score.is_mate()
            || bound == Bound::Exact && thread.settings.consideration;
        let mate = score.mate_plies().map(|plies| plies.unsigned_abs());
        Info {
            depth,
            seldepth: (thread.seldepth as u32).max(depth),
            multi_pv: line + 1,
            score,
            bound,
            nodes: thread.nodes + (self.others)(),
            time: thread.control.elapsed(),
            hashfull: thread.tt.hashfull(),
            pv: if complete { thread.completed(pv, depth, mate) } else { pv.clone() },
        }
    }

    /// Reports a line.
    pub fn tell(&mut self, info: &Info) {
        if let Some(report) = &mut self.report {
            report(Report::Line(info));
        }
    }
}

/// The result of a search: the move of the best line, else the `first` root move.
pub(super) fn outcome(info: Option<Info>, first: Option<Move>, nodes: u64) -> Outcome {
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
