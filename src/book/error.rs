//! Errors of books.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::quote::quoted;

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
    #[error(
        "{}: {} is not the first line of a book (#YANEURAOU-DB2016 1.00)",
        .path.display(),
        quoted(.line)
    )]
    NotABook {
        /// The file.
        path: PathBuf,
        /// The first line.
        line: String,
    },
    /// A file of a kind that cannot be read, such as a book of Apery.
    #[error(
        "{} is {kind}; Kankei reads text books (.db) and binary books (.ybb) of YaneuraOu",
        .path.display()
    )]
    OtherKind {
        /// The file.
        path: PathBuf,
        /// The kind.
        kind: &'static str,
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
    #[error(
        "{}: position {number} has {}, which is not {expected}",
        .path.display(),
        quoted(.text)
    )]
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
    #[error("{}:{line}: {} is not {expected}", .path.display(), quoted(.text))]
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

impl BookError {
    /// A file of a kind that cannot be read.
    pub(super) fn other_kind(path: &Path, kind: &'static str) -> BookError {
        BookError::OtherKind { path: path.to_owned(), kind }
    }
}
