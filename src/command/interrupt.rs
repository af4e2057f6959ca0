//! Ctrl-C in long commands: they end cleanly and can be resumed.

use std::process::{self, ExitCode};
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

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
    eprintln!("interrupted; use --resume to continue");
    ExitCode::from(EXIT_CODE)
}
