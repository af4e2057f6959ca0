//! The `kankei` program: parse, run, exit code.

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    kankei::cli::Cli::parse().run()
}
