//! Training samples and, in a second file, held-out samples.

use std::path::{Path, PathBuf};

use super::{LearnError, SampleWriter};
use crate::record::GameHash;

/// Writes training samples and held-out samples. Both files appear when they are complete.
pub struct SplitWriter {
    files: [SampleWriter; 2],
    /// Percentage of the games to hold out.
    percent: f64,
}

/// Path of the held-out samples of a file: `samples.held.bin` for `samples.bin`.
pub fn held_out_path(path: &Path) -> PathBuf {
    let extension = path.extension().map_or(String::new(), |e| format!(".{}", e.to_string_lossy()));
    path.with_extension(format!("held{extension}"))
}

impl SplitWriter {
    /// Creates both files. `percent` of the games are held out, selected by their hashes.
    ///
    /// # Errors
    /// [`LearnError::Write`].
    pub fn create(path: &Path, percent: f64) -> Result<SplitWriter, LearnError> {
        let files = [SampleWriter::create(path)?, SampleWriter::create(&held_out_path(path))?];
        Ok(SplitWriter { files, percent })
    }

    /// The writer for the samples of this game.
    pub fn of(&mut self, game: GameHash) -> &mut SampleWriter {
        &mut self.files[usize::from(game.is_held_out(self.percent))]
    }

    /// Moves both files to their paths; returns the paths and numbers of samples.
    ///
    /// # Errors
    /// [`LearnError::NothingToWrite`] without any sample; [`LearnError::Write`].
    pub fn finish(self) -> Result<Vec<(PathBuf, u64)>, LearnError> {
        let [training, held_out] = &self.files;
        if training.count() + held_out.count() == 0 {
            return Err(LearnError::NothingToWrite(training.path().to_owned()));
        }
        self.files.into_iter().map(SampleWriter::finish).collect()
    }
}
