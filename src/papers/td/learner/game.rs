//! One game of the learner.

use super::config::{Opponent, TdConfig};
use super::eligibility_trace::EligibilityTrace;
use super::search::{DepthSearch, LeafNoise, PrincipalLine};
use crate::lab::learn::logistic::probability;
use crate::papers::td::features::{FeatureCounts, FeatureWeights, TABLE_2, WEIGHTS};
use crate::record::GameResult;
use crate::rng::Rng;
use crate::shogi::{Color, Move, Position, Repetition, movegen};

/// Scale of the win probability: the value that multiplies the odds by e.
const SCALE: f64 = 1000.0;

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct TdGame {
    /// The result.
    pub result: GameResult,
    /// The learner's side; Black if it played both sides.
    pub learner: Color,
    /// The moves from the start position.
    pub moves: Vec<Move>,
    /// Number of positions searched by both sides.
    pub nodes: u64,
    /// The change of the weights by this game; shape [`WEIGHTS`].
    pub change: [f64; WEIGHTS],
}

/// Plays a game, 0 = first, starting with the learner's weights `before`, and learns from it during
/// play. In a round of several games the learner keeps those weights throughout; otherwise it plays
/// with the current ones.
pub fn play(config: &TdConfig, before: &[f64; WEIGHTS], number: u64) -> TdGame {
    Table::new(config, before, number).play()
}

/// The state of a game.
struct Table<'a> {
    config: &'a TdConfig,
    rng: Rng,
    rate: f64,
    /// The learner of each side, by colour; `None` for an opponent.
    learners: [Option<EligibilityTrace>; 2],
    before: &'a [f64; WEIGHTS],
    /// The learner's weights with all changes.
    weights: [f64; WEIGHTS],
    opponent: FeatureWeights,
}

impl<'a> Table<'a> {
    fn new(config: &'a TdConfig, before: &'a [f64; WEIGHTS], number: u64) -> Table<'a> {
        let mut rng = Rng::for_item(config.seed, number);
        let mut opponent = TABLE_2;
        if config.opponent == Opponent::Varied {
            opponent.iter_mut().for_each(|weight| *weight *= 0.5 + rng.unit());
        }
        let learns = |color| match config.opponent {
            Opponent::Table2 => color == Color::Black,
            Opponent::Varied => (color == Color::Black) == number.is_multiple_of(2),
            Opponent::Itself => true,
        };
        let trace = || EligibilityTrace::new(config.lambda, WEIGHTS);
        Table {
            config,
            rng,
            rate: config.rate(number),
            learners: Color::ALL.map(|color| learns(color).then(trace)),
            before,
            weights: *before,
            opponent: FeatureWeights::new(opponent),
        }
    }

    fn play(mut self) -> TdGame {
        let mut pos = Position::startpos();
        let (mut moves, mut nodes) = (Vec::new(), 0);
        let result = loop {
            if let Some(result) = self.end(&pos) {
                break result;
            }
            let searched = self.think(&mut pos);
            nodes += searched.nodes;
            moves.push(searched.line[0]);
            pos.do_move(searched.line[0]);
        };
        let is_learner = |color: &Color| self.learners[color.index()].is_some();
        let learner = Color::ALL.into_iter().find(is_learner).unwrap_or(Color::Black);
        for (color, trace) in Color::ALL.into_iter().zip(self.learners) {
            if let Some(trace) = trace {
                let points = f64::from(result.half_points(color)) / 2.0;
                trace.finish(&mut self.weights, self.rate, points);
            }
        }
        self.config.learned.bind(&mut self.weights);
        let mut change = self.weights;
        change.iter_mut().zip(self.before).for_each(|(change, before)| *change -= before);
        TdGame { result, learner, moves, nodes, change }
    }

    /// Searches for the side to move; a learner learns from the search.
    fn think(&mut self, pos: &mut Position) -> PrincipalLine {
        let config = self.config;
        let noise = LeafNoise { salt: self.rng.next_u64(), size: config.noise };
        let us = pos.side_to_move();
        let mut search = |weights: &FeatureWeights| {
            let mut search = DepthSearch::new(weights, config.horizon, noise);
            search.search(pos, config.depth).expect("a game without legal moves has ended")
        };
        let Some(trace) = &mut self.learners[us.index()] else {
            return search(&self.opponent);
        };
        let is_frozen = config.round > 1;
        let own = FeatureWeights::new(if is_frozen { *self.before } else { self.weights });
        let searched = search(&own);
        let (prediction, mut gradient) = prediction(&own, &searched);
        config.learned.project(&mut gradient);
        trace.predict(&mut self.weights, self.rate, prediction, &gradient);
        config.learned.bind(&mut self.weights);
        searched
    }

    /// The result of the game, if it has ended. Nobody declares a win.
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

