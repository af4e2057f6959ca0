//! USI sections 1 to 3: lines, start-up, options, positions, end.

use std::io::{self, BufReader, Cursor, Write};
use std::path::MAIN_SEPARATOR;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use kankei::usi;

use crate::usi_support::{Client, PATIENCE, Script, first_move, gate, transcript, wait};

pub fn remarks(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.strip_prefix("info string ")).collect()
}

#[test]
fn u_01_any_bytes_are_read() {
    let mut script = Vec::new();
    script.extend_from_slice(b"\xff\xfe\x00garbage\n\x80\n");
    // A Japanese path in CP932, in which second bytes include backslashes.
    script
        .extend_from_slice(b"setoption name EvalFile value C:\\\x8f\xab\x8a\xfb\\\x95\x5c.bin\r\n");
    script.extend_from_slice(b"getoption EvalFile\r\nisready\r\n");
    let lines = transcript(script, &Script::at_once());
    assert_eq!(lines[0], "EvalFile = C:\\\\u{5c06}\\u{68cb}\\\\u{8868}.bin");
    assert!(lines[1].contains("\\u{5c06}\\u{68cb}"), "{lines:?}");
    assert_eq!(lines[2..], ["readyok"]);
}

#[test]
fn u_02_lines_are_ascii_with_single_blanks() {
    let script = "usi\nsetoption name USI_Hash value 将棋  \u{3000} x\nsetoption name 将 value 1\n\
                  position sfen 王 b - 1\nposition startpos moves 歩  5e\nisready\n\
                  position startpos\ngo depth 1\ngo mate 0\n";
    let lines = transcript(script, &Script::at_once());
    for line in &lines {
        assert!(line.bytes().all(|c| (0x20..0x7f).contains(&c)), "{line}");
        assert!(!line.contains("  ") && !line.ends_with(' ') && !line.is_empty(), "{line:?}");
    }
    assert!(lines.iter().any(|line| line == "usiok") && lines.iter().any(|line| line == "readyok"));
    assert_eq!(remarks(&lines).len(), 4, "{lines:?}");
}

/// Accepts some bytes, then always fails.
struct Broken(usize, Arc<Mutex<usize>>);

