//! The searcher: mates, determinism, limits, and each rule where it fires.

use std::time::{Duration, Instant};

use kankei::engine::{BestMove, Bound, Control, Engine, Limits, Outcome, Report, Settings};
use kankei::eval::Evaluation;
use kankei::search::{FullWidth, Rules, SearchParams};
use kankei::shogi::{Position, movegen};

/// Positions from games of this engine against itself, by plies to mate.
const MATES: [(u32, &str); 9] = [
    (1, "3gk1gn+B/6s2/l1s2pppp/p3p4/9/3P2P2/2PGP+b+nPP/4g1s1K/1+r4S1L w r2n2l6p 96"),
    (1, "2g2+S3/4p+R1+R1/2pp1pp2/3g1k2p/9/p3GPP1P/nGPPP1N2/2KSS4/8L b S2N3L5P2b 107"),
    (1, "+P1k1g1+L2/8l/1p1pGp3/2p1p1p1p/+bn3N3/n1P1PP+r1P/pKlPS2s1/3S1+b3/2G4rL w SPgn3p 134"),
    (3, "3gk1gn+B/6s2/l1s2pppp/p3p4/9/3P2P2/2PGP+b+nPP/4g1R2/1+r3sSKL w 2n2l6p 94"),
    (3, "2g2+S3/4p1+R+R1/2ppkpp2/3g4p/9/p3GPP1P/nGPPP1N2/2KSS4/8L b S2N3L5P2b 105"),
    (3, "+P1k1g1+L2/8l/1p1pGp3/2p1p1p1p/+bn3N3/n1P1PP+r1P/2lPS2s1/K2S1+b3/2G4rL w SPgn4p 132"),
    (5, "ln3+P3/1rkg3+R1/pppg5/3s4p/6P2/2P2G3/PPN+b5/2Lg1+b3/1K5+l1 w NL4P3sn5p 134"),
    (5, "3g1+S3/4p1+R+R1/2ppkpp2/3g4p/9/p3GPP1P/nGPPP1N2/2KSS4/8L b BS2N3L5Pb 103"),
    (5, "+P1k1g1+L2/8l/1pnpGp3/2p1p1p1p/+b4N3/n1P1PP+r1P/K1lPS2s1/3S1+b3/2G4rL w SPgn4p 130"),
];

const QUIET: &str = "ln1g1g1nl/1ks2r3/1pppp1bpp/p3spp2/9/P1P1SP1PP/1PSPP1P2/1BK1GR3/LN3G1NL b - 1";
const OPENING: &str = "ln2kg1nl/r2s1s1b1/2pppppp1/pB6p/9/Pg6P/2PPPPPP1/3S1S2R/LN1GKG1NL b 2p 27";
const SHARP: &str = "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1";

fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).expect("valid")
}

fn engine(params: SearchParams) -> FullWidth {
    let mut engine = FullWidth::new(params, Evaluation::HandMade);
    engine.configure(&Settings { hash_mib: 16, ..Settings::default() });
    engine
}

