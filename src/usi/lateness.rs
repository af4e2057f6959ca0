//! How late answers are, learned from those given.

use std::time::Duration;

/// What is expected before anything is known of the machine.
const FIRST: Duration = Duration::from_millis(5);
/// Part of what is expected that is kept at each answer: what a busy machine did is remembered for a game.
const KEPT: f64 = 0.99;

/// The lateness of answers: from the deadline of a search to the moment its answer was written.
#[derive(Debug)]
pub(super) struct Lateness(Duration);

impl Default for Lateness {
    fn default() -> Lateness {
        Lateness(FIRST)
    }
}

impl Lateness {
    /// Notes an answer; `None` if it came before its deadline, which tells nothing.
    pub(super) fn note(&mut self, late: Option<Duration>) {
        if let Some(late) = late {
            self.0 = self.0.mul_f64(KEPT).max(late);
        }
    }

    /// What is to be expected, rather too much than too little.
    pub(super) fn expected(&self) -> Duration {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn u_27_what_was_late_once_is_expected_for_long() {
        let mut lateness = Lateness::default();
        assert_eq!(lateness.expected(), FIRST);
        lateness.note(Some(Duration::from_millis(12)));
        assert_eq!(lateness.expected(), Duration::from_millis(12));
        // Answers before their deadline tell nothing.
        lateness.note(None);
        assert_eq!(lateness.expected(), Duration::from_millis(12));
        for _ in 0..70 {
            lateness.note(Some(Duration::from_millis(1)));
        }
        assert!(lateness.expected() > Duration::from_millis(5));
        for _ in 0..400 {
            lateness.note(Some(Duration::from_millis(1)));
        }
        assert_eq!(lateness.expected(), Duration::from_millis(1));
    }
}
