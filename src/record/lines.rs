//! The lines of a file as text, and where one of them went wrong.

use std::borrow::Cow;
use std::io::{self, BufRead};

use encoding_rs::SHIFT_JIS;

use super::Fault;

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextLine {
    /// 1 = first of the file.
    pub number: usize,
    pub text: String,
}

impl TextLine {
    /// What is wrong with this line.
    pub fn broken(&self, fault: Fault) -> Broken {
        Broken { line: self.number, fault }
    }
}

/// Why a game was given up, and at which line of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Broken {
    pub line: usize,
    pub fault: Fault,
}

/// Reads and decodes a file line by line.
pub(super) fn text_lines(input: impl BufRead) -> impl Iterator<Item = io::Result<TextLine>> {
    (1..)
        .zip(input.split(b'\n'))
        .map(|(number, bytes)| Ok(TextLine { number, text: decode_line(&bytes?).into_owned() }))
}

/// The text of one line, without its end and without a byte order mark: UTF-8, else CP932 (the
/// Shift_JIS of Japanese Windows). Never fails: bytes that are neither become U+FFFD.
///
/// Lines are judged one by one, whatever a file declares: declarations go stale when a file is
/// saved anew or joined to another. Any Japanese word of a record is decisive: the first bytes of
/// its Shift_JIS characters cannot begin a character of UTF-8.
pub fn decode_line(bytes: &[u8]) -> Cow<'_, str> {
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
        assert_eq!(decode_line("\u{feff}手合割：平手\r\n".as_bytes()), "手合割：平手");
        // The same words as Windows saves them.
        let bytes = b"\x8e\xe8\x8d\x87\x8a\x84\x81\x46\x95\xbd\x8e\xe8\r\n";
        assert_eq!(decode_line(bytes), "手合割：平手");
        for bytes in [&b"usi\r\n"[..], b"usi\n", b"usi"] {
            assert_eq!(decode_line(bytes), "usi");
        }
        assert!(decode_line(b"\xff\xff\xff\n").contains('\u{fffd}'));
        assert_eq!(decode_line(b""), "");
    }
}
