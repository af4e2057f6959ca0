//! Books of other programs: pieces in hand in any order, any line ends, invalid entries, and files
//! of other kinds.

use kankei::book::{self, Book};
use kankei::shogi::{Position, STARTPOS};

use crate::book::{moves, plain};
use crate::command_support::Folder;
use crate::positions::{position, random_positions};
use crate::usi_support::{Script, transcript};

fn look_up(folder: &Folder, name: &str, pos: &Position) -> Vec<String> {
    let mut book = Book::open(&folder.at(name)).unwrap_or_else(|error| panic!("{error}"));
    moves(&mut book, pos, &plain())
}

const BOARD: &str = "lnsg1gsnl/4k4/p1pppp1pp/9/9/2P6/PP1PPPP1P/9/LNSGKGSNL b";

#[test]
fn pieces_in_hand_can_have_any_order() {
    let folder = Folder::new();
    let pos = position(&format!("{BOARD} RBPrbp 1"));
    for hands in ["RBPrbp", "PBRpbr", "rbpRBP", "pPbBrR", "PRBbpr"] {
        folder.write("a.db", format!("sfen {BOARD} {hands} 1\n5i5h none 12 5 1\n"));
        assert_eq!(look_up(&folder, "a.db", &pos), ["5i5h none 12 5 1"], "{hands}");
        let shown = folder.ok(&format!("book show a.db 'sfen {BOARD} RBPrbp 1'"));
        assert!(shown.contains("+12"), "{shown}");
        let other = position(&format!("{BOARD} RBPrb 1"));
        assert_eq!(look_up(&folder, "a.db", &other), [""; 0], "{hands}");
    }
    // Two spellings of one position are one position.
    let both = format!(
        "sfen {BOARD} PBRpbr 1\n5i5h none 12 5 1\nsfen {BOARD} RBPrbp 1\n5i4h none 0 5 1\n"
    );
    folder.write("both.db", both);
    assert_eq!(look_up(&folder, "both.db", &pos).len(), 2);
    folder.ok("book merge both.db --out one.db");
    assert_eq!(folder.text("one.db").matches("sfen ").count(), 1);
    // A session finds them, too.
    let path = folder.at("a.db").display().to_string();
    let lines = format!(
        "setoption name BookFile value {path}\nposition sfen {BOARD} RBPrbp 1\ngo depth 1\n"
    );
    let lines = transcript(lines, &Script::at_once());
    assert_eq!(lines.last().map(String::as_str), Some("bestmove 5i5h"), "{lines:?}");
}

/// The hands of an SFEN in the opposite order.
fn reversed(hands: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut part = String::new();
    for c in hands.chars() {
        part.push(c);
        if !c.is_ascii_digit() {
            parts.insert(0, std::mem::take(&mut part));
        }
    }
    parts.concat()
}

#[test]
fn large_books_on_disk_find_any_order_of_hands() {
    let folder = Folder::new();
    let mut entries: Vec<(String, Position)> = Vec::new();
    random_positions(21, 4_000, |pos| {
        let sfen = pos.to_sfen();
        let words: Vec<&str> = sfen.split(' ').collect();
        let text = format!("sfen {} {} {}", words[0], words[1], reversed(words[2]));
        entries.push((text, pos.clone()));
    });
    entries.sort_by(|one, other| one.0.cmp(&other.0));
    entries.dedup_by(|one, other| one.0 == other.0);
    for end in ["\n", "\r\n", "\r"] {
        let lines = entries.iter().zip(1..).map(|((sfen, pos), number)| {
            let legal = kankei::shogi::movegen::legal_moves(pos, kankei::shogi::Scope::LEGAL);
            let mv = legal.first().map_or_else(|| "resign".to_owned(), ToString::to_string);
            format!("{sfen}{end}{mv} none {number} 1 1{end}")
        });
        folder
            .write("large.db", format!("#YANEURAOU-DB2016 1.00{end}{}", lines.collect::<String>()));
        let mut book = Book::open(&folder.at("large.db")).unwrap_or_else(|error| panic!("{error}"));
        assert!(!book.is_in_memory(), "{end:?}");
        for ((_, pos), number) in entries.iter().zip(1..).step_by(37) {
            let page = book.look_up(pos, &plain()).unwrap_or_else(|error| panic!("{error}"));
            let scores: Vec<i32> = page.moves.iter().map(|known| known.score).collect();
            let is_over =
                kankei::shogi::movegen::legal_moves(pos, kankei::shogi::Scope::LEGAL).is_empty();
            assert!(is_over || scores == [number], "{end:?} {}: {scores:?}", pos.to_sfen());
        }
    }
}

