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
pub(super) fn read_lines(mut input: impl BufRead, events: &Sender<Event>) {
    let mut bytes = Vec::new();
    while input.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
        let line = Event::Line(decode_line(&bytes).into_owned(), Instant::now());
        if events.send(line).is_err() {
            return;
        }
        bytes.clear();
    }
    // Nobody listening is as good as having been told.
    let _ = events.send(Event::EndOfInput);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn u_01_utf8_else_cp932() {
        assert_eq!(decode_line(b"usi\r\n"), "usi");
        assert_eq!(decode_line(b"usi"), "usi");
        assert_eq!(decode_line("将棋\n".as_bytes()), "将棋");
        assert_eq!(decode_line(b"\x8f\xab\x8a\xfb\n"), "将棋");
        assert!(decode_line(b"\xff\xff\xff\n").contains('\u{fffd}'));
    }
}
