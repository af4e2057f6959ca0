//! The `kankei` program: parse, run, exit code.

use std::process::ExitCode;

use clap::Parser;
use kankei::cli::Cli;
use kankei::large_pages::LargePages;

#[global_allocator]
static ALLOCATOR: LargePages = LargePages;

fn main() -> ExitCode {
    let cli = Cli::parse();
    if !cli.talks() {
        // `kankei records stats ... | head` ends quietly; USI notices the end by itself.
        sigpipe::reset();
    }
    cli.run()
}
