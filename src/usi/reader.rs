//! The input reader.

use std::io::BufRead;
use std::time::Instant;

use super::command::UsiCommand;
use super::event::Event;
use super::inbox::Inbox;
use crate::record::decode_line;

/// Reads lines until the input ends and sends each with the time at which it was read. A read error
/// counts as the end of the input. Returns early if the session no longer receives events.
///
/// With `in_turn`, each line is read only after the session has handled the previous one, and none
/// after `quit`. A person at a terminal needs this. Otherwise a line editor that waits for
/// the next pasted line may show the answers in another order. If the program ends while
/// the editor waits, the terminal stays in the editor's mode.
pub(super) fn read_lines(input: impl BufRead, inbox: &Inbox, in_turn: bool) {
    for bytes in input.split(b'\n').map_while(Result::ok) {
        let line = decode_line(&bytes).into_owned();
        let is_last = in_turn && UsiCommand::parse(&line) == Some(UsiCommand::Quit);
        let is_open = inbox.put(Event::Line(line, Instant::now()));
        if is_last || !is_open || in_turn && !inbox.wait_until_handled() {
            return;
        }
    }
    // If the session has ended, it does not need this event.
    inbox.put(Event::EndOfInput);
}
