//! `kankei reproduce`: the papers' experiments, made again. Each writes `report.md` and SVG
//! drawings into a folder.

pub(super) mod bonanza;
mod policy;

use std::path::Path;
use std::process::ExitCode;

use clap::{Subcommand, ValueEnum};

use super::CliError;
use crate::file;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    paper: Paper,
}

#[derive(Debug, Subcommand)]
enum Paper {
    /// Hoki 2006: futility pruning in a full-width search
    Bonanza(bonanza::Args),
    /// Imitation of recorded moves by policy gradient on KKP and KPP
    Policy(policy::Args),
}

/// How much work an experiment does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Size {
    /// Within three minutes
    Small,
    /// As long as the figures need
    Full,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    match &args.paper {
        Paper::Bonanza(args) => bonanza::run(args),
        Paper::Policy(args) => policy::run(args),
    }
}

/// Writes a file, and its folder if need be.
fn write_file(path: &Path, content: &str) -> Result<(), CliError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)
        .and_then(|()| file::write(path, content.as_bytes()))
        .map_err(|source| CliError::Write { path: path.to_owned(), source })
}
