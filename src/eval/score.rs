//! Scores of positions.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// A value of a position from the side to move's view.
///
/// Values within +-[`Score::MAX_EVAL`] are centipawns (100 = one pawn on the board). Larger values
/// are mates: a mate in `n` plies from the root is `MATE - n`. Every value fits in 16 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

const MATE: i32 = 32_000;
/// Longest mate that a score can represent, in plies: the mate solver's.
const MAX_MATE_PLIES: i32 = 2_000;

impl Score {
    /// The score of an even position.
    pub const ZERO: Score = Score(0);
    /// Greater than every other score: an open upper bound of the search window. Its negation is
    /// the open lower bound.
    pub const INFINITE: Score = Score(MATE + 1);
    /// The largest value that is not a mate.
    pub const MAX_EVAL: Score = Score(29_999);

    /// A win by the rules without mate, for example against perpetual check. It has no distance in
    /// moves.
    pub const WON_BY_RULE: Score = Score(28_000);
    /// The largest undecided value, that is, the largest estimate.
    pub const MAX_ESTIMATE: Score = Score(Score::WON_BY_RULE.0 - 1);

    /// A value in centipawns, clamped to +-[`MAX_EVAL`](Score::MAX_EVAL).
    #[inline]
    pub const fn cp(value: i32) -> Score {
        let max = Score::MAX_EVAL.0;
        Score(if value > max {
            max
        } else if value < -max {
            -max
        } else {
            value
        })
    }

    /// The side to move mates in `plies` (an odd number, from the root).
    #[inline]
    pub const fn mate_in(plies: u32) -> Score {
        Score(MATE - plies as i32)
    }

    /// The side to move is mated in `plies` (an even number, from the root; 0 means mated now).
    #[inline]
    pub const fn mated_in(plies: u32) -> Score {
        Score(plies as i32 - MATE)
    }

    /// The value in centipawns. For mates, the raw value beyond +-30,000.
    #[inline]
    pub const fn to_cp(self) -> i32 {
        self.0
    }

    /// Whether this is a mate for either side.
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= MATE - MAX_MATE_PLIES
    }

    /// Whether the game is decided: a mate, or a win by the rules, for either side.
    #[inline]
    pub const fn is_decisive(self) -> bool {
        self.0.abs() >= Score::WON_BY_RULE.0
    }

    /// Whether the side to move has lost.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 <= -Score::WON_BY_RULE.0
    }

    /// Whether the side to move has won.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 >= Score::WON_BY_RULE.0
    }

    /// The value clamped to +-[`MAX_ESTIMATE`](Score::MAX_ESTIMATE).
    #[inline]
    pub fn as_estimate(self) -> Score {
        self.clamp(-Score::MAX_ESTIMATE, Score::MAX_ESTIMATE)
    }

    /// Plies to mate: positive if the side to move mates, negative or zero if it is mated. `None`
    /// if the score is not a mate.
    #[inline]
    pub const fn mate_plies(self) -> Option<i32> {
        if !self.is_mate() {
            None
        } else if self.0 > 0 {
            Some(MATE - self.0)
        } else {
            Some(-(MATE + self.0))
        }
    }

    /// The score for the transposition table. Mates are counted from the node, which is `ply` moves
    /// from the root, instead of from the root.
    #[inline]
    pub const fn to_table(self, ply: u32) -> i16 {
        self.brought_nearer(ply as i32) as i16
    }

    /// Reverses [`to_table`](Score::to_table).
    #[inline]
    pub const fn from_table(value: i16, ply: u32) -> Score {
        Score(Score(value as i32).brought_nearer(-(ply as i32)))
    }

    /// The raw value with the distance to mate reduced by `plies`.
    #[inline]
    const fn brought_nearer(self, plies: i32) -> i32 {
        if self.is_mate() { self.0 + self.0.signum() * plies } else { self.0 }
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;

    /// Adds centipawns. The result is only for comparisons: it may exceed the range of valid
    /// scores.
    #[inline]
    fn add(self, cp: i32) -> Score {
        Score(self.0 + cp)
    }
}

impl Sub<i32> for Score {
    type Output = Score;

    #[inline]
    fn sub(self, cp: i32) -> Score {
        Score(self.0 - cp)
    }
}

impl Sub for Score {
    type Output = i32;

    /// The difference in centipawns.
    #[inline]
    fn sub(self, other: Score) -> i32 {
        self.0 - other.0
    }
}

impl fmt::Display for Score {
    /// Formats as in USI: `cp 35`, `mate 5`, `mate -4` (plies). A side that is mated now gives
    /// `mate -1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_plies() {
            Some(0) => write!(f, "mate -1"),
            Some(plies) => write!(f, "mate {plies}"),
            None => write!(f, "cp {}", self.0.clamp(-Score::MAX_EVAL.0, Score::MAX_EVAL.0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_printed_in_plies_and_survive_the_table() {
        assert_eq!(Score::mate_in(5).to_string(), "mate 5");
        assert_eq!(Score::mated_in(4).to_string(), "mate -4");
        assert_eq!(Score::mated_in(0).to_string(), "mate -1");
        assert_eq!(Score::mate_in(1_525).to_string(), "mate 1525");
        assert_eq!(Score::cp(1_000_000), Score::MAX_EVAL);
        assert!(!Score::MAX_EVAL.is_mate() && Score::mate_in(1) < Score::INFINITE);
        for ply in [0, 1, 7, 120] {
            for score in [Score::cp(-35), Score::mate_in(ply + 3), Score::mated_in(ply + 2)] {
                assert_eq!(Score::from_table(score.to_table(ply), ply), score);
            }
        }
    }
}
