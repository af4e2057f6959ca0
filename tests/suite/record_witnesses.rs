//! The result of a game comes from all that its record says: closing words and their numbers, the
//! closing sentence, the server's verdict, the moves. If they disagree, there is a warning, and
//! nobody won unless the server or the rules decide.

use std::io::Cursor;
use std::path::Path;

use kankei::record::{Ending, Format, Game, GameReader, GameResult, GameWriter};

use crate::records::with_warnings;

type End = (Option<GameResult>, Option<Ending>);

const BLACK: Option<GameResult> = Some(GameResult::BlackWins);
const WHITE: Option<GameResult> = Some(GameResult::WhiteWins);
const DRAW: Option<GameResult> = Some(GameResult::Draw);

/// The only game of a text, and its warnings.
fn read(name: &str, text: &str) -> (Game, Vec<String>) {
    let (games, warnings) = with_warnings(name, text);
    let [game] = games.as_slice() else { panic!("{} games in {text}", games.len()) };
    (game.clone(), warnings)
}

/// Result and ending of a game that gives no warning.
fn sure(name: &str, text: &str) -> End {
    let (game, warnings) = read(name, text);
    assert_eq!(warnings, [""; 0], "{text}");
    (game.result, game.ending)
}

/// Result and ending of a game with one warning that has all these parts.
fn disputed(name: &str, text: &str, parts: &[&str]) -> End {
    let (game, warnings) = read(name, text);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    for part in parts {
        assert!(warnings[0].contains(part), "{part}: {}", warnings[0]);
    }
    (game.result, game.ending)
}

const KIF: &str =
    "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ６六歩(67)\n   4 ８四歩(83)\n";
const KI2: &str = "手合割：平手\n\n▲７六歩 △３四歩 ▲６六歩 △８四歩\n";

#[test]
fn sentences_that_name_the_loser_first() {
    for (sentence, end) in [
        ("先手の反則により後手の勝ち", (WHITE, Some(Ending::IllegalMove))),
        ("後手の反則により先手の勝ち", (BLACK, Some(Ending::IllegalMove))),
        ("先手の時間切れにより後手の勝ち", (WHITE, Some(Ending::Time))),
        ("後手の時間切れにより先手の勝ち", (BLACK, Some(Ending::Time))),
        ("先手の投了により後手の勝ち", (WHITE, Some(Ending::Resignation))),
        ("下手の負け、上手の勝ち", (WHITE, None)),
        ("上手の負け、下手の勝ち", (BLACK, None)),
        ("△の勝ち（▲の時間切れ）", (WHITE, Some(Ending::Time))),
        ("▲の勝ち（△の反則負け）", (BLACK, Some(Ending::IllegalMove))),
        ("後手の勝ち", (WHITE, None)),
    ] {
        for (name, moves) in [("x.kif", KIF), ("x.ki2", KI2)] {
            let text = format!("{moves}まで4手で{sentence}\n");
            assert_eq!(sure(name, &text), end, "{text}");
        }
    }
    let text = format!("{KIF}まで4手で先手の勝ち、後手の勝ち\n");
    assert_eq!(disputed("x.kif", &text, &["x.kif:6", "does not state who won"]), (None, None));
    // The closing word is still believed.
    let text = format!("{KIF}   5 投了\nまで4手で羽生の勝ち\n");
    let end = disputed("x.kif", &text, &["x.kif:7", "羽生の勝ち"]);
    assert_eq!(end, (WHITE, Some(Ending::Resignation)));
}

