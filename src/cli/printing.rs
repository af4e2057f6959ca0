//! Failed writes to standard output and standard error.
//!
//! `kankei records stats games | head -1` closes the output early. The program then ends quietly. On
//! Unix, the signal SIGPIPE ends it. Otherwise `println!` panics, and the hook of this module ends the
//! program. Other failed writes, for example to a full disk, are errors.

use std::io::{self, Write};
use std::{panic, process};

/// Exit code of a program without a reader of its output, as in shells: 128 + SIGPIPE.
const CLOSED: u8 = 141;

/// System error codes of a closed pipe: EPIPE, or ERROR_BROKEN_PIPE and ERROR_NO_DATA.
const CLOSED_PIPE: &[&str] =
    if cfg!(windows) { &["(os error 109)", "(os error 232)"] } else { &["(os error 32)"] };

/// How the panics of `println!` and `eprintln!` start.
const PANIC: &str = "failed printing to std";

/// Sets the reaction of the whole program to output that cannot be printed. `talks`: whether the
/// command communicates with other programs; then SIGPIPE is ignored.
pub(super) fn handle_failures(talks: bool) {
    if !talks {
        sigpipe::reset();
    }
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        let text = panic.payload().downcast_ref::<String>();
        match text.and_then(|text| text.strip_prefix(PANIC)?.split_once(": ")) {
            Some((_, reason)) => process::exit(exit_code(reason).into()),
            None => usual(panic),
        }
    }));
}

/// Prints the reason why output failed, except for a closed pipe. Returns the exit code.
pub(super) fn exit_code(reason: &str) -> u8 {
    if CLOSED_PIPE.iter().any(|code| reason.ends_with(code)) {
        return CLOSED;
    }
    // Standard error may have failed as well.
    drop(writeln!(io::stderr(), "error: cannot print: {reason}"));
    2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_closed_pipe_is_quiet() {
        let codes: &[i32] = if cfg!(windows) { &[109, 232] } else { &[32] };
        for &code in codes {
            assert_eq!(exit_code(&io::Error::from_raw_os_error(code).to_string()), CLOSED);
        }
        assert_eq!(exit_code(&io::Error::from_raw_os_error(5).to_string()), 2);
    }
}
