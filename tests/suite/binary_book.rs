//! Binary books of YaneuraOu (`.ybb`), and books of Apery, which are refused.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use kankei::book::{self, Book, BookRules};
use kankei::shogi::{Color, HandPiece, Move, Origin, Position, STARTPOS, Scope, movegen};

use crate::book::{moves, plain};
use crate::command_support::Folder;
use crate::positions::{position, random_positions};
use crate::usi_support::{Script, transcript};

/// A book with three positions, whose positions and moves were packed by cshogi.
const BY_CSHOGI: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fuzz/corpus/book/binary");
const HEADER: usize = 32;
const RECORD: usize = 44;

/// A position with the number of its next move, and its moves: move, score, depth.
type Entry = (Position, u16, Vec<(Move, i16, u16)>);

/// A position as another library packs it.
fn packed(pos: &Position) -> [u8; 32] {
    let pos = rsshogi::board::position_from_sfen(&pos.to_sfen()).expect("a position");
    pos.to_packed_sfen().data
}

/// A move in 16 bits.
fn word(mv: Move) -> u16 {
    let origin = match mv.origin() {
        Origin::Board(from) => from.index() as u16,
        Origin::Hand(held) => {
            let letter = mv.to_string().chars().next().expect("a letter");
            let number = "PLNSBRG".find(letter).unwrap_or_else(|| panic!("{held:?}"));
            1 << 7 | (number as u16 + 1)
        }
    };
    mv.to().index() as u16 | origin << 7 | u16::from(mv.is_promotion()) << 15
}

/// The bytes of a book.
fn bytes(entries: &[Entry], has_depth: bool) -> Vec<u8> {
    let sorted: BTreeMap<[u8; 32], &Entry> =
        entries.iter().map(|entry| (packed(&entry.0), entry)).collect();
    let mut book = b"YANE-BINBOOK-V1\0".to_vec();
    book.extend((sorted.len() as u64).to_le_bytes());
    book.extend(u64::from(has_depth).to_le_bytes());
    let mut moves: Vec<u8> = Vec::new();
    for (packed, (_, number, known)) in sorted {
        book.extend(packed);
        book.extend((moves.len() as u64).to_le_bytes());
        book.extend(number.to_le_bytes());
        book.extend((known.len() as u16).to_le_bytes());
        for (mv, score, depth) in known {
            moves.extend(word(*mv).to_le_bytes());
            moves.extend(score.to_le_bytes());
            moves.extend(has_depth.then(|| depth.to_le_bytes()).into_iter().flatten());
        }
    }
    book.extend(moves);
    book
}

/// Whether a position has all 40 pieces.
fn is_whole(pos: &Position) -> bool {
    let (content, kings) = (pos.content(), Color::ALL.map(|color| pos.king(color)));
    let mut held = HandPiece::ALL.into_iter();
    kings.iter().all(Option::is_some) && held.all(|held| content.count(held) == held.set_size())
}

/// Random positions with all of their legal moves.
fn random_entries(seed: u64, count: usize) -> Vec<Entry> {
    let mut entries = Vec::new();
    random_positions(seed, count, |pos| {
        let legal = movegen::legal_moves(pos, Scope::LEGAL).into_iter().zip(0..);
        let moves = legal.map(|(mv, at)| (mv, at * 9 - 100, at as u16 + 3)).collect();
        entries.push((pos.clone(), pos.move_number() as u16, moves));
    });
    entries
}

fn open(path: &Path) -> Book {
    Book::open(path).unwrap_or_else(|error| panic!("{error}"))
}

/// The moves as a text book has them.
fn lines((_, _, moves): &Entry, has_depth: bool) -> Vec<String> {
    let depth = |depth| if has_depth { depth } else { 0 };
    let line = |(mv, score, plies): &_| format!("{mv} none {score} {} 1", depth(*plies));
    moves.iter().map(line).collect()
}

/// The start position with these moves, of which one may be illegal.
fn start(moves: &[(&str, i16, u16)]) -> Entry {
    let read = |text: &str| text.parse().expect("a move");
    let moves = moves.iter().map(|&(mv, score, depth)| (read(mv), score, depth)).collect();
    (Position::startpos(), 1, moves)
}