#[test]
fn word_and_sentence_that_disagree_leave_the_winner_unknown() {
    let parts = ["\"投了\" says that White won", "先手の勝ち\" says that Black won", "unknown"];
    let text = format!("{KIF}   5 投了\nまで4手で先手の勝ち\n");
    assert_eq!(disputed("x.kif", &text, &parts), (None, None));
    let text = format!("{KI2}▲投了\nまで4手で先手の勝ち\n");
    assert_eq!(disputed("x.ki2", &text, &parts), (None, None));
    let text = format!("{KIF}   5 千日手\nまで4手で先手の勝ち\n");
    assert_eq!(disputed("x.kif", &text, &["nobody won", "Black won"]), (None, None));
    let text = format!("{KIF}   5 投了\nまで4手で後手の勝ち\n");
    assert_eq!(sure("x.kif", &text), (WHITE, Some(Ending::Resignation)));
    // A game that was interrupted, and then judged.
    let text = format!("{KIF}   5 中断\nまで4手で後手の勝ち\n");
    assert_eq!(sure("x.kif", &text), (WHITE, Some(Ending::Interruption)));
    // A mated side has lost, whatever the record says.
    let mate = "後手の持駒：なし\n+---+\n| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n\
                | ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三\n";
    let empty = "| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n".repeat(6);
    let text = format!(
        "{mate}{empty}+---+\n先手の持駒：金\n   1 ５二金打\n   2 投了\nまで1手で後手の勝ち\n"
    );
    let end = disputed("x.kif", &text, &["後手の勝ち", "Black won by the rules"]);
    assert_eq!(end, (BLACK, Some(Ending::Resignation)));
}

#[test]
fn words_in_the_column_of_moves_name_a_side() {
    for (word, expected) in [
        ("先手反則負け", (WHITE, Some(Ending::IllegalMove))),
        ("先手の反則負け ( 0:03/)", (WHITE, Some(Ending::IllegalMove))),
        ("後手の反則負け", (BLACK, Some(Ending::IllegalMove))),
        ("接続切れ", (WHITE, Some(Ending::Interruption))),
        ("投了   ( 0:03/00:00:04)", (WHITE, Some(Ending::Resignation))),
        ("後手の勝ち", (WHITE, None)),
        ("▲投了", (WHITE, Some(Ending::Resignation))),
        ("Black resigns", (WHITE, Some(Ending::Resignation))),
        ("トライ", (None, None)),
        ("中押し勝ち", (None, None)),
    ] {
        assert_eq!(sure("x.kif", &format!("{KIF}   5 {word}\n")), expected, "{word}");
    }
    // The mark of the wrong side.
    let text = format!("{KIF}   5 △投了\n");
    assert_eq!(disputed("x.kif", &text, &["投了\" is not of the side to move"]), (None, None));
}

#[test]
fn the_number_of_a_closing_word_names_the_side() {
    let head = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n";
    for unreadable in ["   4 仝　銀(31)\n", "   4 銀\n", "   4 同　象(31)\n"] {
        for (closing, result) in [
            ("   5 投了\n", WHITE),
            ("   5 投了\nまで4手で後手の勝ち\n", WHITE),
            // The foul is the move that cannot be read.
            ("   5 反則勝ち\n", BLACK),
            ("まで4手で後手の勝ち\n", WHITE),
            ("まで4手で投了\n", WHITE),
            ("まで4手で千日手\n", DRAW),
        ] {
            let text = format!("{head}{unreadable}{closing}");
            let (game, warnings) = read("x.kif", &text);
            assert_eq!((game.moves().len(), game.result), (3, result), "{text}");
            let is_foul = closing.contains("反則");
            assert_eq!(warnings.len(), usize::from(!is_foul), "{text}: {warnings:?}");
            for warning in warnings {
                assert!(warning.starts_with("x.kif:5: move 4: "), "{warning}");
                assert!(warning.ends_with("the game ends after move 3"), "{warning}");
            }
        }
        let text = format!("{head}{unreadable}   5 投了\nまで4手で先手の勝ち\n");
        let (game, warnings) = read("x.kif", &text);
        assert_eq!((game.result, game.ending, warnings.len()), (None, None, 2), "{text}");
        let behind = format!("{head}{unreadable}   5 ２六歩(27)\n");
        let input = Cursor::new(behind.clone().into_bytes());
        let mut reader = GameReader::new(Path::new("x.kif"), input).expect("a format");
        let error = reader.next().expect("a game").expect_err("a move follows").to_string();
        assert!(error.starts_with("x.kif:5: move 4: "), "{error}");
    }
    // In a handicap game, White makes the odd moves.
    let handicap = "手合割：角落ち\n   1 ６二銀(71)\n   2 ７六歩(77)\n   3 仝(12)\n   4 投了\n";
    assert_eq!(read("x.kif", handicap).0.result, WHITE);
    // Lines are missing.
    let text = format!("{head}   6 投了\nまで5手で先手の勝ち\n");
    let end = disputed("x.kif", &text, &["\"6\" is not the next move number"]);
    assert_eq!(end, (BLACK, None));
    // A number that occurs twice names no side.
    let end = disputed("x.kif", &format!("{head}   3 投了\n"), &["\"3\" is not the next"]);
    assert_eq!(end, (None, None));
    // A word without a known meaning is no move if nothing follows it.
    let text = format!("{head}   4 トライ\nまで3手で先手の勝ち\n");
    assert_eq!(sure("x.kif", &text), (BLACK, None));
    // A mark names the side of a closing word of KI2.
    let text = "▲７六歩 △３四歩 ▲２二角成 △同　象 ▲投了\n";
    assert_eq!(read("x.ki2", text).0.result, WHITE);
}

