//! The output file of a book, written atomically.

use std::io;
use std::path::{Path, PathBuf};
use std::slice;

use crate::book::{self, BookEntry};
use crate::command::CliError;
use crate::command::output::{ForceArg, not_written};
use crate::quote::count;

/// The endings of formats of books, and of compression, that are not written.
const OTHER_ENDINGS: [&str; 3] = ["ybb", "sbk", "zst"];

/// The output file of a book.
#[derive(Debug, clap::Args)]
pub(super) struct OutputArgs {
    /// Book to write, in the text format of YaneuraOu
    #[arg(long, value_name = "BOOK")]
    pub out: PathBuf,
    #[command(flatten)]
    pub force: ForceArg,
}

impl OutputArgs {
    /// Rejects an output file before anything is read or searched.
    pub fn check(&self, inputs: &[PathBuf]) -> Result<(), CliError> {
        self.check_name()?;
        self.force.check(&[&self.out], inputs)
    }

    /// Rejects the name of a format that is not written.
    fn check_name(&self) -> Result<(), CliError> {
        let ending = self.out.extension().unwrap_or_default().to_ascii_lowercase();
        let is_other = OTHER_ENDINGS.iter().any(|other| *other == ending);
        if is_other { Err(CliError::BookName(self.out.clone())) } else { Ok(()) }
    }

    /// Like [`check`](OutputArgs::check), for a run with this checkpoint. Returns the output of the
    /// run, which may overwrite its own book if it is resumed.
    pub fn of_run(
        &self,
        checkpoint: &Path,
        resume: bool,
        input: &PathBuf,
    ) -> Result<OutputArgs, CliError> {
        self.check_name()?;
        let (out, force) = (self.out.clone(), self.force.or_resumed(resume.then_some(checkpoint)));
        force.check_run(checkpoint, slice::from_ref(&out), slice::from_ref(input))?;
        Ok(OutputArgs { out, force })
    }

    /// Whether the file exists and must not be overwritten.
    pub fn is_taken(&self) -> bool {
        self.out.exists() && !self.force.force
    }

    /// Writes the book atomically and prints a summary.
    pub fn write(&self, entries: Vec<BookEntry>) -> Result<(), CliError> {
        let moves: usize = entries.iter().map(|entry| entry.moves.len()).sum();
        if moves == 0 {
            return Err(CliError::NothingToWrite(self.out.clone(), "the book has no moves"));
        }
        let summary = format!(
            "{}, {} in {}",
            count(entries.len(), "position"),
            count(moves, "move"),
            self.out.display()
        );
        self.write_file(entries).map_err(|source| not_written(&self.out, source))?;
        println!("{summary}");
        Ok(())
    }

    fn write_file(&self, entries: Vec<BookEntry>) -> io::Result<()> {
        let mut file = self.force.create(&self.out)?;
        book::write(&mut file, entries)?;
        file.finish()
    }
}
