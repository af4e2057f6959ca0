//! The input reader.

use std::io::BufRead;
use std::time::Instant;

use super::event::Event;
use super::inbox::Inbox;
use crate::record::decode_line;

/// Reads lines until the input ends and sends each with the time at which it was read. A read error
/// counts as the end of the input. Returns early if the session no longer receives events.
pub(super) fn read_lines(input: impl BufRead, inbox: &Inbox) {
    for bytes in input.split(b'\n').map_while(Result::ok) {
        let line = Event::Line(decode_line(&bytes).into_owned(), Instant::now());
        if !inbox.put(line) {
            return;
        }
    }
    // If the session has ended, it does not need this event.
    inbox.put(Event::EndOfInput);
}
