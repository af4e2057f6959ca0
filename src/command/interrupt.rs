//! Ctrl-C in long commands: they end cleanly and can be resumed.

use std::env;
use std::path::Path;
use std::process::{self, ExitCode};
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::quote;

/// Exit code of an interrupted command, as in shells: 128 + SIGINT.
pub(crate) const EXIT_CODE: u8 = 130;

static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Starts to record Ctrl-C (or a termination request of the system) instead of ending the program.
/// A second one ends the program immediately.
pub(crate) fn watch() {
    watch_for(2);
}

/// Like [`watch`], but the program ends after `most` interrupts.
pub(crate) fn watch_for(most: usize) {
    static WATCH: Once = Once::new();
    let note = move || {
        if COUNT.fetch_add(1, Ordering::Relaxed) + 1 >= most {
            process::exit(EXIT_CODE.into());
        }
    };
    // If the handler cannot be set, Ctrl-C ends the program as usual. Files are then still complete
    // or absent.
    WATCH.call_once(|| drop(ctrlc::set_handler(note)));
}

/// Number of interrupts so far.
pub(crate) fn count() -> usize {
    COUNT.load(Ordering::Relaxed)
}

/// Whether the command must end.
pub(crate) fn is_interrupted() -> bool {
    count() > 0
}

/// The exit code of a resumable command. `is_done`: whether it has finished.
pub(crate) fn exit_code(is_done: bool) -> ExitCode {
    if is_done {
        return ExitCode::SUCCESS;
    }
    eprintln!("interrupted; continue with: {}", resume_command());
    ExitCode::from(EXIT_CODE)
}

/// Prints how to continue an interrupted run. `path`: its file or checkpoint.
pub(crate) fn print_interrupted(path: &Path) {
    println!(
        "interrupted; {} can be continued with --resume: {}",
        path.display(),
        resume_command()
    );
}

/// The command line that continues this run: that of this process, with `--resume`.
pub(crate) fn resume_command() -> String {
    resuming(env::args_os().map(|word| word.to_string_lossy().into_owned()).collect())
}

fn resuming(mut words: Vec<String>) -> String {
    // After two dashes all words are names of files.
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let names = words.split_off(end);
    words.retain(|word| word != "--resume");
    words.push("--resume".to_owned());
    words.iter().chain(&names).map(|text| quote::word(text)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_continued_by_its_own_command_line() {
        for (line, command) in [
            ("kankei ablate --out x", "kankei ablate --out x --resume"),
            ("a/kankei match self 'self skill=3'", "a/kankei match self 'self skill=3' --resume"),
            ("kankei analyze --resume x -- --y", "kankei analyze x --resume -- --y"),
        ] {
            assert_eq!(resuming(quote::split(line).expect("closed")), command);
        }
    }
}
