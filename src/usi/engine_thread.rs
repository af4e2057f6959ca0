//! The thread that owns the engine of a USI session.

use std::any::Any;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::answer::{Answer, SearchResult};
use super::backend::{Backend, EngineChoice, MateLimits};
use super::event::Event;
use super::inbox::Inbox;
use super::opening::Opening;
use super::output::SharedOutput;
use crate::book::BookRules;
use crate::engine::{Control, Engine, Limits, MateVerdict, Outcome, Query, SEARCH_STACK, Settings};
use crate::shogi::Position;

/// A job of the engine thread. Jobs run in the order sent.
pub(super) enum Job {
    /// Prepare the engine and the book. Replied to by [`Event::Prepared`].
    Prepare(Demand, Option<(PathBuf, BookRules)>),
    /// Clear the data of the previous game. No reply.
    NewGame,
    /// Replied to by [`Event::Finished`].
    Search(Box<SearchJob>),
    /// Replied to by [`Event::Finished`].
    Mate(Box<SearchJob>),
    /// Replied to by [`Event::TaskDone`].
    Task(Box<dyn FnOnce(&SharedOutput) + Send>),
}

/// The requested engine and its settings.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Demand {
    pub(super) choice: EngineChoice,
    pub(super) settings: Settings,
}

/// One search.
pub(super) struct SearchJob {
    pub(super) demand: Demand,
    pub(super) root: Position,
    pub(super) limits: Limits,
    pub(super) control: Arc<Control>,
    /// Whether a mate search ends with the first mate found.
    pub(super) first_mate: bool,
    /// The book that may provide the move instead of a search, and its rules.
    pub(super) book: Option<(PathBuf, BookRules)>,
}

/// The session's handle of the engine thread, which starts with its first job.
pub(super) struct EngineHandle {
    backend: Backend,
    output: Arc<SharedOutput>,
    inbox: Arc<Inbox>,
    thread: Option<(Sender<Job>, JoinHandle<()>)>,
}

impl EngineHandle {
    pub(super) fn new(
        backend: Backend,
        output: Arc<SharedOutput>,
        inbox: Arc<Inbox>,
    ) -> EngineHandle {
        EngineHandle { backend, output, inbox, thread: None }
    }

    /// # Errors
    /// The I/O error if the system cannot start a thread.
    pub(super) fn send(&mut self, job: Job) -> io::Result<()> {
        if self.thread.is_none() {
            let (jobs, jobs_to_do) = mpsc::channel();
            let (backend, output) = (self.backend.clone(), Arc::clone(&self.output));
            let opening = Opening::new(backend.seed);
            let inbox = Arc::clone(&self.inbox);
            let engine =
                EngineThread { backend, output, inbox, engine: None, present: None, opening };
            let thread = thread::Builder::new()
                .name("engine".to_owned())
                .stack_size(SEARCH_STACK)
                .spawn(move || engine.run(&jobs_to_do))?;
            self.thread = Some((jobs, thread));
        }
        if let Some((jobs, _)) = &self.thread {
            jobs.send(job).expect("the thread lives as long as its channel of jobs");
        }
        Ok(())
    }

    /// Ends the thread and waits up to `time` for it. Otherwise it ends with the process.
    pub(super) fn end(self, time: Duration) {
        let Some((jobs, thread)) = self.thread else { return };
        drop(jobs);
        let until = Instant::now() + time;
        while let Some(event) = self.inbox.take(Some(until)) {
            if matches!(event, Event::EngineGone) {
                // The thread catches all panics and has sent its last event.
                let _ = thread.join();
                return;
            }
        }
    }
}

/// The engine and its last configuration.
struct EngineThread {
    backend: Backend,
    output: Arc<SharedOutput>,
    inbox: Arc<Inbox>,
    engine: Option<Box<dyn Engine>>,
    /// The choice and settings with which `engine` was built and configured.
    present: Option<Demand>,
    opening: Opening,
}

