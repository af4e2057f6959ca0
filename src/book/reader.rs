//! Reads whole books.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use super::entry::keep_legal;
use super::format::BookFormat;
use super::line::{BookLine, key_text, read_move};
use super::ybb::{BinaryBook, BinaryEntry};
use super::{BookEntry, BookError};
use crate::shogi::Position;

/// Reads a whole book into memory. Unlike for look-ups of single positions, every line must be valid.
/// Pieces in hand are put into the standard order, which look-ups use.
///
/// # Errors
/// [`BookError`] with the first invalid line: unreadable, an impossible position, or an illegal move.
pub fn read(path: &Path) -> Result<Vec<BookEntry>, BookError> {
    let failed = |source| BookError::Read { path: path.to_owned(), source };
    let mut file = File::open(path).map_err(failed)?;
    match BookFormat::of(&mut file).map_err(failed)? {
        BookFormat::Text => read_text(path, file),
        BookFormat::Binary => read_binary(path, file),
        BookFormat::Apery => Err(BookError::Apery { path: path.to_owned() }),
    }
}

fn read_text(path: &Path, file: File) -> Result<Vec<BookEntry>, BookError> {
    let failed = |source| BookError::Read { path: path.to_owned(), source };
    let mut entries: Vec<(BookEntry, Position)> = Vec::new();
    let mut is_book = false;
    for (number, line) in (1..).zip(BufReader::new(file).split(b'\n')) {
        let line = line.map_err(failed)?;
        let text = || String::from_utf8_lossy(line.trim_ascii()).into_owned();
        let broken = |expected| BookError::Broken {
            path: path.to_owned(),
            line: number,
            text: text(),
            expected,
        };
        if !is_book && !line.trim_ascii().is_empty() {
            is_book = BookLine::begins_book(&line);
            if !is_book {
                return Err(BookError::NotABook { path: path.to_owned(), line: text() });
            }
        }
        match (BookLine::of(&line), entries.last_mut()) {
            (BookLine::Position(key), _) => {
                let pos = Position::from_sfen(&String::from_utf8_lossy(key.text));
                let pos = pos.map_err(|_| broken("a possible position"))?;
                let sfen = sfen(&pos, key.number);
                entries.push((BookEntry { sfen, moves: Vec::new() }, pos));
            }
            (BookLine::Move(line), Some((entry, pos))) => {
                let mut known = vec![read_move(line).ok_or_else(|| broken("a move of a book"))?];
                if !keep_legal(pos, &mut known).is_empty() {
                    return Err(broken("a legal move"));
                }
                entry.moves.append(&mut known);
            }
            (BookLine::Move(_), None) => return Err(broken("a position")),
            (BookLine::Nothing, _) => {}
        }
    }
    Ok(entries.into_iter().map(|(entry, _)| entry).collect())
}

fn read_binary(path: &Path, file: File) -> Result<Vec<BookEntry>, BookError> {
    let failed = |source| BookError::Read { path: path.to_owned(), source };
    let mut book = BinaryBook::new(file).map_err(failed)?;
    let mut entries = Vec::new();
    for at in 0..book.count() {
        let broken = |text, expected| BookError::BrokenEntry {
            path: path.to_owned(),
            number: at + 1,
            text,
            expected,
        };
        let BinaryEntry { pos, raw } = book.entry(at).map_err(failed)?;
        let pos = pos.map_err(|bytes| broken(bytes, "a possible position with 40 pieces"))?;
        let moves: Result<Vec<_>, String> = raw.moves.into_iter().collect();
        let mut moves = moves.map_err(|text| broken(text, "a move of a book"))?;
        if let Some(mv) = keep_legal(&pos, &mut moves).first() {
            return Err(broken(mv.to_string(), "a legal move"));
        }
        entries.push(BookEntry { sfen: sfen(&pos, raw.number), moves });
    }
    Ok(entries)
}

/// The SFEN of a book's position, with the number of the next move if the book has it.
fn sfen(pos: &Position, number: Option<u32>) -> String {
    let number = number.map(|number| format!(" {number}")).unwrap_or_default();
    key_text(pos) + &number
}
