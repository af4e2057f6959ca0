//! What can be wrong with a book.

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
        /// What the system says.
        source: io::Error,
    },
    /// Its first line is not that of a book.
    #[error("{}: {line:?} is not the first line of a book (#YANEURAOU-DB2016 1.00)", .path.display())]
    NotABook {
        /// The file.
        path: PathBuf,
        /// Its first line, as far as it is of interest.
        line: String,
    },
    /// Its positions are in no order, and there are too many of them to put them in order.
    #[error("{} is not sorted, and too large ({bytes} bytes) to be sorted in memory", .path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
    },
    /// A line cannot be read.
    #[error("{}:{line}: {text:?} is not {expected}", .path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// 1 = first.
        line: usize,
        /// What stands there.
        text: String,
        /// What should stand there.
        expected: &'static str,
    },
}
