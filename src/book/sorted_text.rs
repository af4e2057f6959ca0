//! A sorted book that is searched on disk.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::str;

use super::entry::RawEntry;
use super::line::{BookLine, Key, board, read_move};
use crate::shogi::Position;

/// Bytes per read: a few dozen positions.
const BLOCK: u64 = 4096;
/// Maximum length of a line, bytes.
const LONGEST_LINE: u64 = 1 << 16;
/// Books up to this size are checked completely for order, larger ones at samples, bytes.
const SMALL: u64 = 1 << 20;
/// Samples of a large book that are checked for order.
const PROBES: u64 = 64;

/// A source of bytes.
pub(super) trait Source: Read + Seek + Send {}
impl<T: Read + Seek + Send> Source for T {}

/// The text of a book whose positions are in the order of board and side of their [keys](Key).
pub(super) struct SortedText {
    input: BufReader<Box<dyn Source>>,
    len: u64,
    /// Offset of the next line.
    at: u64,
    /// The last line read, with its line end.
    line: Vec<u8>,
}

impl SortedText {
    pub fn new(source: impl Source + 'static) -> io::Result<SortedText> {
        let mut input: BufReader<Box<dyn Source>> =
            BufReader::with_capacity(BLOCK as usize, Box::new(source));
        let len = input.seek(SeekFrom::End(0))?;
        Ok(SortedText { input, len, at: len, line: Vec::new() })
    }

    pub fn len(&self) -> u64 {
        self.len
    }

    /// The first line that is not empty, or an empty one.
    pub fn first_line(&mut self) -> io::Result<&[u8]> {
        self.seek(0)?;
        while self.read_line()? && self.line.trim_ascii().is_empty() {}
        Ok(self.line.trim_ascii())
    }

    /// Whether the positions are sorted, as far as the samples show.
    pub fn is_sorted(&mut self) -> io::Result<bool> {
        let mut last = Vec::new();
        if self.len <= SMALL {
            self.seek(0)?;
            return self.are_next_sorted(usize::MAX, &mut last);
        }
        for probe in 0..PROBES {
            self.seek_line(self.len / PROBES * probe)?;
            if !self.are_next_sorted(2, &mut last)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether up to `count` next positions are sorted.
    fn are_next_sorted(&mut self, count: usize, last: &mut Vec<u8>) -> io::Result<bool> {
        for _ in 0..count {
            if self.next_position()?.is_none() {
                break;
            }
            let board = self.key().board();
            if board < last.as_slice() {
                return Ok(false);
            }
            board.clone_into(last);
        }
        Ok(true)
    }

    /// All entries of the position with this key.
    pub fn find(&mut self, key: &str) -> io::Result<Vec<RawEntry>> {
        let wanted = board(key.as_bytes());
        // Positions before offset `low` precede the board; those from `high` on do not.
        let (mut low, mut high) = (0, self.len);
        while high - low > BLOCK {
            let middle = low + (high - low) / 2;
            self.seek_line(middle)?;
            match self.next_position()? {
                Some(start) if start < high && self.key().board() < wanted => low = self.at,
                _ => high = middle,
            }
        }
        self.seek_line(low)?;
        let mut found: Vec<RawEntry> = Vec::new();
        let mut is_wanted = false;
        while self.read_line()? {
            match BookLine::of(&self.line) {
                BookLine::Position(next) if next.board() > wanted => break,
                BookLine::Position(next) => {
                    is_wanted = next.is_of(key);
                    if is_wanted {
                        found.push(RawEntry { number: next.number, moves: Vec::new() });
                    }
                }
                BookLine::Move(line) if is_wanted => {
                    let text = || String::from_utf8_lossy(line).into_owned();
                    let read = read_move(line).ok_or_else(text);
                    found.last_mut().expect("a position was found").moves.push(read);
                }
                BookLine::Move(_) | BookLine::Nothing => {}
            }
        }
        Ok(found)
    }

    /// Passes all entries to `take` in order, with their positions if these are possible.
    pub fn each_entry(
        &mut self,
        mut take: impl FnMut(Option<Position>, RawEntry),
    ) -> io::Result<()> {
        self.seek(0)?;
        let mut last: Option<(Option<Position>, RawEntry)> = None;
        while self.read_line()? {
            match BookLine::of(&self.line) {
                BookLine::Position(Key { text, number }) => {
                    let pos =
                        str::from_utf8(text).ok().and_then(|sfen| Position::from_sfen(sfen).ok());
                    let next = (pos, RawEntry { number, moves: Vec::new() });
                    if let Some((pos, entry)) = last.replace(next) {
                        take(pos, entry);
                    }
                }
                BookLine::Move(line) => {
                    if let Some((_, entry)) = &mut last {
                        entry.moves.push(read_move(line).ok_or_else(String::new));
                    }
                }
                BookLine::Nothing => {}
            }
        }
        if let Some((pos, entry)) = last {
            take(pos, entry);
        }
        Ok(())
    }

    /// Reads up to the next line of a position. Returns its offset; `None` at the end.
    fn next_position(&mut self) -> io::Result<Option<u64>> {
        loop {
            let start = self.at;
            if !self.read_line()? {
                return Ok(None);
            }
            if let BookLine::Position(_) = BookLine::of(&self.line) {
                return Ok(Some(start));
            }
        }
    }

    /// The key of the line, which must be that of a position.
    fn key(&self) -> Key<'_> {
        match BookLine::of(&self.line) {
            BookLine::Position(key) => key,
            _ => Key { text: &[], number: None },
        }
    }

    /// Moves to the first line that starts at offset `at` or later.
    fn seek_line(&mut self, at: u64) -> io::Result<()> {
        match at.checked_sub(1) {
            Some(before) => {
                self.seek(before)?;
                self.read_line().map(drop)
            }
            None => self.seek(0),
        }
    }

    fn seek(&mut self, at: u64) -> io::Result<()> {
        self.at = self.input.seek(SeekFrom::Start(at))?;
        Ok(())
    }

    /// Reads a line. Returns false at the end. The rest of a line that is too long becomes another
    /// line.
    fn read_line(&mut self) -> io::Result<bool> {
        self.line.clear();
        let read = (&mut self.input).take(LONGEST_LINE).read_until(b'\n', &mut self.line)?;
        // CR alone ends a line, too. Such books are rare: what follows is read again.
        let text = self.line.strip_suffix(b"\n").unwrap_or(&self.line);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        if text.contains(&b'\r') {
            let end = text.iter().position(is_line_end).map_or(read, |at| at + 1);
            self.input.seek_relative(-((read - end) as i64))?;
            self.line.truncate(end);
        }
        self.at += self.line.len() as u64;
        Ok(!self.line.is_empty())
    }
}

fn is_line_end(byte: &u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// The text of a book with sorted positions. The sort is stable.
pub(super) fn sort(text: &[u8]) -> Vec<u8> {
    let mut entries: Vec<(&[u8], &[u8])> = Vec::new();
    let (mut key, mut begin, mut at) = (None, 0, 0);
    for line in text.split_inclusive(is_line_end) {
        if let BookLine::Position(next) = BookLine::of(line) {
            entries.extend(key.map(|key| (key, &text[begin..at])));
            (key, begin) = (Some(next.board()), at);
        }
        at += line.len();
    }
    entries.extend(key.map(|key| (key, &text[begin..])));
    entries.sort_by_key(|entry| entry.0);
    let mut sorted = Vec::with_capacity(text.len() + 1);
    for (_, entry) in entries {
        sorted.extend_from_slice(entry);
        if !entry.ends_with(b"\n") {
            sorted.push(b'\n');
        }
    }
    sorted
}
