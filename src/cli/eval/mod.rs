//! `kankei eval`: describes weights files, evaluates positions, and explains scores.

mod depths;
mod explanation;
mod export;
mod info;
mod show;
mod values;

use std::process::ExitCode;

use clap::Subcommand;

use crate::command::CliError;

#[derive(Debug, Subcommand)]
pub(super) enum EvalCommand {
    /// Describe a weights file
    Info(info::Args),
    /// Explain the score of a position piece by piece
    Show(show::Args),
    /// Print the values of the positions in a file, one per line
    Values(values::Args),
    /// Print the mean score of the positions in a file at each depth of search
    Depths(depths::Args),
    /// Write a network learned with `--form standalone` as an NNUE file
    Export(export::Args),
}

pub(super) fn run(command: &EvalCommand) -> Result<ExitCode, CliError> {
    match command {
        EvalCommand::Info(args) => info::run(args),
        EvalCommand::Show(args) => show::run(args),
        EvalCommand::Values(args) => values::run(args),
        EvalCommand::Depths(args) => depths::run(args),
        EvalCommand::Export(args) => export::run(args),
    }
}
