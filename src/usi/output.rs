//! The output.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use super::response::printable;
use crate::file;

/// The only output, shared by the session and the engine thread. Each call writes whole lines under
/// one lock and flushes them. After a failed write the output is closed.
pub(super) struct SharedOutput(Mutex<Inner>);

struct Inner {
    writer: Box<dyn Write + Send>,
    closed: bool,
    log: Option<Log>,
    writes: u64,
}

/// The file of `DebugLogFile`.
struct Log {
    path: String,
    file: File,
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
        let write = inner.write(lines);
        if !inner.closed {
            for line in lines.lines() {
                inner.log('<', line);
            }
        }
        write
    }

    /// Number of writes so far.
    pub(super) fn writes(&self) -> u64 {
        self.lock().writes
    }

    /// Reports a message to the user as one `info string`. Accepts any text.
    pub(super) fn remark(&self, text: &str) {
        self.write(&remark_line(text));
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
    /// The I/O error if the file cannot be opened, or is a named pipe. The log is then closed.
    pub(super) fn set_log(&self, path: &str) -> io::Result<()> {
        let mut inner = self.lock();
        inner.log = None;
        if file::is_named_pipe(Path::new(path)) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a pipe"));
        }
        if !path.is_empty() {
            let file = OpenOptions::new().create(true).append(true).open(path)?;
            inner.log = Some(Log { path: path.to_owned(), file });
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // A panic under the lock can at most leave an incomplete line.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// Writes lines as one block, unless the output is closed. Returns the number of calls so far.
    fn write(&mut self, lines: &str) -> u64 {
        self.writes += 1;
        if !self.closed {
            let text = lines.to_owned() + "\n";
            let result = self.writer.write_all(text.as_bytes()).and_then(|()| self.writer.flush());
            self.closed = result.is_err();
        }
        self.writes
    }

    /// Copies a line to the log, if one is open. A full disk must not end a game, so a write error
    /// only closes the log, and is reported.
    fn log(&mut self, direction: char, line: &str) {
        let Some(Log { path, mut file }) = self.log.take() else { return };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let (seconds, millis) = (now.as_secs(), now.subsec_millis());
        match writeln!(file, "{seconds}.{millis:03} {direction} {line}") {
            Ok(()) => self.log = Some(Log { path, file }),
            Err(error) => {
                self.write(&remark_line(&log_fault(&path, &error)));
            }
        }
    }
}

/// A message to the user as one line.
fn remark_line(text: &str) -> String {
    format!("info string {}", printable(text))
}

/// The message that the log cannot be written.
pub(super) fn log_fault(path: &str, error: &io::Error) -> String {
    format!("DebugLogFile {path}: {error}; logging is off")
}