impl Write for Broken {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        *self.1.lock().unwrap() += 1;
        if self.0 < bytes.len() {
            return Err(io::Error::from(io::ErrorKind::BrokenPipe));
        }
        self.0 -= bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn u_03_a_failed_write_means_quit() {
    for room in [0, 10, 2000] {
        let writes = Arc::new(Mutex::new(0));
        let script = "usi\nisready\ngo infinite\n".to_owned() + &"usi\n".repeat(1000);
        let output = Broken(room, Arc::clone(&writes));
        let result =
            usi::run(Cursor::new(script.into_bytes()), output, Script::patient().backend());
        assert!(result.is_ok());
        assert!(*writes.lock().unwrap() < 20);
    }
}

#[test]
fn u_03_the_gui_disappears_during_a_search() {
    // A write of the engine fails; the session ends although the input stays open.
    let (input, mut wire) = io::pipe().expect("a pipe");
    wire.write_all(b"isready\ngo infinite\n").expect("the pipe has room");
    let output = Broken("readyok\n".len(), Arc::default());
    assert!(usi::run(BufReader::new(input), output, Script::patient().backend()).is_ok());
}

#[test]
fn u_04_end_of_input_is_quit() {
    assert_eq!(transcript("", &Script::at_once()), [""; 0]);
    assert_eq!(transcript("isready", &Script::at_once()), ["readyok"]);
    // A limited search is still answered; others are not.
    for (go, answers) in [
        ("go byoyomi 50", 1),
        ("go depth 3", 1),
        ("go nodes 5", 1),
        ("go infinite\nstop", 1),
        ("go infinite", 0),
        ("go ponder btime 10 wtime 10", 0),
    ] {
        let script = Script::new(|pos, limits, control, report| {
            let outcome = first_move(pos, report);
            if limits.depth.is_none() && limits.nodes.is_none() {
                wait(control);
            } else {
                std::thread::sleep(Duration::from_millis(30));
            }
            outcome
        });
        let lines = transcript(format!("isready\n{go}\n"), &script);
        let count = lines.iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(count, answers, "{go}: {lines:?}");
    }
}

#[test]
fn u_04_quit_ends_every_state() {
    for before in
        ["", "isready", "go infinite", "go ponder", "go mate infinite", "go infinite\nstop"]
    {
        let mut client = Client::ready(&Script::patient());
        client.send(&format!("{before}\nquit"));
        let start = Instant::now();
        let lines = client.wait_for_end();
        assert!(start.elapsed() < PATIENCE / 3, "{before}");
        let answers = lines.iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(answers, usize::from(before.ends_with("stop")), "{before}: {lines:?}");
    }
}

#[test]
fn u_04_commands_before_quit_are_answered() {
    for (script, go) in [(Script::at_once(), "go depth 5"), (Script::patient(), "go byoyomi 60000")]
    {
        let start = Instant::now();
        let lines = transcript(format!("position startpos\n{go}\nquit\n"), &script);
        assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{lines:?}");
        assert!(start.elapsed() < PATIENCE / 3, "{go}");
    }
}

#[test]
fn u_04_quit_does_not_wait_for_heavy_work() {
    let script = Script::at_once();
    let (_never, gate) = gate();
    script.on_configure(gate);
    let mut client = Client::new(&script);
    client.send("isready\nquit");
    let start = Instant::now();
    client.wait_for_end();
    assert!(start.elapsed() < PATIENCE / 3);
}

#[test]
fn u_05_unknown_input_is_ignored() {
    let script = "\n   \nfoo\nUSI\nusi2\ngo1\nstop\nponderhit\ngameover win\nposition\n\
                  position startpos\nsetoption\nsetoption name\nisready\n";
    let lines = transcript(script, &Script::at_once());
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("info string position refused"));
    assert_eq!(lines[1], "readyok");
}

#[test]
fn u_06_commands_take_effect_in_order() {
    let script = Script::patient();
    let lines = transcript(
        "isready\nsetoption name MultiPV value 2\nposition startpos moves 7g7f\ngo infinite\n\
          setoption name MultiPV value 3\ngetoption MultiPV\nposition startpos moves 2g2f\n\
          go infinite\nstop\nsetoption name MultiPV value 4\nposition startpos\ngo infinite\n\
          getoption MultiPV\nstop\n",
        &script,
    );
    let order: Vec<&str> =
        lines.iter().map(|line| line.as_str()).filter(|line| !line.starts_with("info")).collect();
    assert_eq!(order.len(), 6, "{order:?}");
    assert_eq!((order[0], order[2], order[5]), ("readyok", "MultiPV = 3", "MultiPV = 4"));
    assert!([1, 3, 4].iter().all(|&index| order[index].starts_with("bestmove")), "{order:?}");
    let calls = script.calls();
    assert_eq!(
        script.kinds(),
        [
            "build",
            "configure",
            "new_game",
            "configure",
            "search",
            "configure",
            "search",
            "configure",
            "search"
        ]
    );
    assert!(calls[4].contains("/2P6/"), "{calls:?}");
    assert!(calls[6].contains("/7P1/"), "{calls:?}");
    assert!(calls[8].contains(" b - 1"), "{calls:?}");
}

