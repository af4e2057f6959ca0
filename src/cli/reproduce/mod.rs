//! `kankei reproduce`: the papers' experiments, made again. Each writes `report.md` and SVG
//! drawings into a folder.

pub(super) mod bonanza;
mod chart;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Subcommand, ValueEnum};

use super::CliError;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    paper: Paper,
}

#[derive(Debug, Subcommand)]
enum Paper {
    /// Hoki 2006: futility pruning in a full-width search
    Bonanza(bonanza::Args),
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
    }
}

/// Writes a file whole or not at all.
fn write_file(path: &Path, content: &str) -> Result<(), CliError> {
    use std::io::Write;
    let failed = |source| CliError::Write { path: PathBuf::from(path), source };
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    file.write_all(content.as_bytes()).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}