fn search(engine: &mut FullWidth, sfen: &str, limits: &Limits) -> Outcome {
    engine.search(&position(sfen), limits, &Control::new(Instant::now()), &mut |_| ())
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

#[test]
fn mates_are_found_with_their_whole_line() {
    for (plies, sfen) in MATES {
        let outcome = search(&mut engine(SearchParams::DEFAULT), sfen, &nodes(300_000));
        let info = outcome.info.expect("an iteration");
        assert_eq!(info.score.to_string(), format!("mate {plies}"), "{sfen}");
        let mut pos = position(sfen);
        for mv in info.pv {
            assert_eq!(pos.check_legal(mv), Ok(()), "{sfen}");
            pos.do_move(mv);
        }
        assert!(pos.in_check() && !movegen::has_legal_move(&pos), "{sfen}");
    }
}

#[test]
fn a_mated_side_has_nothing_to_play() {
    let outcome =
        search(&mut engine(SearchParams::DEFAULT), "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", &depth(5));
    assert_eq!(outcome, Outcome { best: BestMove::Resign, info: None, nodes: 0 });
}

#[test]
fn equal_searches_visit_equal_nodes() {
    for limits in [depth(6), nodes(50_000)] {
        let mut engine = engine(SearchParams::DEFAULT);
        for sfen in [QUIET, SHARP] {
            engine.new_game();
            let mut first = search(&mut engine, sfen, &limits);
            engine.new_game();
            let mut second = search(&mut engine, sfen, &limits);
            for outcome in [&mut first, &mut second] {
                if let Some(info) = &mut outcome.info {
                    info.time = Duration::ZERO;
                }
            }
            assert_eq!(first, second);
        }
    }
}

#[test]
fn node_limits_are_exact() {
    for limit in [1, 2, 100, 3_000, 12_345] {
        for sfen in [QUIET, SHARP] {
            let outcome = search(&mut engine(SearchParams::DEFAULT), sfen, &nodes(limit));
            assert_eq!(outcome.nodes, limit);
            assert!(matches!(outcome.best, BestMove::Play(..)));
        }
    }
}

#[test]
fn a_stop_from_another_thread_ends_the_search() {
    let control = Control::new(Instant::now());
    let pos = position(SHARP);
    let outcome = std::thread::scope(|scope| {
        let running = scope.spawn(|| {
            engine(SearchParams::DEFAULT).search(&pos, &Limits::default(), &control, &mut |_| ())
        });
        std::thread::sleep(Duration::from_millis(50));
        control.stop();
        running.join().expect("no panic")
    });
    assert!(matches!(outcome.best, BestMove::Play(mv, _) if pos.is_legal(mv)));
}

#[test]
fn a_search_stopped_before_it_began_still_has_a_move() {
    let control = Control::new(Instant::now());
    control.stop();
    let pos = position(SHARP);
    let outcome =
        engine(SearchParams::DEFAULT).search(&pos, &Limits::default(), &control, &mut |_| ());
    assert!(matches!(outcome.best, BestMove::Play(mv, _) if pos.is_legal(mv)));
    assert_eq!(outcome.info.map(|info| info.bound), None);
}

#[test]
fn search_moves_restrict_the_root() {
    let wanted = ["9f9e", "1f1e"].map(|mv| mv.parse().expect("a move"));
    let limits = Limits { search_moves: wanted.to_vec(), ..depth(4) };
    let outcome = search(&mut engine(SearchParams::DEFAULT), QUIET, &limits);
    assert!(matches!(outcome.best, BestMove::Play(mv, _) if wanted.contains(&mv)));
}

#[test]
fn several_lines_are_different_ordered_and_legal() {
    let mut engine = FullWidth::new(SearchParams::DEFAULT, Evaluation::HandMade);
    engine.configure(&Settings { hash_mib: 16, multi_pv: 4, ..Settings::default() });
    let mut lines = Vec::new();
    let control = Control::new(Instant::now());
    engine.search(&position(QUIET), &depth(5), &control, &mut |report| {
        if let Report::Line(info) = report
            && info.depth == 5
        {
            lines.push(info.clone());
        }
    });
    let ranks: Vec<usize> = lines.iter().map(|info| info.multi_pv).collect();
    assert_eq!(ranks, [1, 2, 3, 4]);
    assert!(lines.is_sorted_by(|a, b| a.score >= b.score));
    assert!(lines.iter().all(|info| info.bound == Bound::Exact));
    for (n, line) in lines.iter().enumerate() {
        assert!(lines[..n].iter().all(|other| other.pv[0] != line.pv[0]));
    }
}

#[test]
fn more_lines_than_moves_are_as_many_as_moves() {
    let mut engine = FullWidth::new(SearchParams::DEFAULT, Evaluation::HandMade);
    engine.configure(&Settings { hash_mib: 1, multi_pv: 600, ..Settings::default() });
    let mut most = 0;
    let control = Control::new(Instant::now());
    let pos = Position::startpos();
    engine.search(&pos, &depth(2), &control, &mut |report| {
        if let Report::Line(info) = report {
            most = most.max(info.multi_pv);
        }
    });
    assert_eq!(most, 30);
}

/// Each rule changes the tree where it can fire, and no rule hides a mate.
#[test]
fn every_rule_fires_and_none_loses_a_mate() {
    // Internal deepening seldom finds a PV node without a table move: one position for it alone.
    let trees = [(SHARP, 5), (QUIET, 7), (OPENING, 7)];
    let count = |params, (sfen, plies)| search(&mut engine(params), sfen, &depth(plies)).nodes;
    let with = trees.map(|tree| count(SearchParams::DEFAULT, tree));
    for (name, rule) in Rules::all().iter_names() {
        let params = SearchParams::DEFAULT.without(rule);
        let mut pairs = trees.into_iter().zip(with);
        assert!(pairs.any(|(tree, nodes)| count(params, tree) != nodes), "{name} never fires");
        // Without extensions the mates in five lie beyond this many nodes.
        let reach = if rule == Rules::EXTENSIONS { 3 } else { 5 };
        for (plies, sfen) in MATES.into_iter().filter(|&(plies, _)| plies <= reach) {
            let limits = Limits { mate: true, ..nodes(300_000) };
            let outcome = search(&mut engine(params), sfen, &limits);
            let score = outcome.info.expect("an iteration").score;
            assert_eq!(score.mate_plies(), Some(plies as i32), "without {name}: {sfen}");
        }
    }
}

#[test]
fn futility_pruning_saves_nodes() {
    for (sfen, plies) in [(QUIET, 6), (SHARP, 4)] {
        let with = search(&mut engine(SearchParams::DEFAULT), sfen, &depth(plies));
        let params = SearchParams::DEFAULT.without(Rules::ALL_FUTILITY);
        let without = search(&mut engine(params), sfen, &depth(plies));
        assert!(with.nodes < without.nodes, "{} {}", with.nodes, without.nodes);
    }
}

#[test]
fn a_repetition_is_scored_as_a_draw_by_the_side() {
    let mut pos = Position::startpos();
    for mv in ["2h5h", "8b5b", "5h2h", "5b8b", "2h5h", "8b5b", "5h2h"] {
        pos.do_move(mv.parse().expect("a move"));
    }
    // 5b8b would repeat; with a large draw value for White the searcher goes for it.
    let mut engine = FullWidth::new(SearchParams::DEFAULT, Evaluation::HandMade);
    let settings = Settings { hash_mib: 1, draw_value: [0, 5_000], ..Settings::default() };
    engine.configure(&settings);
    let control = Control::new(Instant::now());
    let outcome = engine.search(&pos, &depth(3), &control, &mut |_| ());
    assert!(matches!(outcome.best, BestMove::Play(mv, _) if mv.to_string() == "5b8b"));
    assert_eq!(outcome.info.map(|info| info.score.to_cp()), Some(5_000));
}

#[test]
fn the_last_move_before_the_limit_is_a_draw_unless_it_mates() {
    let settings = |max_moves_to_draw| Settings {
        hash_mib: 1,
        max_moves_to_draw,
        draw_value: [7, 7],
        ..Settings::default()
    };
    let mut engine = FullWidth::new(SearchParams::DEFAULT, Evaluation::HandMade);
    let control = Control::new(Instant::now());
    // Move 107 is the last; it mates all the same.
    let mate = position(MATES[1].1);
    engine.configure(&settings(107));
    let outcome = engine.search(&mate, &depth(3), &control, &mut |_| ());
    assert_eq!(outcome.info.and_then(|info| info.score.mate_plies()), Some(1));
    // The start position with one move to go: whatever is played, a draw.
    engine.configure(&settings(1));
    engine.new_game();
    let outcome = engine.search(&Position::startpos(), &depth(3), &control, &mut |_| ());
    assert_eq!(outcome.info.map(|info| info.score.to_cp()), Some(7));
}

#[test]
fn a_game_beyond_the_limit_is_searched_as_usual() {
    // Move 107 is played although games end after move 100.
    let mate = position(MATES[1].1);
    let quiet = position(QUIET);
    for (pos, limit) in [(&mate, 100), (&quiet, 0)] {
        let search = |max_moves_to_draw| {
            let mut engine = FullWidth::new(SearchParams::DEFAULT, Evaluation::HandMade);
            engine.configure(&Settings { hash_mib: 1, max_moves_to_draw, ..Settings::default() });
            let control = Control::new(Instant::now());
            engine.search(pos, &depth(4), &control, &mut |_| ()).nodes
        };
        assert_eq!(search(limit), search(0));
    }
}

#[test]
fn analysis_counts_a_repetition_only_at_the_fourth_occurrence() {
    let mut pos = Position::startpos();
    for mv in ["2h5h", "8b5b", "5h2h", "5b8b", "2h5h", "8b5b", "5h2h"] {
        pos.do_move(mv.parse().expect("a move"));
    }
    let score = |consideration| {
        let mut engine = FullWidth::new(SearchParams::DEFAULT, Evaluation::HandMade);
        let settings =
            Settings { hash_mib: 1, draw_value: [0, 5_000], consideration, ..Settings::default() };
        engine.configure(&settings);
        let control = Control::new(Instant::now());
        engine.search(&pos, &depth(3), &control, &mut |_| ()).info.map(|info| info.score.to_cp())
    };
    assert_eq!(score(false), Some(5_000));
    assert!(score(true).is_some_and(|score| score.abs() < 500));
}

#[test]
fn positions_without_a_king_can_be_searched() {
    for sfen in ["4k4/9/4P4/9/9/9/9/9/9 b 2G 1", "8l/9/9/9/9/9/9/9/4K4 w 2R2B 1"] {
        let outcome = search(&mut engine(SearchParams::DEFAULT), sfen, &depth(4));
        assert!(matches!(outcome.best, BestMove::Play(..)), "{sfen}");
    }
}