#[test]
fn u_07_nothing_is_built_before_usiok() {
    let script = Script::at_once();
    let start = Instant::now();
    let mut client = Client::new(&script);
    client.send("usi");
    let lines = client.until("usiok");
    assert!(start.elapsed() < Duration::from_secs(5));
    assert_eq!(script.count("build"), 0);
    assert_eq!(lines[0], "id name Kankei test");
    assert_eq!(lines[1], "id author nobody");
    assert_eq!(lines[2], "option name USI_Hash type spin default 256 min 1 max 33554432");
    assert!(lines.contains(&"option name EvalFile type filename default <internal>".to_owned()));
    assert!(lines.contains(&"option name DebugLogFile type filename default <empty>".to_owned()));
    assert!(lines.contains(&"option name Clear_Hash type button".to_owned()));
    assert!(lines.contains(
        &"option name Search type combo default FullWidth var FullWidth var Other".to_owned()
    ));
    // GUIs send every option back.
    for line in &lines[2..lines.len() - 1] {
        let words: Vec<&str> = line.split(' ').collect();
        let default = words.iter().position(|&word| word == "default");
        if let Some(index) = default {
            client.send(&format!("setoption name {} value {}", words[2], words[index + 1]));
        }
    }
    client.get_ready("");
}

#[test]
fn u_08_empty_lines_are_sent_until_readyok() {
    let script = Script::at_once();
    let (open, gate) = gate();
    script.on_configure(gate);
    let mut client = Client::new(&script);
    client.send("setoption name USI_Hash value 2000\nisready\nusi");
    // An empty line after 5 s, sent only for `isready`.
    client.expect("");
    open.send(()).unwrap();
    client.expect("info string less memory");
    client.expect("readyok");
    client.until("usiok");
}

#[test]
fn u_09_isready_does_only_what_changed() {
    let script = Script::patient();
    let mut client = Client::ready(&script);
    client.get_ready("");
    client.get_ready("usinewgame");
    // The memory of the tables is allocated before a clock runs.
    assert_eq!(script.calls(), ["build FullWidth Internal", "configure 256 1", "new_game"]);
    // During a search: an immediate reply, and the search continues.
    client.send("go infinite");
    script.wait_for_searches(1);
    client.expect_silence();
    client.expect_silence();
    // After a `stop` in progress: `bestmove` first.
    client.send("stop\nisready");
    let lines = client.until("readyok");
    assert!(lines[lines.len() - 2].starts_with("bestmove"), "{lines:?}");
    assert_eq!(script.calls().last().unwrap(), "new_game");
    // Another size and another searcher.
    client.get_ready("setoption name USI_Hash value 16");
    client.get_ready("setoption name search value other");
    client.get_ready("setoption name MultiPV value 3");
    let calls = script.calls();
    assert_eq!(
        calls[calls.len() - 6..],
        [
            "configure 16 1",
            "new_game",
            "build Other Internal",
            "configure 16 1",
            "new_game",
            "configure 16 3"
        ]
    );
    client.get_ready("setoption name SearchChanges value set=a=1 without=b");
    assert!(script.calls().iter().any(|call| call == "build Other Internal set=a=1 without=b"));
}

#[test]
fn u_09_usinewgame_works_without_isready() {
    let script = Script::at_once();
    let mut client = Client::new(&script);
    client.play("usinewgame\ngo depth 1");
    client.play("usinewgame\nusinewgame\ngo depth 1");
    assert_eq!(script.kinds(), ["build", "configure", "search", "new_game", "search"]);
    client.get_ready("setoption name Clear_Hash");
    assert_eq!(script.calls().last().unwrap(), "new_game");
}

#[test]
fn u_10_a_missing_file_is_reported_and_replaced() {
    let lines = transcript(
        "setoption name EvalFile value no/such file.bin\nisready\nisready\n\
          setoption name EvalFile value <material>\nisready\n\
          setoption name DebugLogFile value /no/such/folder/x.log\nisready\n",
        &Script::at_once(),
    );
    let reported = remarks(&lines);
    assert_eq!(reported.len(), 2, "{lines:?}");
    let missing = format!("{MAIN_SEPARATOR}no/such file.bin does not exist");
    for part in ["EvalFile no/such file.bin: ", &missing, "<internal>"] {
        assert!(reported[0].contains(part), "{reported:?}");
    }
    assert!(
        reported[0].contains(" /") || reported[0].contains(":\\"),
        "no absolute path: {reported:?}"
    );
    assert!(reported[1].contains("/no/such/folder/x.log"), "{reported:?}");
    assert_eq!(lines.iter().filter(|line| *line == "readyok").count(), 4);
}