impl EngineThread {
    /// Runs jobs until the channel is closed. A panic in a job does not end the thread.
    fn run(mut self, jobs: &Receiver<Job>) {
        for job in jobs {
            let event = match job {
                Job::Prepare(demand, book) => {
                    self.guarded("getting ready", |this| {
                        this.opening.prepare(book.as_ref(), &this.output);
                        // A new game writes to all tables, so that the system provides their memory
                        // now and not while a clock runs.
                        if this.fulfil(&demand)
                            && let Some(engine) = &mut this.engine
                        {
                            engine.new_game();
                        }
                    });
                    Event::Prepared
                }
                Job::NewGame => {
                    self.guarded("a new game", |this| {
                        this.engine.iter_mut().for_each(|engine| engine.new_game());
                    });
                    continue;
                }
                Job::Search(job) => Event::Finished(Answer::Searched(Box::new(self.search(&job)))),
                Job::Mate(job) => Event::Finished(self.solve_mate(&job)),
                Job::Task(task) => {
                    self.guarded("this command", |this| task(&this.output));
                    Event::TaskDone
                }
            };
            if !self.inbox.put(event) {
                break;
            }
        }
        self.guarded("the end", |this| this.engine = None);
        // The session may no longer receive events.
        self.inbox.put(Event::EngineGone);
    }

    /// Builds and configures the engine, only if something changed. Returns whether the engine has
    /// newly allocated memory.
    fn fulfil(&mut self, demand: &Demand) -> bool {
        let present = self.present.take();
        let is_other = self.engine.is_none()
            || present.as_ref().is_none_or(|present| present.choice != demand.choice);
        let size = |demand: &Demand| (demand.settings.hash_mib, demand.settings.threads);
        let has_new_memory =
            is_other || present.as_ref().is_none_or(|present| size(present) != size(demand));
        if is_other {
            self.engine = None;
            let mut remark = |text: &str| self.output.remark(text);
            self.engine = Some((self.backend.build)(&demand.choice, &mut remark));
        } else if present.as_ref() == Some(demand) {
            self.present = present;
            return false;
        }
        if let Some(engine) = &mut self.engine {
            for remark in engine.configure(&demand.settings) {
                self.output.remark(&remark);
            }
            self.present = Some(demand.clone());
        }
        has_new_memory
    }

    /// The move of the book, if it has one.
    fn book_move(&mut self, job: &SearchJob) -> Option<SearchResult> {
        let (path, rules) = job.book.as_ref()?;
        let chosen = self.guarded("the book", |this| {
            this.opening.open(Some(path), &this.output);
            this.opening.choose(&job.root, rules, &this.output)
        });
        let time = job.control.elapsed();
        let Outcome { best, info, nodes } = chosen.flatten()?.to_outcome(time);
        Some(SearchResult { best: Some(best), info, nodes, time })
    }

    fn search(&mut self, job: &SearchJob) -> SearchResult {
        if let Some(found) = self.book_move(job) {
            return found;
        }
        let outcome = self.guarded("the search", |this| {
            this.fulfil(&job.demand);
            let inbox = &this.inbox;
            this.engine.as_mut().map(|engine| {
                engine.search(Query::new(&job.root, &job.limits, &job.control), &mut |report| {
                    inbox.put(Event::Said(report));
                })
            })
        });
        let time = job.control.elapsed();
        let Some(Outcome { best, info, nodes }) = outcome.flatten() else {
            return SearchResult { best: None, info: None, nodes: 0, time };
        };
        SearchResult { best: Some(best), info, nodes, time }
    }

    fn solve_mate(&mut self, job: &SearchJob) -> Answer {
        let solved = self.guarded("the mate search", |this| {
            let memory = job.demand.settings.hash_mib;
            let limits = MateLimits { memory, first: job.first_mate };
            (this.backend.solve_mate)(&job.root, limits, &job.control)
        });
        let (verdict, nodes) =
            solved.map_or((MateVerdict::Unknown, 0), |outcome| (outcome.verdict, outcome.nodes));
        Answer::Solved { verdict, nodes, time: job.control.elapsed() }
    }

    /// Runs `work`, which may panic. After a panic the state of the engine is unknown, so the
    /// engine is dropped and the next job builds a new one.
    fn guarded<T>(&mut self, what: &str, work: impl FnOnce(&mut EngineThread) -> T) -> Option<T> {
        let result = panic::catch_unwind(AssertUnwindSafe(|| work(self)));
        let result = result.inspect_err(|payload| {
            let reason = panic_text(payload.as_ref());
            self.output.remark(&format!("internal error in {what}; continuing: {reason}"));
            self.present = None;
            let engine = self.engine.take();
            // If dropping the engine panics as well, ignore it.
            let _ = panic::catch_unwind(AssertUnwindSafe(|| drop(engine)));
        });
        result.ok()
    }
}

fn panic_text(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("unknown")
}
