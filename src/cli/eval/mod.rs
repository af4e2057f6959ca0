//! `kankei eval`: what a weights file holds, and where a score comes from.

mod info;
mod show;

use std::process::ExitCode;

use clap::Subcommand;

use crate::command::CliError;

#[derive(Debug, Subcommand)]
pub(super) enum EvalCommand {
    /// Tell what a weights file holds
    Info(info::Args),
    /// Explain the score of a position piece by piece
    Show(show::Args),
}

pub(super) fn run(command: &EvalCommand) -> Result<ExitCode, CliError> {
    match command {
        EvalCommand::Info(args) => info::run(args),
        EvalCommand::Show(args) => show::run(args),
    }
}
