//! A session without threads: each line is handled before the next one is read.

use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Instant;

use super::backend::Backend;
use super::engine_thread::{EngineState, EngineThread};
use super::event::Event;
use super::output::SharedOutput;
use super::session::Session;
use crate::engine::{WaitingJobs, Worker};

/// A session for a platform without threads, such as a web page. A search ends only by its own
/// limits, because no line is read meanwhile.
pub struct SessionInTurn {
    session: Arc<Mutex<Session>>,
    jobs: WaitingJobs<EngineState>,
}

impl SessionInTurn {
    /// A session that writes its replies to `output`.
    pub fn new(output: impl Write + Send + 'static, backend: Backend) -> SessionInTurn {
        let output = Arc::new(SharedOutput::new(output));
        let (worker, jobs) = Worker::without_thread(EngineState::maker(&backend));
        let session = Arc::new_cyclic(|session: &Weak<Mutex<Session>>| {
            // The engine runs only while the session is not locked, so its lines are written at
            // once.
            let session = Weak::clone(session);
            let engine = EngineThread::new(worker, &output, move |event| {
                if let Some(session) = session.upgrade() {
                    lock(&session).handle_event(event);
                }
            });
            Mutex::new(Session::new(Arc::clone(&output), backend, engine))
        });
        SessionInTurn { session, jobs }
    }

    /// Handles a line, with the searches that it starts. Returns whether the session goes on.
    pub fn handle(&mut self, line: &str) -> bool {
        lock(&self.session).handle_event(Event::Line(line.to_owned(), Instant::now()));
        self.jobs.run();
        !lock(&self.session).is_over()
    }
}

fn lock(session: &Mutex<Session>) -> MutexGuard<'_, Session> {
    session.lock().unwrap_or_else(PoisonError::into_inner)
}
