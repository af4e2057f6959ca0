//! Opening books: look-ups in books with any order, any line endings and any errors.

use std::collections::BTreeMap;

use kankei::book::{self, Book, BookEngine, BookEntry, BookMove, BookRules, Page};
use kankei::engine::{BestMove, Limits};
use kankei::rng::Rng;
use kankei::shogi::{Position, STARTPOS, Scope, movegen};

use crate::command_support::Folder;
use crate::positions::{position, random_positions};
use crate::search_support::{depth, search};
use crate::usi_support::Script;

/// Rules for any move of the game, without rotated positions.
pub fn plain() -> BookRules {
    BookRules { any_number: true, turned: false, ..BookRules::default() }
}

fn open(folder: &Folder, text: impl AsRef<[u8]>) -> Book {
    folder.write("book.db", text);
    Book::open(&folder.at("book.db")).unwrap_or_else(|error| panic!("{error}"))
}

fn look_up(book: &mut Book, pos: &Position, rules: &BookRules) -> Page {
    book.look_up(pos, rules).unwrap_or_else(|error| panic!("{error}"))
}

/// The moves of a position, of which none may be faulty.
pub fn moves(book: &mut Book, pos: &Position, rules: &BookRules) -> Vec<String> {
    let Page { moves, faults } = look_up(book, pos, rules);
    assert_eq!(faults, [""; 0]);
    moves.iter().map(BookMove::to_string).collect()
}

/// The SFEN of a position without the move number.
fn key(pos: &Position) -> String {
    pos.to_sfen().rsplit_once(' ').expect("a number").0.to_owned()
}

/// Random positions with legal moves, each with some of its moves.
fn random_entries(seed: u64, count: usize) -> BTreeMap<String, (Position, Vec<String>)> {
    let (mut entries, mut rng) = (BTreeMap::new(), Rng::from_seed(seed));
    random_positions(seed, count, |pos| {
        let mut legal = movegen::legal_moves(pos, Scope::LEGAL);
        rng.shuffle(&mut legal);
        legal.truncate(1 + rng.below(6));
        let line = |mv| format!("{mv} none {} {} {}", rng.below(900), rng.below(40), rng.below(9));
        let lines: Vec<String> = legal.into_iter().map(line).collect();
        if !lines.is_empty() {
            entries.insert(key(pos), (pos.clone(), lines));
        }
    });
    entries
}

/// The text of a book with these positions, with comments and any line endings.
fn text<'a>(
    entries: impl IntoIterator<Item = &'a (Position, Vec<String>)>,
    rng: &mut Rng,
    end: &str,
) -> String {
    let mut lines = vec!["#YANEURAOU-DB2016 1.00".to_owned(), "# NOE:1".to_owned()];
    for (pos, moves) in entries {
        let sfen = if rng.below(2) == 0 { key(pos) } else { pos.to_sfen() };
        lines.push(format!("sfen {sfen}"));
        for mv in moves {
            lines.push(mv.clone());
            if rng.below(10) == 0 {
                lines.push(["// 7g7f none 0 0 0", "", "# a remark"][rng.below(3)].to_owned());
            }
        }
    }
    lines.join(end) + ["", end][rng.below(2)]
}

#[test]
fn bisection_finds_what_a_scan_finds() {
    let folder = Folder::new();
    for (seed, count, end) in [(1, 3, "\n"), (2, 40, "\r\n"), (3, 1_500, "\n"), (4, 900, "\r\n")] {
        let all = random_entries(seed, count);
        let mut rng = Rng::from_seed(seed + 100);
        let (known, unknown): (Vec<_>, Vec<_>) = all.values().partition(|_| rng.below(3) > 0);
        let mut shuffled = known.clone();
        rng.shuffle(&mut shuffled);
        for order in [&known, &shuffled] {
            let is_sorted = order.is_sorted_by_key(|(pos, _)| key(pos));
            let mut text = text(order.iter().copied(), &mut rng, end);
            if seed % 2 == 0 {
                text.insert(0, '\u{feff}');
            }
            let mut book = open(&folder, text);
            assert_eq!(book.is_in_memory(), !is_sorted, "{seed}");
            for (pos, lines) in &known {
                assert_eq!(moves(&mut book, pos, &plain()), *lines, "{seed}: {}", pos.to_sfen());
            }
            for (pos, _) in &unknown {
                assert_eq!(moves(&mut book, pos, &plain()), [""; 0], "{seed}: {}", pos.to_sfen());
            }
        }
    }
}

