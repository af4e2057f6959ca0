//! Records of other programs, with their line ends, names, headers and boards, and damaged files.

use std::path::Path;

use encoding_rs::SHIFT_JIS;
use kankei::record::{Ending, Format, Game, GameReader, GameResult, GameWriter, Losses};

use crate::command_support::Folder;
use crate::records::with_warnings;

fn moves(game: &Game) -> String {
    game.moves().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// A board without bishops, one in each hand, and the lines around it.
const BOARD: &str = "後手の持駒：角\n+---------------------------+\n\
    |v香v桂v銀v金v玉v金v銀v桂v香|一\n| ・v飛 ・ ・ ・ ・ ・ ・ ・|二\n\
    |v歩v歩v歩v歩v歩v歩v歩v歩v歩|三\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n\
    | ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n\
    | 歩 歩 歩 歩 歩 歩 歩 歩 歩|七\n| ・ ・ ・ ・ ・ ・ ・ 飛 ・|八\n\
    | 香 桂 銀 金 玉 金 銀 桂 香|九\n+---------------------------+\n先手の持駒：角\n";
const BOARD_SFEN: &str = "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/7R1/LNSGKGSNL b Bb 1";

/// Headers of which two have one name in Kankei.
const HEADERS: &str = "対局日：2026/05/02\n開始日時：2026/05/02 13:00:00\n表題：A\n棋戦：B\n場所：C\n\
    場所：D\n先手：あ\n後手：い\n";

#[test]
fn a_written_game_from_a_board_is_one_game() {
    let text =
        format!("{HEADERS}手合割：その他\n{BOARD}   1 ２六歩(27)\n   2 ８四歩(83)\n   3 投了\n");
    let (games, warnings) = with_warnings("x.kif", &text);
    assert_eq!((games.len(), warnings.len()), (1, 0), "{warnings:?}");
    assert_eq!((games[0].start_sfen(), moves(&games[0]).as_str()), (BOARD_SFEN, "2g2f 8c8d"));
    for format in Format::OF_GAMES.into_iter().filter(|format| *format != Format::Labelled) {
        let mut writer = GameWriter::new(Vec::new(), format);
        // Two records in a file stay two.
        (0..2).for_each(|_| writer.write(&games[0]).expect("memory"));
        let (back, warnings) = with_warnings(&format!("x.{}", format.name()), writer.into_inner());
        assert_eq!((back.len(), warnings.len()), (2, 0), "{format:?} {warnings:?}");
        for back in back {
            assert_eq!((back.start_sfen(), back.moves()), (BOARD_SFEN, games[0].moves()));
            assert_eq!(back.result, games[0].result, "{format:?}");
            // Only JKF cannot have two places.
            let is_jkf = format == Format::Jkf;
            assert_eq!(Losses::of(&games[0], format).header_fields, usize::from(is_jkf));
            let field = |game: &Game, key| game.header.get(key).map(str::to_owned);
            for key in ["black", "white", "date", "event", "開始日時", "棋戦", "site"] {
                assert_eq!(field(&back, key), field(&games[0], key), "{format:?} {key}");
            }
            assert!(is_jkf || back.header == games[0].header, "{format:?}");
        }
    }
}

#[test]
fn headers_after_a_board_start_a_game_only_before_another_board() {
    let (first, second) = ("   1 ２六歩(27)\n   2 投了\n", "   1 ７六歩(77)\n   2 投了\n");
    // An earlier version of Kankei wrote headers after the board.
    let old = format!(
        "開始日時：2026/05/02\n手合割：その他\n{BOARD}開始日時：2026/05/02 13:00:00\n場所：C\n場所：D\n先手：あ\n{first}"
    );
    let (games, _) = with_warnings("x.kif", &old);
    assert_eq!(games.len(), 1);
    assert_eq!((games[0].start_sfen(), games[0].moves().len()), (BOARD_SFEN, 1));
    let (games, _) = with_warnings("x.kif", format!("{old}{old}"));
    assert_eq!(games.len(), 2);
    // Problems with titles, without moves.
    let problem = |number: usize| format!("表題：第{number}番\n{BOARD}");
    let all: String = (1..=3).map(problem).collect();
    for text in [all.clone(), format!("{all}{old}")] {
        let (games, _) = with_warnings("x.kif", &text);
        let titles: Vec<_> = games[..3].iter().map(|game| game.header.get("event")).collect();
        assert_eq!(titles, [Some("第1番"), Some("第2番"), Some("第3番")], "{text}");
        assert!(games.iter().all(|game| game.start_sfen() == BOARD_SFEN));
    }
    // A position, then a game from the usual start.
    let text =
        format!("開始日時：2025\n手合割：その他\n{BOARD}開始日時：2026\n手合割：平手\n{second}");
    let (games, _) = with_warnings("x.kif", &text);
    assert_eq!(games.len(), 2);
    assert_eq!(games[1].header.get("date"), Some("2026"));
    assert!(games[1].is_from_usual_start() && games[0].moves().is_empty());
}

#[test]
fn every_line_end_ends_a_line() {
    let csa = "V2.2\nN+まつ\nN-たけ\nPI\n+\n+7776FU\nT1\n-3334FU\n%TORYO\n";
    let kif = "手合割：平手\n先手：まつ\n後手：たけ\n手数----指手---------消費時間--\n\
               1 ７六歩(77)\n2 ３四歩(33)\n3 投了\nまで2手で後手の勝ち\n";
    let ki2 = "先手：まつ\n後手：たけ\n手合割：平手\n\n▲７六歩\n△３四歩\nまで2手で後手の勝ち\n";
    let usi = "# games\nstartpos moves 7g7f 3c3d | winner=w | black=まつ | white=たけ\n";
    let labelled = "7g7f 3c3d | 5 . | w\n";
    let jkf = "{\"header\":{\"先手\":\"まつ\",\"後手\":\"たけ\"},\n\"moves\":[{},\n{\"move\":{\"from\":{\"x\":7,\"y\":7},\
               \"to\":{\"x\":7,\"y\":6},\"piece\":\"FU\"}},\n{\"move\":{\"from\":{\"x\":3,\"y\":3},\"to\":{\"x\":3,\"y\":4},\
               \"piece\":\"FU\"}},\n{\"special\":\"TORYO\"}]}\n";
    for (name, text) in [
        ("x.csa", csa),
        ("x.kif", kif),
        ("x.ki2", ki2),
        ("x.usi", usi),
        ("x.labelled", labelled),
        ("x.jkf", jkf),
    ] {
        let mut mixed = String::new();
        for (line, end) in text.lines().zip(["\r", "\n", "\r\n"].into_iter().cycle()) {
            mixed += line;
            mixed += end;
        }
        for text in [text.replace('\n', "\r"), text.replace('\n', "\r\n"), mixed] {
            for bytes in [text.as_bytes(), &SHIFT_JIS.encode(&text).0] {
                if name == "x.jkf" && bytes != text.as_bytes() {
                    continue;
                }
                let (games, warnings) = with_warnings(name, bytes);
                assert_eq!((games.len(), warnings.len()), (1, 0), "{name} {text:?}");
                assert_eq!(moves(&games[0]), "7g7f 3c3d", "{name}");
                assert_eq!(games[0].result, Some(GameResult::WhiteWins), "{name}");
                let is_named = name != "x.labelled";
                assert_eq!(games[0].header.get("white"), is_named.then_some("たけ"), "{name}");
            }
        }
    }
    // Lines are counted as editors count them.
    let folder = Folder::new();
    folder.write("bad.usi", "startpos moves 7g7f\r\n\rstartpos moves 7g7e\r");
    let end = folder.run("records stats bad.usi");
    assert!(end.error.contains("bad.usi:3: move 1"), "{}", end.error);
    let mate = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";
    folder.write("mates.txt", format!("# problems\r{mate}\r"));
    assert!(folder.ok("mate mates.txt").contains("line 2: mate in 1"));
}

#[test]
fn handicaps_without_a_board() {
    let folder = Folder::new();
    let rest = "/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w";
    for (name, upper, hand) in [
        ("裸玉", "4k4/9/9", "-"),
        ("２枚落ち", "lnsgkgsnl/9/ppppppppp", "-"),
        ("歩三兵", "4k4/9/9", "3p"),
        ("トンボ＋香", "l3k3l/1r5b1/ppppppppp", "-"),
    ] {
        let kif = format!(
            "手合割：{name}\n下手：甲\n上手：乙\n   1 ６二玉(51)\n   2 ２六歩(27)\n   3 投了\n"
        );
        let ki2 =
            format!("手合割：{name}\n下手：甲\n上手：乙\n\n△６二玉 ▲２六歩\nまで2手で下手の勝ち\n");
        let jkf = format!(
            "{{\"header\":{{\"手合割\":\"{name}\"}},\"moves\":[{{}},{{\"move\":{{\"from\":{{\"x\":5,\"y\":1}},\"to\":{{\"x\":6,\"y\":2}},\"piece\":\"OU\"}}}},{{\"move\":{{\"from\":{{\"x\":2,\"y\":7}},\"to\":{{\"x\":2,\"y\":6}},\"piece\":\"FU\"}}}},{{\"special\":\"TORYO\"}}]}}\n"
        );
        for (file, text) in [("x.kif", kif), ("x.ki2", ki2), ("x.jkf", jkf)] {
            let (games, warnings) = with_warnings(file, &text);
            assert_eq!(warnings, [""; 0], "{name}");
            assert_eq!(games[0].start_sfen(), format!("{upper}{rest} {hand} 1"), "{name} {file}");
            assert_eq!(games[0].result, Some(GameResult::BlackWins), "{name} {file}");
            // The game keeps its start in every format.
            folder.write("in.kifu", &text);
            for format in ["csa", "kif", "ki2", "jkf", "usi"] {
                if file == "x.kif" {
                    folder.ok(&format!("records convert in.kifu --out out.{format} --force"));
                    let back = &folder.games(&format!("out.{format}"))[0];
                    assert_eq!(back.start_sfen(), games[0].start_sfen(), "{name} {format}");
                }
            }
        }
    }
    let text = "手合割：五枚落ち\n   1 ６二玉(51)\n";
    let (games, warnings) = with_warnings("x.kif", text);
    assert!(games[0].start_sfen().starts_with("2sgkgsn1/9/"));
    assert!(
        warnings[0].contains("五枚落ち") && warnings[0].contains("give the board"),
        "{warnings:?}"
    );
    folder.write("bad.kifu", "手合割：三十枚落ち\n   1 ６二玉(51)\n");
    let end = folder.run("records stats bad.kifu");
    assert!(
        end.error.contains("三十枚落ち") && end.error.contains("give the board"),
        "{}",
        end.error
    );
}

#[test]
fn boards_of_problems_have_their_hands() {
    let folder = Folder::new();
    let rows = "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n".repeat(6);
    let board = format!(
        "+---------------------------+\n| ・ ・ ・ ・ ・ ・ ・ ・v玉|一\n\
         | ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ ・ ・ ・ ・ 歩|三\n{rows}\
         +---------------------------+\n"
    );
    let rest = "r2b4g4s4n4l17p";
    for (defender, attacker, hands) in [
        ("受方の持駒：なし", "攻方の持駒：飛", "R"),
        ("玉方の持駒：無し", "攻め方の持駒：飛　金二", "R2G"),
        ("受け方の持駒：なし", "詰方の持駒：飛", "R"),
        ("受方の持駒：残り全部", "攻方の持駒：飛", &*format!("R{rest}")),
        ("玉方持駒:残り駒", "攻方持駒:飛", &*format!("R{rest}")),
        ("△持駒：なし", "☗持駒：飛", "R"),
        ("# 受方は残り駒", "持駒：飛", "R"),
        ("△の持駒：なし", "☗持駒：飛", "R"),
        ("後手の持駒：金", "先手の持駒：飛", "Rg"),
        ("上手側の持駒：金", "下手の持ち駒：飛", "Rg"),
    ] {
        for text in
            [format!("{defender}\n{board}{attacker}\n"), format!("{attacker}\n{defender}\n{board}")]
        {
            let (games, warnings) = with_warnings("x.kif", &text);
            assert_eq!(warnings, [""; 0], "{text}");
            let sfen = format!("8k/9/8P/9/9/9/9/9/9 b {hands} 1");
            assert_eq!(games[0].start_sfen(), sfen, "{text}");
        }
    }
    let text = format!("味方の持駒：飛\n{board}");
    let (games, warnings) = with_warnings("x.kif", &text);
    assert!(games[0].start_sfen().ends_with(" b - 1") && warnings.len() == 1);
    assert!(warnings[0].contains("味方の持駒：飛"), "{warnings:?}");
    // Several problems in a file.
    let text = format!("受方の持駒：なし\n{board}攻方の持駒：金\n").repeat(2);
    folder.write("problems.kifu", text);
    let found = folder.ok("mate problems.kifu");
    assert!(found.contains("game 2: mate in 1, the shortest: G*1b"), "{found}");
}

#[test]
fn csa_has_dates_and_limits_in_its_own_form() {
    let folder = Folder::new();
    let game = |start: &str, end: &str, limit: &str| {
        format!(
            "開始日時：{start}\n終了日時：{end}\n持ち時間：{limit}\n手合割：平手\n1 ７六歩(77)\n2 投了\n"
        )
    };
    for (start, end, limit, lines) in [
        (
            "2024/05/06 09:00",
            "2024/05/06(月) 18:30:05",
            "各5時間",
            [
                "$START_TIME:2024/05/06 09:00:00",
                "$END_TIME:2024/05/06 18:30:05",
                "$TIME_LIMIT:05:00+00",
            ],
        ),
        (
            "２０２４年５月６日",
            "2024-5-7 9：05",
            "15分、切れたら1手60秒",
            ["$START_TIME:2024/05/06", "$END_TIME:2024/05/07 09:05:00", "$TIME_LIMIT:00:15+60"],
        ),
        (
            "9:00:00",
            "2005/11/29･30日",
            "なし",
            ["'$START_TIME:9:00:00", "'$END_TIME:2005/11/29･30日", "'$TIME_LIMIT:なし"],
        ),
    ] {
        folder.write("in.kifu", game(start, end, limit));
        folder.ok("records convert in.kifu --out mid.jkf --force");
        for from in ["in.kifu", "mid.jkf"] {
            folder.ok(&format!("records convert {from} --out out.csa --force"));
            let text = folder.text("out.csa");
            for line in lines {
                assert_eq!(text.lines().filter(|text| *text == line).count(), 1, "{line}: {text}");
            }
            // Reading gives the same keys.
            let back = &folder.games("out.csa")[0];
            for (key, line) in ["date", "end_time", "time_limit"].into_iter().zip(lines) {
                assert_eq!(back.header.get(key), line.split_once(':').map(|(_, value)| value));
            }
        }
    }
}

#[test]
fn two_players_in_one_line() {
    for (line, names) in [
        ("先手: 山田 / 後手: 川田", ["山田", "川田"]),
        ("後手: 川田 / 先手: 山田", ["山田", "川田"]),
        ("先手：山田／後手：川田", ["山田", "川田"]),
        ("後手：川田／先手：山田", ["山田", "川田"]),
        ("下手：山田　上手：川田", ["山田", "川田"]),
        ("先手:山田、後手 : 川田", ["山田", "川田"]),
        ("先手：山田/川田", ["山田/川田", ""]),
        ("先手：名人 後手好き", ["名人 後手好き", ""]),
        ("先手：/後手：川田", ["", "川田"]),
    ] {
        let (key, value) = line.split_once([':', '：']).expect("a key");
        for (name, text) in [
            ("x.ki2", format!("{line}\n手合割：平手\n\n▲７六歩△３四歩\n")),
            ("x.kif", format!("{line}\n   1 ７六歩(77)\n   2 ３四歩(33)\n")),
            ("x.jkf", format!(r#"{{"header":{{"{key}":"{value}"}},"moves":[{{}}]}}"#)),
        ] {
            let (games, warnings) = with_warnings(name, &text);
            assert_eq!((games.len(), warnings.len()), (1, 0), "{text}");
            let found = ["black", "white"].map(|key| games[0].header.get(key).unwrap_or_default());
            assert_eq!(found, names, "{text}");
        }
    }
}

#[test]
fn damaged_training_positions_are_skipped_wherever_they_are() {
    let folder = Folder::new();
    folder.write("in.usi", "startpos moves 7g7f 3c3d 2g2f 8c8d | winner=b | scores=5 -6 7 -8\n");
    for (format, bytes) in [("psv", 40), ("hcpe", 38), ("bin", 40)] {
        let to = if format == "bin" { "--to psv" } else { "" };
        folder.ok(&format!("records convert in.usi --out good.{format} {to}"));
        let good = folder.bytes(&format!("good.{format}"));
        let null = vec![0; bytes];
        for (name, content, skipped) in [
            ("first", [&null, &good[..]].concat(), 1),
            ("middle", [&good[..bytes], &null, &good[bytes..]].concat(), 1),
            ("last", [&good[..], &null].concat(), 1),
            ("short", [&good[..], &null[..7]].concat(), 1),
            ("several", [&null[..], &null, &good, &null].concat(), 3),
        ] {
            folder.write(&format!("{name}.{format}"), content);
            let end = folder.run(&format!("records convert {name}.{format} --out out.usi --force"));
            let expected = format!("4 games read from 1 file, {skipped} skipped");
            assert!(end.output.contains(&expected), "{name}.{format}: {}{}", end.output, end.error);
            assert_eq!(end.error.lines().count(), skipped, "{}", end.error);
            assert!(end.error.contains(&format!("{name}.{format}:")), "{}", end.error);
            assert_eq!(folder.games("out.usi").len(), 4);
        }
    }
    // Other files with this ending are no training positions, and a flood of errors is cut short.
    folder.write("x.bin", vec![0; 4_000]);
    folder.fails("records convert x.bin --out y.usi", &["no games"]);
    folder.write("x.psv", vec![0; 40 * 250]);
    let end = folder.run("records stats x.psv");
    assert!(end.error.contains("x.psv: 150 more messages"), "{}", end.error);
    assert_eq!(end.error.lines().count(), 101);
}

#[test]
fn messages_about_binary_files_are_short() {
    let folder = Folder::new();
    let noise: Vec<u8> =
        (0..300_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let noise: Vec<u8> = noise.into_iter().map(|byte| if byte < 32 { 1 } else { byte }).collect();
    let packed = [&b"PK\x03\x04"[..], &noise].concat();
    for name in ["x.kif", "x.ki2", "x.csa", "x.usi", "x.jkf", "x.sfen", "x.labelled"] {
        folder.write(name, &noise);
        let end = folder.run(&format!("records stats {name}"));
        assert!(end.error.len() < 700, "{name}: {} bytes: {}", end.error.len(), end.error);
        assert!(end.error.contains(name), "{}", end.error);
        folder.write(name, &packed);
        let end = folder.run(&format!("records stats {name}"));
        assert!(end.error.contains("a zip file (unpack it), not a record"), "{}", end.error);
    }
    folder.write("null.kif", [&noise[..100], &[0], &noise[100..]].concat());
    let end = folder.run("records stats null.kif");
    assert!(end.error.ends_with("null.kif: a binary file, not a record\n"), "{}", end.error);
    // Many lines without a meaning.
    folder
        .write("lines.kifu", "先手：甲\n   1 ７六歩(77)\n".to_owned() + &"何もない\n".repeat(300));
    let end = folder.run("records stats lines.kifu");
    assert_eq!(end.error.lines().count(), 101, "{}", end.error);
    assert!(end.error.contains("lines.kifu: 200 more messages"), "{}", end.error);
    folder.write("list.txt", "\u{1}".repeat(300_000));
    for line in ["mate list.txt", "match self self --openings list.txt"] {
        let end = folder.run(line);
        assert!(end.error.len() + end.output.len() < 900, "{line}: {} {}", end.error, end.output);
    }
}

#[test]
#[ignore = "needs KANKEI_SHARED, the folder of shared data: cargo test --release -- --ignored"]
fn shared_cases() {
    let shared = std::env::var("KANKEI_SHARED").expect("KANKEI_SHARED names the shared folder");
    let cases = Path::new(&shared).join("data/cases");
    let one = |file: &str| {
        let bytes = std::fs::read(cases.join(file)).expect(file);
        let (games, _) = with_warnings(file, bytes);
        assert_eq!(games.len(), 1, "{file}");
        games[0].clone()
    };
    let (black, white) = (Some(GameResult::BlackWins), Some(GameResult::WhiteWins));
    let own = one("17-own-kif-splits-at-header-after-board/game.kif");
    let mut writer = GameWriter::new(Vec::new(), Format::Kif);
    writer.write(&own).expect("memory");
    let (back, _) = with_warnings("x.kif", writer.into_inner());
    assert_eq!(back, [own]);
    for (file, result, ending) in [
        ("18-closing-sentence-names-both-sides/a.kif", white, Some(Ending::IllegalMove)),
        ("18-closing-sentence-names-both-sides/b.kif", white, Some(Ending::Time)),
        ("18-closing-sentence-names-both-sides/c.kif", white, Some(Ending::Resignation)),
        ("19-floodgate-summary-contradicts-closing-word/a.csa", white, Some(Ending::IllegalMove)),
        ("20-cr-only-line-ends-lose-the-game/a.kif", black, Some(Ending::Resignation)),
        ("22-handicap-names-refused/hadaka.kif", black, Some(Ending::Resignation)),
        ("22-handicap-names-refused/digit.kif", black, Some(Ending::Resignation)),
        ("22-handicap-names-refused/fusanbyo.kif", black, Some(Ending::Resignation)),
        ("23-unknown-move-word-then-wrong-winner/a.kif", white, None),
        ("24-perpetual-check-ending-read-as-draw/a.kif", white, Some(Ending::IllegalMove)),
    ] {
        let game = one(file);
        assert_eq!((game.result, game.ending), (result, ending), "{file}");
    }
    let problem = one("30-tsume-hand-words-of-attacker-dropped/a.kif");
    assert_eq!(problem.start_sfen(), "7k1/9/7P1/9/9/9/9/9/9 b G 1");
    let names = one("32-two-names-in-one-header-line/a.ki2");
    assert_eq!(names.header.players, [Some("山田".to_owned()), Some("川田".to_owned())]);
    let path = cases.join("28-training-file-with-null-first-record/a.psv");
    let positions: Vec<_> = GameReader::open(&path).expect("training positions").collect();
    assert_eq!((positions.len(), positions.iter().filter(|it| it.is_ok()).count()), (9, 8));
}

#[test]
fn times_and_comments_behind_the_moves_are_counted_as_lost() {
    for (ending, has_word) in [("", false), (" | ending=resignation", true)] {
        let line = format!(
            "startpos moves 7g7f 3c3d | winner=w{ending} | times=1 2 3 | comment2=a | comment3=b\n"
        );
        let (games, _) = with_warnings("x.usi", line);
        for format in Format::OF_GAMES.into_iter().filter(|format| *format != Format::Labelled) {
            let losses = Losses::of(&games[0], format);
            let mut writer = GameWriter::new(Vec::new(), format);
            writer.write(&games[0]).expect("memory");
            let (back, _) = with_warnings(&format!("x.{}", format.name()), writer.into_inner());
            let notes = |game: &Game| (game.notes.times().count(), game.notes.comments().count());
            let (times, comments) = notes(&back[0]);
            let kept = (times + losses.times, comments + losses.comments);
            assert_eq!(kept, notes(&games[0]), "{format:?}");
            let lost = match format {
                Format::Usi => 0,
                Format::Ki2 => 3,
                _ => usize::from(!has_word),
            };
            assert_eq!(losses.times, lost, "{format:?}");
        }
    }
}

#[test]
fn a_header_field_named_winner_is_no_result() {
    let (games, _) = with_warnings("x.kif", "勝者：先手\n1 ７六歩(77)\n");
    assert_eq!((games[0].result, games[0].header.get("勝者")), (None, Some("先手")));
    assert_eq!(Losses::of(&games[0], Format::Jkf).header_fields, 1);
    let mut writer = GameWriter::new(Vec::new(), Format::Jkf);
    writer.write(&games[0]).expect("memory");
    let (back, _) = with_warnings("x.jkf", writer.into_inner());
    assert_eq!(back[0].result, None);
}
