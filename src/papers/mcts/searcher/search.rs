//! One search: workers visit the tree in parallel until a limit is reached. When the tree is full
//! they pause, and subtrees with few visits are dropped.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use super::answer::{self, RootLine};
use super::params::{LeafResult, MctsParams, MctsTechniques};
use super::tree::Tree;
use super::tree_node::Proof;
use super::worker::{Broken, Worker};
use crate::engine::{Bound, Control, Info, Limits, Outcome, Pv, Query, Report, Settings};
use crate::eval::{Evaluation, Score};
use crate::rng::Rng;
use crate::search::alpha_beta::{
    AlphaBetaState, AlphaBetaThread, Reductions, RootMates, SearchParams, SharedHistories,
    ThreadHistory,
};
use crate::search::root_moves::outcome;
use crate::search::search_thread::FIRST_ANSWER;
use crate::search::tt::TranspositionTable;
use crate::shogi::{Declaration, Move, Position};

/// Visits of depth 1, the minimum for an answer.
const LEAST_VISITS: u64 = 2;
/// With a single legal move and a clock, the search stops after this many visits.
const SINGLE_REPLY_VISITS: u64 = 256;
/// A full tree is shrunk to at most this share, per mille.
const SHRUNK: u32 = 500;
/// Maximum depth of the search for a shorter mate, in plies (exclusive).
const DEEPEST_SHORTER: i32 = 10;
/// Node limit of the mate solver when it completes a line.
const MATE_LINE_NODES: u64 = 300;
/// Lines are reported when the visits have doubled, and at this interval.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);
/// Interval, in visits, of checks whether the answer can still change.
const LOOK_INTERVAL: u64 = 64;

/// The input of a search.
#[derive(Clone, Copy)]
pub(super) struct Search<'a> {
    pub pos: &'a Position,
    /// The root moves to search.
    pub moves: &'a [Move],
    pub evaluation: &'a Evaluation,
    pub table: &'a TranspositionTable,
    pub params: &'a MctsParams,
    pub leaf_params: &'a SearchParams,
    pub reductions: &'a Reductions,
    pub shared: &'a SharedHistories,
    pub settings: &'a Settings,
    pub limits: &'a Limits,
    pub control: &'a Control,
}

/// State shared by the workers.
#[derive(Default)]
struct Progress {
    /// Visits of this search, including those in progress.
    visits: AtomicU64,
    is_over: AtomicBool,
    is_full: AtomicBool,
}

/// The main worker's record of its reports.
#[derive(Default)]
struct Reported {
    /// The best line as last reported.
    info: Option<Info>,
    visits: u64,
    time: Duration,
    seldepth: usize,
    mates: RootMates,
    /// The mate found by the mate solver.
    mate: Option<Pv>,
}

impl Reported {
    /// Proves a mate at the root.
    fn prove(&mut self, tree: &Tree, line: Pv) {
        tree.root().prove(Proof::Win(line.len() as u16));
        self.mate = Some(line);
    }
}

/// Stops the helpers when the main worker ends, also if it panics.
struct OverOnDrop<'a>(&'a Progress);

impl Drop for OverOnDrop<'_> {
    fn drop(&mut self) {
        self.0.is_over.store(true, Relaxed);
    }
}