#[test]
fn the_order_of_large_books_is_tested_by_samples() {
    let folder = Folder::new();
    let all = random_entries(9, 9_000);
    let mut rng = Rng::from_seed(9);
    let mut order: Vec<_> = all.values().collect();
    let sorted = text(order.iter().copied(), &mut rng, "\n");
    assert!(sorted.len() > 1 << 20, "{}", sorted.len());
    let mut book = open(&folder, sorted);
    assert!(!book.is_in_memory());
    for (pos, lines) in order.iter().step_by(50) {
        assert_eq!(moves(&mut book, pos, &plain()), *lines);
    }
    rng.shuffle(&mut order);
    let mut book = open(&folder, text(order.iter().copied(), &mut rng, "\n"));
    assert!(book.is_in_memory());
    for (pos, lines) in order.iter().step_by(50) {
        assert_eq!(moves(&mut book, pos, &plain()), *lines);
    }
}

#[test]
fn written_books_are_sorted_and_read_back() {
    let folder = Folder::new();
    let all = random_entries(5, 600);
    let mut rng = Rng::from_seed(5);
    let mut entries: Vec<BookEntry> = all
        .values()
        .map(|(pos, lines)| BookEntry {
            sfen: pos.to_sfen(),
            moves: lines.iter().map(|line| line.parse().expect(line)).collect(),
        })
        .collect();
    entries.push(BookEntry { sfen: STARTPOS.replace("b -", "w -"), moves: Vec::new() });
    rng.shuffle(&mut entries);
    let mut bytes = Vec::new();
    book::write(&mut bytes, entries).expect("writing to a Vec cannot fail");
    let head = format!("#YANEURAOU-DB2016 1.00\n# NOE:{}\nsfen ", all.len());
    assert!(bytes.starts_with(head.as_bytes()));
    let mut book = open(&folder, bytes);
    assert!(!book.is_in_memory());
    for (pos, lines) in all.values() {
        let rules = BookRules { any_number: false, ..plain() };
        assert_eq!(moves(&mut book, pos, &rules), *lines);
    }
}

#[test]
fn move_numbers_must_match_unless_they_are_ignored() {
    let folder = Folder::new();
    let start = key(&Position::startpos());
    let text = format!(
        "sfen {start} 1\n7g7f none 10 8 3\nsfen {start} 11\n2g2f none 20 8 2\n7g7f none 30 16 4\n"
    );
    let mut book = open(&folder, &text);
    let exact = BookRules { any_number: false, ..plain() };
    let at = |number: u32| position(&format!("{start} {number}"));
    assert_eq!(moves(&mut book, &at(1), &exact), ["7g7f none 10 8 3"]);
    assert_eq!(moves(&mut book, &at(11), &exact), ["2g2f none 20 8 2", "7g7f none 30 16 4"]);
    assert_eq!(moves(&mut book, &at(3), &exact), [""; 0]);
    // Combined: the deeper score, and the sum of the counts.
    let all = ["7g7f none 30 16 7", "2g2f none 20 8 2"];
    assert_eq!(moves(&mut book, &at(3), &plain()), all);
    // A position without a move number matches any number.
    for none in ["", " 0"] {
        let mut book = open(&folder, format!("sfen {start}{none}\n7g7f none 10 8 3\n"));
        assert_eq!(moves(&mut book, &at(3), &exact), ["7g7f none 10 8 3"]);
    }
}

