//! Games of the engine against itself, with the results of its searches.

use std::collections::HashMap;
use std::ops::Range;

use rayon::ThreadPool;

use crate::engine::{Bound, Engine, Info, Outcome, Pv, Query, Report, Settings};
use crate::eval::{Evaluation, Score};
use crate::lab::QuiescenceLeaf;
use crate::lab::in_order::InOrder;
use crate::lab::learn::Sample;
use crate::lab::learn::resolve::Labelled;
use crate::lab::selfplay::{SelfplayConfig, SelfplayError, play_from};
use crate::record::{Game, GameResult};
use crate::search::{AlphaBeta, SearchParams, Techniques};
use crate::shogi::{Color, Move, Position, Scope, movegen};

/// The predictions of one side of a game, and the outcome.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sequence {
    /// In the order of the game.
    pub predictions: Vec<Prediction>,
    /// Points of the side: 0, 1/2 or 1.
    pub outcome: f64,
}

/// Result of one search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Prediction {
    /// Its score, mover's view, centipawns; infinite for a mate.
    pub score: f32,
    /// The principal leaf, labelled with that score and the result of the game; `None` if the leaf
    /// is not quiet.
    pub leaf: Option<Sample>,
}

/// Plays the games with these numbers. Returns two sequences per game, Black's first, in the order
/// of the numbers. Depends only on the evaluation, the configuration and the numbers. Some games
/// are missing once `is_stopped` returns true.
///
/// # Errors
/// [`SelfplayError`] if the engine breaks the rules.
pub(super) fn play(
    evaluation: &Evaluation,
    config: &SelfplayConfig,
    numbers: Range<u64>,
    pool: &ThreadPool,
    is_stopped: &(dyn Fn() -> bool + Sync),
) -> Result<Vec<Sequence>, SelfplayError> {
    // TD-leaf assumes that the score of a search is the evaluation of its principal leaf. So
    // techniques that correct the score, move it towards a bound, or replace it by that of another
    // search are off.
    let distorting = Techniques::CORRECTION | Techniques::SOFTENING | Techniques::QSEARCH_TT;
    let params = SearchParams::DEFAULT.without(distorting);
    let start = || Player {
        engine: NotingEngine::new(Box::new(AlphaBeta::new(params, evaluation.clone()))),
        quiescence: QuiescenceLeaf::new(evaluation),
    };
    let work = |player: &mut Player, number: u64, is_over: &dyn Fn() -> bool| {
        player.play(config, number, is_over).transpose()
    };
    let mut sequences = Vec::new();
    InOrder { numbers, start: &start, work: &work, is_stopped }.run(pool, |game| {
        sequences.extend(game?);
        Ok(())
    })?;
    Ok(sequences)
}

/// The state of a thread.
struct Player<'a> {
    engine: NotingEngine,
    quiescence: QuiescenceLeaf<'a>,
}

impl Player<'_> {
    /// Plays a game and returns its sequences; `None` if it was interrupted.
    fn play(
        &mut self,
        config: &SelfplayConfig,
        number: u64,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<[Sequence; 2]>, SelfplayError> {
        let game = play_from(None, &mut self.engine, config, number, is_over)?;
        Ok(game.and_then(|game| self.sequences(&game, config.opening.plies)))
    }

    /// `opening`: number of plies after which no moves are random.
    fn sequences(&mut self, game: &Game, opening: usize) -> Option<[Sequence; 2]> {
        let result = game.result?;
        let mut sides = Color::ALL.map(|color| Sequence {
            predictions: Vec::new(),
            outcome: f64::from(Sample::half_points_of(color, result)) / 2.0,
        });
        game.replay(|pos, played| {
            let ply = pos.moves_made();
            match self.engine.notes.get(&ply).filter(|_| game.score(ply).is_some()) {
                Some((score, line)) => {
                    let leaf = leaf(pos, played, (*score, line), result, &mut self.quiescence);
                    let prediction = Prediction { score: points(*score), leaf };
                    sides[pos.side_to_move().index()].predictions.push(prediction);
                }
                // Predictions before a random move could not foresee it. A forced move has no score
                // either, but does not disturb predictions.
                None if ply < opening && movegen::legal_moves(pos, Scope::LEGAL).len() > 1 => {
                    sides.iter_mut().for_each(|side| side.predictions.clear());
                }
                None => {}
            }
        });
        Some(sides)
    }
}

/// Centipawns; infinite for mates.
fn points(score: Score) -> f32 {
    match score.mate_plies() {
        Some(plies) if plies > 0 => f32::INFINITY,
        Some(_) => f32::NEG_INFINITY,
        None => score.to_cp() as f32,
    }
}

