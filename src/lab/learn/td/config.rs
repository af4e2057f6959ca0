//! How to learn.

use super::learned_groups::{self, LearnedGroups};
use super::search::{Horizon, MAX_PLIES};
use crate::eval::features::{TABLE_2, WEIGHTS};

/// Who the learner plays against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Opponent {
    /// The weights of Table 2; the learner is Black
    Table2,
    /// Table 2's weights, each times a random number from 1/2 to 3/2 of its own in each game; the
    /// learner is Black and White in turns
    Varied,
    /// Itself: it learns from both sides
    Itself,
}

/// The weights before the first game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Start {
    /// What is learned begins at 1000 for pieces and at 0 for kings, the rest is Table 2's.
    Usual,
    /// What is learned begins at this, the rest is Table 2's.
    At(f64),
    /// All weights, also those that are not learned.
    Weights([f64; WEIGHTS]),
}

/// Everything that decides how a run goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TdConfig {
    /// What is learned.
    pub learned: LearnedGroups,
    /// Games.
    pub games: u64,
    /// Of the random numbers.
    pub seed: u64,
    /// The weights before the first game.
    pub start: Start,
    /// alpha in the first game and in the last; a fifth of it for weights of the kings.
    pub rates: [f64; 2],
    /// lambda.
    pub lambda: f64,
    /// Plies of the searches, 1 or more.
    pub depth: usize,
    /// What stands behind them.
    pub horizon: Horizon,
    /// Random numbers within +- this are added to the values of leaves, centipawns.
    pub noise: f64,
    /// A game of so many plies is drawn.
    pub max_plies: usize,
    /// Who the learner plays against.
    pub opponent: Opponent,
    /// Games that are played with the same weights, in parallel, before all learn; with 1 the weights
    /// move within the game.
    pub round: u64,
}

impl TdConfig {
    /// Greatest depth of the searches.
    pub const MAX_DEPTH: usize = MAX_PLIES;

    /// The paper's, section 3.2 and 4. It does not say how large its random numbers are, but "very
    /// small compared with the initial values", nor when it breaks off a game. It says that all
    /// learned weights begin at 1000; those of the kings begin at 0 here, for at their rate they
    /// could not come from 1000 to both sides of 0, where the paper finds them.
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
