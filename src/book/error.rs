//! Errors of books.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why a book cannot be used.
#[derive(Debug, Error)]
pub enum BookError {
    /// It cannot be opened or read.
    #[error("cannot read {}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The first line is not that of a book.
    #[error("{}: {line:?} is not the first line of a book (#YANEURAOU-DB2016 1.00)", .path.display())]
    NotABook {
        /// The file.
        path: PathBuf,
        /// The first line, shortened.
        line: String,
    },
    /// A binary book of Apery.
    #[error(
        "{} is a book of Apery; Kankei reads text books (.db) and binary books (.ybb) of YaneuraOu",
        .path.display()
    )]
    Apery {
        /// The file.
        path: PathBuf,
    },
    /// The positions are not sorted, and the book is too large to sort it in memory.
    #[error("{} is not sorted, and too large ({bytes} bytes) to be sorted in memory", .path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Size of the file, bytes.
        bytes: u64,
    },
    /// A position of a binary book cannot be read.
    #[error("{}: position {number} has {text:?}, which is not {expected}", .path.display())]
    BrokenEntry {
        /// The file.
        path: PathBuf,
        /// 1 = first.
        number: u64,
        /// What was read.
        text: String,
        /// The expected content.
        expected: &'static str,
    },
    /// A line cannot be read.
    #[error("{}:{line}: {text:?} is not {expected}", .path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// 1 = first.
        line: usize,
        /// The text of the line.
        text: String,
        /// The expected content.
        expected: &'static str,
    },
}
