//! USI sections 4 to 8: searches and their answers.

use std::time::{Duration, Instant};

use kankei::engine::{BestMove, Bound, MateVerdict, Outcome, Report};
use kankei::eval::Score;

use crate::usi_support::{Client, PATIENCE, Script, first_move, gate, outcome, transcript, wait};

const MATED: &str = "position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1";
const MATE_IN_1: &str = "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

/// The answer and the line before it.
pub fn last_two(lines: &[String]) -> (&str, &str) {
    match lines {
        [.., info, answer] => (info, answer),
        _ => panic!("{lines:?}"),
    }
}

#[test]
fn u_16_a_move_is_played_without_time() {
    let mut client = Client::ready(&Script::patient());
    for go in [
        "go btime 0 wtime 0 byoyomi 0",
        "go btime -500 wtime -3",
        "go byoyomi 0",
        "go btime 0 wtime 0 binc 0 winc 0",
        "go movetime 0.9",
        "go movetime 0",
        "go wtime 1000",
        "go btime 1 wtime 0 byoyomi 1",
    ] {
        let start = Instant::now();
        let lines = client.play(go);
        assert!(start.elapsed() < PATIENCE / 3);
        assert_ne!(last_two(&lines).1, "bestmove resign", "{go}");
    }
}

#[test]
fn u_17_every_go_is_answered_once() {
    let script = Script::patient();
    let mut client = Client::ready(&script);
    client.send("go infinite\nposition startpos moves 7g7f\ngo infinite\ngo ponder\ngo infinite");
    let mut answers = 0;
    while answers < 3 {
        answers += usize::from(client.until("bestmove").len() > 1);
    }
    client.expect_silence();
    client.play("stop");
    client.expect_silence();
    script.wait_for_searches(4);
}

#[test]
fn u_18_the_answer_is_held_until_stop() {
    let script = Script::at_once();
    let mut client = Client::ready(&script);
    for position in ["position startpos", MATED, MATE_IN_1] {
        for go in ["go infinite", "go ponder", "go infinite depth 1", "go ponder btime 0 wtime 0"] {
            client.send(&format!("{position}\n{go}"));
            client.expect_silence();
            std::thread::sleep(Duration::from_millis(5));
            client.expect_silence();
            let lines = client.play(if go.contains("ponder") { "ponderhit" } else { "stop" });
            assert_eq!(lines.last().is_some_and(|l| l == "bestmove resign"), position == MATED);
        }
    }
}

#[test]
fn u_19_a_stop_without_a_search_is_ignored() {
    let script = Script::patient();
    let mut client = Client::ready(&script);
    client.send("stop\nstop\nponderhit\ngameover lose\ngo infinite");
    script.wait_for_searches(1);
    client.expect_silence();
    client.play("stop\nstop");
    client.send("go infinite");
    script.wait_for_searches(2);
    client.expect_silence();
    client.play("stop");
}

/// Strength and variety are limited in games, not in analysis.
#[test]
fn leeway_applies_only_to_moves_of_games() {
    let script = Script::at_once();
    let mut client = Client::ready(&script);
    client.get_ready("setoption name SkillLevel value 3\nsetoption name OpeningVariety value 40");
    for (go, is_game) in [
        ("go byoyomi 20", true),
        ("go nodes 5", true),
        ("go ponder btime 20 wtime 20\nponderhit", true),
        ("go infinite\nstop", false),
        ("go\nstop", false),
    ] {
        client.play(go);
        let searches = script.searches();
        let search = searches.last().expect("a search");
        let has_leeway = search.contains("skill: Some(SkillLevel(3)), variety: 40");
        assert_eq!(has_leeway, is_game, "{go}: {search}");
    }
    client.send("setoption name Stochastic_Ponder value true");
    client.send("position startpos moves 7g7f 3c3d\ngo ponder btime 20 wtime 20\nponderhit");
    client.until("bestmove");
    let searches = script.searches();
    let had: Vec<bool> = searches.iter().map(|call| call.contains("variety: 40")).collect();
    assert_eq!(had[had.len() - 2..], [false, true], "the position before, then the position");
}

#[test]
fn u_21_gameover_is_answered_once() {
    let script = Script::patient();
    let mut client = Client::ready(&script);
    for (count, go) in ["go ponder btime 1000 wtime 1000", "go infinite"].iter().enumerate() {
        client.send(go);
        script.wait_for_searches(count + 1);
        client.play("gameover win");
        client.expect_silence();
    }
    client.send("gameover draw\nusinewgame");
    client.expect_silence();
    assert_eq!(script.count("search"), 2);
}

