//! The openings of a match.

use std::path::Path;

use crate::command::CliError;
use crate::engine::Engine;
use crate::lab::matches::draw_opening;
use crate::lab::selfplay::{SearchBudget, SelfplayConfig, SelfplayError};
use crate::record::{Game, GameReader};
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
