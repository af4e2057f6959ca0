//! What the session waits for, and the reader of its input.

use std::io::BufRead;
use std::time::Instant;

use super::answer::Answer;
use super::inbox::Inbox;
use crate::engine::{Info, Report};
use crate::record::decode_line;
use crate::shogi::Move;

/// Sent to the session by the reader and by the engine thread.
pub(super) enum Event {
    /// A line and the moment it was read.
    Line(String, Instant),
    EndOfInput,
    /// The engine is ready.
    Prepared,
    /// What a search says while it runs.
    Said(Saying),
    /// Of a search or a mate search.
    Finished(Answer),
    TaskDone,
    EngineGone,
}

/// A [`Report`] that has left its search.
pub(super) enum Saying {
    Line(Box<Info>),
    Better(Box<Info>),
    CurrentMove(Move, usize),
    Remark(String),
}

impl Saying {
    /// `None` of what is of no use to a client.
    pub(super) fn of(report: Report<'_>) -> Option<Saying> {
        match report {
            Report::Line(info) => Some(Saying::Line(Box::new(info.clone()))),
            Report::Better(info) => Some(Saying::Better(Box::new(info.clone()))),
            Report::CurrentMove(mv, number) => Some(Saying::CurrentMove(mv, number)),
            Report::Remark(text) => Some(Saying::Remark(text.to_owned())),
            Report::Samples(_) => None,
        }
    }
}

/// Reads lines until the input ends and sends each with the moment at which it was read. A read
/// error counts as the end. Returns when nobody listens any more.
pub(super) fn read_lines(input: impl BufRead, inbox: &Inbox) {
    for bytes in input.split(b'\n').map_while(Result::ok) {
        let line = Event::Line(decode_line(&bytes).into_owned(), Instant::now());
        if !inbox.put(line) {
            return;
        }
    }
    // Nobody listening is as good as having been told.
    inbox.put(Event::EndOfInput);
}
