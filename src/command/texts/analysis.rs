//! The texts of the page of an analysis.

use serde_json::Value;

use super::pages::{BOARD, ENGINE, json};
use super::{ADDED, BLUNDER, CHANCE_AXIS, INACCURACY, LOSS, MISTAKE, MOVE, MOVE_NUMBER};
use crate::command::language::{Language, Text, text};

/// The texts of the page, which its script reads by these names.
const PAGE: [(&str, Text<0>); 31] = [
    ("all_games", text("all games", "棋譜の一覧")),
    ("chance", CHANCE_AXIS),
    ("mistakes", text("Mistakes", "疑問手と悪手")),
    ("none", text("none", "なし")),
    ("move_number", MOVE_NUMBER),
    ("move", MOVE),
    ("loss", LOSS),
    ("score", text("Black", "評価値")),
    ("better", text("better", "最善手順")),
    ("accuracy", text("accuracy of 100", "精度(満点 100)")),
    ("mean_loss", text::<1>("mean loss {0} points", "最善手との差の平均 {0} 点").for_script()),
    ("best_moves", text::<1>("best move in {0} %", "最善手 {0} %").for_script()),
    ("histogram", text("moves by points lost", "最善手との差(点)と手数")),
    ("start", text("start position", "開始局面")),
    ("after", text::<3>("after {0} {1}: {2} for Black", "{0}手目 {1}まで:{2}(先手から)").for_script()),
    ("best", text::<2>("best: {0} ({1})", "最善: {0}({1})").for_script()),
    ("played", text::<2>("played: {0}, {1} points lost", "実戦: {0}、最善手との差 {1} 点").for_script()),
    ("note", ADDED.for_script()),
    ("mate_in", text::<1>("mate in {0}", "{0}手詰").for_script()),
    ("mated_in", text::<1>("mated in {0}", "{0}手で詰まされる").for_script()),
    ("mate_short", text::<1>("m{0}", "詰{0}").for_script()),
    ("quiz", text::<1>("Quiz: find the better move ({0})", "次の一手クイズ({0}問)").for_script()),
    (
        "quiz_task",
        text::<5>(
            "{0} of {1}: {2} to move. {3} lost {4} points. Find a better move: choose a piece, \
             then its target.",
            "第{0}問(全{1}問):{2}番。実戦の {3} は {4} 点の損。もっとよい手は? 駒を選び、行き先を選ぶ。",
        )
        .for_script(),
    ),
    ("quiz_right", text::<1>("Right: {0} is the best move.", "正解!{0} が最善。").for_script()),
    ("quiz_good", text::<1>("Right: {0} is good, too.", "正解!{0} も好手。").for_script()),
    (
        "quiz_wrong",
        text::<1>("{0} is not the best move. Try again.", "{0} は最善ではありません。もう一度。").for_script(),
    ),
    (
        "quiz_played",
        text::<1>("{0} is the move of the game. Try again.", "{0} は実戦の手です。もう一度。").for_script(),
    ),
    (
        "quiz_end",
        text::<2>("{0} of {1} solved at the first try", "{1}問中{0}問を一度で正解").for_script(),
    ),
    ("show_solution", text("show the solution", "答えを見る")),
    ("next_problem", text("next position", "次の問題")),
    ("end_quiz", text("back to the game", "棋譜に戻る")),
];

/// The texts of a page with the engine.
const WITH_ENGINE: [(&str, Text<0>); 4] = [
    ("variation", text::<1>("Your line from move {0}:", "{0}手目からの変化:").for_script()),
    ("take_back", text("Take back", "一手戻す")),
    ("leave", text("Back to the game", "棋譜に戻る")),
    (
        "engine_missing",
        text::<1>("{0} is not next to this page.", "{0} がこのページと同じ場所にありません。")
            .for_script(),
    ),
];

/// The texts of the page as JSON, with the names of sides and marks.
pub(crate) fn page_texts(language: Language, has_engine: bool) -> Value {
    let parts: &[&[_]] =
        if has_engine { &[&BOARD, &PAGE, &ENGINE, &WITH_ENGINE] } else { &[&BOARD, &PAGE] };
    let mut texts = json(parts, language);
    let marks = [INACCURACY, MISTAKE, BLUNDER];
    let by_mark = |texts: [&str; 3]| {
        let names = marks.map(|mark| mark.get(Language::English).to_owned());
        let pairs = names.into_iter().zip(texts.map(Value::from));
        Value::Object(pairs.collect())
    };
    let names = marks.map(|mark| mark.get(language));
    texts["marks"] = by_mark(names);
    // English tables have the signs that chess players know, Japanese ones the words.
    texts["signs"] = by_mark(language.choose(["?!", "?", "??"], names));
    texts
}
