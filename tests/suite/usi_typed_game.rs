//! A game that a person plays in a terminal: typed moves, `go` without limits, `new` and `undo`.

use kankei::shogi::STARTPOS;
use kankei::usi::Backend;

use crate::usi_support::{Client, Script, transcript};

fn client(script: &Script) -> Client {
    Client::of(Backend { interactive: true, ..script.backend() })
}

/// Sends a line and returns the end of the SFEN below the board that it shows.
#[track_caller]
fn shown(client: &mut Client, line: &str) -> String {
    client.send(line);
    let board = client.until("sfen ").pop().expect("a line");
    board.split_once(' ').map(|(_, sfen)| sfen.to_owned()).expect("an SFEN")
}

#[test]
fn a_game_is_played_by_typing_moves() {
    let script = Script::at_once();
    let mut client = client(&script);
    assert_eq!(shown(&mut client, "new"), STARTPOS);
    let second = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
    assert_eq!(shown(&mut client, "7g7f"), second);
    // The engine plays the first legal move.
    client.send("go");
    let lines = client.until("bestmove ");
    let answer = lines.last().and_then(|line| line.strip_prefix("bestmove ")).expect("a move");
    assert!(client.until("sfen ").pop().expect("a board").ends_with(" b - 3"));
    assert_eq!(script.searches().len(), 1);
    assert!(shown(&mut client, "  ２六歩").ends_with(" w - 4"));
    assert!(shown(&mut client, "undo").ends_with(" b - 3"));
    assert!(shown(&mut client, "▲７八金(69)").ends_with(" w - 4"));
    for _ in 0..2 {
        shown(&mut client, "undo");
    }
    assert_eq!(shown(&mut client, answer).split(' ').nth(1), Some("b"));
    // With a limit, `go` only searches.
    client.play("go depth 1");
    client.play("go infinite\nstop");
    assert_eq!(shown(&mut client, "new"), STARTPOS);
    client.send("undo");
    client.expect("info string no move to take back");
}

#[test]
fn moves_that_cannot_be_played_are_refused_with_a_reason() {
    let mut client = client(&Script::at_once());
    for (line, reason) in [
        ("7g7e", "7g7e"),
        ("５五角", "B*5e is not a move of any piece here"),
        ("５五角引", "no piece can make this move"),
        ("△３四歩", "the move is not of the side to move"),
        ("7g7", "\"7g7\" is not a command"),
    ] {
        client.send(line);
        let reported = client.line();
        assert!(reported.starts_with("info string ") && reported.contains(reason), "{reported}");
    }
    client.send("position sfen 4k4/9/9/9/9/9/9/3G1G3/4K4 b - 1\n５八金");
    client.expect("info string the move can mean 4h5h or 6h5h");
    client.send("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1\nG*5b");
    client.until("sfen ");
    client.expect("info string no legal move: the game is over");
}

#[test]
fn a_gui_gets_no_answer_to_a_bare_move() {
    let lines = transcript("7g7f\n７六歩\nd\n", &Script::at_once());
    assert_eq!(lines.last(), Some(&format!("sfen {STARTPOS}")));
    assert!(lines[0].starts_with("White holds"), "{lines:?}");
}

#[test]
fn the_commands_of_a_game_are_in_the_help() {
    let lines = transcript("help\n", &Script::at_once());
    for name in ["new ", "7g7f ", "go ", "undo "] {
        assert!(lines.iter().any(|line| line.starts_with(name)), "{name}");
    }
}
