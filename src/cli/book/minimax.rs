//! `kankei book minimax`: scores from the leaves of a book.

use std::path::PathBuf;
use std::process::ExitCode;

use super::input::StrictArg;
use super::output::OutputArgs;
use crate::book;
use crate::command::CliError;
use crate::quote::count;

/// Back up scores from the leaves of a book to its root.
///
/// Every move gets the score of the best line that follows it in the book (minimax, "peta-shock").
/// Moves that lead to no other position of the book keep their scores. The best move of each
/// position comes first.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Book of YaneuraOu, text (.db) or binary (.ybb)
    book: PathBuf,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    strict: StrictArg,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    args.output.check(std::slice::from_ref(&args.book))?;
    let (mut entries, _) = args.strict.read(&args.book)?;
    let changed = book::back_up(&mut entries);
    args.output.write(entries)?;
    println!("{} with a new score", count(changed, "move"));
    Ok(ExitCode::SUCCESS)
}
