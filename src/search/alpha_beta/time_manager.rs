//! When to stop deepening: the planned time is stretched while the search is in doubt, and cut while
//! it is sure.

use std::time::Duration;

use crate::eval::Score;
use crate::shogi::Move;

/// How often a move that was best in iteration after iteration is believed: iterations.
const SURE_AFTER: u32 = 8;
/// A fall of the score that doubles the doubt, centipawns.
const FALL: f64 = 400.0;

/// What the iterations so far say of the time to take.
#[derive(Clone, Debug, Default)]
pub(super) struct TimeManager {
    best: Option<Move>,
    /// Iterations since the best move last changed.
    stable: u32,
    /// Weighed count of changes: recent ones count most.
    changes: f64,
    scores: Vec<Score>,
    /// Share of the iteration's nodes that the best move took, 0 to 1.
    share: f64,
}

impl TimeManager {
    /// An iteration ended.
    pub fn note(&mut self, best: Move, score: Score, share: f64) {
        self.changes /= 2.0;
        if self.best == Some(best) {
            self.stable += 1;
        } else {
            self.changes += f64::from(u8::from(self.best.is_some()));
            self.stable = 0;
        }
        self.best = Some(best);
        self.scores.push(score);
        self.share = share;
    }

    /// By how much to stretch the planned time; 1 = as planned.
    pub fn stretch(&self) -> f64 {
        let sure = f64::from(self.stable.min(SURE_AFTER)) / f64::from(SURE_AFTER);
        let stability = 1.15 - 0.45 * sure + 0.6 * self.changes;
        let latest = self.scores.last().map_or(0, |score| score.to_cp());
        let earlier = self.scores.iter().rev().nth(2).map_or(latest, |score| score.to_cp());
        let fall = f64::from(earlier - latest) / FALL;
        let trend = (1.0 + fall).clamp(0.75, 1.7);
        let effort = (1.6 - self.share).clamp(0.7, 1.3);
        stability * trend * effort
    }

    /// Whether no new iteration should begin. `soft`: the planned time.
    pub fn is_enough(&self, elapsed: Duration, soft: Duration) -> bool {
        elapsed >= soft.mul_f64(self.stretch())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(iterations: &[(&str, i32, f64)]) -> f64 {
        let mut manager = TimeManager::default();
        for &(mv, score, share) in iterations {
            manager.note(mv.parse().expect("a move"), Score::cp(score), share);
        }
        manager.stretch()
    }

    #[test]
    fn doubt_takes_time_and_certainty_saves_it() {
        let sure = after(&[("7g7f", 50, 0.9); 10]);
        let doubt = after(&[("7g7f", 50, 0.3), ("2g2f", 40, 0.3), ("7g7f", 30, 0.3)]);
        let fall = after(&[("7g7f", 50, 0.9), ("7g7f", 0, 0.9), ("7g7f", -400, 0.9)]);
        let level = after(&[("7g7f", 50, 0.9), ("7g7f", 50, 0.9), ("7g7f", 50, 0.9)]);
        assert!(sure < 0.8, "{sure}");
        assert!(doubt > 1.3 && doubt < 5.0, "{doubt}");
        assert!(fall > 1.4 * level, "{fall} {level}");
    }
}