#[test]
fn a_file_that_was_missing_is_used_once_it_is_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.bin");
    let script = Script::at_once();
    let mut client = Client::ready(&script);
    client.send(&format!("setoption name EvalFile value {}\nisready", path.display()));
    client.until("readyok");
    assert!(script.calls().iter().all(|call| !call.contains("x.bin")));
    std::fs::write(&path, "").expect("a file");
    client.get_ready("");
    assert!(script.calls().iter().any(|call| call.contains("x.bin")), "{:?}", script.calls());
}

#[test]
fn a_relative_folder_of_the_evaluation_is_reported_with_both_places() {
    let lines = transcript("setoption name EvalDir value no/folder\nisready\n", &Script::at_once());
    let [message] = remarks(&lines)[..] else { panic!("{lines:?}") };
    let next_to_program = std::env::current_exe().expect("a program").with_file_name("no");
    let here = std::env::current_dir().expect("a folder").join("no");
    assert_ne!(next_to_program, here);
    for place in [next_to_program, here] {
        let file = place.join("folder").join("nn.bin");
        assert!(message.contains(&format!("{} does not exist", file.display())), "{message}");
    }
    assert!(message.ends_with("; using <internal> instead"), "{message}");
}

#[test]
fn u_11_options_wait_for_the_end_of_the_search() {
    let script = Script::patient();
    let mut client = Client::ready(&script);
    client.send("go infinite");
    script.wait_for_searches(1);
    client
        .send("setoption name MultiPV value 5\nsetoption name MultiPV value x\ngetoption MultiPV");
    client.expect_silence();
    client.play("stop");
    client
        .expect("info string option MultiPV: \"x\" is not a whole number from 1 to 600; keeping 5");
    client.expect("MultiPV = 5");
}

#[test]
fn u_12_a_king_may_be_missing() {
    let script = Script::at_once();
    let mut client = Client::ready(&script);
    for sfen in ["4k4/9/4P4/9/9/9/9/9/9 b G 1", "9/9/9/9/9/9/4p4/9/4K4 w g 1"] {
        client.send(&format!("position sfen {sfen}\ngo mate 1000"));
        let lines = client.until("checkmate");
        assert_eq!(lines.last().unwrap(), "checkmate timeout");
        assert_ne!(client.play("go infinite\nstop").last().unwrap(), "bestmove resign");
    }
    for sfen in [
        "9/9/9/9/9/9/9/9/9 b - 1",
        "4k4/4k4/9/9/9/9/9/9/4K4 b - 1",
        "4k4/9/9/9/4P4/4P4/9/9/4K4 b - 1",
        "P3k4/9/9/9/9/9/9/9/4K4 b - 1",
        "4k4/4G4/9/9/9/9/9/9/4K4 b - 1",
        "4k4/9/9/9/9/9/9/9/4K4 b 19P 1",
        "4k4/9/9/9/9/9/9/9/4K4 b 3B 1",
        "4k4/9/9/9/9/9/9/9 b - 1",
        "4k4/9/9/9/9/9/9/9/4K5 b - 1",
        "4k4/9/9/9/9/9/9/9/4K4 x - 1",
        "4k4/9/9/9/9/9/9/9/4K4 b - x",
        "4k4/9/9/9/9/9/9/9/4K4 b",
    ] {
        client.send(&format!("position sfen {sfen}"));
        assert!(client.line().starts_with("info string position refused"), "{sfen}");
    }
    // The session is still usable.
    assert_ne!(client.play("position startpos\ngo depth 1").last().unwrap(), "bestmove resign");
}

