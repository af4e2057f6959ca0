//! The thread that owns the engine of a CSA session.

use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use super::event::{Event, Found, Task};
use crate::engine::{Engine, Query, Report, SEARCH_STACK, Settings};

/// Builds the engine; called on its thread.
pub type BuildEngine = dyn Fn() -> Box<dyn Engine> + Send + Sync;

/// A job of the thread, with the receiver of its events. Jobs run in the order sent.
enum Job {
    /// Prepare for a new game. Sends [`Event::Ready`].
    Prepare(Settings, Sender<Event>),
    /// Search. Sends [`Event::Found`].
    Search(Box<Task>, Sender<Event>),
}

/// Handle of the thread. Dropping it ends the thread; a running search must be stopped first.
pub(super) struct Thinker {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Thinker {
    /// # Errors
    /// The I/O error if the system cannot start a thread.
    pub fn start(build: Arc<BuildEngine>) -> io::Result<Thinker> {
        let (jobs, inbox) = mpsc::channel();
        let thread = thread::Builder::new()
            .name("engine".to_owned())
            .stack_size(SEARCH_STACK)
            .spawn(move || {
                EngineThread { build, engine: None, settings: Settings::default() }.run(&inbox)
            })?;
        Ok(Thinker { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Prepares the engine for a new game.
    pub fn prepare(&self, settings: Settings, events: &Sender<Event>) {
        self.send(Job::Prepare(settings, events.clone()));
    }

    /// Starts a search when the previous one has ended.
    pub fn search(&self, task: Box<Task>, events: &Sender<Event>) {
        self.send(Job::Search(task, events.clone()));
    }

    fn send(&self, job: Job) {
        let jobs = self.jobs.as_ref().expect("only dropping takes it");
        jobs.send(job).expect("the thread lives as long as its channel of jobs");
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.jobs = None;
        // The thread catches all panics.
        drop(self.thread.take().map(JoinHandle::join));
    }
}

/// The engine and its settings.
struct EngineThread {
    build: Arc<BuildEngine>,
    engine: Option<Box<dyn Engine>>,
    settings: Settings,
}

impl EngineThread {
    /// Runs jobs until the channel is closed. Receivers of events may be gone.
    fn run(mut self, jobs: &Receiver<Job>) {
        for job in jobs {
            match job {
                Job::Prepare(settings, events) => {
                    self.settings = settings;
                    self.guarded(&events, EngineThread::prepare);
                    drop(events.send(Event::Ready));
                }
                Job::Search(task, events) => {
                    let found = self.search(&task, &events);
                    drop(events.send(Event::Found(found)));
                }
            }
        }
    }

    fn prepare(&mut self, events: &Sender<Event>) {
        let engine = self.engine.get_or_insert_with(|| (self.build)());
        for remark in engine.configure(&self.settings) {
            drop(events.send(Event::Remark(remark)));
        }
        engine.new_game();
    }

    fn search(&mut self, task: &Task, events: &Sender<Event>) -> Found {
        let outcome = self.guarded(events, |this, events| {
            if this.engine.is_none() {
                this.prepare(events);
            }
            this.engine.as_mut().map(|engine| {
                let query = Query::new(&task.root, &task.limits, &task.control);
                engine.search(query, &mut |report| match report {
                    Report::Remark(text) => drop(events.send(Event::Remark(text))),
                    report => {
                        if let Some(better) = report.into_answer() {
                            let control = Arc::clone(&task.control);
                            drop(events.send(Event::Better(control, better)));
                        }
                    }
                })
            })
        });
        let control = Arc::clone(&task.control);
        match outcome.flatten() {
            Some(outcome) => Found { control, best: Some(outcome.best), info: outcome.info },
            None => Found { control, best: None, info: None },
        }
    }

    /// Runs `work`, which may panic. After a panic the state of the engine is unknown, so the
    /// engine is dropped and the next job builds a new one.
    fn guarded<T>(
        &mut self,
        events: &Sender<Event>,
        work: impl FnOnce(&mut EngineThread, &Sender<Event>) -> T,
    ) -> Option<T> {
        let result = panic::catch_unwind(AssertUnwindSafe(|| work(self, events)));
        if result.is_err() {
            let remark = "internal error in the engine; continuing with a new one".to_owned();
            drop(events.send(Event::Remark(remark)));
            let engine = self.engine.take();
            // If dropping the engine panics as well, ignore it.
            drop(panic::catch_unwind(AssertUnwindSafe(|| drop(engine))));
        }
        result.ok()
    }
}
