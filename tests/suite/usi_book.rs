//! The opening book of a session: when it is used, its answers, and its options.

use std::collections::BTreeSet;
use std::path::Path;

use kankei::shogi::STARTPOS;

use crate::command_support::Folder;
use crate::program::Session;
use crate::usi_support::{Client, Script, transcript};

/// The move that the fake engine plays.
const ENGINE: &str = "bestmove 1g1f";
const PLAIN: &str = "7g7f 3c3d 25 16 3\n";

/// Writes a book for the start position; returns the option lines that select it.
fn chosen(folder: &Folder, moves: &str) -> String {
    folder.write("book.db", format!("#YANEURAOU-DB2016 1.00\nsfen {STARTPOS}\n{moves}"));
    format!("setoption name BookFile value {}\n", folder.at("book.db").display())
}

/// Waits for `readyok` after these lines, which open a book with one position.
fn open_book(client: &mut Client, lines: &str) {
    client.send(&format!("{lines}\nisready"));
    client.expect("info string book: 1 position, 1 playable");
    client.expect("readyok");
}

fn last(lines: &[String]) -> &str {
    lines.last().map_or("", String::as_str)
}

/// The last line of the reply to these lines and a `go depth 1`.
fn answer(lines: &str) -> String {
    last(&transcript(format!("{lines}\ngo depth 1\n"), &Script::at_once())).to_owned()
}

#[test]
fn u_22_a_book_move_is_reported_with_its_line() {
    let (folder, script) = (Folder::new(), Script::at_once());
    let mut client = Client::ready(&script);
    open_book(&mut client, &chosen(&folder, PLAIN));
    let lines = client.play("position startpos\ngo btime 60000 wtime 60000 byoyomi 1000");
    let [info, best] = &lines[..] else { panic!("{lines:?}") };
    let reported = "info depth 16 seldepth 16 multipv 1 score cp 25 nodes 0 nps 0 hashfull 0 time ";
    assert!(info.starts_with(reported) && info.ends_with(" pv 7g7f 3c3d"), "{info}");
    assert_eq!(best, "bestmove 7g7f ponder 3c3d");
    assert_eq!(script.count("search"), 0);
    // After the end of the book, the engine searches.
    client.play("position startpos moves 7g7f\ngo depth 1");
    assert_eq!(script.count("search"), 1);
}

#[test]
fn all_candidates_of_the_book_are_shown() {
    let folder = Folder::new();
    let book = chosen(&folder, "2g2f none 10 9 1\n7g7f 3c3d 25 16 3\n1g1f none -90 8 5\n");
    let lines = transcript(format!("{book}position startpos\ngo depth 1\n"), &Script::at_once());
    let [shares, other, last, best] = &lines[..] else { panic!("{lines:?}") };
    // 1g1f is too bad for the rules.
    assert_eq!(shares, "info string book: 7g7f 75 %, 2g2f 25 %");
    let is_first = best.starts_with("bestmove 7g7f");
    let [mine, its] = if is_first { ["7g7f 3c3d", "2g2f"] } else { ["2g2f", "7g7f 3c3d"] };
    assert!(other.contains(" multipv 2 ") && other.ends_with(&format!(" pv {its}")), "{other}");
    assert!(last.contains(" multipv 1 ") && last.ends_with(&format!(" pv {mine}")), "{last}");
    let both = [other, last].map(|line| line.contains(" depth 16 ") && line.contains(" cp 25 "));
    assert_eq!(both, [!is_first, is_first]);
}

#[test]
fn book_moves_are_for_games_only() {
    let folder = Folder::new();
    let book = chosen(&folder, PLAIN);
    for (go, is_book) in [
        ("go btime 1000 wtime 1000", true),
        ("go movetime 10", true),
        ("go nodes 10", true),
        ("go depth 1", true),
        ("go ponder btime 1000 wtime 1000\nponderhit", true),
        ("go ponder\nponderhit btime 1000 wtime 1000", true),
        ("go infinite\nstop", false),
        ("go infinite depth 1\nstop", false),
        ("go\nstop", false),
        ("go depth 1 searchmoves 1g1f", false),
    ] {
        let mut client = Client::ready(&Script::at_once());
        open_book(&mut client, &book);
        let lines = client.play(&format!("position startpos\n{go}"));
        assert_eq!(last(&lines).starts_with("bestmove 7g7f"), is_book, "{go}: {lines:?}");
    }
    let lines = transcript(format!("{book}position startpos\ngo mate 10\n"), &Script::at_once());
    assert_eq!(last(&lines), "checkmate nomate");
}

