//! Control of a running search from other threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// State shared between a search and its caller: a stop flag, the start of the time, and two
/// deadlines. The deadlines may change while the search runs (`ponderhit`).
#[derive(Debug)]
pub struct Control {
    start: Instant,
    stop: AtomicBool,
    /// Microseconds after `start`; `u64::MAX`: none.
    soft: AtomicU64,
    hard: AtomicU64,
}

impl Control {
    /// A control without deadlines; the time counts from `start`.
    pub fn new(start: Instant) -> Control {
        Control {
            start,
            stop: AtomicBool::new(false),
            soft: AtomicU64::new(u64::MAX),
            hard: AtomicU64::new(u64::MAX),
        }
    }

    /// Requests the search to end now.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Release);
    }

    /// Whether [`stop`](Control::stop) was called.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    /// Sets both deadlines relative to `from`: after `soft` no new iteration starts, at `hard` the
    /// search ends.
    pub fn set_deadlines(&self, from: Instant, soft: Duration, hard: Duration) {
        let base = from.saturating_duration_since(self.start);
        let micros = |span: Duration| u64::try_from((base + span).as_micros()).unwrap_or(u64::MAX);
        self.soft.store(micros(soft), Ordering::Release);
        self.hard.store(micros(hard), Ordering::Release);
    }

    /// The start of the time.
    pub fn started(&self) -> Instant {
        self.start
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Time since the hard deadline at `now`; `None` if it has not passed.
    pub fn lateness(&self, now: Instant) -> Option<Duration> {
        now.saturating_duration_since(self.start).checked_sub(self.hard_limit()?)
    }

    /// Whether the search must end: stopped, or more than `grace` past the hard deadline. Reads the
    /// clock.
    #[inline]
    pub fn must_stop(&self, grace: Duration) -> bool {
        self.is_stopped() || self.hard_limit().is_some_and(|hard| self.elapsed() >= hard + grace)
    }

    /// Whether no new iteration must start.
    pub fn is_time_used(&self) -> bool {
        self.is_stopped() || self.soft_limit().is_some_and(|soft| self.elapsed() >= soft)
    }

    /// Duration from the start to the soft deadline, if any. Searchers use it to estimate whether
    /// another iteration can finish in time.
    pub fn soft_limit(&self) -> Option<Duration> {
        limit(&self.soft)
    }

    /// Duration from the start to the hard deadline, if any.
    pub fn hard_limit(&self) -> Option<Duration> {
        limit(&self.hard)
    }
}

#[inline]
fn limit(deadline: &AtomicU64) -> Option<Duration> {
    match deadline.load(Ordering::Acquire) {
        u64::MAX => None,
        micros => Some(Duration::from_micros(micros)),
    }
}
