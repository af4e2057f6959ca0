//! Configuration of TD learning.

use super::learned_groups::{self, LearnedGroups};
use super::search::{Horizon, MAX_PLIES};
use crate::papers::td::features::{TABLE_2, WEIGHTS};

/// The opponent of the learner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Opponent {
    /// The weights of Table 2; the learner is Black
    Table2,
    /// Table 2's weights, each multiplied by a random factor from 1/2 to 3/2 in each game; the
    /// learner alternates colours
    Varied,
    /// Itself: it learns from both sides
    Itself,
}

/// The weights before the first game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Start {
    /// Learned weights start at 1000 for pieces and at 0 for kings; the others are Table 2's.
    Usual,
    /// Learned weights start at this value; the others are Table 2's.
    At(f64),
    /// All weights, including those that are not learned.
    Weights([f64; WEIGHTS]),
}

/// Everything that defines a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TdConfig {
    /// The weights to learn.
    pub learned: LearnedGroups,
    /// Number of games.
    pub games: u64,
    /// Seed of the random numbers.
    pub seed: u64,
    /// The weights before the first game.
    pub start: Start,
    /// alpha in the first game and in the last; a fifth of it applies to weights of the kings.
    pub rates: [f64; 2],
    /// lambda, the decay of the eligibility trace.
    pub lambda: f64,
    /// Plies of the searches, 1 or more.
    pub depth: usize,
    /// Evaluation at the horizon of the searches.
    pub horizon: Horizon,
    /// Bound of the random numbers added to the values of leaves, centipawns.
    pub noise: f64,
    /// A game that reaches this number of plies is drawn.
    pub max_plies: usize,
    /// The opponent of the learner.
    pub opponent: Opponent,
    /// Number of games of a round. They are played in parallel with the same weights before all are
    /// learned. With 1 the weights change during the game.
    pub round: u64,
}

impl TdConfig {
    /// Largest depth of the searches.
    pub const MAX_DEPTH: usize = MAX_PLIES;

    /// The configuration of the paper, section 3.2 and 4. The paper gives neither the size of its
    /// random numbers ("very small compared with the initial values") nor the length at which it
    /// ends a game. It states that all learned weights start at 1000. Those of the kings start at 0
    /// here: at their rate they could not get from 1000 to both sides of 0, where the paper finds
    /// them.
    pub const fn new(learned: LearnedGroups, games: u64, seed: u64) -> TdConfig {
        TdConfig {
            learned,
            games,
            seed,
            start: Start::Usual,
            rates: [250.0, 1.0],
            lambda: 0.95,
            depth: 3,
            horizon: Horizon::Static,
            noise: 10.0,
            max_plies: 512,
            opponent: Opponent::Table2,
            round: 1,
        }
    }

    /// The weights before the first game.
    pub fn first_weights(&self) -> [f64; WEIGHTS] {
        let mut weights = TABLE_2;
        for &group in self.learned.groups() {
            let usual = if learned_groups::is_of_kings(group) { 0.0 } else { 1000.0 };
            match self.start {
                Start::Usual => weights[group.places()].fill(usual),
                Start::At(start) => weights[group.places()].fill(start),
                Start::Weights(first) => weights = first,
            }
        }
        self.learned.bind(&mut weights);
        weights
    }

    /// alpha of a game, 0 = first.
    pub fn rate(&self, game: u64) -> f64 {
        let [first, last] = self.rates;
        let share = game as f64 / self.games.saturating_sub(1).max(1) as f64;
        first + share * (last - first)
    }

    /// Numbers of the games of a round, 0 = first.
    pub fn games_of_round(&self, round: u64) -> std::ops::Range<u64> {
        let first = round * self.round;
        first..(first + self.round).min(self.games)
    }

    /// Number of rounds.
    pub fn rounds(&self) -> u64 {
        self.games.div_ceil(self.round)
    }
}