/// The principal leaf of a search. `None` if the score is a mate or comes from a repetition, or if
/// the line does not end in a quiet position.
fn leaf(
    pos: &Position,
    played: Move,
    (score, line): (Score, &Pv),
    result: GameResult,
    quiescence: &mut QuiescenceLeaf,
) -> Option<Sample> {
    if score.is_mate() {
        return None;
    }
    let mut end = pos.clone();
    for &mv in line {
        end.do_move(mv);
    }
    if end.repetition().is_some() {
        return None;
    }
    let cp = Sample::clamp_score(score.to_cp());
    let labelled = Labelled { pos, played, score: cp, depth: 0, result };
    // The search stood pat at the end of its line, unless the line was truncated.
    let value = if end.side_to_move() == pos.side_to_move() { score } else { -score };
    if !end.in_check() && quiescence.evaluate(&end) == value {
        return labelled.leaf_at(&end);
    }
    labelled.leaf_behind(end, quiescence)
}

/// An engine that keeps the last score and line at each ply of a game.
struct NotingEngine {
    engine: Box<dyn Engine>,
    /// Score and principal variation, by the moves made before the search.
    notes: HashMap<usize, (Score, Pv)>,
}

impl NotingEngine {
    fn new(engine: Box<dyn Engine>) -> NotingEngine {
        NotingEngine { engine, notes: HashMap::new() }
    }
}

impl Engine for NotingEngine {
    fn configure(&mut self, settings: &Settings) -> Vec<String> {
        self.engine.configure(settings)
    }

    fn new_game(&mut self) {
        self.notes.clear();
        self.engine.new_game();
    }

    fn search(&mut self, query: Query<'_>, report: &mut dyn FnMut(Report)) -> Outcome {
        // A bound has no leaf, so use the last exact line with the same move.
        let mut exact: Option<Info> = None;
        let outcome = self.engine.search(query, &mut |found| {
            if let Report::Line(info) = &found
                && info.bound == Bound::Exact
            {
                exact = Some(info.clone());
            }
            report(found);
        });
        let exact = exact.filter(|exact| {
            outcome.info.as_ref().is_some_and(|info| info.pv.first() == exact.pv.first())
        });
        if let Some(Info { score, pv, .. }) = exact.as_ref().or(outcome.info.as_ref()) {
            self.notes.insert(query.pos.moves_made(), (*score, pv.clone()));
        }
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::selfplay::SearchBudget;

    fn config() -> SelfplayConfig {
        SelfplayConfig {
            seed: 3,
            budget: SearchBudget::Nodes(200..=400),
            settings: Settings { hash_mib: 1, ..Settings::default() },
            ..SelfplayConfig::default()
        }
    }

    fn sequences(numbers: Range<u64>, threads: usize) -> Vec<Sequence> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let evaluation = Evaluation::embedded();
        play(&evaluation, &config(), numbers, &pool, &|| false).expect("the engine keeps the rules")
    }

    #[test]
    fn games_depend_on_their_number_alone() {
        let games = sequences(0..4, 1);
        assert_eq!(games.len(), 8);
        assert_eq!(sequences(0..4, 3), games);
        assert_eq!(sequences(2..4, 1), games[4..]);
        for sides in games.chunks(2) {
            assert_eq!(sides[0].outcome + sides[1].outcome, 1.0);
        }
        let predictions: usize = games.iter().map(|side| side.predictions.len()).sum();
        assert!(predictions > 100, "{predictions}");
    }

    #[test]
    fn leaves_have_the_value_of_their_search() {
        let evaluation = Evaluation::embedded();
        let (mut count, mut leaves, mut exact) = (0, 0, 0);
        for side in sequences(0..4, 1) {
            for Prediction { score, leaf } in side.predictions {
                count += 1;
                let Some(sample) = leaf else { continue };
                leaves += 1;
                let sign = if sample.same_side { 1.0 } else { -1.0 };
                assert_eq!(f32::from(sample.score), sign * score);
                assert_eq!(
                    f64::from(sample.result()),
                    0.5 + f64::from(sign) * (side.outcome - 0.5)
                );
                let content = sample.position.content().expect("a position");
                let pos = Position::from_pieces(&content).expect("a position");
                assert!(!pos.in_check(), "{pos}");
                let value = evaluation.evaluate(&pos).to_cp() as f32;
                exact += usize::from(sign * value == score);
            }
        }
        assert!(leaves * 10 > count * 8 && exact * 10 > leaves * 8, "{count} {leaves} {exact}");
    }
}