#[test]
fn a_binary_book_contains_what_another_library_packs() {
    let folder = Folder::new();
    for (seed, count, has_depth) in [(1, 1, true), (2, 40, false), (3, 900, true)] {
        let all = random_entries(seed, count);
        // Positions with fewer pieces, and a third of the others, stay out of the book.
        let is_known = |pos: &Position| is_whole(pos) && !packed(pos)[20].is_multiple_of(3);
        let known: Vec<Entry> = all.iter().filter(|entry| is_known(&entry.0)).cloned().collect();
        folder.write("book.ybb", bytes(&known, has_depth));
        let mut book = open(&folder.at("book.ybb"));
        assert!(!book.is_in_memory());
        for entry in &all {
            let expected = if is_known(&entry.0) { lines(entry, has_depth) } else { Vec::new() };
            assert_eq!(moves(&mut book, &entry.0, &plain()), expected, "{}", entry.0.to_sfen());
        }
        assert!(seed < 3 || known.len() > 100 && known.len() < all.len());
    }
    folder.write("none.ybb", bytes(&[], true));
    assert_eq!(moves(&mut open(&folder.at("none.ybb")), &Position::startpos(), &plain()), [""; 0]);
}

#[test]
fn a_book_packed_by_cshogi_is_read() {
    let mut book = open(Path::new(BY_CSHOGI));
    let hands = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 80";
    let exact = BookRules { any_number: false, ..plain() };
    let start = ["7g7f none 35 16 1", "2g2f none 28 17 1"];
    assert_eq!(moves(&mut book, &Position::startpos(), &exact), start);
    let third = position("lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3");
    assert_eq!(moves(&mut book, &third, &exact), ["8h2b+ none -120 20 1"]);
    let drops = ["G*3h none 700 12 1", "P*5g none -32000 9 1"];
    assert_eq!(moves(&mut book, &position(hands), &exact), drops);
    // Another move number, and the rotated position.
    let other = position(&hands.replace(" 80", " 82"));
    assert_eq!(moves(&mut book, &other, &exact), [""; 0]);
    assert_eq!(moves(&mut book, &other, &plain()), drops);
    let rules = BookRules { turned: true, ..plain() };
    let turned = moves(&mut book, &position(hands).turned(), &rules);
    assert_eq!(turned, ["G*7b none 700 12 1", "P*5c none -32000 9 1"]);
    // Positions with fewer pieces are not encoded.
    let few = position("4k4/9/9/9/9/9/9/9/4K4 b G 1");
    assert_eq!(moves(&mut book, &few, &plain()), [""; 0]);
    let content = book::read_valid(Path::new(BY_CSHOGI)).expect("a book");
    assert!(content.faults.is_empty(), "{:?}", content.faults);
    let mut sfens: Vec<&str> = content.entries.iter().map(|entry| entry.sfen.as_str()).collect();
    sfens.sort_unstable();
    assert_eq!(sfens, [&position(hands).to_sfen(), &third.to_sfen(), STARTPOS]);
}

#[test]
fn commands_read_binary_books() {
    let folder = Folder::new();
    fs::copy(BY_CSHOGI, folder.at("three.ybb")).expect("a copy");
    folder.write("unnumbered.ybb", {
        let (pos, _, moves) = start(&[("7g7f", 50, 0)]);
        bytes(&[(pos, 0, moves)], false)
    });
    folder.write("text.db", format!("sfen {STARTPOS}\n7g7f 3c3d 10 30 8\n"));
    let text = folder.ok("book merge three.ybb text.db unnumbered.ybb --out all.db");
    assert!(text.contains("4 positions, 6 moves in all.db"), "{text}");
    let all = folder.text("all.db");
    assert!(all.contains("\n7g7f 3c3d 10 30 9\n2g2f none 28 17 1\n"), "{all}");
    let unnumbered = format!("sfen {}\n7g7f none 50 0 1\n", STARTPOS.trim_end_matches(" 1"));
    assert!(all.contains(&unnumbered), "{all}");
    let text = folder.ok("book show three.ybb startpos");
    assert!(text.contains("7g7f") && text.contains("+35"), "{text}");
    let text = folder.ok("book stats three.ybb");
    assert!(text.contains("positions      3\n") && text.contains("moves          5\n"), "{text}");
    folder.ok("book minimax three.ybb --out backed.db");
    folder.ok("book search three.ybb --out searched.db --nodes 50 --hash 1");
    let path = folder.at("three.ybb");
    let lines = format!("setoption name BookFile value {}\nposition startpos\n", path.display());
    let lines = transcript(lines + "go depth 1\n", &Script::at_once());
    let best = lines.last().map_or("", String::as_str);
    assert!(["bestmove 7g7f", "bestmove 2g2f"].contains(&best), "{lines:?}");
}

