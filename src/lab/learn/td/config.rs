//! How to learn.

use super::search::MAX_PLIES;
use crate::eval::features::{FeatureGroup, TABLE_2, WEIGHTS};

/// Which weights are learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum LearnedGroups {
    /// Values of the pieces on the board
    Board,
    /// Values of the pieces in hand
    Hand,
    /// Attacked squares around the kings, and pieces near them
    King,
}

impl LearnedGroups {
    /// The groups.
    pub fn groups(self) -> &'static [FeatureGroup] {
        match self {
            LearnedGroups::Board => &[FeatureGroup::Board],
            LearnedGroups::Hand => &[FeatureGroup::Hand],
            LearnedGroups::King => &[FeatureGroup::Attacks, FeatureGroup::Distance],
        }
    }

    /// Whether the weight in this place is learned.
    pub fn contains(self, place: usize) -> bool {
        self.groups().iter().any(|group| group.places().contains(&place))
    }

    /// As users name them.
    pub fn name(self) -> &'static str {
        match self {
            LearnedGroups::Board => "board",
            LearnedGroups::Hand => "hand",
            LearnedGroups::King => "king",
        }
    }
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
    /// The learned weights before the first game.
    pub start: f64,
    /// alpha in the first game and in the last.
    pub rates: [f64; 2],
    /// lambda.
    pub lambda: f64,
    /// Plies of the searches, 1 or more.
    pub depth: usize,
    /// Random numbers within +- this are added to the values of leaves, centipawns.
    pub noise: f64,
    /// A game of so many plies is drawn.
    pub max_plies: usize,
}

impl TdConfig {
    /// Greatest depth of the searches.
    pub const MAX_DEPTH: usize = MAX_PLIES;

    /// The paper's, section 3.2 and 4. It does not say how large its random numbers are, but "very
    /// small compared with the initial values", nor when it breaks off a game. It says that all
    /// learned weights begin at 1000; those of the kings begin at 0 here, for at their rate they
    /// could not come from 1000 to both sides of 0, where the paper finds them.
    pub const fn new(learned: LearnedGroups, games: u64, seed: u64) -> TdConfig {
        let (start, rates) = match learned {
            LearnedGroups::Board | LearnedGroups::Hand => (1000.0, [250.0, 1.0]),
            LearnedGroups::King => (0.0, [50.0, 0.2]),
        };
        TdConfig {
            learned,
            games,
            seed,
            start,
            rates,
            lambda: 0.95,
            depth: 3,
            noise: 10.0,
            max_plies: 512,
        }
    }

    /// The weights before the first game.
    pub fn first_weights(&self) -> [f64; WEIGHTS] {
        let mut weights = TABLE_2;
        for group in self.learned.groups() {
            weights[group.places()].fill(self.start);
        }
        weights
    }

    /// alpha of a game, 0 = first.
    pub fn rate(&self, game: u64) -> f64 {
        let [first, last] = self.rates;
        let share = game as f64 / self.games.saturating_sub(1).max(1) as f64;
        first + share * (last - first)
    }
}
