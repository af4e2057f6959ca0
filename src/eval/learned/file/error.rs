//! Errors of weights files.

use std::io;

use thiserror::Error;

/// The latest version. Files without a network are written as version 1, which knows none.
pub(super) const VERSION: u16 = 2;

/// Why a weights file is refused.
#[derive(Debug, Error)]
pub enum WeightsError {
    /// It cannot be read, is cut short, or its checksum is wrong.
    #[error("cannot be read: {0}")]
    Read(#[from] io::Error),
    /// It does not begin as a weights file does.
    #[error("not a weights file: it begins with {0:?}")]
    Magic(String),
    /// It comes from another version of the format.
    #[error("format version {found}; only versions 1 to {latest} are known")]
    Version {
        /// That of the file.
        found: u16,
        /// The latest one.
        latest: u16,
    },
    /// A number in its header is impossible.
    #[error("corrupt weights file: {value} as {field}")]
    Field {
        /// Name of the number.
        field: &'static str,
        /// The number.
        value: u16,
    },
    /// A line of a file of text is wrong.
    #[error("line {line}: {reason}")]
    Line {
        /// 1 = first.
        line: usize,
        /// What is wrong, with the value.
        reason: String,
    },
    /// A group of weights is wrong.
    #[error("corrupt weights file: group {group:?}: {reason}")]
    Group {
        /// As the file names it.
        group: String,
        /// What is wrong.
        reason: String,
    },
    /// Its numbers break a rule of the format.
    #[error("corrupt weights file: a weight is too large or an empty slot has one")]
    Content,
    /// An NNUE file is broken or of an unknown form.
    #[error("no NNUE file that can be used: {field}: {reason}")]
    Nnue {
        /// The part of the file or of its form.
        field: &'static str,
        /// What is wrong, with the value.
        reason: String,
    },
    /// There is more after the end.
    #[error("corrupt weights file: it goes on after its end")]
    Trailing,
}
