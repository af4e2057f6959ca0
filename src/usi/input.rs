//! Bytes to lines of text.

use std::io::BufRead;
use std::sync::mpsc::Sender;
use std::time::Instant;

use super::event::Event;
use crate::record::decode_line;

/// Reads lines until the input ends and sends each with the moment at which it was read. A read
/// error counts as the end. Returns when nobody listens any more.
pub(super) fn read_lines(mut input: impl BufRead, events: &Sender<Event>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match input.read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        let line = Event::Line(decode_line(&bytes).into_owned(), Instant::now());
        if events.send(line).is_err() {
            return;
        }
    }
    // Nobody listening is as good as having been told.
    let _ = events.send(Event::EndOfInput);
}

#[cfg(test)]
mod tests {
    use crate::record::decode_line;

    #[test]
    fn u_01_utf8_else_cp932() {
        assert_eq!(decode_line(b"usi\r\n"), "usi");
        assert_eq!(decode_line(b"usi"), "usi");
        assert_eq!(decode_line("将棋\n".as_bytes()), "将棋");
        assert_eq!(decode_line(b"\x8f\xab\x8a\xfb\n"), "将棋");
        assert!(decode_line(b"\xff\xff\xff\n").contains('\u{fffd}'));
    }
}
