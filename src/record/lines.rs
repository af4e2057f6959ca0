//! Splits a file into lines, decodes them, and reports errors by line.
//!
//! A line ends with LF, with CR LF, or with CR alone, as on old Macintosh computers. A line is
//! UTF-8 or in the legacy encoding of the file: Shift_JIS, or EUC-JP if the bytes show it. Lines of
//! ISO-2022-JP contain their escape sequences. UTF-16 is decoded before lines are split
//! ([`reader`](super::reader)).

use std::borrow::Cow;
use std::io::{self, BufRead};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{EUC_JP, Encoding, ISO_2022_JP, SHIFT_JIS, UTF_8};

use super::{Fault, Game};

/// The end-of-file mark that DOS programs append.
const DOS_END: u8 = 0x1a;

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextLine {
    /// 1 = first of the file.
    pub number: usize,
    pub text: String,
}

impl TextLine {
    /// An error in this line.
    pub fn broken(&self, fault: Fault) -> Broken {
        Broken { line: self.number, fault }
    }
}

/// An error in a record, and its line in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Broken {
    pub line: usize,
    pub fault: Fault,
}

/// A game, and the parts of its record that were not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    pub game: Game,
    pub warnings: Vec<Broken>,
}

impl From<Game> for Reading {
    /// A game without warnings.
    fn from(game: Game) -> Reading {
        Reading { game, warnings: Vec::new() }
    }
}

/// Reads and decodes a file line by line.
pub(super) fn text_lines(
    input: impl BufRead,
    decoder: LineDecoder,
) -> impl Iterator<Item = io::Result<TextLine>> {
    (1..).zip(byte_lines(input)).map(move |(number, bytes)| {
        let bytes = bytes?;
        let bytes = bytes.strip_suffix(&[DOS_END]).unwrap_or(&bytes);
        Ok(TextLine { number, text: decoder.decode(bytes).into_owned() })
    })
}

/// The lines of a file without their ends.
pub(crate) fn byte_lines(input: impl BufRead) -> impl Iterator<Item = io::Result<Vec<u8>>> {
    input.split(b'\n').flat_map(|bytes| match bytes {
        Ok(bytes) => split_lines(&bytes).map(|line| Ok(line.to_vec())).collect(),
        Err(error) => vec![Err(error)],
    })
}

/// The lines of a text without their ends. After a final LF, there is an empty line.
pub(super) fn split_lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|&byte| byte == b'\n').flat_map(|line| {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        line.split(|&byte| byte == b'\r')
    })
}

/// The same of a string.
pub(crate) fn str_lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
}

/// How the lines of a file are decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineDecoder {
    /// The encoding of lines that are not UTF-8.
    legacy: &'static Encoding,
    /// Whether a line whose only foreign characters are two-byte sequences of UTF-8 is in the
    /// legacy encoding. Pairs of half-width kana of Shift_JIS form such sequences.
    is_legacy_file: bool,
}

impl LineDecoder {
    /// UTF-8, else Shift_JIS.
    const DEFAULT: LineDecoder = LineDecoder { legacy: SHIFT_JIS, is_legacy_file: false };

    /// Judges a file by its first bytes.
    ///
    /// A declared encoding decides only between lines that could be either: declarations go stale
    /// when a file is converted or joined to another. Japanese text in UTF-8 always has three-byte
    /// sequences, which no Japanese text in a legacy encoding forms.
    pub fn of(head: &[u8]) -> LineDecoder {
        let lines = || split_lines(head);
        // The last line may be cut within a character.
        let foreign: Vec<&[u8]> = lines().filter(|line| is_cut_or_foreign(line, head)).collect();
        let declared = lines().find_map(declared_encoding);
        let legacy = match declared {
            Some(encoding) if encoding != UTF_8 => encoding,
            _ => guess(&foreign),
        };
        let is_legacy_file = match declared {
            Some(encoding) => encoding != UTF_8,
            None => !foreign.is_empty(),
        };
        LineDecoder { legacy, is_legacy_file }
    }

    /// The text of one line, without its end and without a byte order mark. Bytes that are no text
    /// become U+FFFD.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        if bytes.windows(2).any(|two| two == b"\x1b$") {
            return ISO_2022_JP.decode_without_bom_handling(bytes).0;
        }
        match std::str::from_utf8(bytes) {
            Ok(text) if !self.is_legacy_file || is_decisive(text) => Cow::Borrowed(text),
            _ => self.legacy.decode_without_bom_handling(bytes).0,
        }
    }
}

