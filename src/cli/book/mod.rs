//! `kankei book`: builds, searches and shows opening books.

mod build;
mod merge;
mod minimax;
mod search;
mod show;
mod stats;

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;

use crate::book::{self, BookEntry};
use crate::command::CliError;
use crate::command::output::check_free;
use crate::file::AtomicFile;

#[derive(Debug, Subcommand)]
pub(super) enum BookCommand {
    /// Build a book from game records: moves, counts and results
    Build(build::Args),
    /// Search the moves of a book for scores, depths and replies
    Search(search::Args),
    /// Merge several books
    Merge(merge::Args),
    /// Back up scores from the leaves of a book to its root
    Minimax(minimax::Args),
    /// Count positions, moves and depths
    Stats(stats::Args),
    /// Show the moves of a book for a position
    Show(show::Args),
}

pub(super) fn run(command: &BookCommand) -> Result<ExitCode, CliError> {
    match command {
        BookCommand::Build(args) => build::run(args),
        BookCommand::Search(args) => search::run(args),
        BookCommand::Merge(args) => merge::run(args),
        BookCommand::Minimax(args) => minimax::run(args),
        BookCommand::Stats(args) => stats::run(args),
        BookCommand::Show(args) => show::run(args),
    }
}

/// The output file of a book.
#[derive(Debug, clap::Args)]
struct OutputArgs {
    /// Book to write, in the text format of YaneuraOu
    #[arg(long, value_name = "BOOK")]
    out: PathBuf,
    /// Overwrite an existing file; input files are never overwritten
    #[arg(long)]
    force: bool,
}

impl OutputArgs {
    /// Rejects an output file before anything is read or searched.
    fn check(&self, inputs: &[PathBuf]) -> Result<(), CliError> {
        check_free(&self.out, inputs, self.force)
    }

    /// Writes the book atomically and prints a summary.
    fn write(&self, entries: Vec<BookEntry>) -> Result<(), CliError> {
        let moves: usize = entries.iter().map(|entry| entry.moves.len()).sum();
        let summary =
            format!("{} positions, {moves} moves in {}", entries.len(), self.out.display());
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
