//! Requirements of all searchers: mates, determinism, limits, MultiPV, draws.

use std::time::{Duration, Instant};

use kankei::cli::register_papers;
use kankei::engine::{BestMove, Bound, Control, Engine, Limits, Outcome, Query, Report, Settings};
use kankei::engines::{EngineSpec, Searcher};
use kankei::eval::{Evaluation, EvaluationSource};
use kankei::papers::bonanza::{FullWidth, FullWidthParams};
use kankei::papers::mcts::{Mcts, MctsParams};
use kankei::search::{AlphaBeta, SearchParams};
use kankei::shogi::Position;

use crate::positions::position;
use crate::search_support::{MATES, OPENING, QUIET, SHARP, assert_mates, depth, nodes, search};

/// All searchers with these settings.
fn engines(settings: &Settings) -> [Box<dyn Engine>; 3] {
    let evaluation = Evaluation::HandMade;
    let mut engines: [Box<dyn Engine>; 3] = [
        Box::new(AlphaBeta::new(SearchParams::DEFAULT, evaluation.clone())),
        Box::new(FullWidth::new(FullWidthParams::DEFAULT, evaluation.clone())),
        Box::new(Mcts::new(MctsParams::DEFAULT, evaluation)),
    ];
    for engine in &mut engines {
        engine.configure(settings);
    }
    engines
}

fn plain() -> Settings {
    Settings { hash_mib: 16, ..Settings::default() }
}

#[test]
fn mates_are_found_with_their_complete_line() {
    for (plies, sfen) in MATES {
        // The alpha-beta searcher and MCTS stop at a mate without a search for shorter ones.
        for (mut engine, slack) in engines(&plain()).into_iter().zip([4, 0, 4]) {
            let outcome = search(engine.as_mut(), &position(sfen), &nodes(300_000));
            let info = outcome.info.expect("an iteration");
            let found = info.score.mate_plies().expect("a mate");
            assert!((plies as i32..=plies as i32 + slack).contains(&found), "{found}: {sfen}");
            assert_eq!(info.pv.len(), found as usize, "{sfen}");
            assert_mates(&position(sfen), &info.pv);
        }
    }
}