/// The text of one line: UTF-8, else CP932 (the Shift_JIS of Japanese Windows), without its end and
/// without a byte order mark. Never fails: bytes that are neither become U+FFFD.
pub fn decode_line(bytes: &[u8]) -> Cow<'_, str> {
    LineDecoder::DEFAULT.decode(bytes)
}

/// Whether text that is valid UTF-8 cannot be Shift_JIS as well.
fn is_decisive(text: &str) -> bool {
    text.is_ascii() || text.chars().any(|c| c.len_utf8() > 2)
}

/// Whether a line of `head` is not UTF-8. The last one may be cut within a character.
fn is_cut_or_foreign(line: &[u8], head: &[u8]) -> bool {
    let is_last = line.as_ptr_range().end == head.as_ptr_range().end;
    match std::str::from_utf8(line) {
        Ok(_) => false,
        Err(error) => !is_last || error.error_len().is_some(),
    }
}

/// The encoding that a line declares: `#KIF version=2.0 encoding=Shift_JIS`, `'CSA
/// encoding=SHIFT_JIS`.
fn declared_encoding(line: &[u8]) -> Option<&'static Encoding> {
    let line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line).trim_ascii();
    if !line.starts_with(b"#KI") && !line.starts_with(b"'CSA ") {
        return None;
    }
    let text = std::str::from_utf8(line).ok()?;
    let (_, name) = text.split_once("encoding=")?;
    Encoding::for_label(name.split_ascii_whitespace().next()?.as_bytes())
}

/// The legacy encoding of these lines.
fn guess(lines: &[&[u8]]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    for line in lines {
        detector.feed(line, false);
        detector.feed(b"\n", false);
    }
    detector.feed(b"", true);
    let guess = detector.guess(Some(b"jp"), Utf8Detection::Deny);
    if guess == EUC_JP { EUC_JP } else { SHIFT_JIS }
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

    #[test]
    fn every_line_end_counts_once() {
        let bytes = b"a\nb\r\nc\rd\r\re\n\r\nf\r";
        let lines: Vec<_> = byte_lines(&bytes[..]).map(|line| line.expect("memory")).collect();
        assert_eq!(lines, [&b"a"[..], b"b", b"c", b"d", b"", b"e", b"", b"f"]);
        assert_eq!(str_lines("a\r\nb\rc\n").collect::<Vec<_>>(), ["a", "b", "c", ""]);
    }

    #[test]
    fn the_whole_file_decides_where_a_line_is_ambiguous() {
        // Half-width kana: D5 B6 is a character of UTF-8 as well.
        let line = b"N+\xd5\xb6";
        let read = |head: &[u8]| LineDecoder::of(head).decode(line).into_owned();
        assert_eq!(read(b"V2.2\nN+\xd5\xb6\n"), "N+\u{576}");
        for head in [
            &b"'CSA encoding=SHIFT_JIS\nV3.0\nN+\xd5\xb6\n"[..],
            b"#KIF version=2.0 encoding=Shift_JIS\nN+\xd5\xb6\n",
            b"V2.2\nN+\xd5\xb6\nN-\x8d\x62\n",
        ] {
            assert_eq!(read(head), "N+ﾕｶ");
        }
        assert_eq!(read(b"'CSA encoding=UTF-8\nN-\x8d\x62\n"), "N+\u{576}");
        // A stale declaration does not spoil what is certain.
        let stale = LineDecoder::of("#KIF version=2.0 encoding=Shift_JIS\n先手：甲\n".as_bytes());
        assert_eq!(stale.decode("先手：甲".as_bytes()), "先手：甲");
        // A file whose head is cut within a character.
        let cut = &"先手：甲".as_bytes()[..11];
        assert_eq!(LineDecoder::of(cut), LineDecoder::of(b""));
    }

    #[test]
    fn other_japanese_encodings() {
        let text = "手合割：平手\n先手：羽生　善治\n▲７六歩　△３四歩\nまで2手で後手の勝ち\n";
        for encoding in [SHIFT_JIS, EUC_JP, ISO_2022_JP] {
            let (bytes, _, failed) = encoding.encode(text);
            assert!(!failed);
            let decoder = LineDecoder::of(&bytes);
            let lines: Vec<String> =
                text_lines(&*bytes, decoder).map(|line| line.expect("memory").text).collect();
            assert_eq!(lines, text.lines().collect::<Vec<_>>(), "{}", encoding.name());
        }
        let lines: Vec<_> = text_lines(&b"%TORYO\r\x1a"[..], LineDecoder::DEFAULT).collect();
        assert_eq!(lines.len(), 2);
        let lines: Vec<_> = text_lines(&b"%TORYO\n\x1a"[..], LineDecoder::DEFAULT).collect();
        assert_eq!(lines.last().expect("a line").as_ref().expect("memory").text, "");
    }
}