#[test]
fn every_line_end_ends_a_line() {
    let folder = Folder::new();
    let text =
        format!("#YANEURAOU-DB2016 1.00\nsfen {STARTPOS}\n7g7f 8c8d 40 10 2\n2g2f none 45 10 2\n");
    for end in ["\n", "\r\n", "\r"] {
        folder.write("a.db", text.replace('\n', end));
        let moves = look_up(&folder, "a.db", &Position::startpos());
        assert_eq!(moves, ["7g7f 8c8d 40 10 2", "2g2f none 45 10 2"], "{end:?}");
        let printed = folder.ok("book stats a.db");
        assert!(printed.contains("moves          2\n"), "{end:?} {printed}");
        // The unsorted book is read into memory.
        let other = format!("{text}sfen 4k4/9/9/9/9/9/9/9/4K4 b G 1\n5i5h none 1 1 1\n");
        folder.write("b.db", other.replace('\n', end));
        assert!(Book::open(&folder.at("b.db")).expect("a book").is_in_memory());
        assert_eq!(look_up(&folder, "b.db", &Position::startpos()).len(), 2);
        // Lines are counted as editors count them.
        folder.write("c.db", format!("{text}5g5e none 0 1 1\n").replace('\n', end));
        let content = book::read_valid(&folder.at("c.db")).expect("a book");
        let error = content.faults[0].to_string();
        assert!(error.contains("c.db:5: \"5g5e"), "{error}");
    }
}

#[test]
fn one_invalid_entry_does_not_lose_the_others() {
    let folder = Folder::new();
    let second = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
    let bad = format!(
        "#YANEURAOU-DB2016 1.00\nsfen {STARTPOS}\n7g7f 8c8d 40 10 2\n2g2f 8c8d 45 10 2\n\
         sfen 9/9 b - 1\n7g7f none 0 0 1\nsfen {second}\n5d5e none 0 1 1\n\u{6b69}\n8c8d 2g2f -40 10 1\n"
    );
    folder.write("bad.db", &bad);
    folder.write("good.db", format!("sfen {STARTPOS}\n7g7f 8c8d 40 10 2\n"));
    let skipped = [
        "bad.db:5: \"sfen 9/9 b - 1\" is not a possible position; skipped",
        "bad.db:8: \"5d5e none 0 1 1\" is not a legal move; skipped",
        "bad.db:9: \"歩\" is not a move of a book; skipped",
    ];
    let end = folder.run("book stats bad.db");
    assert_eq!(end.code, Some(0), "{}", end.error);
    for part in ["positions      2\n", "moves          3\n", "skipped        3 "] {
        assert!(end.output.contains(part), "{}", end.output);
    }
    assert_eq!(end.error.lines().collect::<Vec<_>>(), skipped);
    for (line, summary) in [
        ("merge bad.db good.db --out out.db", "2 positions, 3 moves in out.db"),
        ("minimax bad.db --out out.db", "2 positions, 3 moves in out.db"),
        ("search bad.db --out out.db --nodes 20 --hash 1", "2 positions, 3 moves in out.db"),
    ] {
        let end = folder.run(&format!("book {line} --force"));
        assert_eq!(end.code, Some(0), "{line}: {}", end.error);
        assert!(end.output.contains(summary), "{line}: {}", end.output);
        assert!(skipped.iter().all(|part| end.error.contains(part)), "{line}: {}", end.error);
        // The written book is valid.
        folder.ok("book stats out.db --strict");
        folder.fails(&format!("book {line} --force --strict"), &["bad.db:5", "possible position"]);
    }
    folder.fails("book stats bad.db --strict", &["bad.db:5"]);
    // A book without any valid move is an error.
    folder.write("none.db", format!("sfen {STARTPOS}\n5d5e none 0 0\n"));
    folder.fails("book stats none.db", &["none.db:2", "legal move"]);
    // So is a file without any line, as for `book show`.
    folder.write("empty.db", "\n");
    for line in ["stats empty.db", "merge empty.db --out x.db", "show empty.db startpos"] {
        folder.fails(&format!("book {line}"), &["empty.db", "is not the first line of a book"]);
    }
    // Errors are not printed without an end.
    folder.write("many.db", bad + &"7g7e none 0 0\n".repeat(500));
    let end = folder.run("book stats many.db");
    assert_eq!((end.code, end.error.lines().count()), (Some(0), 21), "{}", end.error);
    assert!(end.error.contains("many.db: 483 more errors"), "{}", end.error);
}

