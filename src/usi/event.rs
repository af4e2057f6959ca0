//! What the session waits for.

use std::time::Instant;

use super::answer::Answer;
use super::saying::Saying;

/// Sent to the session by the reader and by the engine thread.
pub(super) enum Event {
    /// A line and the moment it was read.
    Line(String, Instant),
    EndOfInput,
    /// The engine is ready.
    Prepared,
    /// What a search says while it runs.
    Said(Saying),
    /// Of a search or a mate search.
    Finished(Answer),
    TaskDone,
    EngineGone,
}
