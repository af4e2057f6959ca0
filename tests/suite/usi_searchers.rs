//! The USI rules that depend on the search, with each searcher of the program. Other tests use a
//! scripted engine.

use std::thread;
use std::time::{Duration, Instant};

use kankei::shogi::{Move, Position};

use crate::positions::position;
use crate::program::{SLACK, Session};
use crate::search_support::SHARP;

const SEARCHERS: [&str; 3] = ["AlphaBeta", "FullWidth", "MCTS"];
const MATED: &str = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";
const MATE_IN_1: &str = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

#[test]
fn an_interrupted_search_plays_a_mate_in_one() {
    for searcher in ["AlphaBeta", "FullWidth"] {
        let mut session = Session::start();
        session.send(&format!("setoption name Search value {searcher}\nisready"));
        session.ask("", "readyok");
        let lines = session.ask(&format!("position sfen {MATE_IN_1}\ngo nodes 1"), "bestmove");
        assert!(lines.last().is_some_and(|line| line.starts_with("bestmove G*5b")), "{lines:?}");
        session.quit();
    }
}

/// Runs the test with each searcher.
fn each(test: impl Fn(&mut Session)) {
    for searcher in SEARCHERS {
        let mut session = Session::start();
        session.send("isready\nsetoption name USI_Hash value 16");
        session.ask("", "readyok");
        let lines = session.ask(
            &format!("setoption name Search value {searcher}\nisready\ngetoption Search"),
            "Search",
        );
        assert_eq!(lines, ["readyok".to_owned(), format!("Search = {searcher}")]);
        test(&mut session);
        session.quit();
    }
}

/// The move played. Checks the form of the answer: the last info has a score without bound, no
/// earlier one has more nodes, and its pv is legal and starts with the move (U-22, U-23).
fn played(lines: &[String], pos: &Position) -> Move {
    let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let best = words(&lines[lines.len() - 1]);
    let info = words(&lines[lines.len() - 2]);
    let field = |name: &str| info.iter().position(|word| word == name).map(|i| &info[i + 1..]);
    assert!(field("score").is_some() && field("depth").is_some() && field("nodes").is_some());
    assert!(!info.iter().any(|word| word.ends_with("bound")), "{info:?}");
    let nodes = |line: &String| line.split_once(" nodes ")?.1.split(' ').next()?.parse().ok();
    let nodes: Vec<u64> = lines.iter().filter_map(nodes).collect();
    assert_eq!(nodes.last(), nodes.iter().max(), "{lines:?}");
    let mut pos = pos.clone();
    let pv = field("pv").expect("a line");
    assert_eq!(pv[0], best[1]);
    for mv in pv {
        let mv = mv.parse().expect("a move");
        assert_eq!(pos.check_legal(mv), Ok(()));
        pos.do_move(mv);
    }
    best[1].parse().expect("a move")
}

/// Checks an answer to a search that may have stopped before its first iteration and then reports
/// that.
pub fn expect_answer(lines: &[String], pos: &Position) {
    if !lines[lines.len() - 2].contains("stopped before the first iteration") {
        played(lines, pos);
    }
}

/// Checks that no `bestmove` was sent. Returns the lines sent.
fn expect_no_answer(session: &mut Session) -> Vec<String> {
    let lines = session.ask("isready", "readyok");
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
    lines
}

/// Plays forty moves against itself.
fn play(session: &mut Session, go: &str) {
    let mut pos = Position::startpos();
    let mut moves = String::new();
    while pos.moves_made() < 40 {
        session.send(&format!("position startpos moves{moves}"));
        let lines = session.ask(go, "bestmove");
        let mv = played(&lines, &pos);
        pos.do_move(mv);
        moves += &format!(" {mv}");
    }
}

#[test]
fn a_game_is_played_against_itself_by_nodes() {
    each(|session| play(session, "go nodes 2000"));
}

/// The chosen move is in the last line, and a weak player does not use its time.
#[test]
fn a_weak_game_is_played_against_itself() {
    each(|session| {
        session.send("setoption name SkillLevel value 0\nsetoption name OpeningVariety value 50");
        play(session, "go btime 0 wtime 0 byoyomi 600000");
    });
}

#[test]
fn u_16_each_plays_a_move_without_time() {
    each(|session| {
        for go in [
            "go btime 0 wtime 0 byoyomi 0",
            "go btime -5 wtime -5",
            "go btime 0 wtime 0 binc 0 winc 0",
            "go movetime 0.9",
            "go movetime 0",
            "go btime 1 wtime 0 byoyomi 1",
        ] {
            session.send(&format!("position sfen {SHARP}"));
            let start = Instant::now();
            let lines = session.ask(go, "bestmove");
            assert!(start.elapsed() < SLACK, "{go}");
            expect_answer(&lines, &position(SHARP));
        }
    });
}

#[test]
fn u_17_each_answers_every_go_once() {
    each(|session| {
        session
            .send("go infinite\nposition startpos moves 7g7f\ngo infinite\ngo ponder\ngo infinite");
        for _ in 0..3 {
            session.ask("", "bestmove");
        }
        expect_no_answer(session);
        session.ask("stop", "bestmove");
        expect_no_answer(session);
    });
}

