//! Bytes to lines of text.

use std::borrow::Cow;
use std::io::BufRead;
use std::sync::mpsc::Sender;
use std::time::Instant;

use encoding_rs::SHIFT_JIS;

use super::session::Event;

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
        let line = Event::Line(decode(&bytes).into_owned(), Instant::now());
        if events.send(line).is_err() {
            return;
        }
    }
    // Nobody listening is as good as having been told.
    let _ = events.send(Event::EndOfInput);
}

/// The text of one line, without its end: UTF-8, else CP932 (what Japanese Windows clients send in
/// paths). Never fails: bytes that are neither become U+FFFD.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => SHIFT_JIS.decode_without_bom_handling(bytes).0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn u_01_utf8_else_cp932() {
        assert_eq!(decode(b"usi\r\n"), "usi");
        assert_eq!(decode(b"usi"), "usi");
        assert_eq!(decode("将棋\n".as_bytes()), "将棋");
        assert_eq!(decode(b"\x8f\xab\x8a\xfb\n"), "将棋");
        assert!(decode(b"\xff\xff\xff\n").contains('\u{fffd}'));
    }
}
