//! `kankei eval`: what a weights file holds, and where a score comes from.

mod info;
mod show;

use std::process::ExitCode;

use clap::Subcommand;

use crate::command::CliError;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Tell what a weights file holds
    Info(info::Args),
    /// Explain the score of a position piece by piece
    Show(show::Args),
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    match &args.what {
        What::Info(args) => info::run(args),
        What::Show(args) => show::run(args),
    }
}
