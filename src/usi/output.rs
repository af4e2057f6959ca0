//! The output.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use super::response::printable;

/// The only output, shared by the session and the engine thread. Each call writes whole lines under
/// one lock and flushes them. After a failed write the output is closed.
pub(super) struct SharedOutput(Mutex<Inner>);

struct Inner {
    writer: Box<dyn Write + Send>,
    closed: bool,
    log: Option<File>,
    writes: u64,
}

impl SharedOutput {
    pub(super) fn new(writer: impl Write + Send + 'static) -> SharedOutput {
        let inner = Inner { writer: Box::new(writer), closed: false, log: None, writes: 0 };
        SharedOutput(Mutex::new(inner))
    }

    /// Writes lines as one block. `lines` must not end with a line end. Returns the number of calls
    /// so far, including this one.
    pub(super) fn write(&self, lines: &str) -> u64 {
        let mut inner = self.lock();
        inner.writes += 1;
        if inner.closed {
            return inner.writes;
        }
        let text = lines.to_owned() + "\n";
        let result = inner.writer.write_all(text.as_bytes()).and_then(|()| inner.writer.flush());
        inner.closed = result.is_err();
        for line in lines.lines() {
            inner.log('<', line);
        }
        inner.writes
    }

    /// Number of writes so far.
    pub(super) fn writes(&self) -> u64 {
        self.lock().writes
    }

    /// Reports a message to the user as one `info string`. Accepts any text.
    pub(super) fn remark(&self, text: &str) {
        self.write(&format!("info string {}", printable(text)));
    }

    /// Whether the output is closed.
    pub(super) fn is_closed(&self) -> bool {
        self.lock().closed
    }

    /// Closes the output: nothing is written from now on.
    pub(super) fn close(&self) {
        self.lock().closed = true;
    }

    /// Copies an input line to the log, if one is open.
    pub(super) fn log_input(&self, line: &str) {
        self.lock().log('>', line);
    }

    /// Appends all lines to this file from now on; an empty name closes the log.
    ///
    /// # Errors
    /// The I/O error if the file cannot be opened. The log is then closed.
    pub(super) fn set_log(&self, path: &str) -> io::Result<()> {
        let mut inner = self.lock();
        inner.log = None;
        if !path.is_empty() {
            inner.log = Some(OpenOptions::new().create(true).append(true).open(path)?);
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // A panic under the lock can at most leave an incomplete line.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn log(&mut self, direction: char, line: &str) {
        let Some(file) = &mut self.log else { return };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        // A full disk must not end a game, so a write error only closes the log.
        let (seconds, millis) = (now.as_secs(), now.subsec_millis());
        if writeln!(file, "{seconds}.{millis:03} {direction} {line}").is_err() {
            self.log = None;
        }
    }
}
