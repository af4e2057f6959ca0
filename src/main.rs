//! The `kankei` program: parses the arguments, runs the command, returns the exit code.

use std::process::ExitCode;

use clap::Parser;
use kankei::cli::Cli;
use kankei::large_pages::LargePages;

#[global_allocator]
static ALLOCATOR: LargePages = LargePages;

fn main() -> ExitCode {
    let cli = Cli::parse();
    if !cli.talks() {
        // `kankei records stats ... | head` must end quietly. USI detects a closed output itself.
        sigpipe::reset();
    }
    cli.run()
}