#[test]
fn rotated_positions_are_found() {
    let folder = Folder::new();
    let mut book =
        open(&folder, format!("sfen {STARTPOS}\n7g7f 3c3d 25 16 3\n2g2f none 20 16 1\n"));
    let turned = Position::startpos().turned();
    let with = BookRules { turned: true, ..BookRules::default() };
    assert_eq!(moves(&mut book, &turned, &with), ["3c3d 7g7f 25 16 3", "8c8d none 20 16 1"]);
    assert_eq!(moves(&mut book, &turned, &BookRules { turned: false, ..with.clone() }), [""; 0]);
    // Drops and promotions are rotated with the board. Moves of the unrotated position come first.
    let pos = position("4k4/9/9/9/9/9/4B4/9/4K4 w p 8");
    let mirror = key(&pos.turned());
    let mut book = open(&folder, format!("sfen {mirror} 3\nP*5d 5c1g+ 1 2 3\n"));
    assert_eq!(moves(&mut book, &pos, &with), ["P*5f 5g9c+ 1 2 3"]);
    let own = format!("sfen {} 8\nP*5e none 0 0 1\n", key(&pos));
    let mut book = open(&folder, format!("sfen {mirror} 3\nP*5d 5c1g+ 1 2 3\n{own}"));
    assert_eq!(moves(&mut book, &pos, &with), ["P*5e none 0 0 1"]);
}

#[test]
fn broken_lines_are_reported_and_the_others_are_used() {
    let folder = Folder::new();
    let mut book = open(
        &folder,
        format!("sfen {STARTPOS}\n7g7f none x 0\n\u{6b69}\n2g2f none 5 6 7\n7g7e none 0 0\n"),
    );
    let Page { moves, faults } = look_up(&mut book, &Position::startpos(), &plain());
    assert_eq!(moves.iter().map(BookMove::to_string).collect::<Vec<_>>(), ["2g2f none 5 6 7"]);
    assert_eq!(faults.len(), 3, "{faults:?}");
    for (fault, named) in faults.iter().zip(["7g7f none x 0", "\u{6b69}", "7g7e is illegal"]) {
        assert!(fault.contains(named) && fault.contains("book.db"), "{fault}");
        assert!(fault.contains(&key(&Position::startpos())), "{fault}");
    }
}

#[test]
fn files_that_are_not_books_are_rejected() {
    let folder = Folder::new();
    for (text, named) in [("", "\"\""), ("<html>\n", "<html>"), ("7g7f none 0 0\n", "7g7f")] {
        folder.write("none.db", text);
        let error = Book::open(&folder.at("none.db")).err().expect(text).to_string();
        assert!(error.contains("none.db") && error.contains(named), "{error}");
    }
    folder.write("none.db", vec![0xff; 200_000]);
    assert!(Book::open(&folder.at("none.db")).is_err());
    let error = Book::open(&folder.at("missing.db")).err().expect("no file").to_string();
    assert!(error.contains("missing.db"), "{error}");
    // An endless line and invalid bytes do not affect other lines.
    let mut bytes = format!("sfen {STARTPOS}\n7g7f none 1 2 3\n").into_bytes();
    bytes.extend(vec![b'x'; 300_000]);
    bytes.extend(b"\n\xff\xfe\x00\n");
    let mut book = open(&folder, bytes);
    let page = look_up(&mut book, &Position::startpos(), &plain());
    assert_eq!(page.moves.len(), 1);
    assert!(!page.faults.is_empty());
}

/// Six games: two reach a position by another order of moves, one has scores, one starts with a
/// random move.
const GAMES: &str = "\
    startpos moves 7g7f 3c3d 2g2f 4c4d | winner=b\n\
    startpos moves 7g7f 3c3d 2g2f 8c8d | winner=b\n\
    startpos moves 7g7f 8c8d | winner=w\n\
    startpos moves 2g2f 8c8d | winner=d\n\
    startpos moves 2g2f 3c3d 7g7f | winner=? | scores=. 40 m5\n\
    startpos moves 2g2f 3c3d 7g7f | winner=w | scores=10 -20 7\n";

/// The moves in the output of `book show`: move, answer, score, depth, count.
fn shown(folder: &Folder, book: &str, position: &str) -> Vec<String> {
    let text = folder.ok(&format!("book show {book} {position}"));
    let words = |line: &str| {
        let mut words: Vec<&str> = line.split_whitespace().take(6).collect();
        // Black's score.
        words.remove(3);
        words.join(" ")
    };
    text.lines().skip(2).map(words).collect()
}