#[test]
fn u_18_each_holds_its_answer_until_stop() {
    each(|session| {
        for sfen in [SHARP, MATED, MATE_IN_1] {
            for go in
                ["go infinite", "go ponder", "go infinite depth 1", "go ponder btime 0 wtime 0"]
            {
                session.send(&format!("position sfen {sfen}\n{go}"));
                let start = Instant::now();
                let mut lines = expect_no_answer(session);
                // On a busy machine, the first line may take longer than 20 ms.
                loop {
                    thread::sleep(Duration::from_millis(20));
                    lines.extend(expect_no_answer(session));
                    if sfen == MATED || lines.iter().any(|line| line.contains(" score ")) {
                        break;
                    }
                    assert!(start.elapsed() < SLACK, "{go}: {lines:?}");
                }
                let end = if go.contains("ponder") { "ponderhit" } else { "stop" };
                let start = Instant::now();
                let lines = session.ask(end, "bestmove");
                assert!(start.elapsed() < SLACK, "{go}");
                match sfen {
                    MATED => assert_eq!(lines[lines.len() - 1], "bestmove resign"),
                    _ => drop(played(&lines, &position(sfen))),
                }
                if sfen == MATE_IN_1 {
                    assert_eq!(lines[lines.len() - 1], "bestmove G*5b");
                    assert!(lines[lines.len() - 2].contains(" score mate 1 "), "{lines:?}");
                }
            }
        }
    });
}

#[test]
fn u_19_a_stop_without_a_search_is_ignored_by_each() {
    each(|session| {
        session.send("stop\nstop\nponderhit\ngameover lose\ngo infinite");
        expect_no_answer(session);
        thread::sleep(Duration::from_millis(20));
        expect_no_answer(session);
        session.ask("stop\nstop", "bestmove");
        expect_no_answer(session);
    });
}

#[test]
fn u_20_ponderhit_starts_the_clock_of_each() {
    each(|session| {
        session.send(&format!("position sfen {SHARP}\ngo ponder btime 0 wtime 0 byoyomi 40"));
        thread::sleep(Duration::from_millis(80));
        expect_no_answer(session);
        for ask in [
            "ponderhit",
            "go ponder btime 900000 wtime 900000\nponderhit btime 0 wtime 0 byoyomi 10",
            "go ponder\nponderhit btime 0 wtime 0 byoyomi 10",
            "go ponder\nponderhit",
        ] {
            let start = Instant::now();
            let lines = session.ask(ask, "bestmove");
            assert!(start.elapsed() < SLACK, "{ask}");
            expect_answer(&lines, &position(SHARP));
        }
    });
}

#[test]
fn u_21_gameover_is_answered_once_by_each() {
    each(|session| {
        for go in ["go ponder btime 1000 wtime 1000", "go infinite"] {
            session.ask(&format!("{go}\ngameover win"), "bestmove");
            expect_no_answer(session);
        }
        session.send("gameover draw\nusinewgame");
        expect_no_answer(session);
    });
}

#[test]
fn u_22_to_u_24_a_stop_at_any_time_is_answered_by_each() {
    each(|session| {
        for lines in [1, 3] {
            session.send(&format!("setoption name MultiPV value {lines}\nposition sfen {SHARP}"));
            for wait in [0, 1, 3, 10, 30, 100, 300] {
                session.send("usinewgame\ngo infinite");
                thread::sleep(Duration::from_millis(wait));
                let start = Instant::now();
                let reported = session.ask("stop", "bestmove");
                assert!(start.elapsed() < SLACK);
                expect_answer(&reported, &position(SHARP));
            }
        }
    });
}

#[test]
fn u_26_the_increment_is_not_spent_by_each() {
    each(|session| {
        for go in [
            "go btime 1 wtime 1 binc 900000 winc 900000",
            "go btime 20 wtime 20 binc 900000 winc 900000",
        ] {
            let start = Instant::now();
            session.ask(go, "bestmove");
            assert!(start.elapsed() < SLACK, "{go}");
        }
    });
}

#[test]
fn u_28_each_declares_only_when_playing() {
    each(|session| {
        // 28 points.
        session.send("position sfen GGGGKSSSS/+R7+B/9/9/9/9/9/9/4k4 b 10P 1");
        for (go, wins) in [
            ("go nodes 100", true),
            ("go movetime 10", true),
            ("go infinite\nstop", false),
            ("go ponder btime 1000 wtime 1000\nponderhit", true),
        ] {
            let lines = session.ask(go, "bestmove");
            assert_eq!(lines[lines.len() - 1] == "bestmove win", wins, "{go}");
        }
    });
}

#[test]
fn u_10_wrong_changes_of_a_searcher_are_named() {
    let mut session = Session::start();
    session.ask("setoption name USI_Hash value 16\nisready", "readyok");
    session.send("setoption name Search value MCTS");
    let mut remarks = |changes: &str| {
        let lines = session
            .ask(&format!("setoption name SearchChanges value {changes}\nisready"), "readyok");
        session.ask("go nodes 50", "bestmove");
        lines[..lines.len() - 1].to_vec()
    };
    assert_eq!(remarks("set=method=ef-leaf set=leaf_plies=3"), [""; 0]);
    for (changes, culprit) in
        [("set=magic=1", "magic"), ("without=null-move", "null-move"), ("x", "x")]
    {
        let reported = remarks(changes);
        let [remark] = &reported[..] else { panic!("{reported:?}") };
        assert!(remark.starts_with("info string SearchChanges: ") && remark.contains(culprit));
    }
    assert_eq!(remarks("<empty>"), [""; 0]);
    session.quit();
}
