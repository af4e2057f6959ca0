//! A search from its `go` to its answer, and the conversion of a `go` into a job of the engine.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::answer::{self, Answer, AnswerRules, SearchResult};
use super::command::{Go, MateTime};
use super::options::{
    DEPTH_LIMIT, MULTI_PV, NODES_LIMIT, OUTPUT_FAIL_LHPV, Options, PV_INTERVAL, RESIGN_VALUE,
    STOCHASTIC_PONDER,
};
use super::output::SharedOutput;
use super::reporter::{ReportStyle, Reporter};
use crate::book::BookRules;
use crate::engine::clock::{self, Clock, Lateness, TimeOptions};
use crate::engine::{Control, Info, Leeway, Limits, Report};
use crate::rng::Rng;
use crate::shogi::movegen::{has_legal_move, legal_checks};
use crate::shogi::{DeclarationRule, Move, Position, Scope};

/// Tolerances for a search that ends late: after its deadline, and after a `stop`. A later answer
/// uses the best reported line instead of the final result. On a busy machine, a searching thread
/// may wait for a CPU much longer than a thread that has slept.
const GRACE: Duration = Duration::from_millis(2);
const GRACE_AFTER_STOP: Duration = Duration::from_millis(20);
/// The same for a search without any report. Its result is worth a longer wait, especially if no
/// clock runs.
const SILENT_GRACE: Duration = Duration::from_millis(14);
const SILENT_GRACE_AFTER_STOP: Duration = Duration::from_secs(1);

/// A running search, or a finished search without an answer so far.
pub(super) struct PendingSearch {
    go: Go,
    /// `None` if the position was refused.
    root: Option<Position>,
    control: Arc<Control>,
    /// Reporter of the engine's search, once it has started.
    reporter: Option<Reporter>,
    time: TimeOptions,
    rule: DeclarationRule,
    resign_value: i32,
    limits: Limits,
    /// Whether the search waits for `ponderhit`.
    pondering: bool,
    /// The predicted move, if its alternatives are searched too. The search then starts from the
    /// position before it.
    expected: Option<Move>,
    /// When the search was asked to stop.
    stopped_at: Option<Instant>,
    /// Whether the client has left, so that no answer is written.
    muted: bool,
    /// An answer that replaces the result of the engine.
    claim: Option<Answer>,
    found: Option<Answer>,
}

impl PendingSearch {
    /// Handles a `go` that was read at `at`. If no search is needed, the result is available
    /// immediately. `lateness`: of earlier answers.
    pub(super) fn new(
        go: Go,
        at: Instant,
        root: Option<Position>,
        options: &Options,
        lateness: Lateness,
    ) -> PendingSearch {
        let pondering = go.ponder && go.mate.is_none();
        let mut search = PendingSearch {
            limits: limits(&go, root.as_ref(), options),
            go,
            root,
            control: Arc::new(Control::new(at)),
            reporter: None,
            time: TimeOptions { lateness, ..options.time() },
            rule: options.settings().declaration,
            resign_value: options.get(RESIGN_VALUE),
            pondering,
            expected: None,
            stopped_at: None,
            muted: false,
            claim: None,
            found: None,
        };
        search.randomize_time();
        search.found = search.found_at_once();
        if pondering && search.found.is_none() && options.get(STOCHASTIC_PONDER) {
            search.expected = search.root.as_ref().and_then(Position::last_move);
        }
        match search.go.mate {
            Some(MateTime::Limit(span)) => search.control.set_deadlines(at, span, span),
            None if !pondering => search.set_deadlines(at),
            _ => {}
        }
        search
    }

    /// The job for the engine; `None` if no search is needed.
    pub(super) fn job(&mut self, options: &Options) -> Option<(Position, Limits, Arc<Control>)> {
        let mut root = self.root.clone().filter(|_| self.found.is_none())?;
        let mut limits = self.limits.clone();
        if self.expected.is_some() {
            root.undo_move();
            limits.search_moves.clear();
        } else if self.is_for_a_game() {
            limits.leeway = options.leeway();
        }
        self.reporter = Some(Reporter::new(&root, self.style(options)));
        Some((root, limits, Arc::clone(&self.control)))
    }

    /// Whether this is a mate search.
    pub(super) fn is_for_mate(&self) -> bool {
        self.go.mate.is_some()
    }

