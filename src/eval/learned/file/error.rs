//! Errors of weights files.

use std::io;

use thiserror::Error;

/// The latest version. A file is written in the first version that has all its parts.
pub(super) const VERSION: u16 = 4;

/// The reason why a weights file is rejected.
#[derive(Debug, Error)]
pub enum WeightsError {
    /// The file cannot be read, is truncated, or has a wrong checksum.
    #[error("{}", failure(.0))]
    Read(#[from] io::Error),
    /// The file does not start with the magic bytes of a weights file.
    #[error("not a weights file: {}", start(.0))]
    Magic(String),
    /// The file is of [another kind](crate::file::other_kind()).
    #[error("not a weights file but {0}")]
    OtherKind(&'static str),
    /// The file has an unsupported version of the format.
    #[error("format version {found} is not supported; versions 1 to {latest} are")]
    Version {
        /// The version of the file.
        found: u16,
        /// The latest supported version.
        latest: u16,
    },
    /// A number in the header is invalid.
    #[error("corrupt weights file: invalid {field}: {value}")]
    Field {
        /// Name of the number.
        field: &'static str,
        /// The number.
        value: u16,
    },
    /// The file has a form that earlier versions of the program had.
    #[error("this form of weights is no longer supported: {0}")]
    Retired(&'static str),
    /// A line of a text file is invalid.
    #[error("line {line}: {reason}")]
    Line {
        /// The line number, starting at 1.
        line: usize,
        /// The problem, with the value.
        reason: String,
    },
    /// A group of weights is invalid.
    #[error("corrupt weights file: group {group:?}: {reason}")]
    Group {
        /// The name of the group in the file.
        group: String,
        /// The problem.
        reason: String,
    },
    /// The weights violate a rule of the format.
    #[error(
        "corrupt weights file: a weight is too large, an empty slot has a weight, or the parts do \
         not fit together"
    )]
    Content,
    /// An NNUE file is corrupt or has an unknown form.
    #[error("unsupported NNUE file: {field}: {reason}")]
    Nnue {
        /// The invalid part of the file or of its form.
        field: &'static str,
        /// The problem, with the value.
        reason: String,
    },
    /// The file has data after its end.
    #[error("corrupt weights file: data after the end")]
    Trailing,
}

/// What the error of reading a file means.
fn failure(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "corrupt weights file: it ends early".to_owned(),
        // An error of zstd; those of the system have a number.
        io::ErrorKind::Other if error.raw_os_error().is_none() => {
            "corrupt weights file: its compressed data is damaged".to_owned()
        }
        _ => format!("cannot be read: {error}"),
    }
}

fn start(text: &str) -> String {
    if text.is_empty() { "it is empty".to_owned() } else { format!("it starts with {text:?}") }
}
