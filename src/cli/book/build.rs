//! `kankei book build`: builds a book from game records.

use std::path::PathBuf;
use std::process::ExitCode;

use super::output::OutputArgs;
use crate::book::GameBook;
use crate::command::CliError;
use crate::command::games::each_game;

/// Build a book from game records: moves, counts and results.
///
/// If a game has scores, only its moves with a score are used. The score of a move is the mean of
/// its scores in the records. Without scores, it is derived from the points of the mover: 600
/// centipawns mean odds of e to 1. 100 games with 50 points are added first.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Files or folders of records
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
    /// Last move number of a game to use
    #[arg(long, default_value_t = 40, value_parser = crate::command::at_least_one::<u32>)]
    moves: u32,
    /// Minimum number of times that a move was played
    #[arg(long, default_value_t = 1, value_parser = crate::command::at_least_one::<u32>)]
    min_count: u32,
    /// Depth to write for the moves, which were not searched; other engines may expect 16 or more
    #[arg(long, default_value_t = 0, value_parser = crate::command::whole_number::<u16>)]
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