#[test]
fn u_13_every_legal_move_is_accepted() {
    for (sfen, moves) in [
        ("4k4/9/9/P8/9/9/9/9/4K4 b - 1", "9d9c"),
        ("4k4/9/L8/9/9/9/9/9/4K4 b - 1", "9c9b"),
        ("4k4/9/9/9/9/9/9/1B5R1/4K4 b - 1", "2h2b 5a6a 8h2b+"),
        ("4k4/9/9/9/9/9/9/1B5R1/4K4 b - 1", "8h3c 5a6a 2h2c"),
        ("4k4/9/9/9/9/9/9/9/4K4 w p 1", "P*1h 5i5h 1h1i+"),
    ] {
        let lines = transcript(
            format!("position sfen {sfen} moves {moves}\ngo depth 1\n"),
            &Script::at_once(),
        );
        let refused = moves.contains("2h2b 5a6a");
        let resigns = lines.iter().any(|line| line == "bestmove resign");
        assert_eq!(resigns, refused, "{sfen} {moves}: {lines:?}");
    }
    let lines = transcript("position startpos moves 7g7f 3c3d 2h7h 4a4d\n", &Script::at_once());
    assert_eq!(
        lines,
        ["info string position refused: move 4: 4a4d is not a move of any piece here"]
    );
}

#[test]
fn u_14_a_refused_position_is_not_searched() {
    let script = Script::patient();
    let mut client = Client::ready(&script);
    client.send("position startpos moves 7g7f 1a1b 5e5e\ngo btime 1000 wtime 1000");
    assert!(client.line().contains("move 3, \"5e5e\""));
    client.expect("bestmove resign");
    client.send("go mate 1000");
    client.expect("checkmate notimplemented");
    client.send("go infinite");
    client.expect_silence();
    client.send("stop");
    client.expect("bestmove resign");
    client.send("d\nmoves\neval\nperft 1");
    for _ in 0..4 {
        assert!(client.line().starts_with("info string no position is set"));
    }
    assert_eq!(script.count("search"), 0);
}

/// A legal game of any length: rooks and kings move back and forth.
pub fn long_game(moves: usize) -> String {
    let cycle = ["2h3h", "8b7b", "5i5h", "5a5b", "3h2h", "7b8b", "5h5i", "5b5a"];
    let moves: Vec<&str> = cycle.iter().copied().cycle().take(moves).collect();
    format!("position startpos moves {}", moves.join(" "))
}

#[test]
fn u_15_thousands_of_moves_are_quick() {
    let script = Script::at_once();
    let lines = transcript(format!("{}\ngo depth 1\n", long_game(14_001)), &script);
    assert!(lines.last().is_some_and(|line| line.starts_with("bestmove")), "{lines:?}");
    assert!(script.calls().iter().any(|call| call.contains(" w - 14002 ")));

    let line = long_game(2_000);
    let start = Instant::now();
    let Some(usi::UsiCommand::Position(text)) = usi::UsiCommand::parse(&line) else {
        panic!("{line}")
    };
    let pos = text.to_position().expect("a legal game");
    let time = start.elapsed();
    assert_eq!(pos.moves_made(), 2_000);
    assert!(pos.fourfold().is_some());
    // Debug assertions repeat every check.
    let limit = if cfg!(debug_assertions) { 2_000 } else { 20 };
    assert!(time < Duration::from_millis(limit), "{time:?}");
}

#[test]
fn console_commands_are_answered() {
    let lines = transcript(
        "position startpos\nd\nmoves\neval\nperft 3\ngo perft 0\nsetoption name USI_Hash value 7\n\
          bench 1 2\nsetoption name USI_Hash value 256\ncompiler\ngetoption\n\
          getoption usi_hash\ngetoption foo\nhelp\n",
        &Script::at_once(),
    );
    let has = |text: &str| lines.iter().any(|line| line.contains(text));
    assert!(has("sfen lnsgkgsnl") && lines.iter().any(|line| line.split(' ').count() == 30));
    assert!(has("the value of lnsgkgsnl") && has("Nodes searched : 25470"));
    assert!(
        has("Nodes searched : 1")
            && has("bench of 1+2 with 7 MiB")
            && has("made for a test")
            && has("DebugLogFile = <empty>")
    );
    assert!(has("USI_Hash = 256") && has("unknown option \"foo\"") && has("perft D"));
}
