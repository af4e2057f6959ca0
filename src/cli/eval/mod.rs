//! `kankei eval`: what a weights file holds, and where a score comes from.

mod info;
mod show;

use std::process::ExitCode;

use clap::Subcommand;

use crate::command::CliError;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    what: EvalCommand,
}

#[derive(Debug, Subcommand)]
enum EvalCommand {
    /// Tell what a weights file holds
    Info(info::Args),
    /// Explain the score of a position piece by piece
    Show(show::Args),
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    match &args.what {
        EvalCommand::Info(args) => info::run(args),
        EvalCommand::Show(args) => show::run(args),
    }
}
