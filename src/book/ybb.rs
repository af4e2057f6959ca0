//! The binary books of YaneuraOu (`.ybb`), which are searched on disk.
//!
//! | part | bytes | content |
//! |---|---|---|
//! | header | 16 | `YANE-BINBOOK-V1` and a zero |
//! | | 8 | number of positions |
//! | | 8 | flags; bit 0: moves have a depth |
//! | each position | 32 | PackedSfen |
//! | | 8 | offset of its moves |
//! | | 2 | move number |
//! | | 2 | number of its moves |
//! | each move | 2 | move |
//! | | 2 | score, side to move's view |
//! | | 2 | depth, only with the flag |
//!
//! The positions are sorted by the bytes of their PackedSfen. Offsets count bytes from the first
//! move. All numbers are little-endian. The score is signed. Moves are encoded as in
//! PackedSfenValue.
//!
//! Source: the description `04-ybb.md` of BookMinerCpp, in YaneuraOu-ScriptCollection.

use std::io::{self, SeekFrom};

use super::BookMove;
use super::entry::RawEntry;
use super::sorted_text::Source;
use crate::record::{from_packed_sfen, move_of_word, to_packed_sfen};
use crate::shogi::Position;

/// The first bytes of a binary book.
pub(super) const MAGIC: &[u8; 16] = b"YANE-BINBOOK-V1\0";
const HEADER: u64 = 32;
const RECORD: u64 = 44;
/// The flag of moves with a depth; other flags are unknown.
const HAS_DEPTH: u64 = 1;
/// Pairs of neighbours whose order is checked when a book is opened.
const PROBES: u64 = 256;

type Packed = [u8; 32];

/// An open binary book.
pub(super) struct BinaryBook {
    input: Box<dyn Source>,
    /// Size of the file, bytes.
    len: u64,
    /// Number of positions.
    count: u64,
    has_depth: bool,
}

/// A position in the file.
struct Record {
    packed: Packed,
    /// Offset of the moves, bytes after the first move of the book.
    moves_at: u64,
    /// Number of the next move; 0 = unknown.
    number: u16,
    moves: u16,
}

/// A position of the file, for readers of whole books.
pub(super) struct BinaryEntry {
    /// The error is the bytes in hexadecimal digits, if they are not a position with 40 pieces.
    pub pos: Result<Position, String>,
    pub raw: RawEntry,
}

impl BinaryBook {
    /// Opens a book that starts with [`MAGIC`].
    ///
    /// # Errors
    /// Errors of the file. [`io::ErrorKind::InvalidData`] if the header is invalid, the positions are not
    /// complete, or a sample of them is not sorted.
    pub fn new(source: impl Source + 'static) -> io::Result<BinaryBook> {
        let mut input: Box<dyn Source> = Box::new(source);
        let len = input.seek(SeekFrom::End(0))?;
        let mut book = BinaryBook { input, len, count: 0, has_depth: false };
        let mut header = [0; HEADER as usize];
        book.read_at(0, &mut header)?;
        let (count, flags) = (number(&header[16..24]), number(&header[24..32]));
        if flags & !HAS_DEPTH != 0 {
            return Err(invalid(format!("the flags {flags:#x} are unknown; 0 and 1 are known")));
        }
        if count > (len - HEADER) / RECORD {
            return Err(invalid(format!("the file of {len} bytes has not all {count} positions")));
        }
        (book.count, book.has_depth) = (count, flags & HAS_DEPTH != 0);
        for at in 0..PROBES.min(count.saturating_sub(1)) {
            let first = u128::from(at) * u128::from(count - 1) / u128::from(PROBES.min(count - 1));
            book.check_order(first as u64)?;
        }
        Ok(book)
    }

    /// The number of positions.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The entry of a position, if the book has it. Positions with fewer than 40 pieces are not
    /// found.
    pub fn find(&mut self, pos: &Position) -> io::Result<Option<RawEntry>> {
        let Some(wanted) = to_packed_sfen(pos) else { return Ok(None) };
        // Positions before `low` precede the wanted one; those from `high` on do not.
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.record(middle)?.packed < wanted { low = middle + 1 } else { high = middle }
        }
        if low == self.count {
            return Ok(None);
        }
        let record = self.record(low)?;
        if record.packed == wanted { self.moves(low, &record).map(Some) } else { Ok(None) }
    }

    /// The entry number `at`, counted from 0.
    ///
    /// # Errors
    /// Those of [`BinaryBook::new`], also if the next position is not greater.
    pub fn entry(&mut self, at: u64) -> io::Result<BinaryEntry> {
        if at + 1 < self.count {
            self.check_order(at)?;
        }
        let record = self.record(at)?;
        let raw = self.moves(at, &record)?;
        let hex = || record.packed.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(BinaryEntry { pos: from_packed_sfen(&record.packed).map_err(|_| hex()), raw })
    }

    /// Passes all entries to `take` in order, with their positions if these are possible.
    pub fn each_entry(
        &mut self,
        mut take: impl FnMut(Option<Position>, RawEntry),
    ) -> io::Result<()> {
        for at in 0..self.count {
            let BinaryEntry { pos, raw } = self.entry(at)?;
            take(pos.ok(), raw);
        }
        Ok(())
    }

    /// Checks that a position is less than the next one.
    fn check_order(&mut self, at: u64) -> io::Result<()> {
        if self.record(at)?.packed < self.record(at + 1)?.packed {
            return Ok(());
        }
        Err(invalid(format!("the positions {} and {} are not sorted", at + 1, at + 2)))
    }

    fn record(&mut self, at: u64) -> io::Result<Record> {
        let mut bytes = [0; RECORD as usize];
        self.read_at(HEADER + at * RECORD, &mut bytes)?;
        Ok(Record {
            packed: *bytes.first_chunk().expect("44 bytes"),
            moves_at: number(&bytes[32..40]),
            number: number(&bytes[40..42]) as u16,
            moves: number(&bytes[42..44]) as u16,
        })
    }

    /// The moves of record `at`.
    fn moves(&mut self, at: u64, record: &Record) -> io::Result<RawEntry> {
        let size = if self.has_depth { 6 } else { 4 };
        let first = HEADER + self.count * RECORD;
        let len = u64::from(record.moves) * size;
        if record.moves_at.checked_add(len).is_none_or(|end| end > self.len - first) {
            let number = at + 1;
            return Err(invalid(format!("the file does not have the moves of position {number}")));
        }
        let mut bytes = vec![0; len as usize];
        self.read_at(first + record.moves_at, &mut bytes)?;
        let moves = bytes.chunks_exact(size as usize).map(read_move).collect();
        let number = Some(record.number).filter(|&number| number > 0).map(u32::from);
        Ok(RawEntry { number, moves })
    }

    fn read_at(&mut self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.input.seek(SeekFrom::Start(at))?;
        self.input.read_exact(bytes)
    }
}

/// Reads a move of 4 or 6 bytes. The error is the number of an unknown move.
fn read_move(bytes: &[u8]) -> Result<BookMove, String> {
    let word = number(&bytes[..2]) as u16;
    let mv = move_of_word(word).ok_or_else(|| format!("{word:#06x}"))?;
    let score = i32::from((number(&bytes[2..4]) as u16).cast_signed());
    Ok(BookMove { mv, reply: None, score, depth: number(&bytes[4..]) as u32, count: 1 })
}

/// Up to eight bytes as a number, the lowest first.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

fn invalid(fault: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, fault)
}
