//! A book in a file.

use std::fmt;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

use super::entry::{RawEntry, keep_legal, merge};
use super::format::BookFormat;
use super::line::{BookLine, key_text};
use super::sorted_text::{SortedText, sort};
use super::ybb::BinaryBook;
use super::{BookError, BookMove, BookRules};
use crate::file;
use crate::quote::{count, quoted};
use crate::shogi::Position;

/// Largest book that is read into memory, bytes.
const MOST_MEMORY: u64 = 1 << 30;

/// A book that is open for look-ups.
///
/// A sorted book stays on disk. A look-up reads a few dozen blocks of 4 KiB. In a book of 1,000,000
/// positions (155 MB) in the cache of the system it takes 21 microseconds, and 40 if the rotated
/// position is looked up as well. An unsorted text book is sorted in memory when it is opened. A
/// binary book is always on disk.
pub struct Book {
    path: PathBuf,
    content: Content,
}

enum Content {
    OnDisk(SortedText),
    InMemory(SortedText),
    Binary(BinaryBook),
}

/// The number of positions in a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BookSize {
    /// All positions.
    pub positions: u64,
    /// Those in which the rules select a move.
    pub playable: u64,
}

impl fmt::Display for BookSize {
    /// `book: 9 positions, 8 playable`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "book: {}, {} playable",
            count(self.positions as usize, "position"),
            self.playable
        )
    }
}

/// Whether the rules select a move of this entry.
fn is_playable(pos: &Position, entry: RawEntry, rules: &BookRules) -> bool {
    let number = entry.number.filter(|_| !rules.any_number);
    let mut moves: Vec<BookMove> = entry.moves.into_iter().flatten().collect();
    keep_legal(pos, &mut moves);
    number.is_none_or(|number| number <= rules.last_move)
        && rules.last_move > 0
        && !rules.allowed(pos.side_to_move(), &moves).is_empty()
}

/// The moves of a book for a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Legal moves, in the order of the book.
    pub moves: Vec<BookMove>,
    /// Errors of the ignored lines of the position.
    pub faults: Vec<String>,
}

impl Book {
    /// Opens a book.
    ///
    /// # Errors
    /// [`BookError`]. Invalid lines are reported when their position is looked up.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        let failed = |source| BookError::Read { path: path.to_owned(), source };
        let mut file = file::open(path).map_err(failed)?;
        let content = match BookFormat::of(path, &mut file).map_err(failed)? {
            BookFormat::Text => Book::open_text(path, file)?,
            BookFormat::Binary => Content::Binary(BinaryBook::new(file).map_err(failed)?),
            BookFormat::Other(kind) => return Err(BookError::other_kind(path, kind)),
        };
        Ok(Book { path: path.to_owned(), content })
    }

    fn open_text(path: &Path, file: File) -> Result<Content, BookError> {
        let failed = |source| BookError::Read { path: path.to_owned(), source };
        let mut text = SortedText::new(file).map_err(failed)?;
        let first = text.first_line().map_err(failed)?;
        if !BookLine::begins_book(first) {
            let line = String::from_utf8_lossy(first).into_owned();
            return Err(BookError::NotABook { path: path.to_owned(), line });
        }
        if text.is_sorted().map_err(failed)? {
            return Ok(Content::OnDisk(text));
        }
        let bytes = text.len();
        if bytes > MOST_MEMORY {
            return Err(BookError::TooLarge { path: path.to_owned(), bytes });
        }
        let mut bytes = Vec::new();
        let mut file = file::open(path).map_err(failed)?;
        file.read_to_end(&mut bytes).map_err(failed)?;
        let sorted = sort(&bytes);
        SortedText::new(Cursor::new(sorted)).map(Content::InMemory).map_err(failed)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the book is not sorted and was therefore read into memory.
    pub fn is_in_memory(&self) -> bool {
        matches!(self.content, Content::InMemory(_))
    }

    /// Counts the positions, and those in which the rules select a move. Cost: 4 microseconds a
    /// position.
    ///
    /// # Errors
    /// [`BookError::Read`].
    pub fn size(&mut self, rules: &BookRules) -> Result<BookSize, BookError> {
        let mut size = BookSize::default();
        let add = |pos: Option<Position>, entry: RawEntry| {
            size.positions += 1;
            size.playable += u64::from(pos.is_some_and(|pos| is_playable(&pos, entry, rules)));
        };
        let counted = match &mut self.content {
            Content::OnDisk(text) | Content::InMemory(text) => text.each_entry(add),
            Content::Binary(book) => book.each_entry(add),
        };
        counted.map_err(|source| self.failed(source))?;
        Ok(size)
    }

    /// Looks up a position. The rules define whether the move number must match, and whether the
    /// rotated position is looked up if the book does not have the position itself.
    ///
    /// # Errors
    /// [`BookError::Read`].
    pub fn look_up(&mut self, pos: &Position, rules: &BookRules) -> Result<Page, BookError> {
        let number = (!rules.any_number).then_some(pos.move_number());
        let mut page = self.page(pos, number)?;
        if page.moves.is_empty() && rules.turned {
            // The other side is to move in the rotated position, so its move number is meaningless.
            let turned = self.page(&pos.turned(), None)?;
            page.moves = turned.moves.into_iter().map(BookMove::flip).collect();
            page.faults.extend(turned.faults);
        }
        Ok(page)
    }

    /// The moves of a position without rotation. `None` matches any move number.
    fn page(&mut self, pos: &Position, number: Option<u32>) -> Result<Page, BookError> {
        let key = key_text(pos);
        let entries = self.entries(pos, &key).map_err(|source| self.failed(source))?;
        let mut page = Page::default();
        let fault = |what: &str| format!("{}: {what} (position {key})", self.path.display());
        for entry in entries {
            if let (Some(wanted), Some(number)) = (number, entry.number)
                && wanted != number
            {
                continue;
            }
            merge(
                &mut page.moves,
                entry.moves.into_iter().filter_map(|read| {
                    let what = |text: &String| format!("{} is not a move of a book", quoted(text));
                    page.faults.extend(read.as_ref().err().map(|text| fault(&what(text))));
                    read.ok()
                }),
            );
        }
        for mv in keep_legal(pos, &mut page.moves) {
            page.faults.push(fault(&format!("{mv} is illegal")));
        }
        Ok(page)
    }

    /// The entries of a position with this key.
    fn entries(&mut self, pos: &Position, key: &str) -> io::Result<Vec<RawEntry>> {
        match &mut self.content {
            Content::OnDisk(text) | Content::InMemory(text) => text.find(key),
            Content::Binary(book) => Ok(book.find(pos)?.into_iter().collect()),
        }
    }

    fn failed(&self, source: io::Error) -> BookError {
        BookError::Read { path: self.path.clone(), source }
    }
}
