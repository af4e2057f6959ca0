//! Input that no client should send. The session must stay usable and answer each `go` once.

use kankei::rng::Rng;
use kankei::usi::{Options, PositionText, UsiCommand, printable};
use proptest::prelude::*;

use crate::program::Session;
use crate::usi_session::long_game;
use crate::usi_support::{Client, Script, transcript};

#[test]
fn u_01_random_bytes() {
    let mut rng = Rng::from_seed(1);
    let mut input = Vec::with_capacity(10 << 20);
    while input.len() < 10 << 20 {
        let word = rng.next_u64().to_le_bytes();
        input.extend_from_slice(&word);
        // Short lines, some of which start like a command.
        match rng.below(20) {
            0 => input.push(b'\n'),
            1 => input.extend_from_slice(b"\nposition sfen "),
            2 => input.extend_from_slice(b"\nsetoption name USI_Hash value "),
            3 => input.extend_from_slice(b"\nposition startpos moves "),
            4 => input.extend_from_slice(b"\n\xff\r\n"),
            _ => {}
        }
    }
    input.extend_from_slice(b"\nposition startpos\nisready\ngo depth 1\n");
    let lines = transcript(input, &Script::at_once());
    assert!(lines.last().is_some_and(|line| line.starts_with("bestmove")));
    assert!(lines.iter().all(|line| line.len() < 1_200));
}

/// Lines that clients send, also at wrong times.
const TALK: [&str; 24] = [
    "go infinite",
    "go byoyomi 1",
    "go ponder",
    "go ponder btime 5 wtime 5",
    "go mate 3",
    "go mate",
    "go btime 3 wtime 0 binc 1",
    "stop",
    "stop",
    "ponderhit",
    "ponderhit byoyomi 1",
    "gameover win",
    "isready",
    "usinewgame",
    "usi",
    "setoption name MultiPV value 3",
    "setoption name Clear_Hash",
    "position startpos",
    "position startpos moves 7g7f 7g7f",
    "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
    "position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1",
    "moves",
    "",
    "go infinite perft",
];

/// Counts lines that start with the words of `go`, `isready` and `usi`, or of their answers.
fn counts<'a>(lines: impl IntoIterator<Item = &'a str>, words: [&[&str]; 3]) -> [usize; 3] {
    let mut counts = [0; 3];
    for line in lines {
        let word = line.split(' ').next().unwrap_or_default();
        for (count, words) in counts.iter_mut().zip(words) {
            *count += usize::from(words.contains(&word));
        }
    }
    counts
}

const QUESTIONS: [&[&str]; 3] = [&["go"], &["isready"], &["usi"]];
const ANSWERS: [&[&str]; 3] = [&["bestmove", "checkmate"], &["readyok"], &["usiok"]];

/// Sends `lines` random lines of `TALK` with pauses, and compares the numbers of questions and
/// answers.
fn converse(seed: u64, lines: usize) {
    let mut rng = Rng::from_seed(seed);
    let script = if seed.is_multiple_of(2) { Script::patient() } else { Script::at_once() };
    let client = Client::new(&script);
    let mut sent = Vec::new();
    for _ in 0..lines {
        let line = *rng.choose(&TALK).unwrap();
        client.send(line);
        sent.push(line);
        if rng.below(4) == 0 {
            std::thread::sleep(std::time::Duration::from_micros(rng.below(3_000) as u64));
        }
    }
    client.send("stop");
    let reported = client.end();
    let reported = counts(reported.iter().map(String::as_str), ANSWERS);
    assert_eq!(reported, counts(sent, QUESTIONS), "seed {seed}");
}

#[test]
fn u_17_random_conversations() {
    (0..40).for_each(|seed| converse(seed, 60));
}

#[test]
#[ignore = "100,000 lines, minutes: cargo test --release -- --ignored"]
fn u_17_a_long_random_conversation() {
    converse(1_000, 50_000);
    converse(1_001, 50_000);
}

/// The program with each searcher; the answers are read in blocks.
#[test]
#[ignore = "100,000 lines, minutes: cargo test --release -- --ignored"]
fn u_17_a_long_random_conversation_with_each() {
    for (seed, searcher) in [(1, "AlphaBeta"), (2, "FullWidth"), (3, "MCTS")] {
        let mut rng = Rng::from_seed(seed);
        let mut sent = Vec::new();
        let mut reported = Vec::new();
        let mut session = Session::start();
        session.send("setoption name USI_Hash value 1");
        session.send(&format!("setoption name Search value {searcher}"));
        // Sent in blocks, so that no pipe is ever full.
        for _ in 0..340 {
            for _ in 0..100 {
                let line = *rng.choose(&TALK).unwrap();
                session.send(line);
                sent.push(line);
            }
            session.send("stop");
            reported.extend(session.ask("getoption Search", "Search"));
        }
        session.quit();
        let reported = counts(reported.iter().map(String::as_str), ANSWERS);
        assert_eq!(reported, counts(sent, QUESTIONS), "{searcher}");
    }
}

#[test]
fn truncated_lines_are_tolerated() {
    let full = "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1 \
                moves 7g7f 3c3d";
    let go = "go btime 100 wtime 100 byoyomi 100 searchmoves 7g7f";
    let mut input = String::new();
    for end in 0..full.len() {
        input += &full[..end];
        input.push('\n');
    }
    for end in 3..go.len() {
        input += &format!("stop\n{}\nstop\n", &go[..end]);
    }
    input += "setoption name\nsetoption name USI_Hash value\nsetoption name USI_Hash\nisready\n";
    let lines = transcript(input, &Script::at_once());
    let answers = lines.iter().filter(|line| line.starts_with("bestmove")).count();
    assert_eq!(answers, go.len() - 3);
    assert_eq!(lines.last().unwrap(), "readyok");
}

