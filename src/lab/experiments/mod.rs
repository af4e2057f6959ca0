//! `kankei reproduce`: the papers' experiments, made again. Each writes `report.md` and SVG
//! drawings into a folder.

mod hoki2006;
mod policy_gradient;

use std::path::Path;
use std::process::ExitCode;

use clap::{Subcommand, ValueEnum};

use crate::command::CliError;
use crate::file;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    paper: Paper,
}

#[derive(Debug, Subcommand)]
enum Paper {
    /// Hoki 2006: futility pruning in a full-width search
    Bonanza(hoki2006::Args),
    /// Imitation of recorded moves by policy gradient on KKP and KPP
    Policy(policy_gradient::Args),
}

/// How much work an experiment does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Size {
    /// Within three minutes
    Small,
    /// As long as the figures need
    Full,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    match &args.paper {
        Paper::Bonanza(args) => hoki2006::run(args),
        Paper::Policy(args) => policy_gradient::run(args),
    }
}

/// Writes a file, and its folder if need be.
fn write_file(path: &Path, content: &str) -> Result<(), CliError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)
        .and_then(|()| file::write(path, content.as_bytes()))
        .map_err(|source| CliError::Write { path: path.to_owned(), source })
}
