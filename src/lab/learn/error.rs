//! What can be wrong in learning.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::record::RecordError;

/// Why learning could not begin or go on.
#[derive(Debug, Error)]
pub enum LearnError {
    /// A file could not be read.
    #[error("cannot read {0:?}: {1}")]
    Read(PathBuf, #[source] io::Error),
    /// A file could not be written.
    #[error("cannot write {0:?}: {1}")]
    Write(PathBuf, #[source] io::Error),
    /// A file is not of the kind expected: sample file, checkpoint, network file.
    #[error("{0:?}: not a {1}")]
    NotA(PathBuf, &'static str),
    /// A file of this kind is damaged; the last text says what is wrong.
    #[error("{0:?}: corrupt {1}: {2}")]
    Corrupt(PathBuf, &'static str, String),
    /// Training positions of another program could not be read.
    #[error(transparent)]
    Records(#[from] RecordError),
    /// There is nothing to learn from in a file.
    #[error("{0:?} holds no samples")]
    NoSamples(PathBuf),
    /// The scores of a file cannot be brought to the scale of another's.
    #[error("the scores in {0:?} do not tell the results; give their scale by --score-scale")]
    Scores(PathBuf),
    /// Weights of this name cannot be learned on.
    #[error(
        "{0:?} has not the form of --form, --rank, --units, --top, --king-relative and \
         --adagrad-rates"
    )]
    OtherForm(String),
    /// A standalone evaluation can only be a network with a head.
    #[error("--standalone needs --form network and --top head16 or head32")]
    Standalone,
    /// Weights of this name have no relations to learn on, or in no form that is learned.
    #[error("{0:?} has no table of relations that can be learned on")]
    NoRelations(String),
    /// Nothing explains the labels of a file: they contradict all material, or are all the same.
    #[error("the scores in {0:?} give no values of pieces")]
    NoValues(PathBuf),
    /// Neither one scale of the scores for all files nor one for each.
    #[error("--score-scale has {scales} numbers for {files} files of samples")]
    ScoreScales {
        /// Numbers given.
        scales: usize,
        /// Files of samples.
        files: usize,
    },
    /// A checkpoint belongs to another run; the text says what differs.
    #[error("{0:?} belongs to another run: {1}")]
    OtherRun(PathBuf, String),
}

impl LearnError {
    /// The error of reading this file.
    pub(super) fn read(path: &Path) -> impl Fn(io::Error) -> LearnError + Copy {
        move |source| LearnError::Read(path.to_owned(), source)
    }

    /// The error of writing this file.
    pub(super) fn write(path: &Path) -> impl Fn(io::Error) -> LearnError + Copy {
        move |source| LearnError::Write(path.to_owned(), source)
    }
}
