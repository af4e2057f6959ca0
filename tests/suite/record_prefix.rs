//! One rule for every record format: the legal prefix of a game is kept, and no game is invented.
//!
//! The inputs follow public bug reports about other programs and about Kankei.

use std::io::Cursor;
use std::path::Path;

use encoding_rs::{EUC_JP, ISO_2022_JP, SHIFT_JIS};
use kankei::record::{Ending, Game, GameReader, GameResult};

use crate::command_support::Folder;

/// The content of a file: games, errors, warnings.
struct Read {
    games: Vec<Game>,
    errors: Vec<String>,
    warnings: Vec<String>,
}

fn read(name: &str, bytes: impl AsRef<[u8]>) -> Read {
    let input = Cursor::new(bytes.as_ref().to_vec());
    let mut reader = GameReader::new(Path::new(name), input).expect("a known format");
    let (games, errors): (Vec<_>, Vec<_>) = reader.by_ref().partition(Result::is_ok);
    Read {
        games: games.into_iter().flatten().collect(),
        errors: errors.into_iter().filter_map(Result::err).map(|e| e.to_string()).collect(),
        warnings: reader.take_warnings().iter().map(ToString::to_string).collect(),
    }
}

/// Moves, result and ending of the only game of a file. Reading must give no error.
fn game(name: &str, text: impl AsRef<[u8]>) -> (String, Option<GameResult>, Option<Ending>) {
    let Read { games, errors, .. } = read(name, text);
    assert_eq!((games.len(), errors.as_slice()), (1, &[][..]), "{name}");
    let moves: Vec<String> = games[0].moves().iter().map(ToString::to_string).collect();
    (moves.join(" "), games[0].result, games[0].ending)
}

const BLACK: Option<GameResult> = Some(GameResult::BlackWins);
const WHITE: Option<GameResult> = Some(GameResult::WhiteWins);

/// The same two moves in every format with move lines, and the text of an illegal third move.
const BEGINNINGS: [(&str, &str, &str, &str); 5] = [
    ("x.usi", "startpos moves 7g7f 3c3d", " P*7g", ""),
    ("x.csa", "PI\n+\n+7776FU\n-3334FU\n", "+0077FU\n", ""),
    ("x.kif", "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n", "   3 ７七歩打\n", ""),
    ("x.ki2", "手合割：平手\n▲７六歩　△３四歩\n", "▲７七歩打\n", ""),
    (
        "x.jkf",
        r#"{"moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"}},
        {"move":{"from":{"x":3,"y":3},"to":{"x":3,"y":4},"piece":"FU"}}"#,
        r#",{"move":{"to":{"x":7,"y":7},"piece":"FU"}}"#,
        "]}",
    ),
];

/// Moves after an illegal move, and texts that name the loser by it.
const BEHIND: [&str; 5] = [
    " 3d3e",
    "-3435FU\n",
    "   4 ３五歩(34)\n",
    "△３五歩\n",
    r#",{"move":{"from":{"x":3,"y":4},"to":{"x":3,"y":5},"piece":"FU"}}"#,
];

#[test]
fn the_legal_prefix_is_kept_with_a_warning() {
    for ((name, head, illegal, end), behind) in BEGINNINGS.into_iter().zip(BEHIND) {
        let cut = read(name, format!("{head}{illegal}{end}\n"));
        assert_eq!((cut.games.len(), cut.errors.len(), cut.warnings.len()), (1, 0, 1), "{name}");
        assert_eq!(cut.games[0].moves().len(), 2, "{name}");
        let warning = &cut.warnings[0];
        assert!(warning.starts_with(name) && warning.contains("move 3"), "{warning}");
        assert!(warning.ends_with("the game ends after move 2"), "{warning}");

        let broken = read(name, format!("{head}{illegal}{behind}{end}\n"));
        assert_eq!((broken.games.len(), broken.errors.len()), (0, 1), "{name}");
        assert!(broken.errors[0].contains("move 3"), "{}", broken.errors[0]);

        let whole = read(name, format!("{head}{end}\n"));
        assert_eq!((whole.games.len(), whole.warnings.len()), (1, 0), "{name}");
    }
}

