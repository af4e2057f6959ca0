//! The `kankei` program: parse, run, exit code.

use std::process::ExitCode;

use clap::Parser;
use kankei::large_pages::LargePages;

#[global_allocator]
static ALLOCATOR: LargePages = LargePages;

fn main() -> ExitCode {
    kankei::cli::Cli::parse().run()
}