#[test]
fn a_book_is_built_from_games() {
    let folder = Folder::new();
    folder.write("games.usi", GAMES);
    let printed = folder.ok("book build games.usi --out all.db");
    assert!(printed.contains("6 games read") && printed.contains(" positions, "), "{printed}");
    // 7g7f scores two of three points. 2g2f has a drawn game and one score of 10. The first move of
    // the fifth game was not the player's choice.
    let first = (600.0 * (52.0_f64 / 51.0).ln()).round();
    let expected = [format!("7g7f 3c3d +{first} 0 3"), "2g2f 3c3d +10 0 2".to_owned()];
    assert_eq!(shown(&folder, "all.db", "startpos"), expected);
    // The same position after two orders of moves.
    let both = "startpos moves 2g2f 3c3d 7g7f";
    let moves = shown(&folder, "all.db", both);
    assert_eq!(moves.len(), 2, "{moves:?}");
    assert_eq!(moves, shown(&folder, "all.db", "startpos moves 7g7f 3c3d 2g2f"));
    let mate = shown(&folder, "all.db", "startpos moves 2g2f 3c3d");
    // The mean of 29,995 and 7.
    assert_eq!(mate[0].split(' ').nth(2), Some("+15001"));
    let mut book = Book::open(&folder.at("all.db")).expect("a book");
    assert!(!book.is_in_memory());
    let rules = BookRules { least_score: [0; 2], ..BookRules::default() };
    assert!(!look_up(&mut book, &Position::startpos(), &rules).moves.is_empty());

    folder.ok("book build games.usi --out few.db --min-count 2 --moves 1 --depth 3");
    assert_eq!(shown(&folder, "few.db", "startpos").len(), 2);
    let japanese = folder.ok("book show all.db startpos --notation japanese");
    assert!(japanese.contains("▲７六歩") && japanese.contains("△３四歩"), "{japanese}");
    let json = folder.ok("book show all.db startpos moves 7g7f --json");
    let first: serde_json::Value =
        serde_json::from_str(json.lines().next().expect("a move")).expect("JSON");
    assert_eq!(first["score"].as_i64().map(|score| -score), first["black_score"].as_i64());
    let none = folder.ok("book show few.db startpos moves 7g7f");
    assert!(none.contains("not in the book"), "{none}");
    assert!(
        folder.text("few.db").contains("# NOE:1\n") && folder.text("few.db").contains(" 3 3\n")
    );
    folder.fails("book build games.usi --out few.db", &["few.db", "--force"]);
    folder
        .fails("book build games.usi --out games.usi --force", &["games.usi", "is an input file"]);
    folder.write("none.usi", "");
    folder.fails("book build none.usi --out x.db", &["none.usi"]);
    assert!(!folder.at("x.db").exists());
}

#[test]
fn books_are_merged_and_backed_up() {
    let folder = Folder::new();
    let after = |moves: &[&str]| {
        let mut pos = Position::startpos();
        for mv in moves {
            pos.do_move(mv.parse().expect("a move"));
        }
        pos.to_sfen()
    };
    folder.write("a.db", format!("sfen {STARTPOS}\n7g7f none 10 8 3\n2g2f none 5 8 1\n"));
    let reply = format!("sfen {}\n8c8d none 40 9 1\n", after(&["7g7f"]));
    folder.write("b.db", format!("sfen {STARTPOS}\n7g7f none 20 9 4\n{reply}"));
    let text = folder.ok("book merge a.db b.db --out ab.db");
    assert!(text.contains("2 positions, 3 moves in ab.db"), "{text}");
    assert_eq!(shown(&folder, "ab.db", "startpos"), ["7g7f - +20 9 7", "2g2f - +5 8 1"]);
    let text = folder.ok("book minimax ab.db --out backed.db");
    assert!(text.contains("1 move with a new score"), "{text}");
    assert_eq!(shown(&folder, "backed.db", "startpos"), ["2g2f - +5 8 1", "7g7f 8c8d -40 10 7"]);
    let text = folder.ok("book stats backed.db");
    assert!(text.contains("positions      2\n") && text.contains("moves          3\n"), "{text}");
    folder.fails("book merge a.db b.db --out a.db --force", &["a.db", "is an input file"]);
    folder.fails("book minimax ab.db --out backed.db", &["backed.db", "--force"]);
    folder.fails("book merge a.db no.db --out c.db", &["no.db"]);
}

