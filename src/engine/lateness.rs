//! Lateness of answers, learned from earlier answers.

use std::collections::VecDeque;
use std::time::Duration;

use super::clock::Lateness;

/// Number of answers that are remembered.
const ANSWERS: usize = 100;
/// Lateness of the answers that are assumed before the first.
const FIRST: Duration = Duration::from_millis(2);
/// Number of answers that may be later than [`Lateness::often`]. As many answers are assumed at
/// first, and one more.
const CHANCE: usize = 2;

/// Lateness of the last answers: from the deadline of a search to the time its answer was written.
#[derive(Debug)]
pub struct AnswerTimes(VecDeque<Duration>);

impl Default for AnswerTimes {
    fn default() -> AnswerTimes {
        AnswerTimes(VecDeque::from([FIRST; CHANCE + 1]))
    }
}

impl AnswerTimes {
    /// Records an answer; `None` if it came before its deadline, which gives no information.
    pub fn note(&mut self, late: Option<Duration>) {
        let Some(late) = late else { return };
        if self.0.len() == ANSWERS {
            self.0.pop_front();
        }
        self.0.push_back(late);
    }

    /// The expected lateness.
    pub fn expected(&self) -> Lateness {
        let mut sorted: Vec<Duration> = self.0.iter().copied().collect();
        sorted.sort_unstable();
        let (last, usual) = (sorted.len() - 1, sorted[sorted.len() / 2]);
        Lateness { often: sorted[last - CHANCE], worst: sorted[last], usual }
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
        assert_eq!(times.expected(), Lateness { often: FIRST, worst: FIRST, usual: FIRST });
        times.note(Some(ms(40)));
        // Answers before their deadline give no information.
        times.note(None);
        for _ in 1..ANSWERS {
            times.note(Some(ms(1)));
        }
        let Lateness { often, worst, usual } = times.expected();
        assert_eq!((often, worst, usual), (ms(1), ms(40), ms(1)));
        times.note(Some(ms(1)));
        assert_eq!(times.expected().worst, ms(1));
    }

    #[test]
    fn the_third_late_answer_is_no_chance() {
        let mut times = AnswerTimes::default();
        for late in [9, 8, 7] {
            assert_eq!(times.expected().often, FIRST);
            times.note(Some(ms(late)));
            times.note(Some(ms(1)));
        }
        assert_eq!(times.expected().often, ms(7));
    }
}
