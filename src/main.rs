//! The `kankei` program: parses the arguments, runs the command, returns the exit code.

use std::process::ExitCode;

use kankei::cli::Cli;
use kankei::large_pages::LargePages;

#[global_allocator]
static ALLOCATOR: LargePages = LargePages;

fn main() -> ExitCode {
    let cli = Cli::from_arguments();
    if !cli.talks() {
        // `kankei records stats ... | head` must end quietly. USI detects a closed output itself.
        sigpipe::reset();
        #[cfg(not(unix))]
        end_quietly_without_output();
    }
    cli.run()
}

/// Systems without SIGPIPE report a closed output as an error, on which `println!` panics.
#[cfg(not(unix))]
fn end_quietly_without_output() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let text = panic.payload().downcast_ref::<String>();
        if text.is_some_and(|text| text.starts_with("failed printing to stdout")) {
            std::process::exit(1);
        }
        usual(panic);
    }));
}
