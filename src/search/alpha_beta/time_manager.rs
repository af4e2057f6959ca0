//! Time management: scales the planned time up while the search is uncertain and down while it is
//! stable.
//!
//! Source: time management as known in the field (Stockfish, 2016 to 2025). Signs of uncertainty
//! are a falling score, a changing best move, and a best move with a small share of the nodes. The
//! constants suit scores whose odds grow e-fold per 960 centipawns.

use crate::eval::Score;
use crate::shogi::{Color, Move};

/// Factor without a falling score, before it is clamped to [`FALLING`].
const LEVEL: f64 = 0.113;
/// Increase of the factor per centipawn below the mean score of the own previous move, and per
/// centipawn below the score four iterations ago.
const BELOW_LAST_MOVE: f64 = 2.115 / 128.0;
const BELOW_ITERATION: f64 = 0.987 / 128.0;
/// Distance of that comparison in iterations.
const ITERATIONS: usize = 4;
/// Minimum and maximum of the factor for a falling score. The maximum applies if no previous move
/// is known.
const FALLING: (f64, f64) = (0.57, 1.57);
/// Confidence in a best move: value right after a change, total increase, iterations until half of
/// the increase, steepness of the increase, and offset of its denominator.
const FRESH: f64 = 0.66;
const SETTLED: f64 = 0.85;
const SETTLES_AFTER: f64 = 12.15;
const SETTLES_HOW: f64 = 0.51;
const SETTLES_FROM: f64 = 0.98;
/// Confidence in the best move of the previous search, if none is known.
const USUAL_TRUST: f64 = 0.85;
/// The factor for stability is the confidence before, plus the first number, divided by the second
/// times the present confidence.
const STABILITY: (f64, f64) = (1.43, 2.28);
/// Factor without changes of the best move, and its increase per change. Changes of the previous
/// iteration count half, and so on.
const UNCHANGED: f64 = 1.04;
const CHANGED: f64 = 1.9;
/// A best move with at least this share of the nodes saves time from iteration [`CLEAR_DEPTH`] on.
const CLEAR_SHARE: f64 = 0.92;
const CLEAR_DEPTH: u32 = 10;
const CLEAR: f64 = 0.67;

/// Data that the search of a move passes to the search of the next move.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastMove {
    pub side: Color,
    /// Running mean of the best move's scores in centipawns.
    pub mean: i32,
    trust: f64,
}

/// Time management state of the iterations so far.
#[derive(Clone, Debug)]
pub(super) struct TimeManager {
    last_move: Option<LastMove>,
    best: Option<Move>,
    /// The iteration in which the best move became best.
    best_since: u32,
    depth: u32,
    /// Weighted number of changes of the best move.
    changes: f64,
    scores: Vec<Score>,
    share: f64,
}

/// Data of a completed iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Iteration {
    pub depth: u32,
    pub best: Move,
    pub score: Score,
    /// Share of the iteration's nodes searched below the best move, 0 to 1.
    pub share: f64,
    /// Number of changes of the best move in the iteration, the mean of all threads.
    pub changes: f64,
}

impl TimeManager {
    /// For a search by `side` after its previous move in the game.
    pub fn new(side: Color, last_move: Option<LastMove>) -> TimeManager {
        TimeManager {
            last_move: last_move.filter(|last| last.side == side),
            best: None,
            best_since: 0,
            depth: 0,
            changes: 0.0,
            scores: Vec::new(),
            share: 0.0,
        }
    }

    /// Records a completed iteration.
    pub fn note(&mut self, iteration: &Iteration) {
        let &Iteration { depth, best, score, share, changes } = iteration;
        self.changes = self.changes / 2.0 + changes;
        if self.best != Some(best) {
            (self.best, self.best_since) = (Some(best), depth);
        }
        self.scores.push(score);
        (self.depth, self.share) = (depth, share);
    }

    /// The data for the search of the next move. `mean`: running mean of the best move's scores in
    /// centipawns.
    pub fn left(&self, side: Color, mean: i32) -> LastMove {
        LastMove { side, mean, trust: self.trust() }
    }

