//! Errors of learning.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::command::interrupt::resume_command;
use crate::record::RecordError;

/// Why learning could not start or continue.
#[derive(Debug, Error)]
pub enum LearnError {
    /// A file could not be read.
    #[error("cannot read {0:?}: {1}")]
    Read(PathBuf, #[source] io::Error),
    /// A file could not be written.
    #[error("cannot write {0:?}: {1}")]
    Write(PathBuf, #[source] io::Error),
    /// A file is not of the expected kind: sample file, checkpoint, network file.
    #[error("{0:?}: not a {1}")]
    NotA(PathBuf, &'static str),
    /// A file of this kind is damaged; the last text gives the reason.
    #[error("{0:?}: corrupt {1}: {2}")]
    Corrupt(PathBuf, &'static str, String),
    /// Training positions of another program could not be read.
    #[error(transparent)]
    Records(#[from] RecordError),
    /// A file has no samples.
    #[error("{0:?} has no samples")]
    NoSamples(PathBuf),
    /// A run names no files of samples.
    #[error("the run names no samples: use --samples")]
    NoSampleFiles,
    /// No samples were left for a file.
    #[error("nothing to write to {0:?}: no position passes the conditions of the samples")]
    NothingToWrite(PathBuf),
    /// The scale of a file's scores cannot be fitted to its results.
    #[error("the scores in {0:?} do not predict the results; set their `score_scale` in a run")]
    Scores(PathBuf),
    /// A run cannot be written as JSON.
    #[error("cannot write the run: {0}")]
    Unprintable(String),
    /// Learning cannot start from these weights: their form is not the configured one.
    #[error("{0:?} does not have the form of the run")]
    OtherForm(String),
    /// Units of a network have the same activation in all positions.
    #[error(
        "{} units of a layer do not vary; choose other settings, or continue with: {} --keep-dead",
        .0,
        resume_command()
    )]
    LostUnits(u32),
    /// A checkpoint belongs to another run; the text gives the difference.
    #[error("{0:?} belongs to another run: {1}")]
    OtherRun(PathBuf, String),
}

impl LearnError {
    /// Returns the function that makes an error of reading this file.
    pub(super) fn read(path: &Path) -> impl Fn(io::Error) -> LearnError + Copy {
        move |source| LearnError::Read(path.to_owned(), source)
    }

    /// Returns the function that makes an error of writing this file.
    pub(crate) fn write(path: &Path) -> impl Fn(io::Error) -> LearnError + Copy {
        move |source| LearnError::Write(path.to_owned(), source)
    }
}
