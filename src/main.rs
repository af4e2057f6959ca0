//! The `kankei` program: parses the arguments, runs the command, returns the exit code.

use std::process::ExitCode;

use kankei::cli::Cli;
use kankei::large_pages::LargePages;

#[global_allocator]
static ALLOCATOR: LargePages = LargePages;

fn main() -> ExitCode {
    Cli::from_arguments().run()
}