#[test]
fn u_22_the_last_info_has_the_move() {
    let script = Script::new(|pos, _, control, report| {
        first_move(pos, report);
        let result = outcome(7, Score::cp(-30), "2g2f 8c8d 2f2e");
        let mut bound = result.info.clone().expect("a line");
        // On a busy machine, the search may be answered before it returns: with these nodes.
        bound.nodes = result.nodes;
        report(Report::Better(bound.clone()));
        (bound.depth, bound.bound) = (8, Bound::Lower);
        report(Report::Line(bound));
        wait(control);
        result
    });
    let mut client = Client::ready(&script);
    for go in ["go infinite\nstop", "go movetime 100", "go byoyomi 100", "go depth 9\nstop"] {
        let lines = client.play(go);
        let (info, answer) = last_two(&lines);
        assert_eq!(answer, "bestmove 2g2f ponder 8c8d");
        assert!(info.starts_with("info depth 7 seldepth 7 multipv 1 score cp -30 nodes 20 nps "));
        assert!(info.contains(" time ") && info.ends_with(" pv 2g2f 8c8d 2f2e"), "{info}");
    }
}

#[test]
fn u_22_bestmove_follows_the_last_info() {
    let script = Script::new(|pos, _, control, report| {
        let outcome = Outcome { nodes: 10, ..first_move(pos, report) };
        wait(control);
        outcome
    });
    let mut client = Client::ready(&script);
    client.send("go infinite");
    client.until("info depth 1");
    client.send("stop");
    assert_eq!(client.until("bestmove").len(), 1);
    // The line is repeated after another line.
    client.send("go infinite");
    client.until("info depth 1");
    client.get_ready("");
    let lines = client.play("stop");
    assert!(lines.len() == 2 && lines[0].starts_with("info depth 1"), "{lines:?}");
}

#[test]
fn u_23_the_engine_cannot_make_the_output_illegal() {
    let own = |mv: &str| Some(BestMove::Play(mv.parse().unwrap(), None));
    for (best, line, pv, answer) in [
        // A line with an illegal end, and an illegal ponder move.
        (None, "7g7f 3c3d 3c3d", "pv 7g7f 3c3d", "bestmove 7g7f ponder 3c3d"),
        (None, "7g7f 7g7f", "pv 7g7f", "bestmove 7g7f"),
        // A best move that differs from the line.
        (own("2g2f"), "7g7f 3c3d", "pv 2g2f", "bestmove 2g2f"),
        // An illegal move.
        (own("5e5d"), "7g7f 3c3d", "pv 7g7f 3c3d", "bestmove 7g7f ponder 3c3d"),
        // No declaration is possible here.
        (Some(BestMove::Declare), "7g7f", "pv 7g7f", "bestmove 7g7f"),
    ] {
        let mut result = outcome(3, Score::cp(1), line);
        result.best = best.unwrap_or(result.best);
        let script = Script::new(move |_, _, _, report| {
            report(Report::Line(result.info.clone().expect("a line")));
            result.clone()
        });
        let lines = transcript("go depth 3\n", &script);
        assert!(last_two(&lines).0.ends_with(pv), "{lines:?}");
        assert_eq!(last_two(&lines).1, answer);
    }
}

#[test]
fn u_24_unfinished_scores_are_not_reported() {
    let script = Script::new(|_, _, control, report| {
        let mut result = outcome(1, Score::cp(5), "7g7f");
        if let Some(info) = &mut result.info {
            info.bound = Bound::Upper;
            report(Report::Line(info.clone()));
        }
        wait(control);
        Outcome { info: None, ..result }
    });
    let lines = transcript("go infinite\nstop\n", &script);
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("info string") && lines[1] == "bestmove 7g7f", "{lines:?}");
}

#[test]
fn u_24_after_a_panic_the_last_line_counts() {
    let script = Script::new(|_, _, _, report| {
        let done = outcome(4, Score::cp(9), "2g2f 8c8d");
        report(Report::Line(done.info.expect("a line")));
        panic!("on purpose");
    });
    let mut client = Client::ready(&script);
    client.send("go infinite");
    let lines = client.until("info string");
    assert!(lines.last().is_some_and(|line| line.contains("on purpose")), "{lines:?}");
    client.expect_silence();
    let lines = client.play("stop");
    assert!(last_two(&lines).0.contains("score cp 9"), "{lines:?}");
    assert_eq!(last_two(&lines).1, "bestmove 2g2f ponder 8c8d");
    // A new engine replaces the old one.
    client.play("go depth 1");
    assert_eq!(script.count("build"), 2);
}

