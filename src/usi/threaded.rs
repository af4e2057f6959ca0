//! A session with threads: one reads lines, one searches, and the caller's handles their events.

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::thread;

use thiserror::Error;

use super::backend::Backend;
use super::engine_thread::{EngineState, EngineThread};
use super::inbox::Inbox;
use super::output::SharedOutput;
use super::reader::read_lines;
use super::session::{FAREWELL, Session};
use crate::engine::Worker;

/// The reason why a session failed.
#[derive(Debug, Error)]
#[error("cannot start a thread: {0}")]
pub struct UsiError(#[from] io::Error);

/// Serves a session until `quit`, the end of the input, or a failed write.
///
/// # Errors
/// [`UsiError`] if the system cannot start a thread. No input of the client is an error.
pub fn run(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    backend: Backend,
) -> Result<(), UsiError> {
    let inbox = Arc::new(Inbox::default());
    let (reader_inbox, in_turn) = (Arc::clone(&inbox), backend.interactive);
    // The thread is not joined, because it may wait for input forever.
    thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || read_lines(input, &reader_inbox, in_turn))?;
    let output = Arc::new(SharedOutput::new(output));
    let worker = Worker::start(FAREWELL, EngineState::maker(&backend))?;
    let to_session = Arc::clone(&inbox);
    let engine = EngineThread::new(worker, &output, move |event| {
        to_session.put(event);
    });
    let mut session = Session::new(output, backend, engine);
    session.serve(&inbox);
    session.shut_down();
    inbox.close();
    Ok(())
}
