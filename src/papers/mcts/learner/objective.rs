//! The objective of learning move ratings.

use std::io;

use rayon::prelude::*;

use crate::lab::learn::{
    AdaGradRate, BatchNumber, CheckpointReader, CheckpointWriter, Measured, Objective, RunLength,
    Trainer,
};
use crate::papers::mcts::ratings::MoveRatings;
use crate::papers::mcts::ratings::features::{FEATURES, RatedPosition};
use crate::record::{Game, GameHash};
use crate::rng::Rng;
use crate::shogi::{Move, Position, Scope, movegen};

/// Configuration of learning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingsConfig {
    /// Passes over the games.
    pub epochs: u32,
    /// Games per batch.
    pub batch: usize,
    /// Learning rate.
    pub rate: AdaGradRate,
    /// Seed of the order of the games.
    pub seed: u64,
}

impl RatingsConfig {
    /// The best of three configurations (`eval/README.md`).
    pub const DEFAULT: RatingsConfig =
        RatingsConfig { epochs: 1, batch: 8, rate: AdaGradRate::new(0.1, 1.0), seed: 1 };
}

/// Means over positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RatingsMeasure {
    /// Cross-entropy of the moves learned since the previous point, nats.
    pub training: f64,
    /// Cross-entropy of the moves of held-out games with the current weights, nats.
    pub held_out: f64,
    /// Share of the held-out moves with the highest rating in their position.
    pub agreement: f64,
}

/// Weights learned from the moves of games.
pub struct RatingsObjective<'g> {
    config: RatingsConfig,
    training: &'g [Game],
    held_out: &'g [Game],
    weights: Vec<f32>,
    squares: Vec<f32>,
    order: Vec<u32>,
    /// Sums since the last point of the curve.
    sums: Sums,
}

/// Sums over positions.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    positions: u64,
    loss: f64,
    agreed: u64,
}

impl Sums {
    fn add(&mut self, other: &Sums) {
        self.positions += other.positions;
        self.loss += other.loss;
        self.agreed += other.agreed;
    }

    fn mean_loss(&self) -> f64 {
        self.loss / self.positions.max(1) as f64
    }
}

/// The moves of a position with their features, one move after another.
#[derive(Default)]
struct Choice {
    features: Vec<u32>,
    /// End of each move's features.
    ends: Vec<usize>,
    probabilities: Vec<f32>,
}

impl Choice {
    /// Rates the moves of a position with these weights; returns the index of the move played.
    fn look(&mut self, pos: &Position, played: Move, weights: &[f32]) -> Option<usize> {
        let moves = movegen::legal_moves(pos, Scope::USEFUL);
        let number = moves.iter().position(|&mv| mv == played)?;
        self.features.clear();
        self.ends.clear();
        self.probabilities.clear();
        let rated = RatedPosition::new(pos);
        for &mv in &moves {
            let mut rating = 0.0;
            rated.each_feature(mv, |feature| {
                self.features.push(feature as u32);
                rating += weights[feature];
            });
            self.ends.push(self.features.len());
            self.probabilities.push(rating);
        }
        let highest = self.probabilities.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let mut sum = 0.0;
        for rating in &mut self.probabilities {
            *rating = (*rating - highest).exp();
            sum += *rating;
        }
        self.probabilities.iter_mut().for_each(|probability| *probability /= sum);
        Some(number)
    }

    /// The features of each move.
    fn moves(&self) -> impl Iterator<Item = &[u32]> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.features[start..end])
    }
}

/// Visits all choices of a game, each with the index of the move played.
fn each_choice(game: &Game, weights: &[f32], mut visit: impl FnMut(&Choice, usize)) -> Sums {
    let (mut choice, mut sums) = (Choice::default(), Sums::default());
    let mut ply = 0;
    game.replay(|pos, played| {
        if game.is_choice(ply)
            && let Some(number) = choice.look(pos, played, weights)
            && choice.probabilities.len() > 1
        {
            let probability = choice.probabilities[number];
            let is_highest = choice.probabilities.iter().all(|&other| other <= probability);
            sums.positions += 1;
            sums.loss -= f64::from(probability.max(f32::MIN_POSITIVE).ln());
            sums.agreed += u64::from(is_highest);
            visit(&choice, number);
        }
        ply += 1;
    });
    sums
}