#[test]
fn damaged_binary_books_are_named() {
    let folder = Folder::new();
    let good = bytes(&random_entries(7, 30), true);
    let count = u64::from_le_bytes(*good[16..].first_chunk().expect("eight bytes")) as usize;
    let with = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        bytes
    };
    let swapped = {
        let mut bytes = good.clone();
        let (left, right) = bytes[HEADER + RECORD..].split_at_mut(RECORD);
        left.swap_with_slice(&mut right[..RECORD]);
        bytes
    };
    // The header, the number of positions, the flags, and the order are checked when the book is
    // opened.
    for (bytes, named) in [
        (good[..20].to_vec(), "cannot read"),
        (good[..HEADER + RECORD * 3].to_vec(), &*format!("has not all {count} positions")),
        (with(23, 0xff), "has not all 18374686479671"),
        (with(24, 5), "the flags 0x5 are unknown"),
        (swapped, "the positions 2 and 3 are not sorted"),
    ] {
        folder.write("book.ybb", &bytes);
        let error = Book::open(&folder.at("book.ybb")).err().expect(named).to_string();
        assert!(error.contains("book.ybb") && error.contains(named), "{error}");
        folder.fails("book stats book.ybb", &["book.ybb", named]);
    }
    // Positions and moves are checked when they are read.
    let last = HEADER + RECORD * (count - 1);
    for (bytes, named) in [
        (good[..good.len() - 1].to_vec(), &*format!("the moves of position {count}")),
        (with(last + 39, 0xff), &format!("the moves of position {count}")),
        (with(last + 31, 0xff), "which is not a possible position with 40 pieces"),
        (with(good.len() - 6, 0x7f), "which is not a move of a book"),
    ] {
        folder.write("book.ybb", &bytes);
        let named = ["book.ybb", &format!("position {count}"), named];
        folder.fails("book stats book.ybb --strict", &named);
        Book::open(&folder.at("book.ybb")).unwrap_or_else(|error| panic!("{error}"));
    }
    // A look-up reports a move that cannot be played, and returns the others.
    folder.write("book.ybb", bytes(&[start(&[("7g7e", 9, 1), ("2g2f", 5, 6)])], true));
    let line = "book merge book.ybb --out x.db";
    folder.fails(&format!("{line} --strict"), &["book.ybb", "position 1", "7g7e"]);
    let end = folder.run(line);
    assert!(end.output.contains("1 position, 1 move in x.db"), "{}", end.output);
    assert!(end.error.contains("position 1 has \"7g7e\"") && end.error.contains("skipped"));
    let page = open(&folder.at("book.ybb")).look_up(&Position::startpos(), &plain());
    let page = page.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(page.moves.len(), 1);
    assert!(page.faults.len() == 1 && page.faults[0].contains("7g7e is illegal"), "{page:?}");
}

#[test]
fn a_book_of_apery_is_refused() {
    let folder = Folder::new();
    let entry = |key: u64| [key.to_le_bytes(), [60, 29, 7, 0, 35, 0, 0, 0]].concat();
    let book: Vec<u8> = (1..500).flat_map(|key| entry(key << 54 | 0x1234_5678)).collect();
    folder.write("book.bin", &book);
    let named = ["book.bin is a book of Apery", ".db", ".ybb"];
    for line in ["show book.bin startpos", "stats book.bin", "merge book.bin --out x.db"] {
        folder.fails(&format!("book {line}"), &named);
    }
    let path = folder.at("book.bin");
    let lines = format!("setoption name BookFile value {}\nisready\n", path.display());
    let lines = transcript(lines, &Script::at_once());
    let remark = lines.iter().find(|line| line.starts_with("info string ")).expect("a remark");
    assert!(named.iter().all(|name| remark.contains(name)), "{remark}");
    assert!(remark.ends_with("no book is used"), "{remark}");
    // Other binary files are no books at all.
    let cut = &book[..book.len() - 1];
    let unsorted: Vec<u8> = [entry(9), entry(3)].concat();
    for bytes in [cut, &unsorted] {
        folder.write("book.bin", bytes);
        folder.fails("book stats book.bin", &["book.bin", "is not the first line of a book"]);
    }
}
