//! Monte Carlo tree search: its methods, proofs, reuse of the tree, and full trees.

use std::time::{Duration, Instant};

use kankei::engine::{BestMove, Control, Engine, Info, Limits, Outcome, Query, Report, Settings};
use kankei::eval::Evaluation;
use kankei::papers::mcts::{Mcts, MctsParams, MctsTechniques, Method};
use kankei::shogi::{Move, Scope, movegen};

use crate::command_support::Folder;
use crate::positions::position;
use crate::search_support::{MATES, OPENING, QUIET, SHARP, assert_mates, nodes, search};

fn engine(params: MctsParams, settings: &Settings) -> Mcts {
    let mut engine = Mcts::new(params, Evaluation::HandMade);
    engine.configure(settings);
    engine
}

fn plain() -> Settings {
    Settings { hash_mib: 16, ..Settings::default() }
}

fn methods() -> impl Iterator<Item = (&'static str, MctsParams)> {
    Method::ALL.into_iter().map(|method| (method.name, MctsParams::DEFAULT.with(method)))
}

fn played(outcome: &Outcome) -> Move {
    match outcome.best {
        BestMove::Play(mv, _) => mv,
        other => panic!("{other:?}"),
    }
}

#[test]
fn all_methods_prove_mates_and_play_them() {
    for (name, params) in methods() {
        for (plies, sfen) in MATES.into_iter().filter(|&(plies, _)| plies <= 3) {
            let pos = position(sfen);
            let outcome = search(&mut engine(params, &plain()), &pos, &nodes(20_000));
            let info = outcome.info.clone().expect("a line");
            let found =
                info.score.mate_plies().unwrap_or_else(|| panic!("{name}: no mate in {sfen}"));
            assert!(
                (plies as i32..=plies as i32 + 4).contains(&found),
                "{name}: {found} in {sfen}"
            );
            assert_eq!(info.pv.first(), Some(&played(&outcome)), "{name}");
            if plies == 1 {
                assert_mates(&pos, &info.pv);
            }
        }
    }
}

#[test]
fn the_mate_solver_runs_at_the_root() {
    let found = |params: MctsParams| {
        let solved = |&&(_, sfen): &&(u32, &str)| {
            let outcome = search(&mut engine(params, &plain()), &position(sfen), &nodes(20_000));
            outcome.info.expect("a line").score.mate_plies().is_some_and(|plies| plies > 0)
        };
        MATES.iter().filter(solved).count()
    };
    let mut params = MctsParams::DEFAULT;
    assert_eq!(found(params), MATES.len());
    params.techniques.remove(MctsTechniques::ROOT_MATE);
    assert!(found(params) < MATES.len());
}

#[test]
fn several_lines_start_with_the_mate_of_the_solver() {
    for (plies, sfen) in MATES {
        let pos = position(sfen);
        let mut lines: Vec<Info> = Vec::new();
        let mut engine = engine(MctsParams::DEFAULT, &Settings { multi_pv: 3, ..plain() });
        let control = Control::new(Instant::now());
        let limits = nodes(20_000);
        let query = Query::new(&pos, &limits, &control);
        let outcome = engine.search(query, &mut |report| {
            if let Report::Line(info) = report {
                lines.truncate(info.multi_pv - 1);
                lines.push(info);
            }
        });
        let found = lines[0].score.mate_plies();
        assert!(found.is_some_and(|found| found >= plies as i32), "{sfen}: {:?}", lines[0]);
        assert_mates(&pos, &lines[0].pv);
        assert_eq!(lines[0].pv[0], played(&outcome), "{sfen}");
        assert_eq!(outcome.info.map(|info| info.pv), Some(lines[0].pv.clone()), "{sfen}");
        let moves = movegen::legal_moves(&pos, Scope::LEGAL).len();
        assert_eq!(lines.len(), moves.min(3), "{sfen}");
        for (n, line) in lines.iter().enumerate() {
            assert!(lines[..n].iter().all(|other| other.pv[0] != line.pv[0]), "{sfen}");
            assert!(line.score <= lines[0].score, "{sfen}");
        }
    }
}

#[test]
fn unavoidable_mates_are_proved() {
    // A gold in front of the king next, on either side.
    let pos = position("4k4/9/3GPG3/9/9/9/9/9/4K4 w G 1");
    let info = search(&mut engine(MctsParams::DEFAULT, &plain()), &pos, &nodes(5_000)).info;
    let info = info.expect("a line");
    assert_eq!(info.score.mate_plies(), Some(-2), "{info:?}");
    assert_mates(&pos, &info.pv);
}

#[test]
fn all_methods_capture_undefended_pieces() {
    for (name, params) in methods().filter(|(name, _)| *name != "playout") {
        let pos = position("4k4/9/4p4/9/4r4/9/9/4L4/4K4 b - 1");
        let outcome = search(&mut engine(params, &plain()), &pos, &nodes(2_000));
        assert_eq!(played(&outcome).to_string(), "5h5e", "{name}");
    }
}

#[test]
fn several_threads_respect_the_limits() {
    for threads in [2, 5] {
        let mut engine = engine(MctsParams::DEFAULT, &Settings { threads, ..plain() });
        for (sfen, limit) in [(QUIET, 1), (SHARP, 5_000), (OPENING, 12_345)] {
            let outcome = search(&mut engine, &position(sfen), &nodes(limit));
            assert_eq!(outcome.nodes, limit);
            assert!(position(sfen).is_legal(played(&outcome)));
        }
    }
}