#[test]
fn u_24_after_a_panic_any_legal_move_is_played() {
    let script = Script::new(|_, _, _, _| panic!("on purpose"));
    let mut client = Client::ready(&script);
    assert_eq!(last_two(&client.play("go byoyomi 60000 searchmoves 5g5f")).1, "bestmove 5g5f");
    let lines = client.play("go byoyomi 60000");
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert_ne!(lines[2], "bestmove resign");
    script.on_mate(|_, _| panic!("on purpose"));
    client.send(&format!("{MATE_IN_1}\ngo mate 100"));
    assert_eq!(client.until("checkmate").last().unwrap(), "checkmate timeout");
    // Even `isready` may panic.
    script.on_configure(|| panic!("on purpose"));
    client.send("isready");
    assert_eq!(client.until("readyok").len(), 2);
    client.play("go byoyomi 100");
}

/// A search that reacts neither to its clock nor to `stop`, as on a busy machine.
#[test]
fn u_27_a_search_that_does_not_end_is_answered() {
    let (open, pass) = gate();
    let script = Script::new(move |_, limits, _, report| {
        let mut reported = outcome(4, Score::cp(9), "2g2f 8c8d").info.expect("a line");
        if limits.depth != Some(1) {
            report(Report::Line(reported.clone()));
        }
        if limits.depth == Some(3) {
            reported.bound = Bound::Lower;
            reported.pv = ["7g7f".parse().expect("a move")][..].into();
            report(Report::Better(reported));
        }
        pass();
        let late = outcome(5, Score::cp(99), "5g5f 3c3d");
        report(Report::Line(late.info.clone().expect("a line")));
        late
    });
    let mut client = Client::ready(&script);
    for (go, answer) in [
        ("go byoyomi 40", "bestmove 2g2f ponder 8c8d"),
        ("go movetime 40", "bestmove 2g2f ponder 8c8d"),
        ("go infinite\nstop", "bestmove 2g2f ponder 8c8d"),
        ("go ponder byoyomi 40\nponderhit", "bestmove 2g2f ponder 8c8d"),
        // A better line than that of the last iteration.
        ("go byoyomi 40 depth 3", "bestmove 7g7f"),
    ] {
        client.send(go);
        let lines = client.until("bestmove");
        let (info, best) = last_two(&lines);
        assert_eq!(best, answer, "{go}");
        assert!(info.contains(" score cp 9 ") && info.contains(" depth 4 "), "{go}: {lines:?}");
        // Later reports of the search are ignored.
        open.send(()).expect("the engine waits");
        client.expect_silence();
    }
    client.send("go byoyomi 40 depth 1 searchmoves 9g9f");
    let lines = client.until("bestmove");
    assert_eq!(last_two(&lines).1, "bestmove 9g9f", "nothing was reported");
    // The next search waits for the end of the previous one.
    client.send("go byoyomi 60000 depth 2");
    open.send(()).expect("the engine waits");
    open.send(()).expect("the engine waits");
    assert_eq!(client.until("bestmove").last().unwrap(), "bestmove 5g5f ponder 3c3d");
    client.expect_silence();
}

#[test]
fn u_25_go_mate_is_answered_by_checkmate() {
    let finding = |verdict: MateVerdict| {
        let script = Script::at_once();
        script.on_mate(move |_, _| verdict.clone());
        script
    };
    let ask = |position: &str, go: &str, script: &Script| {
        let lines = transcript(format!("{position}\n{go}\n"), script);
        assert!(lines.iter().all(|line| !line.starts_with("bestmove")), "{lines:?}");
        lines.last().cloned().unwrap_or_default()
    };
    let claim = |line: &str| {
        let moves = line.split(' ').map(|mv| mv.parse().unwrap());
        finding(MateVerdict::Mate(moves.collect()))
    };
    let proved = claim("G*5b");
    let mut client = Client::ready(&proved);
    for go in ["go mate", "go mate infinite", "go mate 500"] {
        client.send(&format!("{MATE_IN_1}\n{go}"));
        let lines = client.until("checkmate");
        assert_eq!(lines.last().unwrap(), "checkmate G*5b");
        assert!(lines[0].contains(" score mate 1 ") && lines[0].ends_with(" pv G*5b"), "{lines:?}");
    }
    client.play("go depth 1 searchmoves G*5b\ngo infinite\nstop");
    client.until("bestmove");
    // Not mate, not a check, not legal, too long.
    for line in ["G*4b", "5c5b", "G*6i", "G*5b 5a5b"] {
        assert_eq!(ask(MATE_IN_1, "go mate 500", &claim(line)), "checkmate timeout", "{line}");
    }
    // Disproved, and out of time.
    let refuted = finding(MateVerdict::NoMate);
    assert_eq!(ask(MATE_IN_1, "go mate 500", &refuted), "checkmate nomate");
    let plain = Script::at_once();
    assert_eq!(ask(MATE_IN_1, "go mate 20", &plain), "checkmate timeout");
    assert_eq!(ask(MATE_IN_1, "go mate infinite\nstop", &plain), "checkmate timeout");
    assert_eq!(ask(MATE_IN_1, "go mate infinite\ngameover win", &plain), "checkmate timeout");
    // No checks, and no moves.
    assert_eq!(ask("position startpos", "go mate 500", &plain), "checkmate nomate");
    assert_eq!(ask(MATED, "go mate 500", &plain), "checkmate nomate");
    assert_eq!(ask("position foo", "go mate", &plain), "checkmate notimplemented");
}

