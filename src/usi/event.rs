//! What the session waits for, and the reader of its input.

use std::io::BufRead;
use std::sync::mpsc::Sender;
use std::time::Instant;

use super::answer::Answer;
use crate::record::decode_line;

/// Sent to the session by the reader and by the engine thread.
pub(super) enum Event {
    /// A line and the moment it was read.
    Line(String, Instant),
    EndOfInput,
    /// The engine is ready.
    Prepared,
    /// Of a search or a mate search.
    Finished(Answer),
    TaskDone,
    EngineGone,
}

/// Reads lines until the input ends and sends each with the moment at which it was read. A read
/// error counts as the end. Returns when nobody listens any more.
pub(super) fn read_lines(input: impl BufRead, events: &Sender<Event>) {
    for bytes in input.split(b'\n').map_while(Result::ok) {
        let line = Event::Line(decode_line(&bytes).into_owned(), Instant::now());
        if events.send(line).is_err() {
            return;
        }
    }
    // Nobody listening is as good as having been told.
    let _ = events.send(Event::EndOfInput);
}
