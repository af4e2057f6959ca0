//! Rule U-28: exact entering-king declarations, and when they are made.

use kankei::shogi::{Declaration, DeclarationRule as Rule, Position};

use crate::positions::position;
use crate::program::Session;
use crate::usi_support::{Client, Script, transcript};

/// Black's king and ten pieces with 18 points have entered; `held` pawns are in hand.
fn entered(held: u32) -> String {
    let hand = if held > 0 { format!("{held}P") } else { "-".to_owned() };
    format!("GGGGKSSSS/+R7+B/9/9/9/9/9/9/4k4 b {hand} 1")
}

fn declares(pos: &Position, rule: Rule) -> bool {
    pos.declaration(rule) == Some(Declaration::Declare)
}

#[test]
fn u_28_declarations_need_enough_points() {
    for points in 18..=36 {
        let black = position(&entered(points - 18));
        let white = black.turned();
        assert_eq!(black.declaration_points(black.side_to_move()), points);
        assert_eq!(white.declaration_points(white.side_to_move()), points);
        assert_eq!(declares(&black, Rule::Csa27), points >= 28, "{points}");
        assert_eq!(declares(&white, Rule::Csa27), points >= 27, "{points}");
        assert_eq!(declares(&black, Rule::Csa24), points >= 31, "{points}");
        assert_eq!(declares(&white, Rule::Csa24), points >= 31, "{points}");
        assert!(!declares(&black, Rule::None) && !declares(&white, Rule::None));
    }
    // Four big pieces and six others, and five small pieces in hand.
    let pos = position("+R+R+B+BGGGG1/4K4/SS7/9/9/9/9/9/8k b 2S3P 1");
    assert_eq!(pos.declaration_points(pos.side_to_move()), 31);
}

#[test]
fn u_28_pieces_missing_from_the_set_count_for_white() {
    for held in 0..=18 {
        let pawns = |count: u32, letter| match count {
            0 => String::new(),
            count => format!("{count}{letter}"),
        };
        // Only a rook is missing: 5 points. The opponent has the rest in hand.
        let black = position(&format!(
            "GGGGKSSSS/+R7+B/9/9/9/9/9/9/4k4 b {}b4n4l{} 1",
            pawns(held, 'P'),
            pawns(18 - held, 'p')
        ));
        let (points, white) = (18 + held, black.turned());
        assert_eq!(declares(&black, Rule::Csa27Handicap), points >= 28);
        assert_eq!(declares(&black, Rule::Csa24Handicap), points >= 31);
        assert_eq!(declares(&white, Rule::Csa27Handicap), points + 5 >= 27);
        assert_eq!(declares(&white, Rule::Csa24Handicap), points + 5 >= 31);
    }
    // 27 points on the board, and the same number missing.
    let black = position("+R+R+B+BGGGG1/4K4/SS7/9/9/9/9/9/8k b P 1");
    for rule in [Rule::Csa27Handicap, Rule::Csa24Handicap] {
        assert!(!declares(&black, rule) && declares(&black.turned(), rule), "{rule:?}");
    }
}

#[test]
fn u_28_all_conditions_are_needed() {
    for (sfen, why) in [
        ("GGGGKSSS1/+R7+B/9/9/9/9/9/9/4k4 b 18P 1", "nine pieces"),
        ("GGGG1SSSS/+R7+B/9/4K4/9/9/9/9/4k4 b 18P 1", "the king has not entered"),
        ("GGGGKSSSS/+R7+B/9/9/9/9/9/4r4/3k5 b 18P 1", "check"),
        ("GGGGKSSS1/+R7+B/9/S8/9/9/9/9/4k4 b 18P 1", "one piece outside"),
    ] {
        let pos = position(sfen);
        for pos in [pos.turned(), pos] {
            assert!(!declares(&pos, Rule::Csa27) && !declares(&pos, Rule::Csa24), "{why}");
        }
    }
    // Pieces outside the zone give no points.
    assert!(declares(&position("GGGGKSSSS/+R7+B/9/9/9/9/9/9/4k4 b 10P 1"), Rule::Csa27));
    assert!(!declares(&position("GGGGKSSSS/+R7+B/9/P8/9/9/9/9/4k4 b 9P 1"), Rule::Csa27));
}

#[test]
fn u_28_declared_only_when_playing() {
    let at = |held| format!("position sfen {}", entered(held));
    for (held, go, wins) in [
        (10, "go btime 1000 wtime 1000", true),
        (10, "go movetime 10", true),
        (10, "go nodes 10", true),
        (10, "go depth 1", true),
        (9, "go depth 1", false),
        (10, "go infinite\nstop", false),
        (10, "go\nstop", false),
        (10, "go ponder btime 1000 wtime 1000\nstop", false),
        (10, "go ponder btime 1000 wtime 1000\nponderhit", true),
        (10, "go ponder\nponderhit btime 1000 wtime 1000", true),
    ] {
        for script in [Script::at_once(), Script::patient()] {
            if go == "go depth 1" && held == 9 || go == "go nodes 10" {
                // A patient engine does not stop at these commands.
                let lines = transcript(format!("{}\n{go}\nstop\n", at(held)), &script);
                assert_eq!(lines.last().unwrap() == "bestmove win", wins, "{held} {go}");
                continue;
            }
            let mut client = Client::ready(&script);
            let lines = client.play(&format!("{}\n{go}", at(held)));
            assert_eq!(lines.last().unwrap() == "bestmove win", wins, "{held} {go}: {lines:?}");
            if wins {
                let info = &lines[lines.len() - 2];
                assert!(info.contains("score mate 1") && !info.contains(" pv"), "{info}");
            }
        }
    }
    let rule = |name: &str, held| {
        let input =
            format!("setoption name EnteringKingRule value {name}\n{}\ngo depth 1\n", at(held));
        transcript(input, &Script::at_once()).last().cloned().unwrap_or_default()
    };
    assert_eq!(rule("CSARule24", 13), "bestmove win");
    assert_ne!(rule("CSARule24", 12), "bestmove win");
    assert_ne!(rule("NoEnteringKing", 18), "bestmove win");
    assert_ne!(rule("TryRule", 18), "bestmove win");
}

