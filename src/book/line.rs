//! The lines of a book's text.

use std::str;

use super::BookMove;
use crate::shogi::Position;

/// Start of the first line of a book; the version of the format follows.
pub(super) const HEADER: &str = "#YANEURAOU-DB2016";
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The content of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BookLine<'a> {
    /// A position; its moves follow.
    Position(Key<'a>),
    /// A move, possibly unreadable.
    Move(&'a [u8]),
    /// Empty, or a comment.
    Nothing,
}

/// The key of a position in a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key<'a> {
    /// Board, side and hands of the SFEN. A sorted book is ordered by board and side.
    pub text: &'a [u8],
    /// Number of the next move; `None` if the book has none.
    pub number: Option<u32>,
}

impl<'a> BookLine<'a> {
    /// Reads a line with or without its line end.
    pub fn of(line: &'a [u8]) -> BookLine<'a> {
        let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        // No SFEN has two slashes in a row: every rank has nine squares.
        let remark = line.windows(2).position(|two| two == b"//").unwrap_or(line.len());
        let line = line[..remark].trim_ascii();
        match line.strip_prefix(b"sfen ") {
            Some(sfen) => BookLine::Position(Key::of(sfen.trim_ascii_start())),
            None if line.is_empty() || line[0] == b'#' => BookLine::Nothing,
            None => BookLine::Move(line),
        }
    }

    /// Whether a file with this first line is a book.
    pub fn begins_book(line: &[u8]) -> bool {
        let text = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line).trim_ascii_start();
        text.starts_with(HEADER.as_bytes()) || text.starts_with(b"sfen ") || text.starts_with(b"//")
    }
}

impl<'a> Key<'a> {
    /// Reads an SFEN, whose move number may be missing.
    pub fn of(sfen: &'a [u8]) -> Key<'a> {
        let blank = sfen.iter().rposition(|&byte| byte == b' ').unwrap_or(0);
        let number = str::from_utf8(&sfen[blank..]).ok().and_then(|text| text.trim().parse().ok());
        match number {
            // Some books write 0 for an unknown number.
            Some(number) => Key {
                text: sfen[..blank].trim_ascii_end(),
                number: Some(number).filter(|&number| number > 0),
            },
            None => Key { text: sfen, number: None },
        }
    }

    /// Board and side, the part of the key that every program writes in the same way.
    pub fn board(&self) -> &'a [u8] {
        board(self.text)
    }

    /// Whether this is the position with this key text. Programs write the pieces in hand in
    /// different orders.
    pub fn is_of(&self, text: &str) -> bool {
        let is_same = || {
            let pos =
                str::from_utf8(self.text).ok().and_then(|sfen| Position::from_sfen(sfen).ok());
            pos.is_some_and(|pos| key_text(&pos) == text)
        };
        self.text == text.as_bytes() || (self.board() == board(text.as_bytes()) && is_same())
    }
}

/// Board and side of the text of a key.
pub(super) fn board(key: &[u8]) -> &[u8] {
    let mut blanks = key.iter().enumerate().filter(|(_, byte)| **byte == b' ');
    blanks.nth(1).map_or(key, |(end, _)| &key[..end])
}

/// The text of a position's key in books.
pub(super) fn key_text(pos: &Position) -> String {
    let mut sfen = pos.to_sfen();
    sfen.truncate(sfen.rfind(' ').unwrap_or(sfen.len()));
    sfen
}

/// Reads the move of a [`BookLine::Move`].
pub(super) fn read_move(line: &[u8]) -> Option<BookMove> {
    str::from_utf8(line).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_apart() {
        let key = Key { text: b"9/9 b -", number: Some(3) };
        for line in ["sfen 9/9 b - 3", "\u{feff}sfen 9/9 b - 3 // a remark\r\n", "sfen  9/9 b -  3"]
        {
            assert_eq!(BookLine::of(line.as_bytes()), BookLine::Position(key), "{line}");
        }
        for line in ["sfen 9/9 b -", "sfen 9/9 b - 0\n"] {
            let key = Key { number: None, ..key };
            assert_eq!(BookLine::of(line.as_bytes()), BookLine::Position(key), "{line}");
        }
        for line in ["", "\r\n", "# NOE:3", "// 7g7f", "#YANEURAOU-DB2016 1.00"] {
            assert_eq!(BookLine::of(line.as_bytes()), BookLine::Nothing, "{line}");
        }
        assert_eq!(BookLine::of(b"7g7f none 0 0//x\n"), BookLine::Move(b"7g7f none 0 0"));
        let hands = Key::of(b"9/9 w 2P3p");
        assert_eq!((hands.text, hands.number), (&b"9/9 w 2P3p"[..], None));
        assert_eq!(key_text(&Position::startpos()).rsplit(' ').next(), Some("-"));
    }

    #[test]
    fn the_order_of_pieces_in_hand_does_not_matter() {
        let board = "4k4/9/9/9/9/9/9/9/4K4 b";
        let key = format!("{board} R2G2P2bs");
        for (hands, is_same) in [
            ("R2G2P2bs", true),
            ("2PR2G2bs", true),
            ("2bsR2G2P", true),
            ("s2b2P2GR", true),
            ("R2G2P2b", false),
            ("R2G2P2BS", false),
            ("R2G2P2bs?", false),
        ] {
            let text = format!("{board} {hands}");
            assert_eq!(Key::of(text.as_bytes()).is_of(&key), is_same, "{hands}");
        }
        let white = key.replace(" b ", " w ");
        assert!(!Key::of(white.as_bytes()).is_of(&key));
    }

    #[test]
    fn books_are_known_by_their_first_line() {
        for (line, is_book) in [
            ("#YANEURAOU-DB2016 1.00\r\n", true),
            ("\u{feff}#YANEURAOU-DB2016 1.00", true),
            ("sfen 9/9 b - 1", true),
            ("7g7f 3c3d 0 0", false),
            ("", false),
            ("<html>", false),
        ] {
            assert_eq!(BookLine::begins_book(line.as_bytes()), is_book, "{line}");
        }
    }
}