/// The gradient of the loss of a game with respect to the weights.
fn gradient(game: &Game, weights: &[f32]) -> (Vec<f32>, Sums) {
    let mut gradient = vec![0.0; FEATURES];
    let sums = each_choice(game, weights, |choice, played| {
        for (number, (features, probability)) in
            choice.moves().zip(&choice.probabilities).enumerate()
        {
            let slope = probability - f32::from(u8::from(number == played));
            features.iter().for_each(|&feature| gradient[feature as usize] += slope);
        }
    });
    (gradient, sums)
}

impl<'g> RatingsObjective<'g> {
    /// Creates the objective before any learning.
    pub fn new(
        config: RatingsConfig,
        training: &'g [Game],
        held_out: &'g [Game],
    ) -> RatingsObjective<'g> {
        RatingsObjective {
            config,
            training,
            held_out,
            weights: vec![0.0; FEATURES],
            squares: vec![0.0; FEATURES],
            order: (0..training.len() as u32).collect(),
            sums: Sums::default(),
        }
    }

    /// Creates a trainer before its first batch.
    pub fn trainer(self) -> Trainer<RatingsObjective<'g>> {
        let epochs = self.config.epochs.into();
        Trainer::new(self, RunLength { epochs, evaluations: 10, patience: None })
    }

    /// The weights, rounded.
    pub fn ratings(&self) -> MoveRatings {
        MoveRatings::from_reals(&self.weights).expect("a weight for each feature")
    }
}

impl Measured for RatingsMeasure {
    fn loss(&self) -> f64 {
        self.held_out
    }

    fn write(&self, out: &mut CheckpointWriter) -> io::Result<()> {
        out.doubles(&[self.training, self.held_out, self.agreement])
    }

    fn read(input: &mut CheckpointReader) -> io::Result<RatingsMeasure> {
        let (training, held_out) = (input.float()?, input.float()?);
        Ok(RatingsMeasure { training, held_out, agreement: input.float()? })
    }
}

impl Objective for RatingsObjective<'_> {
    type Measured = RatingsMeasure;

    fn run_name(&self) -> String {
        let [training, held_out] =
            [self.training, self.held_out].map(|games| GameHash::of_games(games).to_u64());
        format!("ratings {:?} of {training:016x}, held out {held_out:016x}", self.config)
    }

    fn batches_per_epoch(&self) -> u64 {
        self.training.len().div_ceil(self.config.batch) as u64
    }

    fn begin_epoch(&mut self, epoch: u64) {
        self.order.sort_unstable();
        Rng::for_item(self.config.seed, epoch).shuffle(&mut self.order);
    }

    fn learn(&mut self, batch: BatchNumber) {
        let first = batch.of_epoch as usize * self.config.batch;
        let end = (first + self.config.batch).min(self.order.len());
        let weights = &self.weights;
        let of_games: Vec<(Vec<f32>, Sums)> = self.order[first..end]
            .par_iter()
            .map(|&number| gradient(&self.training[number as usize], weights))
            .collect();
        let mut total = vec![0.0; FEATURES];
        for (gradient, sums) in &of_games {
            self.sums.add(sums);
            total.iter_mut().zip(gradient).for_each(|(total, gradient)| *total += gradient);
        }
        // The rate decreases linearly to zero.
        let factor = 1.0 - batch.of_run as f32 / batch.count as f32;
        self.config.rate.times(factor).step_all(&mut self.weights, &mut self.squares, &total);
    }

    fn measure(&mut self, _: &dyn Fn() -> bool) -> Option<RatingsMeasure> {
        let weights = &self.weights;
        let of_games: Vec<Sums> =
            self.held_out.par_iter().map(|game| each_choice(game, weights, |_, _| ())).collect();
        let mut held_out = Sums::default();
        of_games.iter().for_each(|sums| held_out.add(sums));
        let training = std::mem::take(&mut self.sums).mean_loss();
        let agreement = held_out.agreed as f64 / held_out.positions.max(1) as f64;
        Some(RatingsMeasure { training, held_out: held_out.mean_loss(), agreement })
    }

    fn write(&mut self, out: &mut CheckpointWriter) -> io::Result<()> {
        out.number(self.sums.positions)?;
        out.float(self.sums.loss)?;
        out.floats(&self.weights)?;
        out.floats(&self.squares)
    }

    fn read(&mut self, input: &mut CheckpointReader) -> io::Result<()> {
        self.sums = Sums { positions: input.number()?, loss: input.float()?, agreed: 0 };
        self.weights = input.floats(FEATURES)?;
        self.squares = input.floats(FEATURES)?;
        Ok(())
    }
}
