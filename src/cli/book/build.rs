//! `kankei book build`: a book from game records.

use std::path::PathBuf;
use std::process::ExitCode;

use super::OutputArgs;
use crate::book::GameBook;
use crate::command::CliError;
use crate::command::games::each_game;

/// Make a book from game records.
///
/// Only moves that their players chose count: those with a score, where a game has scores. The score
/// of a move is the mean of its scores in the records; without any it follows from the points its
/// players had, 600 centipawns for odds of e to 1, as if two games, one won, had been played before.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Files or folders of records
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
    /// The last move of a game that is of interest
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..))]
    moves: u32,
    /// How often a move must have been played
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    min_count: u32,
    /// What to write as depth of the moves, which nobody has searched; engines want 16 (BookDepthLimit)
    #[arg(long, default_value_t = 16)]
    depth: u16,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    args.output.check(&args.files)?;
    let mut book = GameBook::new(args.moves, args.depth.into());
    let tally = each_game(&args.files, |game| {
        book.add(&game);
        Ok(())
    })?;
    if tally.games == 0 {
        return Err(CliError::NoGames(args.files.clone()));
    }
    println!("{tally}");
    args.output.write(book.entries(args.min_count))?;
    Ok(ExitCode::SUCCESS)
}
