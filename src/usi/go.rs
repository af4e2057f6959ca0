//! A search from its `go` to its answer, and the conversion of a `go` into a job of the engine.

use std::mem;
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
use crate::engine::{Control, Info, Limits, MateOutcome, MateVerdict, Outcome, Report, overdue_at};
use crate::rng::Rng;
use crate::shogi::movegen::{has_legal_move, legal_checks};
use crate::shogi::{Declaration, DeclarationRule, Move, Position, Scope};

/// A running search, or a finished search without an answer so far.
pub(super) struct PendingSearch {
    go: Go,
    /// `None` if the position was refused.
    root: Option<Position>,
    control: Arc<Control>,
    time: TimeOptions,
    rule: DeclarationRule,
    resign_value: i32,
    limits: Limits,
    ponder: Ponder,
    ending: Ending,
    stage: Stage,
}

/// Whether the search waits for `ponderhit`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ponder {
    No,
    /// The search waits, on the position after the predicted move.
    Expected,
    /// The search waits, on the position before this predicted move, so that it includes the
    /// alternatives.
    AllMoves(Move),
}

/// Whether the search was asked to stop, and when.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    Open,
    Stopped(Instant),
    /// The client has left, so no answer is written.
    Abandoned(Instant),
}

/// What is pending.
enum Stage {
    /// The job for the engine.
    Job,
    /// The end of the engine's search.
    Result {
        reporter: Reporter,
        /// A declaration that replaces the result.
        claim: Option<Declaration>,
    },
    /// The permission to answer: the end of pondering, or `stop`.
    Answer {
        found: Answer,
        /// Of the engine's search, if one was needed.
        reporter: Option<Reporter>,
    },
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
        let ponders = go.ponder && go.mate.is_none();
        let mut search = PendingSearch {
            limits: limits(&go, root.as_ref(), options),
            go,
            root,
            control: Arc::new(Control::new(at)),
            time: TimeOptions { lateness, ..options.time() },
            rule: options.settings().declaration,
            resign_value: options.get(RESIGN_VALUE),
            ponder: if ponders { Ponder::Expected } else { Ponder::No },
            ending: Ending::Open,
            stage: Stage::Job,
        };
        search.randomize_time();
        if let Some(found) = search.found_at_once() {
            search.stage = Stage::Answer { found, reporter: None };
        } else if ponders
            && options.get(STOCHASTIC_PONDER)
            && let Some(expected) = search.root.as_ref().and_then(Position::last_move)
        {
            search.ponder = Ponder::AllMoves(expected);
        }
        match search.go.mate {
            Some(MateTime::Limit(span)) => search.control.set_deadlines(at, span, span),
            None => search.set_deadlines(at),
            Some(MateTime::Infinite) => {}
        }
        search
    }

    /// The job for the engine; `None` if no search is needed.
    pub(super) fn job(&mut self, options: &Options) -> Option<(Position, Limits, Arc<Control>)> {
        let mut root = self.root.clone().filter(|_| self.is_open())?;
        let mut limits = self.limits.clone();
        if self.is_before_expected() {
            root.undo_move();
            limits.search_moves.clear();
        } else if self.is_for_a_game() {
            limits.leeway = options.leeway();
        }
        let reporter = Reporter::new(&root, self.style(options));
        self.stage = Stage::Result { reporter, claim: None };
        Some((root, limits, Arc::clone(&self.control)))
    }

    /// Whether this is a mate search.
    pub(super) fn is_for_mate(&self) -> bool {
        self.go.mate.is_some()
    }

    /// The rules by which a book may provide the move. They apply if a move of a game is requested,
    /// possibly after `ponderhit`, and the engine searches that position.
    pub(super) fn book_rules(&self, options: &Options) -> Option<BookRules> {
        let is_free = self.limits.search_moves.is_empty() && !self.is_before_expected();
        (self.is_for_a_game() && is_free && self.go.mate.is_none()).then(|| options.book_rules())
    }

    /// Whether a move of a game is requested, possibly after `ponderhit`.
    fn is_for_a_game(&self) -> bool {
        self.is_playing() || self.is_pondering() && !self.go.infinite
    }

    /// Handles a report of the search.
    pub(super) fn hear(&mut self, report: Report, output: &SharedOutput) {
        if let Stage::Result { reporter, .. } = &mut self.stage {
            reporter.report(report, self.control.elapsed(), output);
        }
    }

    /// The report style for this search.
    fn style(&self, options: &Options) -> ReportStyle {
        let is_endless = self.go.infinite;
        let interval = if is_endless { Duration::ZERO } else { options.get(PV_INTERVAL) };
        let bounds = options.get(OUTPUT_FAIL_LHPV) && options.get(MULTI_PV) == 1;
        ReportStyle { silent: self.is_before_expected(), interval, bounds }
    }

    /// Stops the search, so that it may be answered.
    pub(super) fn stop(&mut self) {
        if self.ending == Ending::Open {
            self.ending = Ending::Stopped(Instant::now());
        }
        self.control.stop();
    }

    /// Stops a search whose client has left. The search is still answered if it would have ended by
    /// itself or was stopped before.
    pub(super) fn abandon(&mut self) {
        if !self.is_stopping() && !self.is_limited() {
            self.ending = Ending::Abandoned(Instant::now());
        }
        self.stop();
    }

    pub(super) fn is_stopping(&self) -> bool {
        self.ending != Ending::Open
    }

    /// Whether the search waits for `ponderhit`.
    fn is_pondering(&self) -> bool {
        self.ponder != Ponder::No
    }

    /// Whether the engine searches the position before the predicted move.
    fn is_before_expected(&self) -> bool {
        matches!(self.ponder, Ponder::AllMoves(_))
    }

    /// Whether the search ends by itself and may then be answered.
    pub(super) fn is_limited(&self) -> bool {
        !self.is_pondering()
            && match self.go.mate {
                Some(time) => time != MateTime::Infinite,
                None => self.is_playing(),
            }
    }

    /// The opponent played the predicted move at `at`, so this becomes a normal search. A new clock
    /// replaces the old one if given. Returns whether the engine searched another position, so that
    /// it needs a new job.
    pub(super) fn ponder_hit(&mut self, clock: Clock, at: Instant) -> bool {
        if !self.is_pondering() || self.is_stopping() {
            return false;
        }
        let restarts = self.is_before_expected();
        if restarts {
            self.control.stop();
            self.control = Arc::new(Control::new(at));
            self.stage = Stage::Job;
        }
        self.ponder = Ponder::No;
        self.begin_to_play(clock, at);
        restarts
    }

    fn begin_to_play(&mut self, clock: Clock, at: Instant) {
        // Some clients ignore lines reported while pondering when they score the move.
        if let Stage::Result { reporter, .. } | Stage::Answer { reporter: Some(reporter), .. } =
            &mut self.stage
        {
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
            match self.stage {
                // A search that has not started has to search every move once.
                Stage::Job => self.control.set_deadlines(at, Duration::ZERO, Duration::ZERO),
                _ => self.stop(),
            }
            return;
        }
        self.set_deadlines(at);
        if let Some(Answer::Declared(declaration)) = self.found_at_once() {
            match &mut self.stage {
                Stage::Result { claim, .. } => *claim = Some(declaration),
                Stage::Answer { found, .. } => *found = Answer::Declared(declaration),
                Stage::Job => {
                    let found = Answer::Declared(declaration);
                    self.stage = Stage::Answer { found, reporter: None };
                }
            }
            self.stop();
        }
    }

    /// Handles the end of the engine's search. `None`: it did not finish, so a reported line is
    /// used.
    pub(super) fn finish(&mut self, outcome: Option<Outcome>) {
        let (best, info, nodes) = match outcome {
            Some(Outcome { best, info, nodes }) => (Some(best), info, nodes),
            None => {
                let line = self.answer_line().cloned();
                let nodes = line.as_ref().map_or(0, |line| line.nodes);
                (None, line, nodes)
            }
        };
        let result = SearchResult { best, info, nodes, time: self.control.elapsed() };
        self.answer_with(Answer::Searched(Box::new(match self.ponder {
            Ponder::AllMoves(expected) => result.after(expected),
            _ => result,
        })));
    }

    /// Handles the end of the mate search; `None` if it did not finish.
    pub(super) fn finish_mate(&mut self, outcome: Option<MateOutcome>) {
        let unknown = (MateVerdict::Unknown, 0);
        let (verdict, nodes) = outcome.map_or(unknown, |outcome| (outcome.verdict, outcome.nodes));
        self.answer_with(Answer::Solved { verdict, nodes, time: self.control.elapsed() });
    }

    fn answer_with(&mut self, found: Answer) {
        self.stage = match mem::replace(&mut self.stage, Stage::Job) {
            Stage::Result { reporter, claim } => Stage::Answer {
                found: claim.map_or(found, Answer::Declared),
                reporter: Some(reporter),
            },
            // No search was running.
            stage @ (Stage::Job | Stage::Answer { .. }) => stage,
        };
    }

    /// Whether the engine's search has not finished.
    pub(super) fn is_open(&self) -> bool {
        !matches!(self.stage, Stage::Answer { .. })
    }

    /// When to answer without waiting for the search to end; `None` to wait. A search of the
    /// position before the predicted move reports nothing, and a mate search has no partial answer.
    pub(super) fn overdue_at(&self) -> Option<Instant> {
        if !self.is_open() || self.go.mate.is_some() || self.is_before_expected() {
            return None;
        }
        let stopped = match self.ending {
            Ending::Open => None,
            Ending::Stopped(at) | Ending::Abandoned(at) => Some(at),
        };
        overdue_at(&self.control, stopped, self.answer_line().is_some(), Instant::now())
    }

    /// Stops the search and uses a reported line as the result. Later reports must be ignored.
    pub(super) fn take_what_is_told(&mut self) {
        self.stop();
        self.finish(None);
    }

    /// Time since the deadline, if it has passed.
    pub(super) fn lateness(&self) -> Option<Duration> {
        self.control.lateness(Instant::now())
    }

    /// Whether the answer can be given now: a result exists, and the search is not pondering or
    /// infinite.
    pub(super) fn is_answerable(&self) -> bool {
        !self.is_open() && (self.is_stopping() || !(self.is_pondering() || self.go.infinite))
    }

    /// The answer; `None` if it is not available or not wanted. `last_write`: number of the last
    /// write.
    pub(super) fn answer(&self, last_write: u64) -> Option<String> {
        let Stage::Answer { found, .. } = &self.stage else { return None };
        if matches!(self.ending, Ending::Abandoned(_)) {
            return None;
        }
        if self.go.mate.is_some() {
            return Some(answer::mate_lines(self.root.as_ref(), found));
        }
        let rules = AnswerRules {
            resign_value: (self.is_playing() && !self.is_pondering()).then_some(self.resign_value),
            best_score: self.reporter().and_then(|reporter| reporter.best_score),
            search_moves: &self.limits.search_moves,
            is_written: self.is_written(found, last_write),
            shown_nodes: self.reporter().map_or(0, |reporter| reporter.shown_nodes),
        };
        Some(answer::move_lines(self.root.as_ref(), found, &rules))
    }

    /// The reported line to play: the best one, or one chosen instead.
    fn answer_line(&self) -> Option<&Info> {
        self.reporter().and_then(|reporter| reporter.answer.as_ref())
    }

    /// The reporter of the engine's search, once it has started.
    fn reporter(&self) -> Option<&Reporter> {
        match &self.stage {
            Stage::Job => None,
            Stage::Result { reporter, .. } => Some(reporter),
            Stage::Answer { reporter, .. } => reporter.as_ref(),
        }
    }

    /// Whether the write number `last_write` already reported the whole result.
    fn is_written(&self, found: &Answer, last_write: u64) -> bool {
        let (Answer::Searched(searched), Some(reporter)) = (found, self.reporter()) else {
            return false;
        };
        let info = searched.info.as_ref();
        info.and_then(|info| reporter.printed_in(info, searched.nodes)) == Some(last_write)
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
            self.is_playing() && !self.is_pondering() && self.limits.search_moves.is_empty();
        if let Some(declaration) = root.declaration(self.rule).filter(|_| may_declare) {
            return Some(Answer::Declared(declaration));
        }
        (!has_legal_move(root)).then_some(Answer::Nothing)
    }

    /// Sets the deadlines, or the planned time while pondering.
    fn set_deadlines(&self, from: Instant) {
        let Some(root) = self.root.as_ref().filter(|_| !self.go.infinite) else { return };
        let (side, number) = (root.side_to_move(), root.move_number());
        if let Some(plan) = clock::plan(&self.go.clock, &self.time, side, number) {
            match self.ponder {
                Ponder::No => self.control.set_deadlines(from, plan.soft, plan.hard),
                Ponder::Expected => self.control.ponder(plan.soft),
                // The position after the hit was not searched alone.
                Ponder::AllMoves(_) => {}
            }
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

/// Reports requested root moves that are illegal.
pub(super) fn remark_illegal(root: &Position, search_moves: &[Move], output: &SharedOutput) {
    let illegal: Vec<&Move> = search_moves.iter().filter(|mv| !root.is_legal(**mv)).collect();
    for mv in &illegal {
        output.remark(&format!("searchmoves: {mv} is illegal and ignored"));
    }
    if !illegal.is_empty() && illegal.len() == search_moves.len() {
        output.remark("searchmoves: no legal move; searching all moves");
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
        ..Limits::default()
    }
}
