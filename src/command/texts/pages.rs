//! The texts that several pages share. Scripts and pages read them by their names.

use serde_json::{Map, Value};

use super::{DRAWN_BY_REPETITION, PERPETUAL_CHECK, WON_BY_MATE, side_name};
use crate::command::language::{Language, Text, text};
use crate::shogi::Color;

/// The texts of pages with a board.
pub(super) const BOARD: [(&str, Text<0>); 9] = [
    (
        "board_help",
        text(
            "Board. Arrow keys move the cursor, Enter chooses a square.",
            "盤。矢印キーで移動、Enter で選択。",
        ),
    ),
    ("first", text("start (Home)", "開始局面(Home)")),
    ("back", text("back (left arrow)", "一手戻る(左矢印)")),
    ("next", text("forward (right arrow)", "一手進む(右矢印)")),
    ("last", text("end (End)", "最終局面(End)")),
    ("flip", text("turn the board", "盤を反転")),
    ("promote", text("promote", "成")),
    ("keep", text("do not promote", "不成")),
    ("moves", text("Moves", "指し手")),
];

/// The texts of pages with the engine.
pub(super) const ENGINE: [(&str, Text<0>); 12] = [
    ("black_mates", text::<1>("Black mates in {0}", "先手勝ち({0}手詰)").for_script()),
    ("white_mates", text::<1>("White mates in {0}", "後手勝ち({0}手詰)").for_script()),
    ("loading", text("Loading the engine...", "エンジンを読み込んでいます…")),
    ("engine_failed", text::<1>("The engine failed: {0}", "エンジンのエラー:{0}").for_script()),
    ("to_move", text::<1>("{0} to move", "{0}番").for_script()),
    ("won_by_mate", WON_BY_MATE.for_script()),
    ("perpetual_check", PERPETUAL_CHECK.for_script()),
    ("drawn_by_repetition", DRAWN_BY_REPETITION),
    ("start_analysis", text("Start the analysis", "検討を開始")),
    ("stop_analysis", text("Stop the analysis", "検討を停止")),
    ("lines", text("Lines", "候補手の数")),
    ("depth", text::<2>("Depth {0}, {1} nodes", "深さ {0}、{1} 局面").for_script()),
];

/// Texts as JSON, with the names of the sides.
pub(super) fn json(parts: &[&[(&str, Text<0>)]], language: Language) -> Value {
    let rows = parts.concat().into_iter();
    let named = rows.map(|(name, text)| (name.to_owned(), text.get(language).into()));
    let mut texts: Map<String, Value> = named.collect();
    let sides = Color::ALL.map(|side| side_name(language, side));
    texts.insert("sides".to_owned(), sides.to_vec().into());
    Value::Object(texts)
}

/// The names of the texts that a page uses: the words after each `text.` in its scripts, and in the
/// attributes of its elements.
#[cfg(test)]
pub(crate) fn used_texts(page: &str, scripts: &str) -> std::collections::BTreeSet<String> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let word = |rest: &str| rest.split(|c| !is_word(c)).next().unwrap_or_default().to_owned();
    let pieces = scripts.split("text.").collect::<Vec<_>>();
    let in_scripts = pieces.windows(2).filter(|two| !two[0].ends_with(is_word));
    let mut used: std::collections::BTreeSet<String> = in_scripts.map(|two| word(two[1])).collect();
    for name in ["data-text=\"", "data-label=\""] {
        used.extend(page.split(name).skip(1).map(word));
    }
    used
}
