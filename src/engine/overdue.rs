//! The watch over the clock of a running search.

use std::time::{Duration, Instant};

use super::Control;

/// Tolerances for a search that ends late: after its deadline, and after a stop. A later answer
/// uses the best reported line instead of the final result. On a busy machine, a searching thread
/// may wait for a CPU much longer than a thread that has slept.
const GRACE: Duration = Duration::from_millis(2);
const GRACE_AFTER_STOP: Duration = Duration::from_millis(20);
/// The same for a search without any report. Without its result, a move by static exchange is
/// played, so the wait is longer.
const SILENT_GRACE: Duration = Duration::from_millis(14);
const SILENT_GRACE_AFTER_STOP: Duration = Duration::from_secs(1);

/// When to answer without waiting for a running search to end; `None` to wait. `stopped`: when the
/// search was asked to stop. `has_line`: whether it has reported a line to answer with.
pub fn overdue_at(
    control: &Control,
    stopped: Option<Instant>,
    has_line: bool,
    now: Instant,
) -> Option<Instant> {
    let deadline = control.hard_limit().map(|hard| control.started() + hard);
    let due = |after_deadline, after_stop| {
        let deadline = deadline.map(|at| at + after_deadline);
        let stop = stopped.map(|at| at + after_stop);
        deadline.into_iter().chain(stop).min()
    };
    let early = due(GRACE, GRACE_AFTER_STOP)?;
    if has_line || now < early {
        return Some(early);
    }
    due(SILENT_GRACE, SILENT_GRACE_AFTER_STOP)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(value: u64) -> Duration {
        Duration::from_millis(value)
    }

    #[test]
    fn u_27_a_search_is_overdue_after_its_deadline_or_a_stop() {
        let start = Instant::now();
        let control = Control::new(start);
        assert_eq!(overdue_at(&control, None, true, start + ms(1_000)), None, "no clock runs");
        let stopped = Some(start + ms(50));
        assert_eq!(overdue_at(&control, stopped, true, start), Some(start + ms(70)));
        control.set_deadlines(start, ms(40), ms(100));
        assert_eq!(overdue_at(&control, stopped, true, start), Some(start + ms(70)));
        assert_eq!(overdue_at(&control, None, true, start), Some(start + ms(102)));
        // Without a line, the search has more time.
        let silent = overdue_at(&control, None, false, start + ms(102));
        assert_eq!(silent, Some(start + ms(114)));
    }
}
