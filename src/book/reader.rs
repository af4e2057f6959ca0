//! Reads whole books.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use super::entry::keep_legal;
use super::format::BookFormat;
use super::line::{BookLine, key_text, read_move};
use super::ybb::{BinaryBook, BinaryEntry};
use super::{BookEntry, BookError};
use crate::file;
use crate::record::byte_lines;
use crate::shogi::Position;

/// The content of a book, and what is wrong with it.
#[derive(Debug, Default)]
pub struct BookContent {
    /// The valid positions with their valid moves, in the order of the book. Pieces in hand are in
    /// the standard order.
    pub entries: Vec<BookEntry>,
    /// One error for each line, move or position that was skipped. The moves of a position that
    /// cannot be read are skipped with it.
    pub faults: Vec<BookError>,
}

/// Reads the valid part of a book into memory.
///
/// # Errors
/// [`BookError`] if the file cannot be read or is not a book.
pub fn read_valid(path: &Path) -> Result<BookContent, BookError> {
    let failed = |source| BookError::Read { path: path.to_owned(), source };
    let mut file = file::open(path).map_err(failed)?;
    match BookFormat::of(path, &mut file).map_err(failed)? {
        BookFormat::Text => read_text(path, file),
        BookFormat::Binary => read_binary(path, file),
        BookFormat::Other(kind) => Err(BookError::other_kind(path, kind)),
    }
}

fn read_text(path: &Path, file: File) -> Result<BookContent, BookError> {
    let failed = |source| BookError::Read { path: path.to_owned(), source };
    let BookContent { mut entries, mut faults } = BookContent::default();
    // The last position; the inner value is `None` if it cannot be read.
    let mut place: Option<Option<Position>> = None;
    let mut is_book = false;
    for (number, line) in (1..).zip(byte_lines(BufReader::new(file))) {
        let line = line.map_err(failed)?;
        let text = || String::from_utf8_lossy(line.trim_ascii()).into_owned();
        let mut skip = |expected| {
            let (path, line) = (path.to_owned(), number);
            faults.push(BookError::Broken { path, line, text: text(), expected });
        };
        if !is_book && !line.trim_ascii().is_empty() {
            is_book = BookLine::begins_book(&line);
            if !is_book {
                return Err(BookError::NotABook { path: path.to_owned(), line: text() });
            }
        }
        match (BookLine::of(&line), &place) {
            (BookLine::Position(key), _) => {
                let pos = Position::from_sfen(&String::from_utf8_lossy(key.text)).ok();
                match &pos {
                    Some(pos) => {
                        let sfen = sfen(pos, key.number);
                        entries.push(BookEntry { sfen, moves: Vec::new() });
                    }
                    None => skip("a possible position"),
                }
                place = Some(pos);
            }
            (BookLine::Move(line), Some(Some(pos))) => match read_move(line) {
                Some(known) if pos.is_legal(known.mv) => {
                    let mut known = vec![known];
                    keep_legal(pos, &mut known);
                    entries.last_mut().expect("the position was added").moves.append(&mut known);
                }
                Some(_) => skip("a legal move"),
                None => skip("a move of a book"),
            },
            (BookLine::Move(_), None) => skip("a position"),
            (BookLine::Move(_), Some(None)) | (BookLine::Nothing, _) => {}
        }
    }
    if !is_book {
        return Err(BookError::NotABook { path: path.to_owned(), line: String::new() });
    }
    Ok(BookContent { entries, faults })
}

fn read_binary(path: &Path, file: File) -> Result<BookContent, BookError> {
    let failed = |source| BookError::Read { path: path.to_owned(), source };
    let mut book = BinaryBook::new(file).map_err(failed)?;
    let BookContent { mut entries, mut faults } = BookContent::default();
    for at in 0..book.count() {
        let mut skip = |text, expected| {
            let (path, number) = (path.to_owned(), at + 1);
            faults.push(BookError::BrokenEntry { path, number, text, expected });
        };
        let BinaryEntry { pos, raw } = book.entry(at).map_err(failed)?;
        match pos {
            Ok(pos) => {
                let mut moves = Vec::new();
                for read in raw.moves {
                    match read {
                        Ok(known) => moves.push(known),
                        Err(text) => skip(text, "a move of a book"),
                    }
                }
                for mv in keep_legal(&pos, &mut moves) {
                    skip(mv.to_string(), "a legal move");
                }
                entries.push(BookEntry { sfen: sfen(&pos, raw.number), moves });
            }
            Err(bytes) => skip(bytes, "a possible position with 40 pieces"),
        }
    }
    Ok(BookContent { entries, faults })
}

/// The SFEN of a book's position, with the number of the next move if the book has it.
fn sfen(pos: &Position, number: Option<u32>) -> String {
    let number = number.map(|number| format!(" {number}")).unwrap_or_default();
    key_text(pos) + &number
}
