//! Ctrl-C in long commands: they end in good order and can be taken up again.

use std::process::{self, ExitCode};
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Exit code of a command that was interrupted, as shells have it: 128 + SIGINT.
pub(crate) const EXIT_CODE: u8 = 130;

static COUNT: AtomicUsize = AtomicUsize::new(0);

/// From now on Ctrl-C (or the system's wish to end the program) is only noted; a second one ends
/// the program at once.
pub(crate) fn watch() {
    watch_for(2);
}

/// The same, but only so many in all end the program at once.
pub(crate) fn watch_for(most: usize) {
    static WATCH: Once = Once::new();
    let note = move || {
        if COUNT.fetch_add(1, Ordering::Relaxed) + 1 >= most {
            process::exit(EXIT_CODE.into());
        }
    };
    // Where it cannot be caught Ctrl-C ends the program as ever, and files are whole all the same.
    WATCH.call_once(|| drop(ctrlc::set_handler(note)));
}

/// How often Ctrl-C has come.
pub(crate) fn count() -> usize {
    COUNT.load(Ordering::Relaxed)
}

/// Whether the command should come to its end.
pub(crate) fn is_interrupted() -> bool {
    count() > 0
}

/// The exit code of a command that can be taken up again: whether it came to its end.
pub(crate) fn exit_code(is_done: bool) -> ExitCode {
    if is_done {
        return ExitCode::SUCCESS;
    }
    eprintln!("interrupted; --resume goes on");
    ExitCode::from(EXIT_CODE)
}
