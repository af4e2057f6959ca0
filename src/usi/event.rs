//! Events of the session.

use std::time::Instant;

use crate::engine::{MateOutcome, Outcome, Report};

/// An event sent to the session by the reader or by the engine thread.
pub(super) enum Event {
    /// A line and the time at which it was read.
    Line(String, Instant),
    EndOfInput,
    /// The engine is ready.
    Prepared,
    /// A report of a running search.
    Said(Report),
    /// A search has ended; `None` after a panic.
    Searched(Option<Outcome>),
    /// A mate search has ended; `None` after a panic.
    Solved(Option<MateOutcome>),
    TaskDone,
}
