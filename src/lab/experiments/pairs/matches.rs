//! Table 9: the searcher with the relations against itself without them.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Args, Extent, LearnedPairs, name};
use crate::command::{CliError, interrupt, progress_bar, thread_pool};
use crate::engine::{Engine, Settings};
use crate::eval::Evaluation;
use crate::eval::pairs::PairWeights;
use crate::lab::in_order::InOrder;
use crate::lab::learn::pairs::Comparison;
use crate::lab::matches::{MatchScore, Pairing};
use crate::lab::run_log::RunLog;
use crate::lab::selfplay::{SearchBudget, SelfplayConfig};
use crate::record::{Game, GameBuilder, GameReader};
use crate::search::{AlphaBeta, SearchParams};

/// Games from one kind of start.
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

/// Plays the games of both models that are left to play; none without data. `None` if the user
/// broke them off.
pub(super) fn play(
    args: &Args,
    extent: &Extent,
    models: &[LearnedPairs; 2],
) -> Result<Option<Vec<StartScore>>, CliError> {
    let Some(data) = &args.experiment.data else { return Ok(Some(Vec::new())) };
    let mut scores = Vec::new();
    for model in models {
        for (plies, file, paper) in STARTS {
            let openings = openings(&data.join(file), plies, extent.matches as usize / 2)?;
            let comparison = model.config.comparison;
            let evaluation = Evaluation::Pairs(Arc::new(model.quantized.weights.clone()));
            let series = MatchSeries { args, extent, openings, evaluation };
            let log = format!("{}-{plies}.games", name(comparison));
            let Some(score) = series.play(&log)? else { return Ok(None) };
            let paper = (comparison == Comparison::Sibling).then_some(paper);
            scores.push(StartScore { plies, model: comparison, score, paper });
        }
    }
    Ok(Some(scores))
}

/// The first different openings of a file, so many plies of them.
fn openings(path: &std::path::Path, plies: usize, count: usize) -> Result<Vec<Game>, CliError> {
    let (mut seen, mut openings) = (BTreeSet::new(), Vec::new());
    for game in GameReader::open(path)? {
        let game = game?;
        let mut builder = GameBuilder::from_position(game.start_position());
        for &mv in game.moves().iter().take(plies) {
            builder.push(mv).expect("a game's moves are legal");
        }
        if openings.len() < count && seen.insert(builder.position().key()) {
            openings.push(builder.finish());
        }
    }
    if openings.is_empty() { Err(CliError::NoOpenings(path.to_owned())) } else { Ok(openings) }
}

struct MatchSeries<'a> {
    args: &'a Args,
    extent: &'a Extent,
    openings: Vec<Game>,
    evaluation: Evaluation,
}

impl MatchSeries<'_> {
    /// Plays with a log of results beside the report; what is in it is not played again.
    fn play(&self, log: &str) -> Result<Option<MatchScore>, CliError> {
        let path = self.args.experiment.out.join(log);
        let header = format!("# {} nodes", self.extent.nodes);
        let parse = |line: &str| line.parse().ok().filter(|result| (-1..=1).contains(result));
        let (mut log, done) = RunLog::open_steps(&path, &header, true, "result", parse)?;
        let mut score = MatchScore::default();
        done.iter().for_each(|&result| score.add(result));
        let (games, nodes) = (2 * self.openings.len() as u64, self.extent.nodes);
        let config = SelfplayConfig {
            budget: SearchBudget::Nodes(nodes..=nodes),
            resignation: None,
            settings: Settings { hash_mib: 16, ..Settings::default() },
            ..SelfplayConfig::default()
        };
        let bar = progress_bar(games as usize).with_position(done.len() as u64);
        bar.reset_eta();
        let start = || self.pairing();
        let play = |pairing: &mut Pairing, game: u64, is_over: &dyn Fn() -> bool| {
            let opening = &self.openings[game as usize / 2];
            let played = pairing.play(game, Some(opening), &config, is_over).transpose()?;
            Some(played.map(|played| played.result(game)))
        };
        let series = InOrder {
            numbers: done.len() as u64..games,
            start: &start,
            work: &play,
            is_stopped: &interrupt::is_interrupted,
        };
        series.run(&thread_pool(self.args.threads)?, |result| -> Result<(), CliError> {
            let result = result?;
            log.add(format!("{result}\n").as_bytes())?;
            score.add(result);
            bar.set_message(score.to_string());
            bar.inc(1);
            Ok(())
        })?;
        bar.finish_and_clear();
        Ok((score.games() as u64 >= games).then_some(score))
    }

    /// With the relations first, without them second.
    fn pairing(&self) -> Pairing {
        let without = Evaluation::Pairs(Arc::new(PairWeights::zero()));
        Pairing::of_searchers([&self.evaluation, &without].map(|evaluation| -> Box<dyn Engine> {
            Box::new(AlphaBeta::new(SearchParams::DEFAULT, evaluation.clone()))
        }))
    }
}