#[test]
fn a_mated_side_resigns() {
    for mut engine in engines(&plain()) {
        let pos = position("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
        let outcome = search(engine.as_mut(), &pos, &depth(5));
        assert_eq!(outcome, Outcome { best: BestMove::Resign, info: None, nodes: 0 });
    }
}

#[test]
fn equal_searches_visit_equal_nodes() {
    for limits in [depth(6), nodes(50_000)] {
        for mut engine in engines(&plain()) {
            for sfen in [QUIET, SHARP] {
                let mut once = || {
                    engine.new_game();
                    let mut outcome = search(engine.as_mut(), &position(sfen), &limits);
                    if let Some(info) = &mut outcome.info {
                        info.time = Duration::ZERO;
                    }
                    outcome
                };
                assert_eq!(once(), once());
            }
        }
    }
}

#[test]
fn node_limits_are_exact() {
    for limit in [1, 2, 100, 3_000, 12_345] {
        for sfen in [QUIET, SHARP] {
            for mut engine in engines(&plain()) {
                let outcome = search(engine.as_mut(), &position(sfen), &nodes(limit));
                assert_eq!(outcome.nodes, limit);
                assert!(matches!(outcome.best, BestMove::Play(..)));
            }
        }
    }
}

#[test]
fn soft_node_limits_end_searches_after_an_iteration() {
    for limit in [1, 100, 3_000, 12_345] {
        for sfen in [QUIET, SHARP] {
            let soft = Limits { soft_nodes: Some(limit), ..Limits::default() };
            let [alpha_beta, full_width, mut mcts] = engines(&plain());
            for mut engine in [alpha_beta, full_width] {
                let mut search = |limits: &Limits| {
                    engine.new_game();
                    let outcome = search(engine.as_mut(), &position(sfen), limits);
                    let info = outcome.info.clone().expect("an iteration");
                    (outcome.best, outcome.nodes, info.depth, info.score, info.bound)
                };
                let found = search(&soft);
                assert_eq!(found, search(&depth(found.2)));
                assert!(found.1 >= limit && found.4 == Bound::Exact);
                assert!(found.2 == 1 || search(&depth(found.2 - 1)).1 < limit);
            }
            // MCTS has no iterations.
            assert_eq!(search(mcts.as_mut(), &position(sfen), &soft).nodes, limit);
        }
    }
}

#[test]
fn a_stop_from_another_thread_ends_the_search() {
    for threads in [1, 3] {
        for mut engine in engines(&Settings { threads, ..plain() }) {
            let control = Control::new(Instant::now());
            let pos = position(SHARP);
            let outcome = std::thread::scope(|scope| {
                let running = scope.spawn(|| {
                    engine.search(Query::new(&pos, &Limits::default(), &control), &mut |_| ())
                });
                std::thread::sleep(Duration::from_millis(50));
                control.stop();
                running.join().expect("no panic")
            });
            assert!(matches!(outcome.best, BestMove::Play(mv, _) if pos.is_legal(mv)));
        }
    }
}

#[test]
fn a_search_stopped_before_its_start_returns_a_move() {
    for mut engine in engines(&plain()) {
        let control = Control::new(Instant::now());
        control.stop();
        for sfen in [QUIET, SHARP, OPENING] {
            let pos = position(sfen);
            let mut lines = 0;
            let limits = Limits::default();
            let query = Query::new(&pos, &limits, &control);
            let outcome = engine.search(query, &mut |_| lines += 1);
            let is_legal = matches!(outcome.best, BestMove::Play(mv, _) if pos.is_legal(mv));
            assert!(is_legal, "{outcome:?}");
            assert_eq!((outcome.nodes, outcome.info, lines), (0, None, 0));
        }
    }
}

#[test]
fn a_search_stopped_immediately_plays_the_best_by_evaluation() {
    // A lance can capture a rook.
    let pos = position("4k4/9/9/9/4r4/9/9/4L4/4K4 b - 1");
    let limits = Limits { nodes: Some(1), ..Limits::default() };
    for mut engine in engines(&plain()) {
        let outcome = search(engine.as_mut(), &pos, &limits);
        let best = "5h5e".parse().expect("a move");
        assert!(matches!(outcome.best, BestMove::Play(mv, _) if mv == best), "{outcome:?}");
        assert_eq!(outcome.info, None);
    }
}

#[test]
fn search_moves_restrict_the_root() {
    let wanted = ["9f9e", "1f1e"].map(|mv| mv.parse().expect("a move"));
    let limits = Limits { search_moves: wanted.to_vec(), ..depth(4) };
    for mut engine in engines(&plain()) {
        let outcome = search(engine.as_mut(), &position(QUIET), &limits);
        assert!(matches!(outcome.best, BestMove::Play(mv, _) if wanted.contains(&mv)));
    }
}

#[test]
fn multi_pv_lines_are_distinct_ordered_and_legal() {
    for mut engine in engines(&Settings { multi_pv: 4, ..plain() }) {
        let mut lines = Vec::new();
        let control = Control::new(Instant::now());
        engine.search(Query::new(&position(QUIET), &depth(5), &control), &mut |report| {
            if let Report::Line(info) = report
                && info.depth == 5
            {
                lines.push(info);
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
}

#[test]
fn multi_pv_is_limited_by_the_number_of_moves() {
    for mut engine in engines(&Settings { multi_pv: 600, ..plain() }) {
        let mut most = 0;
        let control = Control::new(Instant::now());
        let pos = Position::startpos();
        engine.search(Query::new(&pos, &depth(2), &control), &mut |report| {
            if let Report::Line(info) = report {
                most = most.max(info.multi_pv);
            }
        });
        assert_eq!(most, 30);
    }
}

/// Iterations of each searcher that search all moves and some replies. An iteration of the last
/// searcher doubles its visits.
const FEW_PLIES: [u32; 3] = [3, 3, 10];

/// A position in which White can repeat the start position by 5b8b; it would be its occurrence
/// number `occurrence`.
fn before_a_repetition(occurrence: usize) -> Position {
    let mut pos = Position::startpos();
    let cycle = ["2h5h", "8b5b", "5h2h", "5b8b"];
    for mv in cycle.iter().cycle().take(4 * (occurrence - 1) - 1) {
        pos.do_move(mv.parse().expect("a move"));
    }
    pos
}

#[test]
fn a_repetition_is_scored_as_a_draw_by_the_side() {
    // 5b8b would repeat the position; with a large draw value for White, the searcher plays it.
    let engines = engines(&Settings { draw_value: [0, 5_000], ..plain() });
    for (mut engine, limit) in engines.into_iter().zip(FEW_PLIES) {
        let outcome = search(engine.as_mut(), &before_a_repetition(4), &depth(limit));
        assert!(matches!(outcome.best, BestMove::Play(mv, _) if mv.to_string() == "5b8b"));
        assert_eq!(outcome.info.map(|info| info.score.to_cp()), Some(5_000));
    }
}

#[test]
fn the_last_move_before_the_limit_is_a_draw_unless_it_mates() {
    let settings =
        |max_moves_to_draw| Settings { max_moves_to_draw, draw_value: [7, 7], ..plain() };
    // Move 107 is the last; it mates nevertheless.
    for mut engine in engines(&settings(107)) {
        let outcome = search(engine.as_mut(), &position(MATES[1].1), &depth(3));
        assert_eq!(outcome.info.and_then(|info| info.score.mate_plies()), Some(1));
        // The start position with one move left: a draw after any move.
        engine.configure(&settings(1));
        engine.new_game();
        let outcome = search(engine.as_mut(), &Position::startpos(), &depth(3));
        assert_eq!(outcome.info.map(|info| info.score.to_cp()), Some(7));
    }
}

#[test]
fn a_game_beyond_the_limit_is_searched_normally() {
    // Move 107 is played although games end after move 100.
    for (sfen, limit) in [(MATES[1].1, 100), (QUIET, 0)] {
        let count = |max_moves_to_draw| {
            engines(&Settings { max_moves_to_draw, ..plain() })
                .map(|mut engine| search(engine.as_mut(), &position(sfen), &depth(3)).nodes)
        };
        assert_eq!(count(limit), count(0));
    }
}

#[test]
fn a_repetition_from_before_the_root_counts_at_the_fourth_occurrence() {
    for consideration in [false, true] {
        let scores = |occurrence| {
            let engines = engines(&Settings { draw_value: [0, 5_000], consideration, ..plain() });
            let score = |(mut engine, limit): (Box<dyn Engine>, u32)| {
                let pos = before_a_repetition(occurrence);
                let outcome = search(engine.as_mut(), &pos, &depth(limit));
                outcome.info.expect("an iteration").score.to_cp()
            };
            engines.into_iter().zip(FEW_PLIES).map(score).collect::<Vec<i32>>()
        };
        assert_eq!(scores(4), [5_000; 3]);
        for occurrence in [2, 3] {
            assert!(scores(occurrence).iter().all(|score| score.abs() < 500), "{occurrence}");
        }
    }
}

#[test]
fn positions_without_a_king_can_be_searched() {
    for sfen in ["4k4/9/4P4/9/9/9/9/9/9 b 2G 1", "8l/9/9/9/9/9/9/9/4K4 w 2R2B 1"] {
        for mut engine in engines(&plain()) {
            let outcome = search(engine.as_mut(), &position(sfen), &depth(4));
            assert!(matches!(outcome.best, BestMove::Play(..)), "{sfen}");
        }
    }
}

#[test]
fn searchers_are_chosen_and_changed_by_text() {
    register_papers();
    assert_eq!(Searcher::names(), ["AlphaBeta", "FullWidth", "MCTS"]);
    for text in [
        "FullWidth eval=material",
        "MCTS eval=internal",
        "MCTS set=method=ef-leaf eval=internal",
        "MCTS set=method=qs-cutoff-diff without=tree-reuse set=cutoff_margin=300 eval=material",
        "MCTS without=puct set=puct=80 skill=3 eval=internal",
        "MCTS 'eval=my folder/a.weights'",
    ] {
        let spec: EngineSpec = text.parse().expect(text);
        assert_eq!(spec.to_string(), text);
    }
    let text = "alphabeta set=aspiration=80 eval='a b.weights' without=PROB_CUT skill=3";
    let spec: EngineSpec = text.parse().expect("parts in any order");
    assert_eq!(spec.evaluation, EvaluationSource::File("a b.weights".into()));
    let known = "AlphaBeta without=prob-cut set=aspiration=80 skill=3 'eval=a b.weights'";
    assert_eq!(spec.to_string(), known);
    let spec: EngineSpec = "fullwidth".parse().expect("a searcher");
    assert_eq!(spec.to_string(), "FullWidth eval=internal");
    let changes = "set=method=qs-leaf-diff".parse().expect("a change");
    assert_eq!(MctsParams::parse(&changes).expect("a method").leaf_plies, 2);
}

#[test]
fn wrong_changes_of_searchers_name_the_culprit() {
    register_papers();
    for (text, culprit) in [
        ("BetaAlpha", "\"BetaAlpha\"; known are AlphaBeta, FullWidth, MCTS"),
        ("eval='a b", "eval='a b"),
        ("eval=material FullWidth", "FullWidth"),
        ("AlphaBeta depth=3", "depth=3"),
        ("AlphaBeta skill=20", "skill=20"),
        ("without=magic", "magic"),
        ("set=magic=3", "magic"),
        ("set=aspiration", "aspiration"),
        ("set=aspiration=99999", "99999"),
        ("set=aspiration=8e1", "8e1"),
        (
            "FullWidth without=null-move set=a=1",
            "FullWidth cannot be changed by without=null-move set=a=1",
        ),
        ("AlphaBeta forget=table", "forget=table"),
        ("MCTS without=null-move", "unknown technique \"null-move\""),
        ("MCTS set=method=magic", "unknown method \"magic\"; known are value, playout"),
        ("MCTS set=aspiration=80", "unknown parameter \"aspiration\""),
        ("MCTS set=puct=-1", "puct=-1"),
    ] {
        let error = text.parse::<EngineSpec>().expect_err(text).to_string();
        assert!(error.contains(culprit), "{error}");
    }
}
