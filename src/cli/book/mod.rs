//! `kankei book`: opening books made, searched and looked into.

mod build;
mod search;
mod show;

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;

use super::records::output::check_free;
use crate::book::{self, BookEntry};
use crate::command::CliError;
use crate::file::AtomicFile;

#[derive(Debug, Subcommand)]
pub(super) enum BookCommand {
    /// Make a book from game records: what was played, how often, and how the games ended
    Build(build::Args),
    /// Search the moves of a book: scores, depths and answers from searches of our own
    Search(search::Args),
    /// Tell what a book knows of a position
    Show(show::Args),
}

pub(super) fn run(command: &BookCommand) -> Result<ExitCode, CliError> {
    match command {
        BookCommand::Build(args) => build::run(args),
        BookCommand::Search(args) => search::run(args),
        BookCommand::Show(args) => show::run(args),
    }
}

/// Where a book is written.
#[derive(Debug, clap::Args)]
struct OutputArgs {
    /// Book to write, in the text format of YaneuraOu
    #[arg(long, value_name = "BOOK")]
    out: PathBuf,
    /// Write over a file that exists; files that are read never are
    #[arg(long)]
    force: bool,
}

impl OutputArgs {
    /// Refuses a file that must not be written, before anything is read or searched.
    fn check(&self, inputs: &[PathBuf]) -> Result<(), CliError> {
        check_free(&self.out, inputs, self.force)
    }

    /// Writes the book, whole or not at all, and says so.
    fn write(&self, entries: Vec<BookEntry>) -> Result<(), CliError> {
        let moves: usize = entries.iter().map(|entry| entry.moves.len()).sum();
        let told = format!("{} positions, {moves} moves in {}", entries.len(), self.out.display());
        write_file(&self.out, self.force, entries).map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => CliError::OutputExists(self.out.clone()),
            _ => CliError::Write { path: self.out.clone(), source },
        })?;
        println!("{told}");
        Ok(())
    }
}

fn write_file(path: &Path, force: bool, entries: Vec<BookEntry>) -> io::Result<()> {
    let create = if force { AtomicFile::create } else { AtomicFile::create_new };
    let mut file = create(path)?;
    book::write(&mut file, entries)?;
    file.finish()
}