#[test]
fn u_26_the_increment_is_not_spent_unless_the_clock_is_empty() {
    let mut client = Client::ready(&Script::patient());
    client.play("go btime 20 wtime 20 binc 900000 winc 900000");
    client.send("go btime 0 wtime 0 binc 900000 winc 900000");
    client.expect_silence();
    client.play("stop");
}

#[test]
fn a_mated_root_resigns_with_a_score() {
    let lines = transcript(format!("{MATED}\ngo byoyomi 100\n"), &Script::at_once());
    assert!(last_two(&lines).0.starts_with("info depth 0 score mate -1"), "{lines:?}");
    assert_eq!(last_two(&lines).1, "bestmove resign");
}

#[test]
fn resignation_depends_on_the_option() {
    let script = Script::new(|_, _, _, _| outcome(5, Score::cp(-700), "7g7f"));
    for (value, go, answer) in [
        (700, "go depth 5", "bestmove resign"),
        (701, "go depth 5", "bestmove 7g7f"),
        (700, "go infinite\nstop", "bestmove 7g7f"),
    ] {
        let input = format!("setoption name ResignValue value {value}\n{go}\n");
        let lines = transcript(input, &script);
        assert_eq!(last_two(&lines).1, answer);
        assert!(last_two(&lines).0.contains("score cp -700 nodes "), "{lines:?}");
        assert_eq!(last_two(&lines).0.contains(" pv "), answer == "bestmove 7g7f");
    }
}

#[test]
fn limits_reach_the_engine() {
    let script = Script::at_once();
    let lines = transcript(
        "setoption name DepthLimit value 6\nsetoption name NodesLimit value 1000\ngo\n\
          go depth 9 searchmoves 7g7f 5e5d P*5e\ngo nodes 5\ngo rtime 1\n",
        &script,
    );
    for mv in ["5e5d", "P*5e"] {
        let remark = format!("info string searchmoves: {mv} is illegal and ignored");
        assert!(lines.contains(&remark), "{lines:?}");
    }
    let none = transcript("go depth 1 searchmoves 5e5d\n", &script);
    assert!(none[1].contains("no legal move"), "{none:?}");
    let searches = script.searches();
    let parts = [
        "depth: Some(6), nodes: Some(1000), soft_nodes: None, search_moves: []",
        "depth: Some(9), nodes: Some(1000), soft_nodes: None, search_moves: [7g7f]",
        "depth: Some(6), nodes: Some(5)",
        "depth: Some(6)",
    ];
    assert_eq!(searches.len(), parts.len() + 1);
    for (search, part) in searches.iter().zip(parts) {
        assert!(search.contains(part), "{search}");
    }
}

#[test]
fn the_reader_never_waits_for_the_engine() {
    // An engine that ends only when the test allows it.
    let (open, gate) = gate();
    let script = Script::new(move |pos, _, _, report| {
        gate();
        first_move(pos, report)
    });
    let mut client = Client::ready(&script);
    client.send("go infinite");
    script.wait_for_searches(1);
    client.expect_silence();
    client.send("position startpos moves 7g7f\nsetoption name MultiPV value 3");
    client.expect_silence();
    client.send("stop\ngetoption MultiPV\nisready");
    open.send(()).unwrap();
    let lines = client.until("readyok");
    assert_eq!(lines[lines.len() - 2..], ["MultiPV = 3", "readyok"], "{lines:?}");
    assert!(lines[lines.len() - 3].starts_with("bestmove"));
}

#[test]
fn a_go_sent_before_readyok_is_searched() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let mut engine = Command::new(crate::command_support::PROGRAM)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let input = b"setoption name USI_Hash value 512\nisready\nposition startpos\ngo byoyomi 300\n";
    engine.stdin.take().expect("a pipe").write_all(input).expect("written");
    let output = engine.wait_with_output().expect("an answer").stdout;
    let text = String::from_utf8(output).expect("UTF-8");
    assert!(text.contains("info depth 1 ") && text.contains("bestmove "), "{text}");
    assert!(!text.contains("stopped before the first iteration"), "{text}");
}
