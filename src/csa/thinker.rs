//! The engine thread of a CSA client.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use super::event::{Event, Found, Task};
use crate::engine::{BuildEngine, ConfiguredEngine, Engine, Query, Report, Settings, Worker};

/// The engine thread. Dropping it ends the thread; a running search must be stopped first.
pub(super) struct Thinker {
    settings: Settings,
    worker: Worker<ConfiguredEngine<()>>,
}

impl Thinker {
    /// `build`: called on the thread.
    ///
    /// # Errors
    /// The I/O error if the system cannot start a thread.
    pub fn start(build: Arc<BuildEngine<()>>) -> io::Result<Thinker> {
        let new = move || ConfiguredEngine::new(Arc::clone(&build));
        let worker = Worker::start(Duration::MAX, new)?;
        Ok(Thinker { settings: Settings::default(), worker })
    }

    /// Prepares the engine for a new game. Sends [`Event::Ready`].
    pub fn prepare(&mut self, settings: Settings, events: &Sender<Event>) {
        self.settings = settings;
        self.send(events, |engine, _| engine.new_game(), |_| Event::Ready);
    }

    /// Starts a search when the previous one has ended. Sends [`Event::Found`].
    pub fn search(&self, task: Box<Task>, events: &Sender<Event>) {
        let control = Arc::clone(&task.control);
        let search = move |engine: &mut dyn Engine, events: &Sender<Event>| {
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
        };
        self.send(events, search, |outcome| {
            let (best, info) = outcome.map(|outcome| (outcome.best, outcome.info)).unzip();
            Event::Found(Found { control, best, info: info.flatten() })
        });
    }

    /// `reply`: from the result of the work; `None` after a panic. Receivers of events may be gone.
    fn send<T: 'static>(
        &self,
        events: &Sender<Event>,
        work: impl FnOnce(&mut dyn Engine, &Sender<Event>) -> T + Send + 'static,
        reply: impl FnOnce(Option<T>) -> Event + Send + 'static,
    ) {
        let (settings, [events, replies]) =
            (self.settings.clone(), [events.clone(), events.clone()]);
        let work = move |engine: &mut ConfiguredEngine<()>| {
            let remark = &mut |text: &str| drop(events.send(Event::Remark(text.to_owned())));
            work(engine.get(&(), &settings, remark).0, &events)
        };
        self.worker.send(work, move |result| {
            if result.is_err() {
                let remark = "internal error in the engine; continuing with a new one".to_owned();
                drop(replies.send(Event::Remark(remark)));
            }
            drop(replies.send(reply(result.ok())));
        });
    }
}