impl Search<'_> {
    /// Visits the tree until a limit is reached. The tree's root must be the position.
    pub fn run(
        &self,
        tree: &mut Tree,
        histories: &mut [ThreadHistory],
        report: &mut dyn FnMut(Report),
    ) -> Outcome {
        let Some((main, helpers)) = histories.split_first_mut() else {
            unreachable!("there is at least one thread")
        };
        let (progress, mut reported) = (Progress::default(), Reported::default());
        // Searches of leaves have no limits of their own; they stop only through the control.
        let no_limits = Limits::default();
        if let Some(line) = self.win_in_one(&mut self.worker(tree, main, &no_limits, 0)) {
            if self.settings.multi_pv == 1 {
                return self.announce(line, 0, report);
            }
            reported.prove(tree, line);
        }
        let mut least_visits = 1;
        loop {
            progress.is_full.store(false, Relaxed);
            let shared = &*tree;
            let mut worker = self.worker(shared, main, &no_limits, 0);
            self.begin(&mut worker);
            let (reference, least_lines) = (worker.reference, worker.least_lines);
            thread::scope(|scope| {
                let wanted = helpers.len();
                let spawned = (1..).zip(helpers.iter_mut()).map_while(|(number, history)| {
                    let (progress, no_limits) = (&progress, &no_limits);
                    let work = move || {
                        let mut worker = self.worker(shared, history, no_limits, number);
                        (worker.reference, worker.least_lines) = (reference, least_lines);
                        while self.visit(&mut worker, progress) {}
                    };
                    // The system may refuse to create a thread.
                    let thread = thread::Builder::new().name("search".to_owned());
                    thread.spawn_scoped(scope, work).ok()
                });
                let count = spawned.count();
                let _over = OverOnDrop(&progress);
                if reported.info.is_none() && count < wanted {
                    report(missing_threads(count + 1, wanted + 1));
                }
                self.run_main(&mut worker, &progress, &mut reported, report);
            });
            reported.seldepth = reported.seldepth.max(worker.thread.seldepth);
            if !progress.is_full.load(Relaxed) || self.must_stop(tree, &progress) {
                break;
            }
            progress.is_over.store(false, Relaxed);
            drop(worker);
            // Start below the last threshold: the frequently visited nodes may have changed.
            least_visits = (least_visits / 4).max(1);
            while tree.fill() > SHRUNK && least_visits < u32::MAX / 2 {
                least_visits *= 2;
                tree.shrink(least_visits);
            }
        }
        self.outcome(tree, main, &progress, reported, report)
    }

    fn worker<'w>(
        &'w self,
        tree: &'w Tree,
        history: &'w mut ThreadHistory,
        limits: &'w Limits,
        number: u64,
    ) -> Worker<'w> {
        let query = Query::new(self.pos, limits, self.control);
        let state = AlphaBetaState::new(self.leaf_params, self.reductions, self.shared, history);
        let thread = AlphaBetaThread::new(query, self.settings, self.evaluation, self.table, state);
        let rng = Rng::for_item(self.pos.key(), number);
        Worker::new(thread, tree, self.params, rng)
    }

    /// The line of a mate in one, or of a king move that wins by the try rule.
    fn win_in_one(&self, worker: &mut Worker) -> Option<Pv> {
        let win = match worker.thread.declaration() {
            Some(Declaration::Try(mv)) => Some(mv),
            _ => worker.thread.pos.mate_in_one(),
        };
        let mv = win.filter(|mv| self.moves.contains(mv))?;
        (!self.control.is_stopped()).then(|| Pv::from_slice(&[mv]))
    }

    /// Queries the mate solver with the nodes available. A mate that it finds is proved at the
    /// root.
    fn ask_solver(&self, worker: &mut Worker, reported: &mut Reported) {
        if !self.params.uses(MctsTechniques::ROOT_MATE) || reported.mate.is_some() {
            return;
        }
        let line = reported.mates.win(&mut worker.thread);
        if let Some(line) = line.filter(|line| self.moves.contains(&line[0])) {
            reported.prove(worker.tree, line);
        }
    }

    /// The line of a mate shorter than the one proved in the tree, by an alpha-beta search. Short
    /// mates cost it little time.
    fn shorter_mate(&self, worker: &mut Worker) -> Option<Pv> {
        let Some(Proof::Win(proved)) = worker.tree.root().proof() else { return None };
        for plies in 1..i32::from(proved).min(DEEPEST_SHORTER) {
            let found = worker.thread.value(plies).mate_plies();
            if worker.thread.stopped {
                return None;
            }
            if let Some(found) = found.filter(|&found| 0 < found && found < proved.into()) {
                let line = worker.thread.pv().clone();
                let is_whole = line.len() == found as usize;
                return Some(line).filter(|line| is_whole && self.moves.contains(&line[0]));
            }
        }
        None
    }

    /// Evaluates the root and expands it.
    fn begin(&self, worker: &mut Worker) {
        if self.params.uses(MctsTechniques::DIFFERENCE)
            && matches!(self.params.leaf, LeafResult::Leaf | LeafResult::Cutoff)
        {
            worker.reference = worker.score().map_or(0, |score| score.to_cp());
        }
        worker.least_lines = if self.settings.multi_pv > 1 { self.lines() } else { 0 };
        // The first visit detects a full tree.
        let _ = worker.expand(worker.tree.root(), Some(self.moves));
    }

    /// Makes one visit. Returns false if the search must end or pause.
    fn visit(&self, worker: &mut Worker, progress: &Progress) -> bool {
        if progress.is_over.load(Relaxed) {
            return false;
        }
        let limit = self.node_limit().unwrap_or(u64::MAX);
        if progress.visits.fetch_add(1, Relaxed) >= limit {
            progress.visits.fetch_sub(1, Relaxed);
            return false;
        }
        let Err(broken) = worker.visit() else {
            worker.thread.has_answer = progress.visits.load(Relaxed) >= LEAST_VISITS;
            return true;
        };
        progress.visits.fetch_sub(1, Relaxed);
        if broken == Broken::Full {
            progress.is_full.store(true, Relaxed);
        }
        progress.is_over.store(true, Relaxed);
        false
    }

    /// Visits the tree and reports, until the search must end or pause.
    fn run_main(
        &self,
        worker: &mut Worker,
        progress: &Progress,
        reported: &mut Reported,
        report: &mut dyn FnMut(Report),
    ) {
        while !self.must_stop(worker.tree, progress) && !self.is_settled(worker.tree, progress) {
            if !self.visit(worker, progress) {
                break;
            }
            let (visits, time) = (progress.visits.load(Relaxed), self.control.elapsed());
            if visits >= 2 * reported.visits.max(1) || time >= reported.time + REPORT_INTERVAL {
                reported.seldepth = reported.seldepth.max(worker.thread.seldepth);
                self.report(worker, visits, reported, report);
                self.ask_solver(worker, reported);
            } else if visits.is_multiple_of(LOOK_INTERVAL) {
                self.report_better(worker.tree, visits, reported, report);
            }
        }
    }

    /// The node limit. A soft one is equal, because there are no iterations to complete.
    fn node_limit(&self) -> Option<u64> {
        let &Limits { nodes, soft_nodes, .. } = self.limits;
        nodes.into_iter().chain(soft_nodes).min()
    }

    /// Number of lines to report.
    fn lines(&self) -> usize {
        self.settings.multi_pv.min(self.moves.len())
    }

    /// Whether each line to report has a visit.
    fn has_all_lines(&self, tree: &Tree) -> bool {
        let root = tree.root();
        root.child_count() >= self.lines().min(root.edge_count())
    }

    /// Whether a limit is reached.
    fn must_stop(&self, tree: &Tree, progress: &Progress) -> bool {
        let visits = progress.visits.load(Relaxed);
        let grace = if visits < LEAST_VISITS { FIRST_ANSWER } else { Duration::ZERO };
        let is_deep = self.limits.depth.is_some_and(|depth| visits >= 1 << depth.min(63));
        is_deep && self.has_all_lines(tree)
            || self.node_limit().is_some_and(|nodes| visits >= nodes)
            || self.control.must_stop(grace)
    }

    /// Whether more visits cannot change the answer, or cannot in the planned time.
    fn is_settled(&self, tree: &Tree, progress: &Progress) -> bool {
        if tree.root().proof().is_some() {
            // With MultiPV, the other lines are reported too.
            return self.settings.multi_pv == 1 || self.has_all_lines(tree);
        }
        let Some(soft) = self.control.soft_limit() else { return false };
        let visits = progress.visits.load(Relaxed);
        if self.moves.len() == 1 && visits >= SINGLE_REPLY_VISITS {
            return true;
        }
        let is_fixed = self.control.hard_limit().is_none_or(|hard| hard <= soft);
        if is_fixed || !visits.is_multiple_of(LOOK_INTERVAL) {
            return false;
        }
        let elapsed = self.control.elapsed();
        let lines = answer::root_lines(tree, self.params.scale);
        let [Some(best), Some(second)] = [lines.first(), lines.get(1)] else { return false };
        let visits_of = |line: &RootLine| f64::from(tree.node(line.id).visits());
        let left = soft.saturating_sub(elapsed).as_secs_f64();
        let to_come = visits as f64 * left / elapsed.as_secs_f64().max(1e-3);
        // If visits and scores disagree, the search may exceed the planned time.
        visits_of(best) - visits_of(second) > to_come
            && (best.score >= second.score || elapsed >= 2 * soft)
    }

    fn report(
        &self,
        worker: &mut Worker,
        visits: u64,
        reported: &mut Reported,
        report: &mut dyn FnMut(Report),
    ) {
        if visits < LEAST_VISITS && worker.tree.root().proof().is_none() {
            return;
        }
        let mut highest = Score::INFINITE;
        let lines = self.best_lines(worker, reported.mate.as_ref());
        for (number, (score, pv)) in lines.into_iter().enumerate() {
            // A later line with few visits may have a higher mean, which is not reliable yet.
            highest = highest.min(score);
            let depth = visits.max(1).ilog2();
            let info = Info {
                depth,
                seldepth: (reported.seldepth.max(pv.len()) as u32).max(depth),
                multi_pv: number + 1,
                score: highest,
                bound: Bound::Exact,
                nodes: visits,
                time: self.control.elapsed(),
                hashfull: worker.tree.fill(),
                pv,
            };
            if number == 0 {
                reported.info = Some(info.clone());
            }
            report(Report::Line(info));
        }
        (reported.visits, reported.time) = (visits, self.control.elapsed());
    }

    /// The lines to report with their scores, best first. `mate`: found by the mate solver.
    fn best_lines(&self, worker: &mut Worker, mate: Option<&Pv>) -> Vec<(Score, Pv)> {
        let (tree, thread) = (worker.tree, &mut worker.thread);
        let mut solve = |pos: &mut Position| {
            std::mem::swap(&mut thread.pos, pos);
            let line = thread.mate_line(MATE_LINE_NODES);
            std::mem::swap(&mut thread.pos, pos);
            line
        };
        let mut lines = answer::root_lines(tree, self.params.scale);
        let mut first = None;
        if let Some(line) = mate {
            let score = Score::mate_in(line.len() as u32);
            let at = lines.iter().take_while(|known| known.score >= score).count();
            let is_first = |known: &RootLine| tree.node(known.id).mv() == line.first().copied();
            // The tree may have a mate by the same move that is at most as long.
            if !lines[..at].iter().any(is_first) {
                lines.retain(|known| !is_first(known));
                first = Some((at, (score, line.clone())));
            }
        }
        let line =
            |line: &RootLine| (line.score, answer::line(tree, self.pos, line.id, &mut solve));
        let mut lines: Vec<(Score, Pv)> = lines.iter().take(self.lines()).map(line).collect();
        if let Some((at, mate)) = first {
            lines.insert(at.min(lines.len()), mate);
            lines.truncate(self.lines());
        }
        lines
    }

    /// Records and reports a new best move if it differs from the reported one.
    fn report_better(
        &self,
        tree: &Tree,
        visits: u64,
        reported: &mut Reported,
        report: &mut dyn FnMut(Report),
    ) {
        let lines = answer::root_lines(tree, self.params.scale);
        let Some(line) = lines.first() else { return };
        let Some(last) = &reported.info else { return };
        if reported.mate.is_some() || last.pv.first() == tree.node(line.id).mv().as_ref() {
            return;
        }
        let pv = answer::line(tree, self.pos, line.id, &mut |_| None);
        let (score, time) = (line.score, self.control.elapsed());
        let info = Info { score, nodes: visits, time, pv, ..last.clone() };
        reported.info = Some(info.clone());
        report(Report::Better(info));
    }

    /// Reports a mate and returns its first move.
    fn announce(&self, line: Pv, visits: u64, report: &mut dyn FnMut(Report)) -> Outcome {
        let info = Info::of_mate(line, visits, self.control.elapsed());
        report(Report::Line(info.clone()));
        outcome(Some(info), self.moves.first().copied(), visits)
    }

    fn outcome(
        &self,
        tree: &Tree,
        history: &mut ThreadHistory,
        progress: &Progress,
        mut reported: Reported,
        report: &mut dyn FnMut(Report),
    ) -> Outcome {
        let visits = progress.visits.load(Relaxed);
        let no_limits = Limits::default();
        let mut worker = self.worker(tree, history, &no_limits, 0);
        reported.mate = self.shorter_mate(&mut worker).or(reported.mate.take());
        if self.settings.multi_pv == 1
            && let Some(line) = reported.mate.take()
        {
            history.is_mating = true;
            return self.announce(line, visits, report);
        }
        if visits > reported.visits || reported.mate.is_some() {
            self.report(&mut worker, visits, &mut reported, report);
        }
        let info = reported.info;
        history.is_mating = info.as_ref().is_some_and(Info::is_mate);
        let likeliest = answer::root_lines(tree, self.params.scale)
            .first()
            .and_then(|line| tree.node(line.id).mv())
            .or_else(|| tree.next_edge(tree.root()).map(|edge| edge.mv))
            .or(self.moves.first().copied());
        outcome(info, likeliest, visits)
    }
}

/// The remark that fewer threads search than requested.
fn missing_threads(count: usize, wanted: usize) -> Report {
    Report::Remark(format!("cannot start {wanted} search threads; using {count}"))
}