    /// Factor to scale the planned time; 1 keeps it.
    pub fn stretch(&self) -> f64 {
        let before = self.last_move.map_or(USUAL_TRUST, |last| last.trust);
        let stability = (STABILITY.0 + before) / (STABILITY.1 * self.trust());
        let change = UNCHANGED + CHANGED * self.changes;
        let is_clear = self.depth >= CLEAR_DEPTH && self.share >= CLEAR_SHARE;
        let clarity = if is_clear { CLEAR } else { 1.0 };
        self.falling() * stability * change * clarity
    }

    /// Factor for a falling score.
    fn falling(&self) -> f64 {
        let Some((last_move, now)) = self.last_move.zip(self.scores.last()) else {
            return FALLING.1;
        };
        let now = now.to_cp();
        let earlier = self.scores.iter().rev().nth(ITERATIONS);
        let earlier = earlier.map_or(last_move.mean, |score| score.to_cp());
        let fall = BELOW_LAST_MOVE * f64::from(last_move.mean - now)
            + BELOW_ITERATION * f64::from(earlier - now);
        (LEVEL + fall).clamp(FALLING.0, FALLING.1)
    }

    /// Confidence in the best move, which grows while the move stays best.
    fn trust(&self) -> f64 {
        let since = f64::from(self.depth - self.best_since);
        FRESH + SETTLED / (SETTLES_FROM + (SETTLES_HOW * (SETTLES_AFTER - since)).exp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The factor after iterations given as best move, score and share of nodes. The previous
    /// move's mean score is 50 centipawns.
    fn after(iterations: &[(&str, i32, f64)]) -> f64 {
        let level = LastMove { side: Color::Black, mean: 50, trust: USUAL_TRUST };
        let mut manager = TimeManager::new(Color::Black, Some(level));
        let mut last = None;
        for (depth, &(mv, cp, share)) in (1..).zip(iterations) {
            let best: Move = mv.parse().expect("a move");
            let changes = f64::from(u8::from(last.is_some_and(|last| last != best)));
            last = Some(best);
            manager.note(&Iteration { depth, best, score: Score::cp(cp), share, changes });
        }
        manager.stretch()
    }

    #[test]
    fn uncertainty_adds_time_and_stability_saves_it() {
        let level = after(&[("7g7f", 50, 0.5); 6]);
        assert!(after(&[("7g7f", 50, 0.5); 20]) < 0.7 * level, "settled");
        assert!(after(&[("7g7f", 50, 0.95); 12]) < 0.7 * after(&[("7g7f", 50, 0.5); 12]), "clear");
        let changes = [("7g7f", 50, 0.5), ("2g2f", 50, 0.5), ("7g7f", 50, 0.5)];
        assert!(after(&changes) > 2.0 * level);
    }

    #[test]
    fn a_score_drop_of_half_a_pawn_adds_time() {
        let ending = |cp| {
            let mut iterations = [("7g7f", 50, 0.5); 12];
            iterations[11].1 = cp;
            after(&iterations)
        };
        assert!(ending(0) > 2.0 * ending(50), "{} {}", ending(0), ending(50));
        assert_eq!(ending(50), ending(90), "a rising score saves no further time");
        assert_eq!(ending(-100), ending(-500), "the added time is limited");
    }

    #[test]
    fn the_first_move_takes_more_time_and_the_other_sides_move_is_ignored() {
        let stretch = |last_move: Option<LastMove>| {
            let mut manager = TimeManager::new(Color::Black, last_move);
            let (best, score) = ("7g7f".parse().expect("a move"), Score::ZERO);
            manager.note(&Iteration { depth: 1, best, score, share: 0.5, changes: 0.0 });
            manager.stretch()
        };
        let last = |side| Some(LastMove { side, mean: 0, trust: USUAL_TRUST });
        assert_eq!(stretch(None), stretch(last(Color::White)));
        assert!(stretch(None) > 2.0 * stretch(last(Color::Black)));
    }
}
