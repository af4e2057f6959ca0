//! The openings of a match.

use std::path::Path;

use crate::command::CliError;
use crate::engine::Engine;
use crate::lab::matches::draw_opening;
use crate::lab::selfplay::{SearchBudget, SelfplayConfig, SelfplayError};
use crate::record::{Game, GameHash, GameReader};
use crate::rng::Rng;

/// Start positions of the games.
pub(super) enum Openings {
    /// The openings of a file, in turn.
    File(Vec<Game>),
    /// Random openings, selected by this program's searcher.
    Drawn(SelfplayConfig),
}

/// Nodes of each search during the selection of an opening.
const OPENING_NODES: u64 = 500;

impl Openings {
    /// The openings of a file, shuffled if there is a seed; without a file, random openings.
    pub fn new(path: Option<&Path>, seed: Option<u64>) -> Result<Openings, CliError> {
        let Some(path) = path else {
            let nodes = OPENING_NODES..=OPENING_NODES;
            let (seed, budget) = (seed.unwrap_or(1), SearchBudget::Nodes(nodes));
            return Ok(Openings::Drawn(SelfplayConfig { seed, budget, ..Default::default() }));
        };
        let games: Result<Vec<Game>, _> = GameReader::open(path)?.collect();
        let mut games = games?;
        if games.is_empty() {
            return Err(CliError::NoOpenings(path.to_owned()));
        }
        if let Some(seed) = seed {
            Rng::from_seed(seed).shuffle(&mut games);
        }
        Ok(Openings::File(games))
    }

    /// Hash of the openings of a file.
    pub fn hash(&self) -> Option<GameHash> {
        match self {
            Openings::File(openings) => Some(GameHash::of_games(openings)),
            Openings::Drawn(_) => None,
        }
    }

    /// A warning if `pairs` pairs of games repeat openings.
    pub fn repeated(&self, pairs: u64) -> Option<String> {
        match self {
            Openings::File(openings) if (openings.len() as u64) < pairs => Some(format!(
                "warning: {} openings for {pairs} pairs of games; with a limit of nodes, games \
                 repeat, and the error of the score is too small",
                openings.len()
            )),
            _ => None,
        }
    }

    /// The opening of a pair of games.
    pub fn get(&self, engine: &mut dyn Engine, pair: u64) -> Result<Game, SelfplayError> {
        match self {
            Openings::File(openings) => {
                Ok(openings[(pair % openings.len() as u64) as usize].clone())
            }
            Openings::Drawn(config) => draw_opening(engine, config, pair),
        }
    }
}
