//! The techniques of the selective searcher, each where it fires, and its threads.

use kankei::engine::{BestMove, Engine, Limits, Settings};
use kankei::eval::Evaluation;
use kankei::search::{AlphaBeta, SearchParams, Techniques};

use crate::search_support::{MATES, OPENING, QUIET, SHARP, depth, nodes, position, search};

fn engine(params: SearchParams, threads: usize) -> AlphaBeta {
    let mut engine = AlphaBeta::new(params, Evaluation::HandMade);
    engine.configure(&Settings { hash_mib: 16, threads, ..Settings::default() });
    engine
}

fn count(params: SearchParams, sfen: &str, plies: u32) -> u64 {
    search(&mut engine(params, 1), &position(sfen), &depth(plies)).nodes
}

/// A king that may declare a win at its next turn.
const ENTERED: &str = "1+R+R+N+NG+L+L1/3K1+P+P+P1/2+P+P5/9/9/9/9/4k4/9 b 2B3G3P 1";
/// A rook that could go back and forth while the other side gives pawns away.
const TO_AND_FRO: &str = "4k4/9/9/9/9/9/4p4/9/R3K4 b P 1";

/// Each technique changes the tree where it can fire, and none hides a mate.
#[test]
fn every_technique_fires_and_none_loses_a_mate() {
    let trees =
        [(SHARP, 9), (QUIET, 10), (OPENING, 11), (ENTERED, 3), (TO_AND_FRO, 11), (MATES[8].1, 7)];
    let with = trees.map(|(sfen, plies)| count(SearchParams::DEFAULT, sfen, plies));
    for (name, technique) in Techniques::all().iter_names() {
        let params = SearchParams::DEFAULT.without(technique);
        let mut pairs = trees.into_iter().zip(with);
        let fires = pairs.any(|((sfen, plies), nodes)| count(params, sfen, plies) != nodes);
        assert!(fires, "{name} never fires");
        for (plies, sfen) in MATES {
            let limits = Limits { mate: true, ..nodes(1_000_000) };
            let outcome = search(&mut engine(params, 1), &position(sfen), &limits);
            let score = outcome.info.expect("an iteration").score;
            // Not every shorter mate is looked at.
            assert!(score.mate_plies() >= Some(plies as i32), "{score} without {name}: {sfen}");
        }
    }
}

#[test]
fn threads_share_the_work_and_find_the_same_mates() {
    for threads in [2, 5] {
        for (plies, sfen) in MATES {
            let limits = Limits { mate: true, ..nodes(500_000) };
            let outcome =
                search(&mut engine(SearchParams::DEFAULT, threads), &position(sfen), &limits);
            let score = outcome.info.expect("an iteration").score;
            assert!(score.mate_plies() >= Some(plies as i32), "{score}, {threads} threads: {sfen}");
        }
        let outcome =
            search(&mut engine(SearchParams::DEFAULT, threads), &position(QUIET), &nodes(30_000));
        assert!(matches!(outcome.best, BestMove::Play(..)));
        assert!(outcome.nodes <= 30_000, "{}", outcome.nodes);
    }
}

#[test]
fn a_win_by_declaration_is_worth_a_mate() {
    let outcome = search(&mut engine(SearchParams::DEFAULT, 1), &position(ENTERED), &depth(3));
    let score = outcome.info.expect("an iteration").score;
    assert!(score.is_mate() && score.to_cp() > 0, "{score}");
}
