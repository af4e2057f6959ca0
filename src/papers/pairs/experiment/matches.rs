//! Table 9: games of the searcher with the relations against itself without them.

use std::sync::Arc;

use super::setup::{Args, Extent, name};
use super::training::LearnedPairs;
use crate::command::CliError;
use crate::engine::{Engine, Settings};
use crate::eval::Evaluation;
use crate::lab::description::identity;
use crate::lab::matches::{MatchScore, Pairing};
use crate::lab::selfplay::{SearchBudget, SelfplayConfig};
use crate::papers::match_series::{MatchSeries, openings};
use crate::papers::pairs::form::PairWeights;
use crate::papers::pairs::learner::Comparison;
use crate::search::{AlphaBeta, SearchParams};

/// Score of the games from one kind of start.
pub(super) struct StartScore {
    /// Plies of the openings.
    pub plies: usize,
    pub model: Comparison,
    pub score: MatchScore,
    /// The paper's wins, draws and losses.
    pub paper: Option<[usize; 3]>,
}

/// Plies of the openings, the file they are from, and the paper's result.
const STARTS: [(usize, &str, [usize; 3]); 2] = [
    (10, "openings/start_24ply_2016.txt", [33, 0, 7]),
    (30, "openings/start_36ply_taya.txt", [32, 0, 8]),
];

/// Plays the remaining games of both models; empty without data. `None` if the user interrupted
/// them.
pub(super) fn play(
    args: &Args,
    extent: &Extent,
    models: &[LearnedPairs; 2],
) -> Result<Option<Vec<StartScore>>, CliError> {
    let Some(data) = &args.source.data else { return Ok(Some(Vec::new())) };
    let mut scores = Vec::new();
    for model in models {
        for (plies, file, paper) in STARTS {
            let openings = openings(&data.join(file), plies, extent.matches as usize / 2)?;
            let comparison = model.config.comparison;
            let log = args.experiment.out.join(format!("{}-{plies}.games", name(comparison)));
            // The first player has the relations, the second does not.
            let with = Evaluation::Registered(Arc::new(model.quantized.weights.clone()));
            let without = Evaluation::Registered(Arc::new(PairWeights::zero()));
            let searcher = |evaluation: &Evaluation| -> Box<dyn Engine> {
                Box::new(AlphaBeta::new(SearchParams::DEFAULT, evaluation.clone()))
            };
            let series = MatchSeries {
                pairing: &|| Pairing::of_searchers([searcher(&with), searcher(&without)]),
                openings: &openings,
                games: 2 * openings.len() as u64,
                config: SelfplayConfig {
                    budget: SearchBudget::Nodes(extent.nodes..=extent.nodes),
                    resignation: None,
                    settings: Settings { hash_mib: 16, ..Settings::default() },
                    ..SelfplayConfig::default()
                },
                log,
                header: format!("# {} nodes, {}", extent.nodes, identity(&with)),
                threads: args.threads,
            };
            let Some(score) = series.play()? else { return Ok(None) };
            let paper = (comparison == Comparison::Sibling).then_some(paper);
            scores.push(StartScore { plies, model: comparison, score, paper });
        }
    }
    Ok(Some(scores))
}
