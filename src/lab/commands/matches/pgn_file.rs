//! The PGN file of a match.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

use crate::command::CliError;
use crate::command::run_log;

/// A file that grows game by game, so that a killed run keeps its finished games. The first game
/// creates it.
pub(super) struct PgnFile {
    path: PathBuf,
    file: Option<File>,
}

impl PgnFile {
    /// A file without games, which does not exist yet. An existing file of this name is replaced by
    /// the first game.
    pub fn new(path: PathBuf) -> PgnFile {
        PgnFile { path, file: None }
    }

    /// Appends a game in one write.
    ///
    /// # Errors
    /// [`CliError::Write`].
    pub fn add(&mut self, game: &str) -> Result<(), CliError> {
        let failed = |source| CliError::Write { path: self.path.clone(), source };
        let file = match &mut self.file {
            Some(file) => file,
            none => {
                run_log::write(&self.path, "")?;
                let opened = OpenOptions::new().append(true).open(&self.path);
                none.insert(opened.map_err(failed)?)
            }
        };
        file.write_all(game.as_bytes()).map_err(failed)
    }
}
