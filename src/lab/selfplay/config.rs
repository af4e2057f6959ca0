//! How games are played.

use std::ops::RangeInclusive;
use std::time::Duration;

use crate::engine::Settings;

/// Everything besides the engine that decides how a game goes.
#[derive(Clone, Debug, PartialEq)]
pub struct SelfplayConfig {
    /// Seed of all games.
    pub seed: u64,
    /// What one search may use up.
    pub budget: SearchBudget,
    /// Where the games begin.
    pub starts: Starts,
    /// The varied first moves.
    pub opening: Opening,
    /// When a side resigns; `None` = games are played to their end.
    pub resignation: Option<Resignation>,
    /// Share of the games that are played to their end all the same, 0 to 1.
    pub played_out: f64,
    /// Whether a side that may declare wins at once; else it has to say that it declares.
    pub declares: bool,
    /// A game of so many plies is drawn.
    pub max_plies: usize,
    /// Settings of the engine. Its declaration rule is the one of the games.
    pub settings: Settings,
}

/// What one search may use up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchBudget {
    /// Nodes, drawn anew for every move. Such games can be made again to the last move.
    Nodes(RangeInclusive<u64>),
    /// Time. Such games cannot be made again.
    Time(Duration),
    /// What the engine allows itself.
    Own,
}

/// Where games begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Starts {
    /// From the usual start.
    #[default]
    Usual,
    /// Half of them from the usual start; the others after random moves, with a handicap, or from
    /// positions put together by chance, with kings anywhere and many pieces in hand.
    Varied,
}

/// Varied first moves: without them an engine would play the same game for ever.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// Plies among which the varied moves lie.
    pub plies: usize,
    /// How many of these plies are varied.
    pub varied: RangeInclusive<usize>,
    /// Share of the varied moves that are drawn among the best lines, 0 to 1; the others are drawn
    /// among all legal moves.
    pub sensible: f64,
    /// Lines looked at for a sensible move.
    pub lines: usize,
    /// How much worse than the best line a sensible move may be, centipawns.
    pub largest_loss: i32,
    /// A game that stands worse than this for either side behind its last varied move is begun
    /// anew, centipawns.
    pub largest_score: i32,
}

/// When a side resigns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resignation {
    /// How far behind it must be, centipawns,
    pub score: i32,
    /// and for how many plies in a row, by the scores of both sides.
    pub plies: usize,
}

impl Default for SelfplayConfig {
    fn default() -> SelfplayConfig {
        SelfplayConfig {
            seed: 1,
            budget: SearchBudget::Nodes(5_000..=10_000),
            starts: Starts::Usual,
            opening: Opening::default(),
            resignation: Some(Resignation { score: 3_000, plies: 4 }),
            played_out: 0.0,
            declares: true,
            max_plies: 320,
            settings: Settings { hash_mib: 16, ..Settings::default() },
        }
    }
}

impl Default for Opening {
    fn default() -> Opening {
        Opening {
            plies: 24,
            varied: 3..=12,
            sensible: 0.75,
            lines: 5,
            largest_loss: 150,
            largest_score: 700,
        }
    }
}
