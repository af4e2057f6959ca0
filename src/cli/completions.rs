//! `kankei completions`: completions for a shell, and the manual page.

use std::io::{self, Write};
use std::process::ExitCode;

use clap_complete::Shell;

use crate::command::CliError;

/// Print completions for a shell, or the manual page.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The shell, or `man`
    #[arg(value_enum)]
    target: Target,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Target {
    Bash,
    Elvish,
    Fish,
    #[value(name = "powershell")]
    PowerShell,
    Zsh,
    /// The manual page, for `man -l`
    Man,
}

/// `command`: the definition of the command line.
pub(super) fn run(args: &Args, mut command: clap::Command) -> Result<ExitCode, CliError> {
    let mut text = Vec::new();
    let shell = match args.target {
        Target::Bash => Shell::Bash,
        Target::Elvish => Shell::Elvish,
        Target::Fish => Shell::Fish,
        Target::PowerShell => Shell::PowerShell,
        Target::Zsh => Shell::Zsh,
        Target::Man => {
            clap_mangen::Man::new(command).render(&mut text).map_err(CliError::Print)?;
            return print(&text);
        }
    };
    clap_complete::generate(shell, &mut command, "kankei", &mut text);
    print(&text)
}

fn print(text: &[u8]) -> Result<ExitCode, CliError> {
    io::stdout().write_all(text).map_err(CliError::Print)?;
    Ok(ExitCode::SUCCESS)
}
