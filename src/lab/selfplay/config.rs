//! Conditions of the games.

use std::ops::RangeInclusive;
use std::time::Duration;

use crate::engine::Settings;

/// All conditions of a game except the engine.
#[derive(Clone, Debug, PartialEq)]
pub struct SelfplayConfig {
    /// Seed of all games.
    pub seed: u64,
    /// Limit of each search.
    pub budget: SearchBudget,
    /// Start positions of the games.
    pub starts: Starts,
    /// The varied first moves.
    pub opening: Opening,
    /// Resignation rule; `None`: games are played to their end.
    pub resignation: Option<Resignation>,
    /// Share of the games that are played to their end despite the resignation rule, 0 to 1.
    pub played_out: f64,
    /// Whether a side that may declare wins immediately. Otherwise it must declare.
    pub declares: bool,
    /// A game of this many plies is a draw.
    pub max_plies: usize,
    /// Settings of the engine. Their declaration rule applies to the games.
    pub settings: Settings,
}

/// Limit of one search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchBudget {
    /// Nodes, drawn for every move. These games are reproducible.
    Nodes(RangeInclusive<u64>),
    /// The same, but the search completes its iteration ([`soft_nodes`](crate::engine::Limits)).
    SoftNodes(RangeInclusive<u64>),
    /// Time. These games are not reproducible.
    Time(Duration),
    /// The limit that the engine sets itself.
    Own,
}

/// Start positions of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Starts {
    /// From the start position.
    #[default]
    Usual,
    /// Half of the games from the start position. The others start after random moves, with a
    /// handicap, or from composed random positions with kings anywhere and many pieces in hand.
    Varied,
}

/// Varied first moves. Without them, an engine would always play the same game.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// The varied moves lie among this many first plies.
    pub plies: usize,
    /// Number of varied plies.
    pub varied: RangeInclusive<usize>,
    /// Share of the varied moves that are drawn from the best lines, 0 to 1. The others are drawn
    /// from all legal moves.
    pub sensible: f64,
    /// Number of lines searched for a sensible move.
    pub lines: usize,
    /// Maximum loss of a sensible move compared with the best line, centipawns.
    pub largest_loss: i32,
    /// A game with a score beyond this after its last varied move is discarded, centipawns.
    pub largest_score: i32,
}

/// Resignation rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resignation {
    /// Minimum deficit in centipawns.
    pub score: i32,
    /// Number of consecutive plies with this deficit, by the scores of both sides.
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