#[test]
fn u_18_a_book_move_waits_for_ponderhit() {
    let (folder, script) = (Folder::new(), Script::at_once());
    let mut client = Client::ready(&script);
    open_book(&mut client, &chosen(&folder, PLAIN));
    for end in ["ponderhit", "stop", "gameover win"] {
        client.send("position startpos\ngo ponder btime 1000 wtime 1000");
        client.expect_silence();
        let lines = client.play(end);
        assert_eq!(last(&lines), "bestmove 7g7f ponder 3c3d");
    }
    // With Stochastic_Ponder, the book is used after the opponent's move.
    let third = "sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";
    folder.write("third.db", format!("{third}\n2g2f 8c8d 10 16 1\n"));
    let path = folder.at("third.db");
    client.send("setoption name Stochastic_Ponder value true");
    open_book(&mut client, &format!("setoption name BookFile value {}", path.display()));
    for end in ["ponderhit", "ponderhit btime 0 wtime 0 byoyomi 100"] {
        client.send("position startpos moves 7g7f 3c3d\ngo ponder btime 1000 wtime 1000");
        client.expect_silence();
        assert_eq!(last(&client.play(end)), "bestmove 2g2f ponder 8c8d");
    }
}

#[test]
fn every_book_option_takes_effect() {
    let folder = Folder::new();
    let moves = "7g7f none 25 16 1\n2g2f none -10 20 1\n";
    let book = chosen(&folder, moves);
    let set = |options: &[&str]| -> String {
        let lines = options.iter().map(|option| format!("setoption name {option}\n"));
        book.clone() + &lines.collect::<String>()
    };
    let at = |options: &[&str], position: &str| answer(&(set(options) + position));
    let only_second = ["BookDepthLimit value 17", "BookEvalBlackLimit value -10"];
    for (options, position, expected) in [
        (&[][..], "", "bestmove 7g7f"),
        (&["USI_OwnBook value false"], "", ENGINE),
        (&["BookMoves value 0"], "", ENGINE),
        (&["BookMoves value 1"], "", "bestmove 7g7f"),
        (&["BookDepthLimit value 17"], "", ENGINE),
        (&only_second, "", "bestmove 2g2f"),
        (&["BookDepthLimit value 21"], "", ENGINE),
        (&["BookEvalBlackLimit value 26", "BookEvalWhiteLimit value -99999"], "", ENGINE),
        (&["BookFile value"], "", ENGINE),
    ] {
        assert_eq!(at(options, position), expected, "{options:?}");
    }
    // Maximum difference of book moves, and the score limit for White with the rotated book.
    let both = |options: &[&str], position: &str| {
        let input = set(options) + &format!("{position}\ngo depth 1\n").repeat(30);
        let lines = transcript(input, &Script::at_once());
        let moves = lines.into_iter().filter(|line| line.starts_with("bestmove "));
        moves.map(|line| line[9..].to_owned()).collect::<BTreeSet<_>>()
    };
    let all = |options: &[&str]| both(options, "position startpos");
    let black = "BookEvalBlackLimit value -10";
    assert_eq!(all(&[black, "BookEvalDiff value 34"]).len(), 1);
    assert_eq!(all(&[black, "BookEvalDiff value 35"]).len(), 2);
    let white = format!("position sfen {}", STARTPOS.replace(" b ", " w "));
    let diff = "BookEvalDiff value 35";
    let expected = |moves: &[&str]| moves.iter().map(|mv| (*mv).to_owned()).collect();
    assert_eq!(both(&[diff], &white), expected(&["3c3d", "8c8d"]));
    assert_eq!(both(&[diff, "BookEvalWhiteLimit value -9"], &white), expected(&["3c3d"]));
    assert_ne!(both(&["FlippedBook value false"], &white), expected(&["3c3d"]));
    // Another move number.
    let third = format!("position sfen {}", STARTPOS.replace("- 1", "- 3"));
    assert_eq!(at(&[], &third), ENGINE);
    assert_eq!(at(&["IgnoreBookPly value true"], &third), "bestmove 7g7f");
    assert_eq!(at(&["IgnoreBookPly value true", "BookMoves value 2"], &third), ENGINE);
}

