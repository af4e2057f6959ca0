//! The techniques of the alpha-beta searcher, each in a position where it applies, and its threads.

use std::time::Instant;

use kankei::engine::{BestMove, Bound, Control, Engine, Info, Limits, Query, Report, Settings};
use kankei::eval::Evaluation;
use kankei::rng::Rng;
use kankei::search::{AlphaBeta, SearchParams, Techniques};
use kankei::shogi::{DeclarationRule, Position, Scope, movegen};

use crate::positions::{position, random_positions};
use crate::search_support::{MATES, OPENING, QUIET, SHARP, assert_mates, depth, nodes, search};

fn engine(params: SearchParams, threads: usize) -> AlphaBeta {
    let mut engine = AlphaBeta::new(params, Evaluation::HandMade);
    engine.configure(&Settings { hash_mib: 16, threads, ..Settings::default() });
    engine
}

fn embedded(settings: Settings) -> AlphaBeta {
    let mut engine = AlphaBeta::default();
    engine.configure(&Settings { hash_mib: 16, ..settings });
    engine
}

fn count(params: SearchParams, sfen: &str, plies: u32) -> u64 {
    search(&mut engine(params, 1), &position(sfen), &depth(plies)).nodes
}

/// A king that can declare a win at its next turn.
const ENTERED: &str = "1+R+R+N+NG+L+L1/3K1+P+P+P1/2+P+P5/9/9/9/9/4k4/9 b 2B3G3P 1";
/// A rook that could move back and forth while the opponent gives pawns away.
const TO_AND_FRO: &str = "4k4/9/9/9/9/9/4p4/9/R3K4 b P 1";

/// Each technique changes the tree where it can apply, and none hides a mate.
#[test]
fn every_technique_applies_and_none_hides_a_mate() {
    let trees =
        [(SHARP, 9), (QUIET, 10), (OPENING, 11), (ENTERED, 3), (TO_AND_FRO, 11), (MATES[8].1, 9)];
    // The mate solver at the root ends some searches before others can apply.
    let bases = [SearchParams::DEFAULT, SearchParams::DEFAULT.without(Techniques::ROOT_MATE)];
    let searches: Vec<(SearchParams, &str, u32, u64)> = bases
        .into_iter()
        .flat_map(|base| trees.map(|(sfen, plies)| (base, sfen, plies, count(base, sfen, plies))))
        .collect();
    for (name, technique) in Techniques::all().iter_names() {
        let params = SearchParams::DEFAULT.without(technique);
        let fires = searches.iter().any(|&(base, sfen, plies, nodes)| {
            count(base.without(technique), sfen, plies) != nodes
        });
        assert!(fires, "{name} never fires");
        for (plies, sfen) in MATES {
            let limits = Limits { mate: true, ..nodes(1_000_000) };
            let outcome = search(&mut engine(params, 1), &position(sfen), &limits);
            let score = outcome.info.expect("an iteration").score;
            // The search does not look for every shorter mate.
            assert!(score.mate_plies() >= Some(plies as i32), "{score} without {name}: {sfen}");
        }
    }
}