    /// The rules by which a book may provide the move. They apply if a move of a game is requested,
    /// possibly after `ponderhit`, and the engine searches that position.
    pub(super) fn book_rules(&self, options: &Options) -> Option<BookRules> {
        let is_free = self.limits.search_moves.is_empty() && self.expected.is_none();
        (self.is_for_a_game() && is_free && self.go.mate.is_none()).then(|| options.book_rules())
    }

    /// Whether a move of a game is requested, possibly after `ponderhit`.
    fn is_for_a_game(&self) -> bool {
        self.is_playing() || self.pondering && !self.go.infinite
    }

    /// Handles a report of the search.
    pub(super) fn hear(&mut self, report: Report, output: &SharedOutput) {
        if let Some(reporter) = &mut self.reporter {
            reporter.report(report, self.control.elapsed(), output);
        }
    }

    /// The report style for this search.
    fn style(&self, options: &Options) -> ReportStyle {
        let is_endless = self.go.infinite;
        let interval = if is_endless { Duration::ZERO } else { options.get(PV_INTERVAL) };
        let bounds = options.get(OUTPUT_FAIL_LHPV) && options.get(MULTI_PV) == 1;
        ReportStyle { silent: self.expected.is_some(), interval, bounds }
    }

    /// Stops the search, so that it may be answered.
    pub(super) fn stop(&mut self) {
        self.stopped_at.get_or_insert_with(Instant::now);
        self.control.stop();
    }

    /// Stops a search whose client has left. The search is still answered if it would have ended by
    /// itself or was stopped before.
    pub(super) fn abandon(&mut self) {
        self.muted = !self.is_stopping() && !self.is_limited();
        self.stop();
    }

    pub(super) fn is_stopping(&self) -> bool {
        self.stopped_at.is_some()
    }

    /// Whether the search ends by itself and may then be answered.
    pub(super) fn is_limited(&self) -> bool {
        !self.pondering
            && match self.go.mate {
                Some(time) => time != MateTime::Infinite,
                None => self.is_playing(),
            }
    }

    /// The opponent played the predicted move at `at`, so this becomes a normal search. A new clock
    /// replaces the old one if given. Returns whether the engine searched another position, so that
    /// it needs a new job.
    pub(super) fn ponder_hit(&mut self, clock: Clock, at: Instant) -> bool {
        if !self.pondering || self.is_stopping() {
            return false;
        }
        let restarts = self.expected.take().is_some();
        if restarts {
            self.control.stop();
            self.control = Arc::new(Control::new(at));
            self.found = None;
        }
        self.begin_to_play(clock, at);
        restarts
    }

    fn begin_to_play(&mut self, clock: Clock, at: Instant) {
        self.pondering = false;
        // Some clients ignore lines reported while pondering when they score the move.
        if let Some(reporter) = &mut self.reporter {
            reporter.forget_last_word();
        }
        if !clock.is_unlimited() {
            self.go.clock = clock;
            self.randomize_time();
        }
        if self.go.infinite {
            return;
        }
        if self.go.clock.is_unlimited() {
            self.stop();
            return;
        }
        self.set_deadlines(at);
        if let Some(found @ Answer::Declared(_)) = self.found_at_once() {
            if self.found.is_some() {
                self.found = Some(found)
            } else {
                self.claim = Some(found)
            }
            self.stop();
        }
    }

    /// Handles the end of the engine's search. If it did not finish, the best reported line is
    /// used.
    pub(super) fn finish(&mut self, mut found: Answer) {
        if let Answer::Searched(searched) = &mut found
            && searched.best.is_none()
            && let Some(best) = self.best_line()
        {
            searched.nodes = best.nodes;
            searched.info = Some(best.clone());
        }
        let found = match self.expected {
            Some(expected) => found.after(expected),
            None => found,
        };
        self.found = Some(self.claim.take().unwrap_or(found));
    }

    /// Whether the engine's search has not finished.
    pub(super) fn is_open(&self) -> bool {
        self.found.is_none()
    }

    /// When to answer without waiting for the search to end; `None` to wait. A search of the
    /// position before the predicted move reports nothing, and a mate search has no partial answer.
    pub(super) fn overdue_at(&self) -> Option<Instant> {
        let is_awaited = self.found.is_some() || self.go.mate.is_some() || self.expected.is_some();
        if is_awaited {
            return None;
        }
        let due = |after_deadline, after_stop| {
            let deadline = self.control.hard_limit().map(|hard| self.control.started() + hard);
            let deadline = deadline.map(|at| at + after_deadline);
            deadline.into_iter().chain(self.stopped_at.map(|at| at + after_stop)).min()
        };
        let early = due(GRACE, GRACE_AFTER_STOP)?;
        if self.best_line().is_some() || Instant::now() < early {
            return Some(early);
        }
        due(SILENT_GRACE, SILENT_GRACE_AFTER_STOP)
    }