#[test]
fn the_moves_of_a_book_are_searched() {
    let folder = Folder::new();
    // Black has a mate in one, and the book contains two other moves.
    let mate = "4k4/9/4P4/9/9/9/9/9/4K4 b 2G2r2b4s4n4l17pg 7";
    let lines = format!(
        "sfen {mate}\n5i5h none 0 0 3\n5i4h none 0 0 1\nsfen {STARTPOS}\n7g7f 3c3d 99 32 5\n"
    );
    folder.write("book.db", &lines);
    let line = "book search book.db --nodes 300 --hash 1";
    let printed = folder.ok(&format!("{line} --out searched.db --plies 7 --add"));
    assert!(printed.contains("2 positions, "), "{printed}");
    let moves = shown(&folder, "searched.db", mate);
    assert_eq!(moves.len(), 3, "{moves:?}");
    assert!(moves[0].starts_with("G*5b - +29999 "), "{moves:?}");
    assert_eq!(moves.iter().map(|row| &row[row.len() - 1..]).collect::<Vec<_>>()[0], "0");
    let start = shown(&folder, "searched.db", "startpos");
    assert!(start.len() <= 2 && start.iter().any(|row| row.starts_with("7g7f ")), "{start:?}");
    assert!(!start.iter().any(|row| row.contains("+99 32")), "{start:?}");
    assert!(!folder.at("searched.db.checkpoint").exists());
    let printed = folder.ok(&format!("{line} --out searched.db --plies 7 --add --resume"));
    assert_eq!(printed, "searched.db is complete\n");
    // Later positions stay unchanged, and the same search gives the same result.
    folder.ok(&format!("{line} --out early.db --plies 6"));
    assert_eq!(shown(&folder, "early.db", mate)[0], "5i5h - +0 0 3");
    folder.ok(&format!("{line} --out again.db --plies 7 --add"));
    assert!(folder.bytes("again.db") == folder.bytes("searched.db"));

    folder.fails(&format!("{line} --out early.db"), &["early.db", "--force"]);
    for (text, named) in [
        ("sfen 9/9 b - 1\n", &["broken.db:1", "9/9", "possible position"][..]),
        ("// x\nsfen 4k4/9/9/9/9/9/9/9/4K4 b - 1\n5i5g none 0\n", &["broken.db:3", "legal move"]),
        ("#YANEURAOU-DB2016 1.00\n7g7f\n", &["broken.db:2", "7g7f", "a position"]),
        ("7g7f\n", &["broken.db", "7g7f", "first line of a book"]),
    ] {
        folder.write("broken.db", text);
        folder.fails("book search broken.db --out x.db --nodes 9", named);
    }
    assert!(!folder.at("x.db").exists() && !folder.at("x.db.checkpoint").exists());
}

