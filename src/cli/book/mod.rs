//! `kankei book`: builds, searches and shows opening books.

mod build;
mod input;
mod merge;
mod minimax;
mod output;
mod search;
mod show;
mod stats;

use std::process::ExitCode;

use clap::Subcommand;

use crate::command::CliError;

#[derive(Debug, Subcommand)]
pub(super) enum BookCommand {
    Build(build::Args),
    Search(search::Args),
    Merge(merge::Args),
    Minimax(minimax::Args),
    Stats(stats::Args),
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
