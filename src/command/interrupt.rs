//! Ctrl-C in long commands: they end in good order and can be taken up again.

use std::process::{self, ExitCode};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code of a command that was interrupted, as shells have it: 128 + SIGINT.
pub(crate) const EXIT_CODE: u8 = 130;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C (or the system's wish to end the program) is only noted; a second one ends
/// the program at once.
pub(crate) fn watch() {
    static WATCH: Once = Once::new();
    let note = || {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            process::exit(EXIT_CODE.into());
        }
    };
    // Where it cannot be caught Ctrl-C ends the program as ever, and files are whole all the same.
    WATCH.call_once(|| drop(ctrlc::set_handler(note)));
}

/// Whether the command should come to its end.
pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// The exit code of a command that can be taken up again: whether it came to its end.
pub(crate) fn exit_code(is_done: bool) -> ExitCode {
    if is_done {
        return ExitCode::SUCCESS;
    }
    eprintln!("interrupted; --resume goes on");
    ExitCode::from(EXIT_CODE)
}
