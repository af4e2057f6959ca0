//! When to stop deepening: the planned time is stretched while the search is in doubt, and cut while
//! it is sure.
//!
//! Source: time management as known in the field (Stockfish, 2016 to 2025): a falling score, a best
//! move that changes, and a best move that takes few of the nodes are signs of doubt. The numbers
//! suit scores whose odds grow e-fold with 960 centipawns.

use std::time::Duration;

use crate::eval::Score;
use crate::shogi::{Color, Move};

/// Stretch without a fall of the score, before it is cut to [`FALLING`].
const LEVEL: f64 = 0.113;
/// Stretch for each centipawn below the mean score of the own last move, and below the score four
/// iterations before.
const BELOW_LAST_MOVE: f64 = 2.115 / 128.0;
const BELOW_ITERATION: f64 = 0.987 / 128.0;
/// How many iterations before.
const ITERATIONS: usize = 4;
/// Least and greatest stretch for a falling score. Where nothing is known, the greatest.
const FALLING: (f64, f64) = (0.57, 1.57);
/// Trust in a best move: right after a change, what it gains in the end, iterations until it has
/// gained half of that, and how suddenly.
const FRESH: f64 = 0.66;
const SETTLED: f64 = 0.85;
const SETTLES_AFTER: f64 = 12.15;
const SETTLES_HOW: f64 = 0.51;
/// Trust in the best move of the move before, where nothing is known.
const USUAL_TRUST: f64 = 0.85;
/// Stretch without a change of the best move, and for each change. Changes of the iteration before
/// count half, and so on.
const UNCHANGED: f64 = 1.04;
const CHANGED: f64 = 1.9;
/// A best move with such a share of the nodes, from this iteration on, saves time.
const CLEAR_SHARE: f64 = 0.92;
const CLEAR_DEPTH: u32 = 10;
const CLEAR: f64 = 0.67;

/// An iteration, when it has ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Iteration {
    pub depth: u32,
    pub best: Move,
    pub score: Score,
    /// Share of its nodes that the best move took, 0 to 1.
    pub share: f64,
    /// How often another move became best in it.
    pub changes: u32,
}

/// What the search of a move leaves to the search of the next one.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastMove {
    pub side: Color,
    /// Running mean of the scores of its best move, centipawns.
    pub mean: i32,
    trust: f64,
}

/// What the iterations so far say of the time to take.
#[derive(Clone, Debug)]
pub(super) struct TimeManager {
    last_move: Option<LastMove>,
    best: Option<Move>,
    /// The iteration in which the best move became best.
    best_since: u32,
    depth: u32,
    /// Weighed count of changes.
    changes: f64,
    scores: Vec<Score>,
    share: f64,
}

impl TimeManager {
    /// For a search by `side`, after its `last_move` in the game.
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

    /// An iteration ended.
    pub fn note(&mut self, iteration: &Iteration) {
        let &Iteration { depth, best, score, share, changes } = iteration;
        self.changes = self.changes / 2.0 + f64::from(changes);
        if self.best != Some(best) {
            (self.best, self.best_since) = (Some(best), depth);
        }
        self.scores.push(score);
        (self.depth, self.share) = (depth, share);
    }

    /// What the search leaves to that of the next move. `mean`: running mean of the scores of its
    /// best move, centipawns.
    pub fn left(&self, side: Color, mean: i32) -> LastMove {
        LastMove { side, mean, trust: self.trust() }
    }

    /// By how much to stretch the planned time; 1 = as planned.
    pub fn stretch(&self) -> f64 {
        let before = self.last_move.map_or(USUAL_TRUST, |last| last.trust);
        let stability = (1.43 + before) / (2.28 * self.trust());
        let change = UNCHANGED + CHANGED * self.changes;
        let is_clear = self.depth >= CLEAR_DEPTH && self.share >= CLEAR_SHARE;
        let clarity = if is_clear { CLEAR } else { 1.0 };
        self.falling() * stability * change * clarity
    }

    /// Stretch for a falling score.
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

    /// Trust in the best move: grows while it remains the best.
    fn trust(&self) -> f64 {
        let since = f64::from(self.depth - self.best_since);
        FRESH + SETTLED / (0.98 + (SETTLES_HOW * (SETTLES_AFTER - since)).exp())
    }

    /// Whether no new iteration should begin. `soft`: the planned time.
    pub fn is_enough(&self, elapsed: Duration, soft: Duration) -> bool {
        elapsed >= soft.mul_f64(self.stretch())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After iterations with a move, a score and its share of the nodes, and a last move that was
    /// level.
    fn after(iterations: &[(&str, i32, f64)]) -> f64 {
        let level = LastMove { side: Color::Black, mean: 50, trust: USUAL_TRUST };
        let mut manager = TimeManager::new(Color::Black, Some(level));
        let mut last = None;
        for (depth, &(mv, cp, share)) in (1..).zip(iterations) {
            let best: Move = mv.parse().expect("a move");
            let changes = u32::from(last.is_some_and(|last| last != best));
            last = Some(best);
            manager.note(&Iteration { depth, best, score: Score::cp(cp), share, changes });
        }
        manager.stretch()
    }

    #[test]
    fn doubt_takes_time_and_certainty_saves_it() {
        let level = after(&[("7g7f", 50, 0.5); 6]);
        assert!(after(&[("7g7f", 50, 0.5); 20]) < 0.7 * level, "settled");
        assert!(after(&[("7g7f", 50, 0.95); 12]) < 0.7 * after(&[("7g7f", 50, 0.5); 12]), "clear");
        let changes = [("7g7f", 50, 0.5), ("2g2f", 50, 0.5), ("7g7f", 50, 0.5)];
        assert!(after(&changes) > 2.0 * level);
    }

    #[test]
    fn a_score_that_falls_by_half_a_pawn_takes_time() {
        let ending = |cp| {
            let mut iterations = [("7g7f", 50, 0.5); 12];
            iterations[11].1 = cp;
            after(&iterations)
        };
        assert!(ending(0) > 2.0 * ending(50), "{} {}", ending(0), ending(50));
        assert_eq!(ending(50), ending(90), "a rising score saves no more");
        assert_eq!(ending(-100), ending(-500), "and nothing takes all the time");
    }

    #[test]
    fn the_first_move_takes_its_time_and_the_other_side_is_no_last_move() {
        let stretch = |last_move: Option<LastMove>| {
            let mut manager = TimeManager::new(Color::Black, last_move);
            let (best, score) = ("7g7f".parse().expect("a move"), Score::ZERO);
            manager.note(&Iteration { depth: 1, best, score, share: 0.5, changes: 0 });
            manager.stretch()
        };
        let last = |side| Some(LastMove { side, mean: 0, trust: USUAL_TRUST });
        assert_eq!(stretch(None), stretch(last(Color::White)));
        assert!(stretch(None) > 2.0 * stretch(last(Color::Black)));
    }
}