#[test]
fn the_verdict_of_the_server_decides() {
    let csa = |end: &str| {
        format!("V2.2\nN+甲\nN-乙:2\nPI\n+\n+7776FU\n-3334FU\n+2726FU\n-8384FU\n{end}\n")
    };
    let won = "White won by the server's verdict";
    for (end, expected) in [
        ("%KACHI\nT1\n'summary:illegal kachi:甲 lose:乙:2 win", Ending::IllegalMove),
        ("%SENNICHITE\n'summary:oute_sennichite:甲 lose:乙:2 win", Ending::IllegalMove),
        ("%HIKIWAKE\n'summary:time up:甲 lose:乙:2 win", Ending::Time),
        ("%-ILLEGAL_ACTION\n'summary:illegal move:甲 lose:乙:2 win", Ending::IllegalMove),
    ] {
        assert_eq!(
            disputed("x.csa", &csa(end), &["x.csa:", won]),
            (WHITE, Some(expected)),
            "{end}"
        );
    }
    for (end, expected) in [
        ("%TORYO\n'summary:toryo:甲 lose:乙:2 win", (WHITE, Some(Ending::Resignation))),
        ("%TORYO\n'summary:time up:甲 lose:乙:2 win", (WHITE, Some(Ending::Time))),
        ("%CHUDAN\n'summary:abnormal:甲 win:乙:2 lose", (BLACK, Some(Ending::Interruption))),
        ("%KACHI\n'summary:kachi:甲 win:乙:2 lose", (BLACK, Some(Ending::Declaration))),
        ("'summary:illegal move:甲 lose:乙:2 win", (WHITE, None)),
        // Neither other players nor two winners are a verdict.
        ("%KACHI\n'summary:illegal kachi:丙 lose:乙:2 win", (BLACK, Some(Ending::Declaration))),
        ("%KACHI\n'summary:illegal kachi:甲 win:乙:2 win", (BLACK, Some(Ending::Declaration))),
    ] {
        assert_eq!(sure("x.csa", &csa(end)), expected, "{end}");
    }
    // An illegal last move, which only the server names.
    let text = csa("+0077FU\n'summary:illegal move:甲 lose:乙:2 win");
    assert_eq!(sure("x.csa", &text), (WHITE, Some(Ending::IllegalMove)));
}