#[test]
fn the_seed_decides_among_equal_moves() {
    let folder = Folder::new();
    let input = chosen(&folder, "7g7f none 0 16 1\n2g2f none 0 16 1\n")
        + &"position startpos\ngo depth 1\n".repeat(40);
    let play = || -> Vec<String> {
        let lines = transcript(input.clone(), &Script::at_once());
        lines.into_iter().filter(|line| line.starts_with("bestmove ")).collect()
    };
    let played = play();
    assert_eq!(played, play());
    for mv in ["bestmove 7g7f", "bestmove 2g2f"] {
        let times = played.iter().filter(|line| *line == mv).count();
        assert!((8..=32).contains(&times), "{times} times {mv}");
    }
}

#[test]
fn illegal_and_invalid_book_moves_are_rejected() {
    let folder = Folder::new();
    let book = chosen(&folder, "7g7e none 90 16 9\nhello\n2g2f 8c8d 20 16 1\n");
    let lines = transcript(format!("{book}position startpos\ngo depth 1\n"), &Script::at_once());
    let [fault, info, best] = &lines[..] else { panic!("{lines:?}") };
    assert!(fault.starts_with("info string BookFile ") && fault.contains("hello"), "{fault}");
    assert!(fault.ends_with("; 1 more"), "{fault}");
    assert!(info.ends_with(" pv 2g2f 8c8d"), "{info}");
    assert_eq!(best, "bestmove 2g2f ponder 8c8d");
    // The book contains only an illegal move, so the engine plays.
    let book = chosen(&folder, "7g7e none 90 16 9\n");
    let lines = transcript(format!("{book}position startpos\ngo depth 1\n"), &Script::at_once());
    assert!(lines[0].contains("7g7e is illegal"), "{lines:?}");
    assert_eq!(last(&lines), ENGINE);
}

#[test]
fn u_10_a_book_that_cannot_be_used_is_named() {
    let folder = Folder::new();
    let remarks = |value: &str| {
        let lines =
            format!("setoption name BookFile value {value}\nisready\ngo depth 1\nisready\n");
        let lines = transcript(lines, &Script::at_once());
        assert!(lines.contains(&ENGINE.to_owned()), "{lines:?}");
        assert_eq!(lines.iter().filter(|line| *line == "readyok").count(), 2);
        let remarks: Vec<String> =
            lines.into_iter().filter(|line| line.starts_with("info string ")).collect();
        assert_eq!(remarks.len(), 1, "{remarks:?}");
        remarks[0].clone()
    };
    let missing = remarks("no/such book.db");
    assert!(missing.contains("no/such book.db does not exist; no book is used"), "{missing}");
    let path = missing.split_once("BookFile no/such book.db: ").expect("the value is unchanged").1;
    assert!(Path::new(path).is_absolute(), "{missing}");
    assert!(remarks(&folder.at("").display().to_string()).contains("is a folder"));
    folder.write("none.db", "MZ this is no book\n");
    let none = remarks(&folder.at("none.db").display().to_string());
    assert!(none.contains("MZ this is no book") && none.contains("no book is used"), "{none}");
}

