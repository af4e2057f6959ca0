//! Lateness of answers, learned from earlier answers.

use std::time::Duration;

use super::clock::Lateness;

/// Expected lateness before the first measurement.
const FIRST: Lateness =
    Lateness { worst: Duration::from_millis(5), usual: Duration::from_millis(1) };
/// Factor of the worst lateness at each answer. The effect of a busy machine decays within about
/// half a game.
const KEPT: f64 = 0.98;
/// Weight of one answer in the average.
const LATEST: f64 = 0.05;

/// Lateness of the answers so far: from the deadline of a search to the time its answer was
/// written.
#[derive(Debug)]
pub struct AnswerTimes(Lateness);

impl Default for AnswerTimes {
    fn default() -> AnswerTimes {
        AnswerTimes(FIRST)
    }
}

impl AnswerTimes {
    /// Records an answer; `None` if it came before its deadline, which gives no information.
    pub fn note(&mut self, late: Option<Duration>) {
        if let Some(late) = late {
            self.0.worst = self.0.worst.mul_f64(KEPT).max(late);
            self.0.usual = self.0.usual.mul_f64(1.0 - LATEST) + late.mul_f64(LATEST);
        }
    }

    /// The expected lateness.
    pub fn expected(&self) -> Lateness {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(value: u64) -> Duration {
        Duration::from_millis(value)
    }

    #[test]
    fn u_27_lateness_is_remembered_for_many_answers() {
        let mut times = AnswerTimes::default();
        assert_eq!(times.expected(), FIRST);
        times.note(Some(ms(12)));
        assert_eq!(times.expected().worst, ms(12));
        // Answers before their deadline give no information.
        times.note(None);
        assert_eq!(times.expected().worst, ms(12));
        for _ in 0..30 {
            times.note(Some(ms(1)));
        }
        assert!(times.expected().worst > ms(6));
        assert!(times.expected().usual < ms(2), "one late answer barely changes the average");
        for _ in 0..200 {
            times.note(Some(ms(1)));
        }
        assert_eq!(times.expected().worst, ms(1));
    }
}