/// A board with a bare white king, and a rook that gives check from two files; then these endings.
fn perpetual(rounds: usize, in_ki2: bool, end: &str) -> String {
    let empty = "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n";
    let mut text = format!(
        "後手の持駒：なし\n+---+\n| ・ ・ ・ ・v玉 ・ ・ ・ ・|\n{}\
         | ・ ・ ・ ・ ・ ・ ・ 飛 ・|\n| ・ ・ ・ ・ ・ ・ ・ 玉 ・|\n+---+\n先手の持駒：なし\n",
        empty.repeat(6)
    );
    let first = [("５八飛(28)", "▲５八飛")];
    let round = [
        ("４一玉(51)", "△４一玉"),
        ("４八飛(58)", "▲４八飛"),
        ("５一玉(41)", "△５一玉"),
        ("５八飛(48)", "▲５八飛"),
    ];
    let moves = first.into_iter().chain(round.into_iter().cycle().take(4 * rounds));
    for (number, (kif, ki2)) in (1..).zip(moves) {
        text += &if in_ki2 { format!("{ki2}\n") } else { format!("   {number} {kif}\n") };
    }
    text + end
}

#[test]
fn perpetual_check_loses() {
    let illegal = Some(Ending::IllegalMove);
    for end in [
        "まで13手で連続王手の千日手\n",
        "まで13手で連続王手の千日手により先手の負け\n",
        "まで13手で先手の連続王手の千日手により後手の勝ち\n",
        "まで13手で王手千日手\n",
    ] {
        for (name, in_ki2) in [("x.kif", false), ("x.ki2", true)] {
            assert_eq!(sure(name, &perpetual(3, in_ki2, end)), (WHITE, illegal), "{end}");
        }
    }
    for end in ["   14 連続王手の千日手\n", "   14 王手連続千日手\n", "   14 連続王手\n"]
    {
        assert_eq!(sure("x.kif", &perpetual(3, false, end)), (WHITE, illegal), "{end}");
    }
    // The record says a draw, the moves say perpetual check.
    for end in ["   14 千日手\n", "まで13手で千日手\n"] {
        let text = perpetual(3, false, end);
        let end = disputed("x.kif", &text, &["nobody won", "White won by the rules"]);
        assert_eq!(end, (WHITE, illegal));
    }
    // The record ends at the second occurrence of the position.
    let text = perpetual(1, false, "まで5手で連続王手の千日手\n");
    assert_eq!(sure("x.kif", &text), (WHITE, illegal));
    // No moves that show who gave check: unknown, never a draw.
    let (game, _) = read("x.kif", &format!("{KIF}まで4手で連続王手の千日手\n"));
    assert_eq!((game.result, game.header.get("end")), (None, Some("連続王手の千日手")));
    let dojo = perpetual(3, false, "*連続王手の千日手にて終局\n");
    assert_eq!(sure("x.kif", &format!("場所：81Dojo\n{dojo}")), (WHITE, illegal));
}

#[test]
fn perpetual_check_loses_in_csa_and_jkf() {
    let (game, _) = read("x.kif", &perpetual(3, false, "まで13手で連続王手の千日手\n"));
    for (format, end) in [(Format::Csa, "%SENNICHITE"), (Format::Jkf, "SENNICHITE")] {
        let mut drawn = game.clone();
        (drawn.result, drawn.ending) = (DRAW, Some(Ending::Repetition));
        let mut writer = GameWriter::new(Vec::new(), format);
        writer.write(&drawn).expect("memory");
        let text = String::from_utf8(writer.into_inner()).expect("UTF-8");
        assert!(text.contains(end), "{text}");
        let found = disputed(&format!("x.{}", format.name()), &text, &["White won by the rules"]);
        assert_eq!(found, (WHITE, Some(Ending::IllegalMove)), "{format:?}");
    }
    // Every format keeps who won.
    for format in Format::OF_GAMES {
        let mut writer = GameWriter::new(Vec::new(), format);
        writer.write(&game).expect("memory");
        let text = String::from_utf8(writer.into_inner()).expect("UTF-8");
        assert_eq!(sure(&format!("x.{}", format.name()), &text).0, WHITE, "{format:?}");
    }
}