#[test]
fn the_size_of_the_book_is_reported_once_and_after_a_change_of_the_rules() {
    let (folder, script) = (Folder::new(), Script::at_once());
    let book = chosen(&folder, "7g7f none 25 0 1\n2g2f none -10 20 1\n7g7e none 90 30 1\n");
    let mut client = Client::ready(&script);
    let mut sizes = |lines: &str| -> Vec<String> {
        client.send(&format!("{lines}isready"));
        let lines = client.until("readyok");
        lines.into_iter().filter(|line| line.starts_with("info string book: ")).collect()
    };
    assert_eq!(sizes(&book), ["info string book: 1 position, 1 playable"]);
    assert_eq!(sizes(""), [""; 0]);
    // Only an illegal move and one with too low a score are deep enough.
    let depth = "setoption name BookDepthLimit value 16\n";
    assert_eq!(sizes(depth), ["info string book: 1 position, 0 playable"]);
    assert_eq!(sizes("setoption name BookFile value\n"), [""; 0]);
}

#[test]
fn csa_plays_by_the_rules_of_usi_and_reports_the_size_of_the_book() {
    let folder = Folder::new();
    folder.write("games.usi", "startpos moves 7g7f 3c3d 2g2f | winner=b\n");
    folder.ok("book build games.usi --out book.db");
    let csa = "csa localhost:1 --name a --password b";
    for (options, size) in [
        ("", "book: 3 positions, 3 playable"),
        ("--book-moves 2", "book: 3 positions, 2 playable"),
        ("--book-depth-limit 1", "book: 3 positions, 0 playable"),
        ("--book-eval-black-limit 1000", "book: 3 positions, 1 playable"),
    ] {
        folder.fails(&format!("{csa} --book book.db {options}"), &[size, "cannot connect"]);
    }
    for (options, named) in [
        ("--book book.db --book-moves 10001", "a whole number from 0 to 10000"),
        ("--book book.db --flipped-book maybe", "true or false"),
        ("--book-moves 2", "--book <BOOK>"),
    ] {
        folder.fails(&format!("{csa} {options}"), &[named]);
    }
}

#[test]
fn u_11_another_book_waits_for_the_end_of_the_search() {
    let (folder, script) = (Folder::new(), Script::patient());
    let book = chosen(&folder, PLAIN);
    let mut client = Client::ready(&script);
    client.send("position startpos\ngo btime 600000 wtime 600000");
    script.wait_for_searches(1);
    client.send(&book);
    assert_eq!(last(&client.play("stop")), ENGINE);
    // Without `isready`, the book is opened on first use.
    assert_eq!(last(&client.play("go btime 1000 wtime 1000")), "bestmove 7g7f ponder 3c3d");
}

#[test]
fn the_program_plays_from_an_unsorted_book() {
    let folder = Folder::new();
    let sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
    folder.write(
        "book.db",
        format!(
            "\u{feff}#YANEURAOU-DB2016 1.00\r\nsfen {STARTPOS}\r\n7g7f 3c3d 20 30 1\r\n\
             sfen {sfen}\r\n3c3d 2g2f -20 30 1\r\n8c8d none -25 30 1\r\n"
        ),
    );
    let mut session = Session::start();
    session.send("setoption name USI_Hash value 16");
    let path = folder.at("book.db");
    let lines = session
        .ask(&format!("setoption name BookFile value {}\nisready", path.display()), "readyok");
    let remarks = lines.iter().filter(|line| line.contains("is not sorted")).count();
    assert_eq!(remarks, 1, "{lines:?}");
    let lines = session.ask("position startpos\ngo btime 0 wtime 0 byoyomi 1000", "bestmove");
    assert_eq!(last(&lines), "bestmove 7g7f ponder 3c3d");
    let mut answers = BTreeSet::new();
    for _ in 0..40 {
        let go = "position startpos moves 7g7f\ngo btime 0 wtime 0 byoyomi 1000";
        let lines = session.ask(go, "bestmove");
        assert!(lines[lines.len() - 2].contains(" depth 30 "), "{lines:?}");
        answers.insert(last(&lines).to_owned());
    }
    let answers: Vec<String> = answers.into_iter().collect();
    assert_eq!(answers, ["bestmove 3c3d ponder 2g2f", "bestmove 8c8d"]);
    let lines = session.ask("go infinite\nstop", "bestmove");
    assert!(lines.iter().all(|line| !line.contains(" depth 30 ")), "{lines:?}");
    session.quit();
}