/// P of a search, eq. (3), and its derivatives with respect to all weights, eq. (6).
fn prediction(weights: &FeatureWeights, searched: &PrincipalLine) -> (f64, [f64; WEIGHTS]) {
    match &searched.leaf {
        Some(leaf) => prediction_of_leaf(weights, leaf),
        None => (if searched.mates == Some(true) { 1.0 } else { 0.0 }, [0.0; WEIGHTS]),
    }
}

fn prediction_of_leaf(weights: &FeatureWeights, leaf: &FeatureCounts) -> (f64, [f64; WEIGHTS]) {
    let features = weights.features(leaf);
    let value: f64 = weights.weights().iter().zip(features).map(|(w, x)| w * x).sum();
    let prediction = probability(value / SCALE);
    let slope = prediction * (1.0 - prediction) / SCALE;
    (prediction, weights.gradient(leaf).map(|derivative| slope * derivative))
}

#[cfg(test)]
mod tests {
    use super::super::config::Opponent;
    use super::super::learned_groups::LearnedGroups;
    use super::*;
    use crate::papers::td::features;

    #[test]
    fn two_pawns_ahead_have_the_probability_of_the_paper() {
        let mut weights = [0.0; WEIGHTS];
        weights[0] = 100.0;
        let weights = FeatureWeights::new(weights);
        let pos = Position::from_sfen("4k4/9/9/9/9/9/2P1P4/9/4K4 b - 1").expect("valid");
        let (predicted, _) = prediction_of_leaf(&weights, &features::of(&pos));
        assert!((predicted - 0.55).abs() < 0.001, "{predicted}");
    }

    #[test]
    fn derivatives_of_the_probability_are_central_differences() {
        let sfen = "4k4/9/2+R1+B4/4p4/3nsn3/3NSN3/4P4/+b6+r1/4K4 w 2GL8Pgsl7p 1";
        let leaf = features::of(&Position::from_sfen(sfen).expect("valid"));
        let of = |weights| prediction_of_leaf(&FeatureWeights::new(weights), &leaf);
        for learned in [LearnedGroups::Pieces, LearnedGroups::Hand, LearnedGroups::All] {
            let first = TdConfig::new(learned, 1, 1).first_weights();
            let (_, mut gradient) = of(first);
            learned.project(&mut gradient);
            for (place, derivative) in gradient.into_iter().enumerate() {
                let moved = |step: f64| {
                    let mut moved = first;
                    moved[place] += if learned.contains(place) { step } else { 0.0 };
                    learned.bind(&mut moved);
                    of(moved).0
                };
                let share = if place < 20 { 1.0 } else { 0.2 };
                let slope = share * (moved(0.01) - moved(-0.01)) / 0.02;
                assert!((slope - derivative).abs() < 1e-9, "{place}: {slope} {derivative}");
            }
            assert!(gradient.iter().any(|derivative| *derivative != 0.0));
        }
    }

    #[test]
    fn learners_depend_on_the_opponent() {
        let base = TdConfig { depth: 1, ..TdConfig::new(LearnedGroups::All, 4, 2) };
        let before = base.first_weights();
        let game = |opponent, number| play(&TdConfig { opponent, ..base }, &before, number);
        assert_eq!(game(Opponent::Table2, 1).learner, Color::Black);
        assert_eq!(game(Opponent::Varied, 0).learner, Color::Black);
        assert_eq!(game(Opponent::Varied, 1).learner, Color::White);
        let both = game(Opponent::Itself, 1);
        assert!(both.change.iter().any(|change| *change != 0.0));
    }

    #[test]
    fn a_game_of_a_round_is_played_with_the_weights_before_it() {
        let config = TdConfig { depth: 1, round: 3, ..TdConfig::new(LearnedGroups::Board, 6, 2) };
        let before = config.first_weights();
        // The change comes from learning alone: with a rate of 0 it is 0.
        let frozen = play(&config, &before, 4);
        let none = play(&TdConfig { rates: [0.0, 0.0], ..config }, &before, 4);
        assert_eq!(frozen.moves, none.moves);
        assert_eq!(none.change, [0.0; WEIGHTS]);
        assert_ne!(frozen.change, [0.0; WEIGHTS]);
    }
}
