//! How far a search may deviate from its best move.

use std::fmt;

/// A strength level below full strength. Each level searches about a third more nodes than the one
/// below and chooses among the best lines with a lower temperature. `eval/reports/skill.md` reports
/// the strength of the levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SkillLevel(u8);

impl SkillLevel {
    /// Number of levels; level 0 is the weakest.
    pub const COUNT: u8 = 20;

    /// This level; `None` for levels that mean full strength.
    pub fn new(level: u8) -> Option<SkillLevel> {
        (level < SkillLevel::COUNT).then_some(SkillLevel(level))
    }

    /// Its number, below [`COUNT`](SkillLevel::COUNT).
    pub fn number(self) -> u8 {
        self.0
    }
}

impl fmt::Display for SkillLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How far a search may deviate from its best move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leeway {
    /// Playing strength; `None` is full strength.
    pub skill: Option<SkillLevel>,
    /// In the opening, moves up to this many centipawns worse than the best are played.
    pub variety: i32,
}

impl Leeway {
    /// The last move number with opening variety.
    pub const LAST_MOVE: u32 = 20;
}
