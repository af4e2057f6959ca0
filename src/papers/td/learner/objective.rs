//! The objective: each batch is a round of games.

use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use rayon::prelude::*;

use super::config::TdConfig;
use super::game::{self, TdGame};
use crate::lab::learn::{
    BatchNumber, CheckpointReader, CheckpointWriter, LearnError, Measured, Objective, RunLength,
    Trainer, write_file,
};
use crate::papers::td::features::{FeatureWeights, WEIGHTS, file};

/// Number of points of the learning curve.
const POINTS: u64 = 200;

/// Totals over the games so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TdScore {
    /// Games won, drawn and lost by the learner; by Black, if it played both sides.
    pub games: [u64; 3],
    /// Number of moves of both sides.
    pub plies: u64,
    /// Number of positions searched by both sides.
    pub nodes: u64,
    /// Wall time, seconds.
    pub seconds: f64,
}

/// A point of the learning curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TdMeasure {
    /// The weights.
    pub weights: [f64; WEIGHTS],
    /// Totals over all games up to this point.
    pub score: TdScore,
}

/// A run of games from which the learner learns.
pub struct TdObjective {
    config: TdConfig,
    weights: [f64; WEIGHTS],
    score: TdScore,
}

impl TdObjective {
    /// The run before its first game.
    pub fn new(config: TdConfig) -> TdObjective {
        let weights = config.first_weights();
        TdObjective { config, weights, score: TdScore::default() }
    }

    /// Creates a trainer of the configured length whose curve has its first point.
    pub fn trainer(self) -> Trainer<TdObjective> {
        let measured = self.measured();
        let mut trainer =
            Trainer::new(self, RunLength { epochs: 1, evaluations: POINTS, patience: None });
        trainer.begin_curve(measured);
        trainer
    }

    /// The current weights.
    pub fn weights(&self) -> FeatureWeights {
        FeatureWeights::new(self.weights)
    }

    /// Writes the current weights to a file.
    ///
    /// # Errors
    /// [`LearnError::Write`].
    pub fn write_weights(&self, path: &Path) -> Result<(), LearnError> {
        let text = file::write(&self.weights());
        write_file(path, |out| out.write_all(text.as_bytes()))
    }

    fn measured(&self) -> TdMeasure {
        TdMeasure { weights: self.weights, score: self.score }
    }
}

impl TdScore {
    fn add(&mut self, game: &TdGame) {
        self.games[2 - usize::from(game.result.half_points(game.learner))] += 1;
        self.plies += game.moves.len() as u64;
        self.nodes += game.nodes;
    }

    /// The totals without the games of `earlier`.
    pub fn since(&self, earlier: &TdScore) -> TdScore {
        let games = [0, 1, 2].map(|n| self.games[n] - earlier.games[n]);
        TdScore {
            games,
            plies: self.plies - earlier.plies,
            nodes: self.nodes - earlier.nodes,
            seconds: self.seconds - earlier.seconds,
        }
    }

    /// Number of games.
    pub fn count(&self) -> u64 {
        self.games.iter().sum()
    }

    /// Share of the points, 0 to 1: wins and half the draws.
    pub fn share(&self) -> f64 {
        let [won, drawn, _] = self.games;
        (won as f64 + 0.5 * drawn as f64) / self.count().max(1) as f64
    }
}

impl Measured for TdMeasure {
    /// Share of the points that the learner has lost; there is no held-out data.
    fn loss(&self) -> f64 {
        1.0 - self.score.share()
    }

    fn write(&self, out: &mut CheckpointWriter) -> io::Result<()> {
        out.doubles(&self.weights)?;
        write_score(&self.score, out)
    }

    fn read(input: &mut CheckpointReader) -> io::Result<TdMeasure> {
        Ok(TdMeasure { weights: read_weights(input)?, score: read_score(input)? })
    }
}

impl Objective for TdObjective {
    type Measured = TdMeasure;

    fn run_name(&self) -> String {
        format!("td {:?}", self.config)
    }

    fn batches_per_epoch(&self) -> u64 {
        self.config.rounds()
    }

    fn begin_epoch(&mut self, _: u64) {}

    fn learn(&mut self, batch: BatchNumber) {
        let began = Instant::now();
        let (config, weights) = (&self.config, &self.weights);
        let numbers = config.games_of_round(batch.of_run).into_par_iter();
        let games: Vec<TdGame> =
            numbers.map(|number| game::play(config, weights, number)).collect();
        for game in &games {
            self.score.add(game);
            self.weights.iter_mut().zip(game.change).for_each(|(weight, change)| *weight += change);
        }
        // Each game's change includes the rounding of the weights that follow others. The sum of a
        // round would apply it several times.
        self.config.learned.bind(&mut self.weights);
        self.score.seconds += began.elapsed().as_secs_f64();
    }

    fn measure(&mut self, _: &dyn Fn() -> bool) -> Option<TdMeasure> {
        Some(self.measured())
    }

    fn write(&mut self, out: &mut CheckpointWriter) -> io::Result<()> {
        out.doubles(&self.weights)?;
        write_score(&self.score, out)
    }

    fn read(&mut self, input: &mut CheckpointReader) -> io::Result<()> {
        self.weights = read_weights(input)?;
        self.score = read_score(input)?;
        Ok(())
    }
}

fn read_weights(input: &mut CheckpointReader) -> io::Result<[f64; WEIGHTS]> {
    let mut weights = [0.0; WEIGHTS];
    for weight in &mut weights {
        *weight = input.float()?;
    }
    Ok(weights)
}

fn write_score(score: &TdScore, out: &mut CheckpointWriter) -> io::Result<()> {
    score.games.iter().try_for_each(|&games| out.number(games))?;
    out.number(score.plies)?;
    out.number(score.nodes)?;
    out.float(score.seconds)
}

fn read_score(input: &mut CheckpointReader) -> io::Result<TdScore> {
    let games = [input.number()?, input.number()?, input.number()?];
    let (plies, nodes) = (input.number()?, input.number()?);
    Ok(TdScore { games, plies, nodes, seconds: input.float()? })
}

#[cfg(test)]
mod tests {
    use super::super::learned_groups::LearnedGroups;
    use super::*;

    #[test]
    fn a_round_learns_the_sum_of_the_changes_of_its_games() {
        let config = TdConfig { depth: 1, round: 3, ..TdConfig::new(LearnedGroups::All, 6, 2) };
        let before = config.first_weights();
        let mut expected = before;
        for number in 3..6 {
            let change = game::play(&config, &before, number).change;
            expected.iter_mut().zip(change).for_each(|(weight, change)| *weight += change);
        }
        let mut objective = TdObjective::new(config);
        objective.learn(BatchNumber { of_epoch: 1, of_run: 1, count: 2 });
        assert_eq!(objective.weights, expected);
        assert_eq!(objective.score.count(), 3);
    }

    #[test]
    fn weights_that_follow_others_do_so_in_every_round() {
        let learned = LearnedGroups::Pieces;
        let config =
            TdConfig { depth: 1, round: 8, max_plies: 40, ..TdConfig::new(learned, 160, 3) };
        let mut objective = TdObjective::new(config);
        for of_run in 0..20 {
            objective.learn(BatchNumber { of_epoch: of_run, of_run, count: 20 });
        }
        let mut bound = objective.weights;
        learned.bind(&mut bound);
        assert_eq!(objective.weights, bound);
    }
}