#[test]
fn the_loser_by_an_illegal_move_is_recognized() {
    for ((name, head, illegal, end), words) in BEGINNINGS.into_iter().zip([
        &[][..],
        &["%+ILLEGAL_ACTION\n", "%ILLEGAL_MOVE\n"],
        &[
            "   4 反則勝ち\n",
            "まで3手で先手の反則負け\n",
            "まで2手で後手の反則勝ち\n",
            "まで2手で後手の勝ち\n",
            "*二歩の反則にて終局\n",
        ],
        &["まで3手で先手の反則負け\n", "まで2手で後手の勝ち\n", "*反則にて終局\n"],
        &[r#",{"special":"ILLEGAL_MOVE"}"#, r#",{"special":"+ILLEGAL_ACTION"}"#],
    ]) {
        for word in words {
            let text = format!("{head}{illegal}{word}{end}");
            let expected = ("7g7f 3c3d".to_owned(), WHITE, Some(Ending::IllegalMove));
            assert_eq!(game(name, &text), expected, "{text}");
            assert_eq!(read(name, &text).warnings, [""; 0], "{text}");
        }
    }
}

#[test]
fn a_king_left_in_check_does_not_lose_the_game() {
    let text = "1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角成(88)\n4 同　銀(31)\n5 ２六歩(27)\n6 ９五角打\n\
                7 ２五歩(26)\nまで6手で後手の勝ち\n";
    let moves = "7g7f 3c3d 8h2b+ 3a2b 2g2f B*9e".to_owned();
    assert_eq!(game("x.kif", text), (moves, WHITE, Some(Ending::IllegalMove)));
}

#[test]
fn text_without_moves_is_not_a_game() {
    for (name, text) in [
        ("x.kif", "手合割：平手\n先手：甲\n一手目：\n1: ７六歩\n2: ３四歩\n"),
        ("x.ki2", "先手：甲\n後手：乙\n\n◆７六歩 ◇３四歩\n"),
        ("x.kif", "先手：甲\n7776FU\n3334FU\n"),
        ("x.csa", "hello\nworld\n"),
    ] {
        let Read { games, errors, .. } = read(name, text);
        assert_eq!((games.len(), errors.len()), (0, 1), "{name} {text}");
    }
    // The encoding is neither UTF-8 nor Shift_JIS. The reader detects it from the bytes.
    let text =
        "手合割：平手\n先手：羽生善治\n後手：谷川浩司\n\n▲７六歩 △３四歩\nまで2手で後手の勝ち\n";
    for encoding in [SHIFT_JIS, EUC_JP, ISO_2022_JP] {
        let Read { games, errors, .. } = read("x.ki2", encoding.encode(text).0);
        assert_eq!((games.len(), errors.len()), (1, 0), "{}: {errors:?}", encoding.name());
        assert_eq!(games[0].header.get("white"), Some("谷川浩司"), "{}", encoding.name());
        assert_eq!((games[0].moves().len(), games[0].result), (2, WHITE), "{}", encoding.name());
    }
}

#[test]
fn only_a_move_number_starts_a_variation() {
    let moves = "   1 ７六歩(77)\n   2 ８四歩(83)\n   3 ２六歩(27)\n";
    for head in ["変化：3手\n", "変化:3手\n", "変化\n", ""] {
        let text = format!("{head}手合割：平手\n{moves}   4 投了\n\n変化：3手\n   3 ６六歩(67)\n");
        let expected = ("7g7f 8c8d 2g2f".to_owned(), BLACK, Some(Ending::Resignation));
        assert_eq!(game("x.kif", &text), expected, "{head}");
        assert_eq!(read("x.kif", &text).games[0].variations().len(), 1, "{head}");
    }
    let remark = format!("{moves}変化に富む局面。\n   4 投了\n");
    assert_eq!(game("x.kif", &remark).1, BLACK);
    assert!(read("x.kif", &remark).games[0].variations().is_empty());
    let ki2 = "変化：3手\n先手：甲\n後手：乙\n\n▲７六歩 △３四歩\nまで2手で後手の勝ち\n";
    assert_eq!(game("x.ki2", ki2), ("7g7f 3c3d".to_owned(), WHITE, None));
}

#[test]
fn ascii_colons_also_end_keys() {
    let text = "手合割:二枚落ち\n下手:甲\n上手:乙\n棋戦:大会\n備考：a:b\n開始日時:2024/01/01 10:00:00\n\
                   1 ６二銀(71)\n   2 ７六歩(77)\n   3 投了\n";
    let Read { games, .. } = read("x.kif", text);
    let names = ["black", "white", "event", "note", "date"].map(|key| games[0].header.get(key));
    let expected = ["甲", "乙", "大会", "a:b", "2024/01/01 10:00:00"].map(Some);
    assert_eq!((names, games[0].moves().len()), (expected, 2));
    assert!(games[0].start_sfen().starts_with("lnsgkgsnl/9/") && games[0].result == BLACK);
    assert_eq!(read("x.kif", format!("{text}{text}")).games.len(), 2);
}

#[test]
fn a_header_line_after_the_moves_starts_no_game() {
    let text = "先手：甲\n   1 ７六歩(77)\n   2 投了\n先手消費時間：3分\n後手消費時間：2分\n後手：丙\n   1 ２六歩(27)\n";
    let Read { games, warnings, .. } = read("x.kif", text);
    assert_eq!((games.len(), warnings.len()), (2, 0), "{warnings:?}");
    assert_eq!(games[0].header.get("先手消費時間"), Some("3分"));
    assert_eq!(games[1].header.get("white"), Some("丙"));
}

#[test]
fn comments_of_81dojo_give_the_ending() {
    let text = |place: &str, comment: &str| {
        format!("場所：{place}\n手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n*{comment}\n")
    };
    for (comment, result, ending) in [
        ("時間切れにて終局", WHITE, Some(Ending::Time)),
        ("接続切れにて終局", WHITE, Some(Ending::Interruption)),
        ("投了にて終局", WHITE, Some(Ending::Resignation)),
        ("良い将棋でした", None, None),
    ] {
        let found = game("x.kif", text("81Dojo", comment));
        assert_eq!((found.1, found.2), (result, ending), "{comment}");
        assert_eq!(game("x.kif", text("東京", comment)).1, None, "{comment}");
    }
}

#[test]
fn meaningless_lines_in_csa_games_are_ignored() {
    let moves = "PI\n+\n+7776FU\nT3\n-3334FU\n%TORYO\n";
    for text in [
        format!("$EVENT\n{moves}"),
        format!("From: server\n{moves}#RESIGN\n#WIN\n"),
        format!("V2.2\n{moves}\u{1a}"),
    ] {
        assert_eq!(game("x.csa", &text).1, WHITE, "{text:?}");
    }
    let among = read("x.csa", moves.replace("T3\n", "7776FU\n"));
    assert_eq!((among.games.len(), among.errors.len()), (0, 1));
}

#[test]
fn strict_commands_skip_incomplete_games() {
    let folder = Folder::new();
    folder.write("game.usi", "startpos moves 7g7f 7g7f | winner=w\nstartpos moves 2g2f resign\n");
    let lenient = folder.run("records stats game.usi");
    assert!(lenient.error.contains("game.usi:1: move 2: 7g7f"), "{}", lenient.error);
    assert!(lenient.output.contains("2 games read from 1 file, 0 skipped, 1 warning"));
    let strict = folder.run("records stats game.usi --strict");
    assert!(strict.output.contains("1 game read from 1 file, 1 skipped"), "{}", strict.output);
}

#[test]
fn kif_and_ki2_use_and_declare_shift_jis() {
    let folder = Folder::new();
    folder.write("in.csa", "V2.2\nN+甲\nN-乙\nPI\n+\n+7776FU\nT3\n'*角道\n-3334FU\nT2\n%TORYO\n");
    let read = folder.games("in.csa");
    for (name, options, encoding) in [
        ("a.kif", "", SHIFT_JIS),
        ("a.ki2", "", SHIFT_JIS),
        ("a.kifu", "", encoding_rs::UTF_8),
        ("a.ki2u", "", encoding_rs::UTF_8),
        ("b.kif", "--encoding utf-8", encoding_rs::UTF_8),
        ("b.kifu", "--encoding Shift_JIS", SHIFT_JIS),
        ("b.csa", "--encoding Shift_JIS", SHIFT_JIS),
    ] {
        folder.ok(&format!("records convert in.csa --out {name} {options}"));
        let bytes = folder.bytes(name);
        let (text, _, failed) = encoding.decode(&bytes);
        assert!(!failed && text.contains('甲') && text.contains("角道"), "{name}: {text}");
        let first = text.lines().next().unwrap_or_default().to_ascii_lowercase();
        let declared = format!("encoding={}", encoding.name()).to_ascii_lowercase();
        assert!(first.ends_with(&declared), "{name}: {first}");
        let back = folder.games(name);
        assert_eq!(
            (back[0].moves(), &back[0].header),
            (read[0].moves(), &read[0].header),
            "{name}"
        );
    }
    folder.write("odd.usi", "startpos moves 7g7f | winner=? | black=☗😀\n");
    let end = folder.run("records convert odd.usi --out odd.kif");
    assert_eq!(end.error, "odd.kif: the format cannot store 2 characters of the encoding\n");
    folder.fails("records convert in.csa --out x.usi --encoding Shift_JIS", &["usi", "Shift_JIS"]);
}

#[test]
fn a_book_among_records_is_not_a_game() {
    let folder = Folder::new();
    folder.write(
        "book.db",
        "#YANEURAOU-DB2016 1.00\nsfen 4k4/9/9/9/9/9/9/9/4K4 b - 1\n5i5h none none none none\n",
    );
    folder.write("game.csa", "PI\n+\n+7776FU\n%TORYO\n");
    let end = folder.run("records stats .");
    assert!(end.output.contains("1 game read from 2 files, 1 skipped"), "{}", end.output);
    assert!(end.error.contains("book.db: a book, not a record"), "{}", end.error);
}

#[test]
fn rare_handicaps_are_written_with_their_board() {
    let folder = Folder::new();
    let rest = "ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 5a5b | winner=?";
    folder.write("three.usi", format!("sfen lnsgkgsn1/9/{rest}\n"));
    folder.write("two.usi", format!("sfen lnsgkgsnl/9/{rest}\n"));
    for (name, has_board) in [("three", true), ("two", false)] {
        folder.ok(&format!("records convert {name}.usi --out {name}.kifu"));
        assert_eq!(folder.text(&format!("{name}.kifu")).contains('|'), has_board);
        let same = |name: &str| folder.games(name)[0].start_sfen().to_owned();
        assert_eq!(same(&format!("{name}.kifu")), same(&format!("{name}.usi")));
    }
}

#[test]
#[ignore = "needs KANKEI_SHARED, the folder of shared data: cargo test --release -- --ignored"]
fn shared_cases() {
    let shared = std::env::var("KANKEI_SHARED").expect("KANKEI_SHARED names the shared folder");
    let cases = Path::new(&shared).join("data/cases");
    // Folders are found by their number.
    let folder = |number: &str| {
        let folders = std::fs::read_dir(&cases).expect("the cases").flatten();
        let mut names = folders.map(|folder| folder.file_name().to_string_lossy().into_owned());
        names.find(|name| name.starts_with(number)).expect(number)
    };
    let one = |file: &str| {
        let path = cases.join(folder(&file[..3])).join(file.rsplit('/').next().expect("a name"));
        game(file, std::fs::read(path).expect(file))
    };
    let is = |file: &str, moves: &str, result, ending: Option<Ending>| {
        assert_eq!(one(file), (moves.to_owned(), result, ending), "{file}");
    };
    let (two, resigns) = ("7g7f 3c3d", Some(Ending::Resignation));
    is("03-variation-word-ends-the-game/header.kif", "7g7f 8c8d 2g2f", BLACK, resigns);
    for file in ["sentence.kif", "sentence-win.kif", "sentence.ki2"] {
        let file = format!("04-illegal-move-punished-by-sentence/{file}");
        is(&file, two, WHITE, Some(Ending::IllegalMove));
    }
    is("05-unknown-closing-word/tsumi.kif", two, WHITE, Some(Ending::Mate));
    is("05-unknown-closing-word/timeup.kif", two, WHITE, Some(Ending::Time));
    is("05-unknown-closing-word/maxmoves.kif", two, Some(GameResult::Draw), Some(Ending::MaxMoves));
    is("05-unknown-closing-word/try.kif", two, None, None);
    is("07-csa-ranks-with-single-blanks/game.csa", two, WHITE, resigns);
    is("08-ascii-colon-in-headers/handicap.kif", "7a6b 7g7f", BLACK, resigns);
    is("09-marks-before-kif-moves/marks.kif", "7g7f 3c3d 8h2b+ 3a2b B*4e", BLACK, resigns);
    is("10-unread-text-counts-as-a-game/dots.kif", two, WHITE, resigns);
    is("10-unread-text-counts-as-a-game/jis.ki2", two, WHITE, None);
    is("10-unread-text-counts-as-a-game/utf16.kif", two, WHITE, resigns);
    is("12-ending-printed-by-81dojo-comment/time.kif", two, WHITE, Some(Ending::Time));
    is("13-one-odd-line-refuses-a-csa-game/ctrl-z.csa", two, WHITE, resigns);
    is("13-one-odd-line-refuses-a-csa-game/server.csa", two, WHITE, resigns);
    is("13-one-odd-line-refuses-a-csa-game/key.csa", "7g7f", BLACK, resigns);
    is("15-header-line-behind-the-moves/used.kif", two, WHITE, resigns);
    let kana = std::fs::read(cases.join("14-declared-encoding/kana.csa")).expect("a case");
    assert_eq!(read("kana.csa", kana).games[0].header.get("black"), Some("ﾕｶ"));
    let words =
        std::fs::read(cases.join("06-usi-line-closed-by-a-word/words.usi")).expect("a case");
    let endings: Vec<_> = read("words.usi", words).games.iter().map(|game| game.ending).collect();
    use Ending::{Declaration, Interruption, Repetition, Resignation, Time};
    let expected = [
        Some(Resignation),
        Some(Declaration),
        Some(Repetition),
        None,
        Some(Time),
        Some(Interruption),
    ];
    assert_eq!(endings, expected);
}
