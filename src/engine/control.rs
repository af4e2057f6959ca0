//! Control of a running search from other threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// State shared between a search and its caller: a stop flag, the start of the time, and two
/// deadlines. The deadlines may change while the search runs (`ponderhit`).
///
/// While pondering, no deadline is set, but the caller gives the time that a search of a move would
/// plan. After each iteration, the search notes whether that time is used. If it is, the search
/// ends when the deadlines are set.
#[derive(Debug)]
pub struct Control {
    start: Instant,
    stop: AtomicBool,
    /// The time from which the deadlines count. All times are in microseconds after `start`.
    from: AtomicU64,
    /// [`NONE`]: none.
    soft: AtomicU64,
    hard: AtomicU64,
    /// Planned time of a search that is not pondering; [`NONE`] unless pondering.
    pondered: AtomicU64,
    /// Whether that time is used.
    enough: AtomicBool,
}

/// No deadline.
const NONE: u64 = u64::MAX;

impl Control {
    /// A control without deadlines; the time counts from `start`.
    pub fn new(start: Instant) -> Control {
        Control {
            start,
            stop: AtomicBool::new(false),
            from: AtomicU64::new(0),
            soft: AtomicU64::new(NONE),
            hard: AtomicU64::new(NONE),
            pondered: AtomicU64::new(NONE),
            enough: AtomicBool::new(false),
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
    /// search ends. Ends pondering. If the time of a move is already used, both deadlines are
    /// `from`. Otherwise the time spent pondering counts as a part of the time that a difficult
    /// iteration may take beyond `soft`.
    pub fn set_deadlines(&self, from: Instant, soft: Duration, hard: Duration) {
        let base = from.saturating_duration_since(self.start);
        let (soft, hard) = if self.enough.load(Ordering::Acquire) {
            (Duration::ZERO, Duration::ZERO)
        } else {
            (soft, hard.saturating_sub(base).max(soft))
        };
        self.from.store(micros(base), Ordering::Release);
        self.hard.store(micros(base + hard), Ordering::Release);
        self.soft.store(micros(base + soft), Ordering::Release);
        self.pondered.store(NONE, Ordering::Release);
    }

    /// Starts pondering. `soft`: the planned time of a search that is not pondering.
    pub fn ponder(&self, soft: Duration) {
        self.pondered.store(micros(soft), Ordering::Release);
    }

    /// Requires another iteration while pondering, because the last one failed low.
    pub fn ponder_on(&self) {
        self.enough.store(false, Ordering::Release);
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

    /// Whether no new iteration must start; called after each iteration. `stretch`: factor of the
    /// planned time, which applies unless the time is fixed (the deadlines are equal). While
    /// pondering, notes the answer and returns false.
    pub fn is_time_used(&self, stretch: f64) -> bool {
        if self.is_stopped() {
            return true;
        }
        let elapsed = self.elapsed();
        if let Some(planned) = limit(&self.pondered) {
            self.enough.store(elapsed >= planned.mul_f64(stretch), Ordering::Release);
            return false;
        }
        self.planned(stretch).is_some_and(|planned| elapsed >= planned)
    }

    /// Whether half of the planned time, multiplied by `stretch`, is used. False while pondering,
    /// and if the time is fixed: then nothing is saved by a shorter search.
    pub fn is_half_used(&self, stretch: f64) -> bool {
        let is_fixed = self.hard_limit() <= self.soft_limit();
        !is_fixed && self.planned(stretch / 2.0).is_some_and(|half| self.elapsed() >= half)
    }

    /// The soft deadline if the planned time is multiplied by `stretch`, unless the time is fixed.
    fn planned(&self, stretch: f64) -> Option<Duration> {
        let soft = self.soft_limit()?;
        if self.hard_limit() <= Some(soft) {
            return Some(soft);
        }
        let from = Duration::from_micros(self.from.load(Ordering::Acquire));
        Some(from + soft.saturating_sub(from).mul_f64(stretch))
    }

    /// Duration from the start to the soft deadline, if any.
    pub fn soft_limit(&self) -> Option<Duration> {
        limit(&self.soft)
    }

    /// Duration from the start to the hard deadline, if any.
    pub fn hard_limit(&self) -> Option<Duration> {
        limit(&self.hard)
    }
}

fn micros(span: Duration) -> u64 {
    u64::try_from(span.as_micros()).unwrap_or(NONE)
}

#[inline]
fn limit(deadline: &AtomicU64) -> Option<Duration> {
    match deadline.load(Ordering::Acquire) {
        NONE => None,
        micros => Some(Duration::from_micros(micros)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(3_600);

    /// A control whose time started an hour ago.
    fn started() -> Control {
        let now = Instant::now();
        Control::new(now.checked_sub(LONG).unwrap_or(now))
    }

    #[test]
    fn only_the_time_after_a_ponder_hit_is_stretched() {
        let control = started();
        control.ponder(2 * LONG);
        assert!(!control.is_time_used(1.0));
        let hit = Instant::now();
        control.set_deadlines(hit, LONG, 9 * LONG);
        assert!(!control.is_time_used(0.001), "the hour before the hit does not count");
        assert!(control.is_time_used(0.0));
        control.set_deadlines(hit, Duration::ZERO, Duration::ZERO);
        assert!(control.is_time_used(2.0));
    }

    #[test]
    fn pondering_counts_for_difficult_iterations() {
        let control = started();
        let hit = control.started() + LONG;
        control.set_deadlines(hit, LONG, 4 * LONG);
        assert_eq!((control.soft_limit(), control.hard_limit()), (Some(2 * LONG), Some(4 * LONG)));
        control.set_deadlines(hit, 3 * LONG, 3 * LONG);
        assert_eq!((control.soft_limit(), control.hard_limit()), (Some(4 * LONG), Some(4 * LONG)));
    }

    #[test]
    fn a_search_that_has_pondered_enough_ends_at_the_hit() {
        for (fails_low, ends) in [(false, true), (true, false)] {
            let control = started();
            control.ponder(LONG / 4);
            assert!(!control.is_time_used(1.0), "pondering never ends by itself");
            if fails_low {
                control.ponder_on();
            }
            control.set_deadlines(Instant::now(), LONG, LONG);
            assert_eq!(control.must_stop(Duration::ZERO), ends, "{fails_low}");
        }
        let control = started();
        control.ponder(LONG / 4);
        assert!(!control.is_time_used(8.0));
        control.set_deadlines(Instant::now(), LONG, LONG);
        assert!(!control.must_stop(Duration::ZERO), "a difficult move takes more time");
    }

    #[test]
    fn half_of_the_time_is_used_after_half_of_the_stretched_time() {
        let control = started();
        assert!(!control.is_half_used(0.0), "no deadline");
        control.ponder(Duration::ZERO);
        assert!(!control.is_half_used(0.0), "pondering");
        control.set_deadlines(control.started(), LONG, 9 * LONG);
        assert!(control.is_half_used(1.9) && !control.is_half_used(2.1));
    }

    #[test]
    fn a_fixed_time_is_not_stretched() {
        let control = started();
        control.set_deadlines(control.started(), 2 * LONG, 2 * LONG);
        assert!(!control.is_time_used(0.1) && !control.is_half_used(0.1));
        control.set_deadlines(control.started(), LONG / 2, LONG / 2);
        assert!(control.is_time_used(5.0));
    }
}