/// The first line of the checkpoint of a search with 200 nodes a position.
fn header_of_a_killed_search(folder: &Folder) -> String {
    let line = "book search book.db --out killed.db --nodes 1000000000 --hash 1";
    let mut command = folder.command(line);
    let mut child =
        command.stderr(std::process::Stdio::null()).spawn().expect("the program starts");
    let begun = std::time::Instant::now();
    let checkpoint = folder.at("killed.db.checkpoint");
    while !std::fs::read(&checkpoint).is_ok_and(|text| text.ends_with(b"\n")) {
        assert!(begun.elapsed().as_secs() < 60, "nothing is searched");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().expect("a process");
    child.wait().expect("a process");
    let text = folder.text("killed.db.checkpoint");
    text.lines().next().expect("a header").replace("1000000000 nodes", "200 nodes")
}

#[test]
fn a_killed_search_of_a_book_can_be_resumed() {
    let folder = Folder::new();
    folder.write("games.usi", GAMES);
    folder.ok("book build games.usi --out book.db");
    let line = "book search book.db --out out.db --nodes 200 --hash 1";
    folder.ok(&line.replace("out.db", "whole.db"));
    // The state after a run that was killed during its second step.
    folder.write("out.db", "");
    folder.fails(line, &["out.db", "--force"]);
    let started =
        folder.command(&format!("{line} --force --ms 1")).output().expect("the program starts");
    assert_eq!(started.status.code(), Some(2), "nodes and milliseconds exclude each other");
    folder.write("out.db.checkpoint", "# another run\n0 7g7f none 4321 7 1\n");
    folder.fails(
        &format!("{line} --force --resume"),
        &["belongs to another run", "kankei book search"],
    );
    let entries = folder.text("book.db").matches("sfen ").count();
    let header = header_of_a_killed_search(&folder);
    let start = format!("# kankei book search \"book.db\" of {entries} positions (");
    let end = format!(
        "), 200 nodes a position, --plies {}, added: false, --threads 1 --hash 1 --search AlphaBeta \
         --eval internal",
        u32::MAX
    );
    assert!(header.starts_with(&start) && header.ends_with(&end), "{header}");
    folder.write("out.db.checkpoint", format!("{header}\n0 1g1f none 4321 7 1\n1 7g"));
    folder.fails(line, &["out.db.checkpoint", "--force discards", "--resume"]);
    folder.ok(&format!("{line} --resume"));
    // Finished results are not searched again. All others equal those of an uninterrupted run.
    let (out, whole) = (folder.text("out.db"), folder.text("whole.db"));
    assert!(out.contains("1g1f none 4321 7 1\n"), "{out}");
    let rest = |text: &str| text.splitn(4, "sfen ").skip(2).collect::<String>();
    assert_eq!(rest(&out), rest(&whole));
    // A book with as many positions is not the same book.
    folder.copy("book.db", "first.db");
    folder.write("book.db", folder.text("book.db").replacen("4c4d none", "1c1d none", 1));
    folder.write("out.db.checkpoint", format!("{header}\n"));
    folder.fails(&format!("{line} --force --resume"), &["belongs to another run"]);
    folder.copy("first.db", "book.db");
    folder.write("out.db.checkpoint", "# another run\n");
    folder.ok(&format!("{line} --force"));
    assert!(folder.text("out.db") == whole && !folder.at("out.db.checkpoint").exists());
}

/// Ctrl-C ends the search cleanly.
#[cfg(unix)]
#[test]
fn an_interrupted_search_of_a_book_can_be_resumed() {
    let folder = Folder::new();
    folder.write("book.db", format!("sfen {STARTPOS}\n7g7f none 0 0 1\n"));
    let line = "book search book.db --out out.db --ms 600000 --hash 1";
    let child = folder.command(line).stderr(std::process::Stdio::piped()).spawn();
    let child = child.expect("the program starts");
    let begun = std::time::Instant::now();
    while !folder.at("out.db.checkpoint").exists() {
        assert!(begun.elapsed().as_secs() < 60, "nothing is searched");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::thread::sleep(std::time::Duration::from_millis(100));
    crate::command_support::signal(child.id(), "INT");
    let end = crate::command_support::End::of(child.wait_with_output().expect("the program ends"));
    assert_eq!(end.code, Some(130), "{}", end.error);
    assert!(end.error.contains("--resume") && !folder.at("out.db").exists(), "{}", end.error);
}

#[test]
fn a_searcher_with_a_book_plays_its_moves() {
    let folder = Folder::new();
    let book = open(&folder, format!("sfen {STARTPOS}\n7g7f 3c3d 25 16 3\n"));
    let script = Script::at_once();
    let rules = BookRules { last_move: 1, ..BookRules::default() };
    let mut engine = BookEngine::new(script.engine(), book, rules, 1);
    let mut pos = Position::startpos();
    let outcome = search(&mut engine, &pos, &depth(1));
    let [mv, reply] = ["7g7f", "3c3d"].map(|text| text.parse().expect("a move"));
    assert_eq!(outcome.best, BestMove::Play(mv, Some(reply)));
    assert_eq!(outcome.info.map(|info| info.pv.to_vec()), Some(vec![mv, reply]));
    assert_eq!(script.count("search"), 0);
    // The searcher handles restricted root moves and positions after the end of the book.
    search(&mut engine, &pos, &Limits { search_moves: vec![mv], ..depth(1) });
    pos.do_move(mv);
    search(&mut engine, &pos, &depth(1));
    assert_eq!(script.count("search"), 2);
}