/// The engine searches the position before the predicted move. `ponderhit` ends that search and
/// needs no search of the position after it.
#[test]
fn u_28_a_declaration_after_stochastic_ponder_needs_no_other_search() {
    let script = Script::patient();
    let mut client = Client::ready(&script);
    client.send("setoption name Stochastic_Ponder value true");
    client.send("position sfen GGGGKSSSS/+R7+B/9/9/9/9/9/9/4k4 w 10P 1 moves 5i5h");
    client.send("go ponder btime 1000 wtime 1000");
    script.wait_for_searches(1);
    let lines = client.play("ponderhit");
    assert_eq!(lines.last().unwrap(), "bestmove win", "{lines:?}");
    client.expect_silence();
    assert_eq!(script.count("search"), 1);
    // The result of the first search is not the answer to the next one.
    let lines = client.play("position startpos moves 7g7f\ngo movetime 10");
    assert!(lines.last().unwrap() != "bestmove win" && script.count("search") == 2, "{lines:?}");
}

#[test]
fn u_28_the_rule_is_reported() {
    let mut session = Session::start();
    session.send("setoption name USI_Hash value 16");
    let mut reported = |rule: &str| {
        session.send(&format!("setoption name EnteringKingRule value {rule}"));
        session.ask("isready", "readyok").first().cloned().unwrap_or_default()
    };
    assert!(reported("CSARule27").contains("CSARule27: 28 points win for Black, 27 for White"));
    assert_eq!(reported("CSARule27"), "readyok");
    assert!(reported("CSARule24").contains("CSARule24: 31 points"));
    session.quit();
}

#[test]
fn u_28_a_try_is_answered_with_the_king_move() {
    let play = |sfen: &str| {
        let input = format!(
            "setoption name EnteringKingRule value TryRule\nposition sfen {sfen}\ngo depth 1\n"
        );
        transcript(input, &Script::at_once())
    };
    // The search itself also knows it, where nothing is declared: also if the enemy could mate
    // after it.
    let mut session = Session::start();
    session.send("setoption name EnteringKingRule value TryRule");
    for searcher in ["AlphaBeta", "MCTS"] {
        session.send(&format!("setoption name Search value {searcher}"));
        for sfen in ["9/3K5/9/9/9/9/9/rr7/4k4 b - 1", "3G1G3/3K5/4+p4/9/9/9/9/9/4k4 b g 1"] {
            session.send(&format!("position sfen {sfen}"));
            let lines = session.ask("go nodes 2000 searchmoves 6b5a 6b7b", "bestmove");
            assert!(lines[lines.len() - 2].contains("score mate 1 "), "{lines:?}");
            assert_eq!(lines.last().map(String::as_str), Some("bestmove 6b5a"));
        }
    }
    session.quit();
    let lines = play("9/3K5/9/9/9/9/9/9/k8 b - 1");
    assert_eq!(lines.last().unwrap(), "bestmove 6b5a");
    assert!(lines[lines.len() - 2].ends_with("pv 6b5a"), "{lines:?}");
    assert_eq!(play("K8/9/9/9/9/9/9/5k3/9 w - 1").last().unwrap(), "bestmove 4h5i");
    for (sfen, wins) in [
        ("9/5K3/9/9/9/9/9/9/k8 b - 1", true),
        // An unprotected piece may be taken, an own one may not.
        ("4g4/5K3/9/9/9/9/9/9/k8 b - 1", true),
        ("4r4/3K5/9/9/9/9/9/9/k8 b - 1", true),
        ("4G4/3K5/9/9/9/9/9/9/k8 b - 1", false),
        // The square is attacked, or too far away.
        ("4r3r/3K5/9/9/9/9/9/9/k8 b - 1", false),
        ("r8/5K3/9/9/9/9/9/9/k8 b - 1", false),
        ("9/9/5K3/9/9/9/9/9/k8 b - 1", false),
    ] {
        let pos = position(sfen);
        for (pos, to) in [(pos.turned(), "5i"), (pos, "5a")] {
            let tried = match pos.declaration(Rule::Try) {
                Some(Declaration::Try(mv)) => Some(mv.to().to_string()),
                other => other.map(|_| panic!("{sfen}")),
            };
            assert_eq!(tried.as_deref(), wins.then_some(to), "{sfen}");
        }
    }
}
