//! The texts of the page on which one plays, analyses and solves problems.

use serde_json::Value;

use super::pages::{BOARD, ENGINE, json};
use super::{
    DRAWN, DRAWN_BY_IMPASSE, DRAWN_BY_LENGTH, ILLEGAL_MOVE, INTERRUPTED, RESIGNED, RESULT_UNKNOWN,
    TIME_RAN_OUT, WON, WON_BY_DECLARATION,
};
use crate::command::language::{Language, Text, text};

/// The texts, which the scripts and the page read by these names.
const PLAY: [(&str, Text<0>); 87] = [
    ("title", text("Kankei: play shogi", "Kankei 将棋")),
    // Modes.
    ("play", text("Play", "対局")),
    ("analyze", text("Analyze", "検討")),
    ("tsume", text("Tsume", "詰将棋")),
    ("record", text("Record", "棋譜")),
    // The board and the moves.
    ("start_position", text("Start position", "開始局面")),
    (
        "other_line",
        text::<2>("Other line from move {0}, {1} long", "{0}手目からの別の手順({1}手)")
            .for_script(),
    ),
    ("notation", text("Notation", "表記")),
    ("japanese", text("Japanese", "日本語")),
    ("evaluates", text("Show the evaluation", "評価値を表示")),
    // What the engine does.
    ("thinking", text("Thinking...", "考えています…")),
    ("engine_name", text::<1>("Kankei, level {0}", "Kankei レベル{0}").for_script()),
    // A game.
    ("your_turn", text::<1>("{0} to move: your turn", "{0}番:あなたの手番です").for_script()),
    ("check", text("Check!", "王手")),
    ("looking_back", text::<1>("Position after move {0}", "{0}手目の局面").for_script()),
    ("hint_move", text::<1>("Hint: {0}", "ヒント:{0}").for_script()),
    ("undo", text("Take back", "待った")),
    ("hint", text("Hint", "ヒント")),
    ("resign", text("Resign", "投了")),
    ("declare", text("Declare a win", "入玉宣言")),
    ("move_now", text("Move now", "すぐ指す")),
    ("from_here", text("Continue from here", "この局面から指し継ぐ")),
    ("won", WON.for_script()),
    ("resigned", RESIGNED.for_script()),
    ("won_by_declaration", WON_BY_DECLARATION.for_script()),
    ("time_ran_out", TIME_RAN_OUT.for_script()),
    ("illegal_move", ILLEGAL_MOVE.for_script()),
    ("drawn", DRAWN),
    ("drawn_by_impasse", DRAWN_BY_IMPASSE),
    ("drawn_by_length", DRAWN_BY_LENGTH),
    ("interrupted", INTERRUPTED),
    ("result_unknown", RESULT_UNKNOWN),
    // A new game.
    ("new_game", text("New game", "新しい対局")),
    ("you_play", text("You play", "あなたの手番")),
    ("black", text("Black", "先手(下手)")),
    ("white", text("White", "後手(上手)")),
    ("both_sides", text("Both sides", "両方")),
    ("level", text("Level of the engine", "エンジンの強さ")),
    ("even_game", text("Even game", "平手")),
    ("shown_position", text("The shown position", "表示中の局面")),
    ("start_sfen", text("Start position in SFEN", "開始局面の SFEN")),
    ("time", text("Time", "持ち時間")),
    ("seconds_a_move", text("Seconds a move", "エンジンの一手の秒数")),
    ("nodes_a_move", text("Nodes a move", "エンジンの一手の局面数")),
    ("byoyomi", text("Byoyomi clock", "対局時計(秒読み)")),
    ("fischer", text("Increment clock", "対局時計(フィッシャー)")),
    ("seconds", text("Seconds", "秒")),
    ("nodes", text("Nodes", "局面数")),
    ("main_minutes", text("Main time, minutes", "持ち時間(分)")),
    ("byoyomi_seconds", text("Byoyomi, seconds", "秒読み(秒)")),
    ("increment_seconds", text("Increment, seconds", "一手ごとの加算(秒)")),
    ("start_game", text("Start", "対局開始")),
    ("cancel", text("Cancel", "取消")),
    // Records.
    (
        "read_help",
        text(
            "Paste a record (KIF, KI2, CSA, USI, JKF) or a position (SFEN), or choose a file. \
             A file can also be dropped on the page.",
            "棋譜(KIF、KI2、CSA、USI、JKF)か局面(SFEN)を貼り付けるか、ファイルを選びます。\
             ファイルはページにドロップすることもできます。",
        ),
    ),
    ("read", text("Read", "読み込む")),
    ("file", text("Record file", "棋譜ファイル")),
    ("write_as", text("Write as", "書き出す形式")),
    ("written", text("Record of this game", "この対局の棋譜")),
    ("copy", text("Copy", "コピー")),
    ("copied", text("Copied", "コピーしました")),
    ("download", text("Download", "ダウンロード")),
    ("close", text("Close", "閉じる")),
    ("record_read", text::<1>("Moves read: {0}.", "{0}手を読み込みました。").for_script()),
    (
        "first_of",
        text::<1>("This is the first of {0} games.", "{0}局のうちの1局目です。").for_script(),
    ),
    // Analysis.
    ("take_game", text("Take the played game", "対局の棋譜を検討")),
    // Mate problems.
    ("attacker", text("Attacker", "攻方")),
    ("defender", text("Defender", "玉方")),
    ("problem_sfen", text("Problem in SFEN", "問題の SFEN")),
    ("set_problem", text("Set", "出題")),
    ("take_position", text("From the game", "対局の局面から")),
    ("example_1", text("Mate in 1", "1手詰")),
    ("example_3", text("Mate in 3", "3手詰")),
    ("example_5", text("Mate in 5", "5手詰")),
    ("solve", text("Solve", "解答")),
    (
        "find_mate",
        text::<1>("{0} to move: mate by checks", "{0}番:王手の連続で詰ませてください").for_script(),
    ),
    ("not_check", text("Every move must give check.", "王手をかけてください。")),
    ("defending", text("The defender is thinking...", "玉方が考えています…")),
    ("defender_to_move", text("The defender to move", "玉方の手番")),
    (
        "escaped",
        text("No mate was found after this reply.", "この応手の後の詰みは見つかりません。"),
    ),
    ("no_mate", text("There is no mate by checks.", "不詰です(王手の連続では詰みません)。")),
    (
        "mate_unknown",
        text("Neither a mate nor its absence was proved.", "詰みも不詰も証明できませんでした。"),
    ),
    ("mate_line", text::<2>("Mate in {0}: {1}", "{0}手詰:{1}").for_script()),
    ("mated_in", text::<1>("Mate in {0}!", "{0}手で詰みました!").for_script()),
    ("checking_length", text("Checking whether a mate is shorter...", "最短手数を調べています…")),
    ("fewest_moves", text("No mate has fewer moves.", "最短手数の詰みです。")),
    (
        "no_shorter_found",
        text(
            "No shorter mate was found in the time.",
            "時間内により短い詰みは見つかりませんでした。",
        ),
    ),
    ("shorter_exists", text::<1>("A mate in {0} exists.", "{0}手の詰みがあります。").for_script()),
];

/// The texts of the page as JSON.
pub(crate) fn play_texts(language: Language) -> Value {
    json(&[&BOARD, &ENGINE, &PLAY], language)
}
