//! The output file of a book, written atomically.

use std::io;
use std::path::{Path, PathBuf};

use crate::book::{self, BookEntry};
use crate::command::output::check_free;
use crate::command::{CliError, count};
use crate::file::AtomicFile;

/// The output file of a book.
#[derive(Debug, clap::Args)]
pub(super) struct OutputArgs {
    /// Book to write, in the text format of YaneuraOu
    #[arg(long, value_name = "BOOK")]
    pub out: PathBuf,
    /// Overwrite an existing file; input files are never overwritten
    #[arg(long)]
    force: bool,
}

impl OutputArgs {
    /// Rejects an output file before anything is read or searched.
    pub fn check(&self, inputs: &[PathBuf]) -> Result<(), CliError> {
        check_free(&self.out, inputs, self.force)
    }

    /// Whether the file exists and must not be overwritten.
    pub fn is_taken(&self) -> bool {
        self.out.exists() && !self.force
    }

    /// Writes the book atomically and prints a summary.
    pub fn write(&self, entries: Vec<BookEntry>) -> Result<(), CliError> {
        let moves: usize = entries.iter().map(|entry| entry.moves.len()).sum();
        let summary = format!(
            "{}, {} in {}",
            count(entries.len(), "position"),
            count(moves, "move"),
            self.out.display()
        );
        write_file(&self.out, self.force, entries).map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => CliError::OutputExists(self.out.clone()),
            _ => CliError::Write { path: self.out.clone(), source },
        })?;
        println!("{summary}");
        Ok(())
    }
}

fn write_file(path: &Path, force: bool, entries: Vec<BookEntry>) -> io::Result<()> {
    let create = if force { AtomicFile::create } else { AtomicFile::create_new };
    let mut file = create(path)?;
    book::write(&mut file, entries)?;
    file.finish()
}