#[test]
fn a_full_tree_drops_its_least_visited_parts() {
    for threads in [1, 3] {
        let settings = Settings { hash_mib: 1, threads, ..Settings::default() };
        let mut engine = engine(MctsParams::DEFAULT, &settings);
        let (mut fills, mut falls) = (0, 0);
        let start = Instant::now();
        let control = Control::new(start);
        // A timeout, in case the search does not continue.
        control.set_deadlines(start, Duration::from_secs(60), Duration::from_secs(60));
        let pos = position(QUIET);
        let outcome = engine.search(Query::new(&pos, &nodes(200_000), &control), &mut |report| {
            if let Report::Line(info) = report {
                falls += u32::from(info.hashfull < fills);
                fills = info.hashfull;
                assert!(info.hashfull <= 1_000);
            }
        });
        assert_eq!(outcome.nodes, 200_000);
        assert!(falls > 0, "never full");
        assert!(pos.is_legal(played(&outcome)));
        let mut end = pos.clone();
        for mv in outcome.info.expect("a line").pv {
            assert!(end.is_legal(mv));
            end.do_move(mv);
        }
    }
}

/// Used share of the tree after two visits of the position after the predicted moves of a search of
/// 3,000 visits.
fn fill_after_moves(params: MctsParams, forget: bool) -> u32 {
    let settings = Settings { hash_mib: 2, ..Settings::default() };
    let mut engine = engine(params, &settings);
    let mut pos = position(QUIET);
    let line = search(&mut engine, &pos, &nodes(3_000)).info.expect("a line").pv;
    line.iter().take(2).for_each(|&mv| {
        pos.do_move(mv);
    });
    if forget {
        engine.new_game();
    }
    search(&mut engine, &pos, &nodes(2)).info.expect("a line").hashfull
}

#[test]
fn the_tree_is_reused_after_the_predicted_moves() {
    let with = |name: &str| MctsParams::DEFAULT.with(name.parse().expect("a method"));
    assert!(fill_after_moves(with("value"), false) > fill_after_moves(with("value"), true) + 20);
    let mut without = with("value");
    without.techniques.remove(MctsTechniques::TREE_REUSE);
    for params in [without, with("qs-cutoff-diff")] {
        assert_eq!(fill_after_moves(params, false), fill_after_moves(params, true));
    }
}

#[test]
fn the_tree_is_not_reused_for_another_position() {
    let mut engine = engine(MctsParams::DEFAULT, &plain());
    for sfen in [QUIET, SHARP, OPENING, QUIET] {
        let mut pos = position(sfen);
        for _ in 0..3 {
            let outcome = search(&mut engine, &pos, &nodes(300));
            assert!(pos.is_legal(played(&outcome)));
            pos.do_move(played(&outcome));
            let replies = movegen::legal_moves(&pos, Scope::LEGAL);
            pos.do_move(replies[replies.len() / 2]);
        }
    }
}

#[test]
fn every_method_respects_the_time_and_returns_a_move() {
    for (name, params) in methods() {
        for threads in [1, 2] {
            let mut engine = engine(params, &Settings { threads, ..plain() });
            let control = Control::new(Instant::now());
            let (pos, start) = (position(OPENING), Instant::now());
            control.set_deadlines(start, Duration::from_millis(30), Duration::from_millis(30));
            let outcome =
                engine.search(Query::new(&pos, &Limits::default(), &control), &mut |_| ());
            // On a busy machine the time may suffice for no visit, but a move is returned.
            assert!(pos.is_legal(played(&outcome)), "{name}");
            let elapsed = start.elapsed();
            assert!(elapsed >= Duration::from_millis(29), "{name} {threads} {elapsed:?}");
        }
    }
}

#[test]
fn the_experiment_plays_the_pairings_of_the_paper() {
    let folder = Folder::new();
    folder.ok("reproduce mcts --eval material --out out");
    let report = folder.text("out/report.md");
    for part in ["| ef-cutoff | ef-leaf | 17-1-30 |", "| value | qs-cutoff-diff |", "--data DIR"] {
        assert!(report.contains(part), "{part} is not in {report}");
    }
    // Finished games are kept.
    folder.ok("reproduce mcts --eval material --out out");
    assert_eq!(folder.text("out/report.md"), report);
}

#[test]
fn commands_accept_the_methods() {
    let folder = Folder::new();
    let bench = "bench --search mcts --depth 5 --eval material";
    let [ours, theirs] =
        ["", "--set method=ef-leaf"].map(|options| folder.ok(&format!("{bench} {options}")));
    // 36 positions with 2^5 visits each.
    assert!(ours.contains("\n1152 nodes "), "{ours}");
    let lines = |output: &str| output.lines().filter(|line| line.contains("depth  5")).count();
    assert!(lines(&ours) > 10 && lines(&theirs) > 10, "{ours}{theirs}");
    folder.ok("match 'self MCTS' 'self MCTS set=method=playout' --nodes 20 --games 2 --max-plies 20 --hash 1");
    folder.fails(&format!("{bench} --set method=ef"), &["\"ef\"", "ef-cutoff"]);
    folder.fails(&format!("{bench} --set puct=1e3"), &["puct=1e3", "2000"]);
    folder.fails(&format!("{bench} --without magic"), &["\"magic\"", "tree-reuse"]);
}
