//! `kankei learn`: the evaluation learned from games.

mod report;
mod resolve;
mod value;

use std::process::ExitCode;

use clap::Subcommand;

use super::CliError;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Play out the exchanges of labelled games: quiet positions to learn from
    Resolve(resolve::Args),
    /// Fit the weights to samples
    Value(value::Args),
    /// Losses, calibration and agreement with the moves played, on held-out games
    Report(report::Args),
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    match &args.task {
        Task::Resolve(args) => resolve::run(args),
        Task::Value(args) => value::run(args),
        Task::Report(args) => report::run(args),
    }
}
