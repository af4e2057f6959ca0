//! What can be wrong in learning.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why learning could not begin or go on.
#[derive(Debug, Error)]
pub enum LearnError {
    /// A file could not be read.
    #[error("cannot read {path:?}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file could not be written.
    #[error("cannot write {path:?}: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file is something else.
    #[error("{path:?}: not a {kind}")]
    NotA {
        /// The file.
        path: PathBuf,
        /// What was expected: sample file, checkpoint, network file.
        kind: &'static str,
    },
    /// A file is damaged.
    #[error("{path:?}: corrupt {kind}: {reason}")]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What it should be, as for [`NotA`](LearnError::NotA).
        kind: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// There is nothing to learn from.
    #[error("{path:?} holds no samples")]
    NoSamples {
        /// The file.
        path: PathBuf,
    },
    /// The scores of a file cannot be brought to the scale of another's.
    #[error("the scores in {path:?} do not tell the results; give their scale by --score-scale")]
    Scores {
        /// The file.
        path: PathBuf,
    },
    /// Weights cannot be learned on.
    #[error(
        "{name:?} has not the form of --form, --rank, --units, --top, --king-relative and --adagrad-rates"
    )]
    OtherForm {
        /// Name of the evaluation.
        name: String,
    },
    /// Nothing explains the labels of a file: they contradict all material, or are all the same.
    #[error("the scores in {path:?} give no values of pieces")]
    NoValues {
        /// The file.
        path: PathBuf,
    },
    /// Neither one scale of the scores for all files nor one for each.
    #[error("--score-scale has {scales} numbers for {files} files of samples")]
    ScoreScales {
        /// Numbers given.
        scales: usize,
        /// Files of samples.
        files: usize,
    },
    /// A checkpoint belongs to another run.
    #[error("{path:?} belongs to another run: {reason}")]
    OtherRun {
        /// The checkpoint.
        path: PathBuf,
        /// What differs.
        reason: String,
    },
}

impl LearnError {
    /// The error of reading this file.
    pub(super) fn read(path: &Path) -> impl Fn(io::Error) -> LearnError + Copy {
        move |source| LearnError::Read { path: path.to_owned(), source }
    }

    /// The error of writing this file.
    pub(super) fn write(path: &Path) -> impl Fn(io::Error) -> LearnError + Copy {
        move |source| LearnError::Write { path: path.to_owned(), source }
    }

    /// The error of this damaged file.
    pub(super) fn corrupt(path: &Path, kind: &'static str, reason: String) -> LearnError {
        LearnError::Corrupt { path: path.to_owned(), kind, reason }
    }
}
