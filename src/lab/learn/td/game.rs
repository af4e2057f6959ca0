//! One game of the learner, Black, against its opponent.

use super::config::TdConfig;
use super::eligibility_trace::EligibilityTrace;
use super::search::{DepthSearch, LeafNoise, PrincipalLine};
use crate::eval::features::{FeatureCounts, FeatureWeights, TABLE_2, WEIGHTS};
use crate::record::GameResult;
use crate::rng::Rng;
use crate::shogi::{Color, Move, Position, Repetition, movegen};

/// How a value becomes a probability of winning: the value that multiplies the odds by e.
const SCALE: f64 = 1000.0;

/// A game that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct TdGame {
    /// The result; Black is the learner.
    pub result: GameResult,
    /// From the start position.
    pub moves: Vec<Move>,
    /// Positions that the learner and its opponent searched.
    pub nodes: u64,
}

/// The learner.
#[derive(Clone, Debug)]
pub struct TdPlayer {
    config: TdConfig,
    weights: [f64; WEIGHTS],
    opponent: FeatureWeights,
}

impl TdPlayer {
    /// The learner before its first game.
    pub fn new(config: TdConfig) -> TdPlayer {
        let opponent = FeatureWeights::new(TABLE_2);
        TdPlayer { config, weights: config.first_weights(), opponent }
    }

    /// The weights so far.
    pub fn weights(&self) -> &[f64; WEIGHTS] {
        &self.weights
    }

    /// Goes on with other weights.
    pub fn set_weights(&mut self, weights: [f64; WEIGHTS]) {
        self.weights = weights;
    }

    /// Plays a game, 0 = first, and learns from it on the way.
    pub fn play(&mut self, number: u64) -> TdGame {
        let (config, rate) = (self.config, self.config.rate(number));
        let mut rng = Rng::for_item(config.seed, number);
        let mut trace = EligibilityTrace::new(config.lambda, WEIGHTS);
        let mut pos = Position::startpos();
        let (mut moves, mut nodes) = (Vec::new(), 0);
        let result = loop {
            if let Some(result) = self.end(&pos) {
                break result;
            }
            let noise = LeafNoise { salt: rng.next_u64(), size: config.noise };
            let is_learner = pos.side_to_move() == Color::Black;
            let own = FeatureWeights::new(self.weights);
            let weights = if is_learner { &own } else { &self.opponent };
            let searched = DepthSearch::new(weights, noise).search(&mut pos, config.depth);
            let searched = searched.expect("a game without legal moves has ended");
            if is_learner {
                let (prediction, gradient) = self.prediction(&own, &searched);
                trace.predict(&mut self.weights, rate, prediction, &gradient);
            }
            nodes += searched.nodes;
            moves.push(searched.line[0]);
            pos.do_move(searched.line[0]);
        };
        let outcome = match result {
            GameResult::BlackWins => 1.0,
            GameResult::Draw => 0.5,
            GameResult::WhiteWins => 0.0,
        };
        trace.finish(&mut self.weights, rate, outcome);
        TdGame { result, moves, nodes }
    }

    /// P of eq. (3) and its derivatives, eq. (6), by the weights that are learned.
    fn prediction(
        &self,
        weights: &FeatureWeights,
        searched: &PrincipalLine,
    ) -> (f64, [f64; WEIGHTS]) {
        let Some(leaf) = searched.leaf else {
            return (if searched.mates == Some(true) { 1.0 } else { 0.0 }, [0.0; WEIGHTS]);
        };
        prediction(weights, &leaf, |place| self.config.learned.contains(place))
    }

    /// How the game has ended, if it has. Declarations are not made.
    fn end(&self, pos: &Position) -> Option<GameResult> {
        let us = pos.side_to_move();
        if !movegen::has_legal_move(pos) {
            return Some(GameResult::win_of(!us));
        }
        match pos.fourfold() {
            Some(Repetition::Win) => Some(GameResult::win_of(us)),
            Some(Repetition::Loss) => Some(GameResult::win_of(!us)),
            Some(_) => Some(GameResult::Draw),
            None => (pos.moves_made() >= self.config.max_plies).then_some(GameResult::Draw),
        }
    }
}

/// P of a leaf with these counts, eq. (3), and its derivatives by the learned weights, eq. (6).
fn prediction(
    weights: &FeatureWeights,
    leaf: &FeatureCounts,
    is_learned: impl Fn(usize) -> bool,
) -> (f64, [f64; WEIGHTS]) {
    let features = weights.features(leaf);
    let value: f64 = weights.weights().iter().zip(features).map(|(w, x)| w * x).sum();
    let prediction = 1.0 / (1.0 + (-value / SCALE).exp());
    let slope = prediction * (1.0 - prediction) / SCALE;
    let mut gradient = weights.gradient(leaf);
    for (place, derivative) in gradient.iter_mut().enumerate() {
        *derivative *= if is_learned(place) { slope } else { 0.0 };
    }
    (prediction, gradient)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::features;

    #[test]
    fn two_pawns_ahead_are_worth_what_the_paper_says() {
        let mut weights = [0.0; WEIGHTS];
        weights[0] = 100.0;
        let weights = FeatureWeights::new(weights);
        let pos = Position::from_sfen("4k4/9/9/9/9/9/2P1P4/9/4K4 b - 1").expect("valid");
        let (predicted, _) = prediction(&weights, &features::of(&pos), |_| true);
        assert!((predicted - 0.55).abs() < 0.001, "{predicted}");
    }

    #[test]
    fn derivatives_of_the_probability_are_central_differences() {
        let sfen = "4k4/9/2+R1+B4/4p4/3nsn3/3NSN3/4P4/+b6+r1/4K4 w GSL8Pgsl8p 1";
        let leaf = features::of(&Position::from_sfen(sfen).expect("valid"));
        let of = |weights| prediction(&FeatureWeights::new(weights), &leaf, |place| place != 3);
        let (_, gradient) = of(TABLE_2);
        for (place, derivative) in gradient.into_iter().enumerate() {
            let moved = |step: f64| {
                let mut weights = TABLE_2;
                weights[place] += step;
                of(weights).0
            };
            let slope = (moved(0.1) - moved(-0.1)) / 0.2;
            let expected = if place == 3 { 0.0 } else { slope };
            assert!((expected - derivative).abs() < 1e-8, "{place}: {slope} {derivative}");
        }
    }
}
