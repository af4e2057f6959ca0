//! The engine thread of a USI session: its engine, its book, and its jobs.

use std::path::PathBuf;
use std::sync::Arc;

use super::backend::{Backend, EngineChoice};
use super::event::Event;
use super::opening::Opening;
use super::output::SharedOutput;
use crate::book::BookRules;
use crate::engine::{ConfiguredEngine, Control, Limits, Outcome, Query, Settings, Worker, guarded};
use crate::shogi::Position;

/// Receives events of the engine.
type EventSink = Arc<dyn Fn(Event) + Send + Sync>;
/// A book and its rules.
type BookChoice = (PathBuf, BookRules);

/// One search.
pub(super) struct SearchJob {
    pub(super) choice: EngineChoice,
    pub(super) settings: Settings,
    pub(super) root: Position,
    pub(super) limits: Limits,
    pub(super) control: Arc<Control>,
    /// The book that may provide the move instead of a search.
    pub(super) book: Option<BookChoice>,
}

/// The engine: on a thread, or its jobs are run by the session's caller. Jobs run in the order sent.
pub(super) struct EngineThread {
    worker: Worker<EngineState>,
    output: Arc<SharedOutput>,
    events: EventSink,
}

/// The data of the engine.
pub(super) struct EngineState {
    engine: ConfiguredEngine<EngineChoice>,
    opening: Opening,
}

impl EngineThread {
    /// `events` receives the events, where the jobs run.
    pub(super) fn new(
        worker: Worker<EngineState>,
        output: &Arc<SharedOutput>,
        events: impl Fn(Event) + Send + Sync + 'static,
    ) -> EngineThread {
        EngineThread { worker, output: Arc::clone(output), events: Arc::new(events) }
    }

    /// Prepares the engine and the book. Replied to by [`Event::Prepared`].
    pub(super) fn prepare(
        &self,
        choice: EngineChoice,
        settings: Settings,
        book: Option<BookChoice>,
    ) {
        let prepare = move |state: &mut EngineState, output: &SharedOutput| {
            state.opening.prepare(book.as_ref(), output);
            let remark = &mut |text: &str| output.remark(text);
            let (engine, has_new_memory) = state.engine.get(&choice, &settings, remark);
            // A new game writes to all tables, so that the system provides their memory now and not
            // while a clock runs.
            if has_new_memory {
                engine.new_game();
            }
        };
        self.send("getting ready", prepare, |_| Event::Prepared);
    }

    /// Clears the data of the previous game. No reply.
    pub(super) fn new_game(&self) {
        let output = Arc::clone(&self.output);
        let then = move |result| reported("a new game", result, &output).unwrap_or_default();
        self.worker.send(|state| state.engine.new_game(), then);
    }

    /// Replied to by [`Event::Searched`].
    pub(super) fn search(&self, job: SearchJob) {
        let events = Arc::clone(&self.events);
        let search = move |state: &mut EngineState, output: &SharedOutput| {
            state.book_move(&job, output).unwrap_or_else(|| {
                let remark = &mut |text: &str| output.remark(text);
                let (engine, _) = state.engine.get(&job.choice, &job.settings, remark);
                engine.search(Query::new(&job.root, &job.limits, &job.control), &mut |report| {
                    events(Event::Said(report));
                })
            })
        };
        self.send("the search", search, Event::Searched);
    }

    /// Sends a job. `name`: of the work, in the report of a panic. `reply`: from its result; `None`
    /// after a panic.
    pub(super) fn send<T: 'static>(
        &self,
        name: &'static str,
        work: impl FnOnce(&mut EngineState, &SharedOutput) -> T + Send + 'static,
        reply: impl FnOnce(Option<T>) -> Event + Send + 'static,
    ) {
        let [output, remarks] = [&self.output; 2].map(Arc::clone);
        let events = Arc::clone(&self.events);
        self.worker.send(
            move |state| work(state, &output),
            move |result| events(reply(reported(name, result, &remarks))),
        );
    }
}

impl EngineState {
    /// Makes new states of this backend.
    pub(super) fn maker(backend: &Backend) -> impl Fn() -> EngineState + Send + 'static {
        let (build, seed) = (Arc::clone(&backend.build), backend.seed);
        move || EngineState {
            engine: ConfiguredEngine::new(Arc::clone(&build)),
            opening: Opening::new(seed),
        }
    }

    /// The move of the book, if it has one.
    fn book_move(&mut self, job: &SearchJob, output: &SharedOutput) -> Option<Outcome> {
        let (path, rules) = job.book.as_ref()?;
        let chosen = guarded(|| {
            self.opening.open(Some(path), output);
            self.opening.choose(&job.root, rules, output)
        });
        Some(reported("the book", chosen, output)??.to_outcome(job.control.elapsed()))
    }
}

/// The result of guarded work; reports a panic.
fn reported<T>(name: &str, result: Result<T, String>, output: &SharedOutput) -> Option<T> {
    let report =
        |panic: &String| output.remark(&format!("internal error in {name}; continuing: {panic}"));
    result.inspect_err(report).ok()
}