#[test]
fn files_of_other_kinds_are_named() {
    let folder = Folder::new();
    let state = |number: u8| {
        [&[0x12, 0x0b, 0x08, number, 0x10, 0x87, 0xbd, 0x05, 0x1a, 0x03][..], &[9, 8, 7]].concat()
    };
    let sbk: Vec<u8> = (1..40).flat_map(state).collect();
    let utf_16 =
        "\u{feff}#YANEURAOU-DB2016 1.00\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let zstd = zstd::encode_all(&b"#YANEURAOU-DB2016 1.00\n"[..], 1).expect("memory");
    let noise: Vec<u8> = (0..300_000_u32).map(|i| i.wrapping_mul(97) as u8 | 0x81).collect();
    for (content, kind) in [
        (sbk, "a book of ShogiGUI (.sbk)"),
        ([&b"\xfd7zXZ\0\0\x04"[..], &noise].concat(), "an xz file (unpack it)"),
        ([&b"PK\x03\x04"[..], &noise].concat(), "a zip file (unpack it)"),
        ([&b"\x1f\x8b\x08"[..], &noise].concat(), "a gzip file (unpack it)"),
        (zstd, "a zstd file (unpack it)"),
        (utf_16, "text in UTF-16 (save it as UTF-8)"),
    ] {
        for name in ["book.db", "book.sbk"] {
            folder.write(name, &content);
            for line in ["stats", "show", "merge"] {
                let rest = [("stats", ""), ("show", "startpos"), ("merge", "--out x.db")];
                let rest = rest.into_iter().find(|(command, _)| *command == line).expect(line).1;
                let end = folder.run(&format!("book {line} {name} {rest}"));
                assert_eq!(end.code, Some(2), "{kind}");
                assert!(end.error.contains(&format!("{name} is {kind}")), "{}", end.error);
                assert!(end.error.len() < 300, "{kind}: {}", end.error);
            }
        }
        let path = folder.at("book.db");
        let lines = format!("setoption name BookFile value {}\nisready\n", path.display());
        let lines = transcript(lines, &Script::at_once());
        let remark = lines.iter().find(|line| line.starts_with("info string ")).expect("a remark");
        assert!(remark.contains(kind) && remark.ends_with("no book is used"), "{remark}");
    }
    // Files of an unknown kind.
    folder.write("book.db", &noise);
    let end = folder.run("book stats book.db");
    assert!(end.error.contains("is not the first line of a book"), "{}", end.error);
    assert!(end.error.len() < 500, "{} bytes", end.error.len());
}

#[test]
#[ignore = "needs KANKEI_SHARED, the folder of shared data: cargo test --release -- --ignored"]
fn shared_cases() {
    let shared = std::env::var("KANKEI_SHARED").expect("KANKEI_SHARED names the shared folder");
    let folder = Folder::new();
    let case = |file: &str| format!("{shared}/data/cases/{file}");
    let bad = case("27-one-bad-book-line-stops-stats-and-merge/a.db");
    let end = folder.run(&format!("book stats {bad}"));
    assert!(end.output.contains("positions      2\n") && end.output.contains("moves          3\n"));
    assert!(end.error.contains("a.db:6: "), "{}", end.error);
    let hands = case("29-book-hands-in-another-order-not-found/a.db");
    let shown = folder.ok(&format!("book show {hands} 'sfen {BOARD} RBPrbp 1'"));
    assert!(shown.contains("5i5h"), "{shown}");
    let sbk = case("26-binary-book-message-is-garbage/book.sbk");
    folder.fails(&format!("book stats {sbk}"), &["book of ShogiGUI"]);
}