#[test]
fn several_threads_find_the_same_mates() {
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
fn a_win_by_declaration_is_scored_as_a_mate() {
    let outcome = search(&mut engine(SearchParams::DEFAULT, 1), &position(ENTERED), &depth(4));
    let score = outcome.info.expect("an iteration").score;
    assert!(score.is_mate() && score.to_cp() > 0, "{score}");
}

#[test]
fn another_entering_king_rule_forgets_declared_wins() {
    // The mate solver finds another mate.
    let params = SearchParams::DEFAULT.without(Techniques::ROOT_MATE);
    let mut engine = AlphaBeta::new(params, Evaluation::HandMade);
    let wins = [DeclarationRule::Csa27, DeclarationRule::None].map(|declaration| {
        engine.configure(&Settings { hash_mib: 16, declaration, ..Settings::default() });
        let outcome = search(&mut engine, &position(ENTERED), &depth(4));
        outcome.info.expect("an iteration").score.is_mate()
    });
    assert_eq!(wins, [true, false]);
}

/// From self-play games of the engine. The given move allows a mate; the number is the length of
/// the shortest one in plies (`kankei mate --shortest`). A search of 5,000 nodes without a mate
/// solver did not see it.
const REFUTED: [(i32, &str, &str); 2] = [
    (7, "ln1gkgs+B1/4r4/ppp2p1pp/4s4/4+bP2P/2PP5/PP1+p5/1K6+r/2L2G1+s1 b 2N2Pgsn2l3p 99", "P*5h"),
    (9, "l4g2l/4gk3/pps3n2/3p1BsNP/2r1p1p2/P1sPsP3/NP+p1Bp3/K3P1G2/L2+l4+r b G4Pnp 99", "G*8f"),
];

/// The search finds these mates and avoids moves that allow them.
#[test]
fn long_mates_are_seen_on_either_side() {
    for (plies, sfen, loses) in REFUTED {
        let mut pos = position(sfen);
        let loses = loses.parse().expect("a move");
        let mut engine = embedded(Settings::default());
        let outcome = search(&mut engine, &pos, &nodes(20_000));
        assert!(matches!(outcome.best, BestMove::Play(mv, _) if mv != loses), "{sfen}");
        pos.do_move(loses);
        let outcome = search(&mut engine, &pos, &nodes(20_000));
        let info = outcome.info.expect("a line");
        assert!(info.score.mate_plies() >= Some(plies), "{}: {sfen}", info.score);
    }
}

/// The positions of [`REFUTED`] after the moves that allow the mates.
fn mating() -> [(i32, &'static str, Position); 2] {
    REFUTED.map(|(plies, sfen, loses)| {
        let mut pos = position(sfen);
        pos.do_move(loses.parse().expect("a move"));
        (plies, sfen, pos)
    })
}

/// A mate found by the mate solver is the first line; the other lines are searched as well.
#[test]
fn a_long_mate_is_the_first_of_several_lines() {
    for (plies, sfen, pos) in mating() {
        let mut engine = embedded(Settings { multi_pv: 3, ..Settings::default() });
        let mut lines: Vec<Info> = Vec::new();
        let control = Control::new(Instant::now());
        let outcome = engine.search(Query::new(&pos, &nodes(60_000), &control), &mut |report| {
            if let Report::Line(info) = report {
                lines.truncate(info.multi_pv - 1);
                lines.push(info);
            }
        });
        assert_eq!(lines.len(), 3, "{sfen}");
        let [mate, others @ ..] = &lines[..] else { panic!("no line: {sfen}") };
        assert!(mate.score.mate_plies() >= Some(plies), "{}: {sfen}", mate.score);
        assert_mates(&pos, &mate.pv);
        assert!(others.iter().all(|line| line.pv[0] != mate.pv[0] && line.score <= mate.score));
        assert!(matches!(outcome.best, BestMove::Play(mv, _) if mv == mate.pv[0]), "{sfen}");
    }
}

/// A proved mate is found again at the next move, with too few nodes for a new proof.
#[test]
fn a_proved_mate_is_found_again_at_the_next_move() {
    for (_, sfen, mut pos) in mating() {
        let mut engine = embedded(Settings::default());
        let found = search(&mut engine, &pos, &nodes(20_000)).info.expect("a line");
        for &mv in &found.pv[..2] {
            pos.do_move(mv);
        }
        let next = search(&mut engine, &pos, &nodes(600)).info.expect("a line");
        assert!(next.score.mate_plies() > Some(0), "{}: {sfen}", next.score);
        assert_mates(&pos, &next.pv);
    }
}

/// A mate that takes longer than the move limit does not win.
#[test]
fn a_mate_after_the_move_limit_is_no_win() {
    for (plies, sfen, pos) in mating() {
        // The mating move would be one move too late.
        let max_moves_to_draw = pos.move_number() + plies as u32 - 2;
        let mut engine = embedded(Settings { max_moves_to_draw, ..Settings::default() });
        let info = search(&mut engine, &pos, &nodes(20_000)).info.expect("a line");
        assert!(!info.score.is_mate(), "{}: {sfen}", info.score);
    }
}

/// Every announced mate has a complete line and holds against every reply.
#[test]
fn announced_mates_are_mates() {
    let mut rng = Rng::from_seed(23);
    let mut engine = engine(SearchParams::DEFAULT, 1);
    let declaration = DeclarationRule::None;
    engine.configure(&Settings { hash_mib: 1, declaration, ..Settings::default() });
    let mut announced = 0;
    random_positions(23, 1_000, |pos| {
        let mut pos = pos.clone();
        let start = pos.to_string();
        let Some(info) = search(&mut engine, &pos, &nodes(1_000)).info else { return };
        let Some(plies) = info.score.mate_plies().filter(|&plies| plies > 0) else { return };
        // A bound announces no mate; its line may be incomplete.
        if info.bound != Bound::Exact {
            return;
        }
        announced += 1;
        assert_eq!(info.pv.len(), plies as usize, "{start}");
        assert_mates(&pos, &info.pv);
        // A longer mate may replace it, but it must stay a mate.
        for _ in 0..100 {
            let outcome = search(&mut engine, &pos, &nodes(50_000));
            let score = outcome.info.expect("a line").score;
            assert!(score.mate_plies() > Some(0), "{score} after mate {plies}: {start}, {pos}");
            let BestMove::Play(mv, _) = outcome.best else { panic!("no move: {pos}") };
            pos.do_move(mv);
            let answers = movegen::legal_moves(&pos, Scope::LEGAL);
            let Some(&answer) = rng.choose(&answers) else { return };
            pos.do_move(answer);
        }
        panic!("not mated: {start}");
    });
    assert!(announced > 100, "{announced}");
}