#[test]
fn an_option_without_its_value_keeps_the_old_one() {
    let set = "setoption name BookMoves";
    let input = format!("{set} value 5\n{set} = 7\n{set}\nsetoption name Clear_Hash\n");
    let remark = |words: &str| {
        let wanted = "is not the word `value` and a whole number from 0 to 10000";
        format!("info string option BookMoves: \"{words}\" {wanted}; keeping 5")
    };
    assert_eq!(transcript(input, &Script::at_once()), [remark("= 7"), remark("")]);
}

#[test]
fn u_10_a_hash_table_beyond_the_memory_is_reduced_and_reported() {
    for search in ["AlphaBeta", "FullWidth", "MCTS"] {
        let mut session = Session::start();
        session.send(&format!("setoption name Search value {search}"));
        let lines = session.ask("setoption name USI_Hash value 33554432\nisready", "readyok");
        let remark = lines.iter().find(|line| line.contains("33554432 MiB")).expect("a remark");
        let given =
            remark.rsplit_once("; using ").and_then(|(_, given)| given.strip_suffix(" MiB"));
        let given = given.and_then(|number| number.parse::<u64>().ok()).expect("a size");
        assert!((1..33_554_432).contains(&given), "{remark}");
        let lines = session.ask("position startpos\ngo nodes 1000", "bestmove");
        assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{lines:?}");
        session.quit();
    }
}

#[test]
fn u_14_a_position_with_surplus_words_is_refused() {
    let start = kankei::shogi::STARTPOS;
    for position in [format!("sfen {start} move 7g7f"), format!("{start} 7g7f moves 7g7f")] {
        let lines = transcript(format!("position {position}\ngo depth 1\n"), &Script::at_once());
        let [remark, best] = &lines[..] else { panic!("{lines:?}") };
        assert!(remark.starts_with("info string position refused: unexpected "), "{remark}");
        assert_eq!(best, "bestmove resign");
    }
}

#[test]
fn u_15_a_long_list_with_an_error_at_its_end() {
    let input = format!("{} 5e5d\n{}\ngo depth 1\n", long_game(3_000), long_game(3_000));
    let lines = transcript(input, &Script::at_once());
    assert!(lines[0].starts_with("info string position refused: move 3001: 5e5d"), "{lines:?}");
    assert_ne!(lines.last().unwrap(), "bestmove resign");
}

proptest! {
    #[test]
    fn any_text_parses_without_panic(text in "\\PC*") {
        let _ = UsiCommand::parse(&text);
        prop_assert!(printable(&text).is_ascii());
    }

    #[test]
    fn any_words_after_go(words in prop::collection::vec(
        prop_oneof![
            prop::sample::select(vec!["btime", "wtime", "binc", "winc", "byoyomi", "movetime",
                "infinite", "ponder", "depth", "nodes", "mate", "searchmoves", "rtime", "7g7f"]),
            Just("-1"), Just("0.5"), Just("99999999999999999999999999"), Just("x"), Just("1e300"),
        ], 0..12)) {
        let line = format!("go {}", words.join(" "));
        prop_assert!(matches!(UsiCommand::parse(&line), Some(UsiCommand::Go(_))));
    }

    #[test]
    fn any_number_in_a_clock(number in any::<i64>()) {
        let Some(UsiCommand::Go(go)) = UsiCommand::parse(&format!("go btime {number}")) else {
            return Err(TestCaseError::fail("no go"));
        };
        prop_assert!(go.clock.remaining[0].is_some_and(|time| number > 0 || time.is_zero()));
    }

    #[test]
    fn option_values_keep_their_blanks(value in "[!-~]([ -~]{0,30}[!-~])?") {
        let expected = UsiCommand::SetOption { name: "X".to_owned(), value: Ok(value.clone()) };
        prop_assert_eq!(UsiCommand::parse(&format!("setoption name X value {value} ")), Some(expected));
    }

    #[test]
    fn spins_take_exactly_their_range(value in any::<i64>()) {
        let mut options = Options::new(&["FullWidth"]);
        let accepted = options.set("multipv", &value.to_string()).is_ok();
        prop_assert_eq!(accepted, (1..=600).contains(&value));
        let expected = if accepted { value } else { 1 };
        prop_assert_eq!(options.show("MultiPV"), Some(("MultiPV", expected.to_string())));
    }

    #[test]
    fn any_option_text(name in "\\PC{0,20}", value in "\\PC{0,40}") {
        let mut options = Options::new(&["FullWidth"]);
        let _ = options.set(&name, &value);
        let names: Vec<&str> = options.meanings().map(|(name, _)| name).collect();
        for name in names {
            let _ = options.set(name, &value);
        }
        let _ = (options.settings(), options.time());
    }

    #[test]
    fn any_position_text(board in "[1-9KkPpLlNnSsGgBbRr+/]{0,60}", hand in "[0-9PpRr-]{0,6}",
                         rest in "\\PC{0,20}") {
        let line = format!("position sfen {board} b {hand} {rest}");
        if let Some(UsiCommand::Position(text)) = UsiCommand::parse(&line) {
            let _: (PositionText, _) = (text.clone(), text.to_position());
        }
    }
}