    /// Stops the search and uses its best reported line as the result. Later reports must be
    /// ignored.
    pub(super) fn take_what_is_told(&mut self) {
        self.stop();
        let found = SearchResult { best: None, info: None, nodes: 0, time: self.control.elapsed() };
        self.finish(Answer::Searched(Box::new(found)));
    }

    /// Time since the deadline, if it has passed.
    pub(super) fn lateness(&self) -> Option<Duration> {
        self.control.elapsed().checked_sub(self.control.hard_limit()?)
    }

    /// Whether the answer can be given now: a result exists, and the search is not pondering or
    /// infinite.
    pub(super) fn is_answerable(&self) -> bool {
        self.found.is_some() && (self.is_stopping() || !(self.pondering || self.go.infinite))
    }

    /// The answer; `None` if it is not available or not wanted. `last_write`: number of the last
    /// write.
    pub(super) fn answer(&self, last_write: u64) -> Option<String> {
        let found = self.found.as_ref().filter(|_| !self.muted)?;
        if self.go.mate.is_some() {
            return Some(answer::mate_lines(self.root.as_ref(), found));
        }
        let rules = AnswerRules {
            resign_value: (self.is_playing() && !self.pondering).then_some(self.resign_value),
            best_score: self.best_line().map(|info| info.score),
            search_moves: &self.limits.search_moves,
            is_told: self.is_told(last_write),
        };
        Some(answer::move_lines(self.root.as_ref(), found, &rules))
    }

    /// The best line that the search has reported.
    fn best_line(&self) -> Option<&Info> {
        self.reporter.as_ref().and_then(|reporter| reporter.best.as_ref())
    }

    /// Whether the write number `last_write` already reported the whole result.
    fn is_told(&self, last_write: u64) -> bool {
        let (Some(Answer::Searched(searched)), Some(reporter)) = (&self.found, &self.reporter)
        else {
            return false;
        };
        let info = searched.info.as_ref();
        info.and_then(|info| reporter.told_in(info, searched.nodes)) == Some(last_write)
    }

    /// Whether a move of a game is requested, as opposed to analysis.
    fn is_playing(&self) -> bool {
        let limited = !self.go.clock.is_unlimited()
            || self.limits.depth.is_some()
            || self.limits.nodes.is_some();
        limited && !self.go.infinite
    }

    fn found_at_once(&self) -> Option<Answer> {
        let Some(root) = &self.root else { return Some(Answer::Nothing) };
        if self.go.mate.is_some() {
            let checks = legal_checks(root, Scope::LEGAL).next().is_some();
            return (!checks).then_some(Answer::Nothing);
        }
        let may_declare =
            self.is_playing() && !self.pondering && self.limits.search_moves.is_empty();
        if let Some(declaration) = root.declaration(self.rule).filter(|_| may_declare) {
            return Some(Answer::Declared(declaration));
        }
        (!has_legal_move(root)).then_some(Answer::Nothing)
    }

    fn set_deadlines(&self, from: Instant) {
        let Some(root) = self.root.as_ref().filter(|_| !self.go.infinite) else { return };
        let (side, number) = (root.side_to_move(), root.move_number());
        if let Some(plan) = clock::plan(&self.go.clock, &self.time, side, number) {
            self.control.set_deadlines(from, plan.soft, plan.hard);
        }
    }

    /// `rtime x` means a time from x to 1.5 x. The same position gets the same time.
    fn randomize_time(&mut self) {
        let seed = self.root.as_ref().map_or(0, Position::key);
        if let Some(time) = &mut self.go.clock.rtime {
            *time = time.mul_f64(1.0 + Rng::from_seed(seed).unit() / 2.0);
        }
    }
}

/// The limits of a `go`. Its depth and nodes override those of the options.
fn limits(go: &Go, root: Option<&Position>, options: &Options) -> Limits {
    let mut search_moves = go.search_moves.clone();
    search_moves.retain(|&mv| root.is_some_and(|root| root.is_legal(mv)));
    Limits {
        depth: go.depth.or(options.get(DEPTH_LIMIT)),
        nodes: go.nodes.or(options.get(NODES_LIMIT)),
        search_moves,
        mate: false,
        leeway: Leeway::default(),
    }
}
