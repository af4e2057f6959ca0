use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rayon::ThreadPool;

use super::*;
use crate::engine::{BestMove, Engine, Info, Outcome, Query, Report, Settings};
use crate::eval::Score;
use crate::record::{Ending, Game};
use crate::search::AlphaBeta;
use crate::shogi::Move;

fn config() -> SelfplayConfig {
    SelfplayConfig {
        seed: 5,
        budget: SearchBudget::Nodes(2_000..=3_000),
        max_plies: 60,
        settings: Settings { hash_mib: 1, ..Settings::default() },
        ..SelfplayConfig::default()
    }
}

fn alpha_beta() -> Box<dyn Engine> {
    Box::<AlphaBeta>::default()
}

fn pool(threads: usize) -> ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
}

fn games(numbers: Range<u64>, threads: usize) -> Vec<Game> {
    let mut games = Vec::new();
    let config = config();
    let series = Series { config: &config, numbers, build: &alpha_beta, is_stopped: &|| false };
    let result: Result<(), SelfplayError> = series.play(&pool(threads), |game| {
        games.push(game.game);
        Ok(())
    });
    assert_eq!(result, Ok(()));
    games
}

#[test]
fn games_depend_only_on_seed_and_number() {
    let all = games(0..6, 1);
    assert_eq!(all.len(), 6);
    assert_eq!(games(0..6, 2), all);
    assert_eq!(games(4..6, 2), all[4..]);
    assert_eq!(play_game(alpha_beta().as_mut(), &config(), 3).as_ref(), Ok(&all[3]));
    let other = SelfplayConfig { seed: 6, ..config() };
    let other = play_game(alpha_beta().as_mut(), &other, 0).expect("a game");
    for (i, game) in all.iter().enumerate() {
        assert!(all[..i].iter().chain([&other]).all(|earlier| earlier.moves() != game.moves()));
    }
}

#[test]
fn only_varied_moves_have_no_score() {
    for game in games(0..4, 2) {
        let unscored = (0..game.moves().len()).filter(|&ply| game.score(ply).is_none());
        let unscored: Vec<usize> = unscored.collect();
        assert!((3..=12).contains(&unscored.len()), "{unscored:?}");
        assert!(unscored.iter().all(|&ply| ply < 24), "{unscored:?}");
        let opening_end = unscored.last().map_or(0, |last| last + 1);
        assert!(opening_end < game.moves().len() && game.result.is_some());
        assert!(game.moves().len() < 60 || game.ending == Some(Ending::MaxMoves));
    }
}

#[test]
fn a_series_ends_when_stopped_or_when_take_fails() {
    let (config, taken) = (config(), AtomicU64::new(0));
    let enough = || taken.load(Ordering::Relaxed) >= 3;
    let take = |_| {
        taken.fetch_add(1, Ordering::Relaxed);
        Ok::<(), SelfplayError>(())
    };
    let series =
        Series { config: &config, numbers: 0..u64::MAX, build: &alpha_beta, is_stopped: &enough };
    assert_eq!(series.play(&pool(2), take), Ok(()));
    assert!(enough());

    let refusal = SelfplayError {
        game: 0,
        sfen: String::new(),
        played: Box::new(crate::record::GameBuilder::new().finish()),
        fault: EngineFault::Answer(BestMove::Resign),
    };
    let series = Series { is_stopped: &|| false, ..series };
    assert_eq!(series.play(&pool(2), |_| Err(refusal.clone())), Err(refusal));
}

/// An engine that always returns the same result.
struct Stubborn(Outcome);

impl Engine for Stubborn {
    fn search(&mut self, _: Query<'_>, report: &mut dyn FnMut(Report)) -> Outcome {
        if let Some(info) = &self.0.info {
            report(Report::Line(info.clone()));
        }
        self.0.clone()
    }
}

#[test]
fn faults_of_the_engine_are_found() {
    let mv = |text: &str| text.parse::<Move>().expect("a move");
    let config =
        SelfplayConfig { opening: Opening { varied: 0..=0, ..Opening::default() }, ..config() };
    let fault = |outcome: Outcome| {
        let error = play_game(&mut Stubborn(outcome), &config, 7).expect_err("a fault");
        assert_eq!(error.game, 7);
        assert!(error.to_string().contains(&error.sfen), "{error}");
        error.fault
    };
    let legal = Outcome { best: BestMove::Play(mv("7g7f"), None), info: None, nodes: 1 };
    let line = [mv("7g7f"), mv("7f7e")].into_iter().collect();
    let info = Info::exact(1, Score::ZERO, line, 1, Duration::ZERO);
    // The same move again at Black's second turn is illegal.
    assert!(matches!(fault(legal.clone()), EngineFault::Move(_)));
    assert!(matches!(
        fault(Outcome { info: Some(info), ..legal.clone() }),
        EngineFault::Line { line, .. } if line == "7g7f 7f7e"
    ));
    assert!(matches!(
        fault(Outcome { nodes: 5_000, ..legal.clone() }),
        EngineFault::Nodes { nodes: 5_000, limit: 2_000..=3_000 }
    ));
    for answer in [BestMove::Resign, BestMove::Declare] {
        assert_eq!(fault(Outcome { best: answer, ..legal.clone() }), EngineFault::Answer(answer));
    }
}
