//! `kankei check`: tests of the program on this machine and of the rules.

mod falls;
mod perft;
mod position;
mod self_test;
mod suite;

use std::process::ExitCode;

use clap::Subcommand;

use crate::command::CliError;

#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Args {
    #[command(subcommand)]
    what: Option<What>,
    #[command(flatten)]
    self_test: self_test::Args,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Search again the positions where a game's score was wrong
    Falls(falls::Args),
    /// Count move sequences, the standard check of a move generator
    Perft(perft::Args),
    /// Draw a position; print check, checkmate and the number of legal moves
    Position(position::Args),
    /// Run a file of test positions
    #[command(long_flag = "suite")]
    Suite(suite::Args),
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    match &args.what {
        None => self_test::run(&args.self_test),
        Some(What::Falls(args)) => falls::run(args),
        Some(What::Perft(args)) => perft::run(args),
        Some(What::Position(args)) => position::run(args),
        Some(What::Suite(args)) => suite::run(args),
    }
}
