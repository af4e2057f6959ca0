//! All texts that are printed in English or Japanese: analyses, mates, evaluations and books.
//!
//! Each row has both languages. The compiler checks the rows, and reports those without a user.

pub(crate) mod analysis;
pub(crate) mod pages;
pub(crate) mod play;

use super::language::{Language, Text, text};
use crate::record::Ending;
use crate::shogi::Color;

// Sides and games.

const BLACK: Text<0> = text("Black", "先手");
const WHITE: Text<0> = text("White", "後手");

/// The name of a side.
pub(crate) fn side_name(language: Language, side: Color) -> &'static str {
    [BLACK, WHITE][side.index()].get(language)
}

pub(crate) const SEPARATOR: Text<0> = text(", ", "、");
pub(crate) const TITLE: Text<5> = text("{0} - {1}{2}: {3}, {4}", "{0} 対 {1}{2}:{3}、{4}");
pub(crate) const DATE: Text<1> = text(", {0}", "、{0}");
pub(crate) const GAME_NUMBER: Text<1> = text("game {0}", "{0}局目");
pub(crate) const LINE_NUMBER: Text<1> = text("line {0}", "{0}行目");

// Ends of games.

pub(crate) const RESULT_UNKNOWN: Text<0> = text("result unknown", "勝敗不明");
pub(crate) const INTERRUPTED: Text<0> = text("interrupted", "中断");
pub(crate) const ENDED_BY: Text<1> = text("ended by {0}, result unknown", "{0}で終局、勝敗不明");
pub(crate) const DRAWN: Text<0> = text("drawn", "引き分け");
pub(crate) const DRAWN_BY_REPETITION: Text<0> = text("drawn by repetition", "千日手で引き分け");
pub(crate) const DRAWN_BY_IMPASSE: Text<0> = text("drawn by impasse", "持将棋で引き分け");
pub(crate) const DRAWN_BY_LENGTH: Text<0> = text("drawn by the move limit", "最大手数で引き分け");
pub(crate) const WON: Text<1> = text("{0} won", "{0}の勝ち");
pub(crate) const WON_BY_MATE: Text<1> = text("{0} won by mate", "{0}の勝ち(詰み)");
pub(crate) const WON_BY_DECLARATION: Text<1> =
    text("{0} won by declaration", "{0}の勝ち(入玉宣言)");
pub(crate) const RESIGNED: Text<2> = text("{0} won: {1} resigned", "{0}の勝ち({1}の投了)");
pub(crate) const TIME_RAN_OUT: Text<2> =
    text("{0} won: {1}'s time ran out", "{0}の勝ち({1}の時間切れ)");
pub(crate) const ILLEGAL_MOVE: Text<2> =
    text("{0} won: {1} made an illegal move", "{0}の勝ち({1}の反則)");
pub(crate) const PERPETUAL_CHECK: Text<2> =
    text("{0} won: {1} gave perpetual check", "{0}の勝ち({1}の連続王手の千日手)");

/// The names of all endings, in the order of the enum.
const ENDINGS: [Text<0>; 9] = [
    text("resignation", "投了"),
    text("mate", "詰み"),
    text("time", "時間切れ"),
    text("illegal move", "反則"),
    text("repetition", "千日手"),
    text("impasse", "持将棋"),
    text("max moves", "最大手数"),
    text("declaration", "入玉宣言"),
    text("interruption", "中断"),
];

/// The name of an ending.
pub(crate) fn ending_name(language: Language, ending: Ending) -> &'static str {
    ENDINGS[ending as usize].get(language)
}

// Positions that need no search.

pub(crate) const TO_MOVE: Text<2> = text(" end  {0} to move: {1}", "最終  {0}番:{1}");
pub(crate) const MATED: Text<0> = text("mated", "詰み");
pub(crate) const DECLARES: Text<0> = text("may declare a win", "宣言で勝ち");
pub(crate) const REPEATED: Text<0> = text("repetition", "千日手");
pub(crate) const REPEATED_BY_CHECKS: Text<0> =
    text("repetition by perpetual check", "連続王手の千日手");

// Marks of moves.

pub(crate) const INACCURACY: Text<0> = text("inaccuracy", "疑問手");
pub(crate) const MISTAKE: Text<0> = text("mistake", "悪手");
pub(crate) const BLUNDER: Text<0> = text("blunder", "大悪手");
pub(crate) const MISSES_MATE: Text<1> = text("misses mate in {0}", "{0}手詰を逃した");
pub(crate) const ALLOWS_MATE: Text<1> = text("allows mate in {0}", "{0}手詰を許した");

// The table of an analysis.

pub(crate) const NUMBER: Text<0> = text("no", "手数");
pub(crate) const MOVE: Text<0> = text("move", "指し手");
pub(crate) const BLACKS_SCORE: Text<0> = text("Black", "先手");
pub(crate) const MOVERS_SCORE: Text<0> = text("mover", "手番側");
pub(crate) const CHANCE: Text<0> = text("chance", "勝率");
pub(crate) const LOSS: Text<0> = text("loss", "差");
pub(crate) const CHOICE: Text<0> = text("the search's choice", "最善手順");
pub(crate) const SIDE: Text<5> = text(
    "{0}: accuracy {1} of 100, mean loss {2} points, the search's choice in {3} % of {4}",
    "{0}:精度 {1}(満点 100)、最善手との差の平均 {2} 点、{4}のうち最善手 {3} %",
);
pub(crate) const MARK_COUNT: Text<2> = text(", {0} {1}", "、{0} {1}");
pub(crate) const TURNING_POINTS: Text<1> =
    text("turning points, the mover's chance: {0}", "形勢の分かれ目(指した側の勝率):{0}");
pub(crate) const NO_TURNING_POINTS: Text<0> = text("turning points: none", "形勢の分かれ目:なし");
pub(crate) const TURNING_POINT: Text<5> =
    text("{0} {1}{2} ({3} to {4} %)", "{0} {1}{2}({3} → {4} %)");
pub(crate) const VARIATION: Text<3> =
    text("variation {0}, for move {1} of {2}:", "変化{0}、{2}の{1}手目:");
pub(crate) const VARIATION_NAME: Text<1> = text("variation {0}", "変化{0}");
pub(crate) const MAIN_LINE: Text<0> = text("the main line", "本譜");

// The annotated record.

pub(crate) const ANALYZED: Text<3> =
    text("Analyzed by Kankei {0}, {1}, {2}", "Kankei {0} による解析、{1}、{2}");
pub(crate) const NODES_A_POSITION: Text<1> = text("{0} nodes a position", "一手 {0} 局面");
pub(crate) const DEPTH_A_POSITION: Text<1> = text("depth {0} a position", "一手の深さ {0}");
pub(crate) const MS_A_POSITION: Text<1> = text("{0} ms a position", "一手 {0} ms");
pub(crate) const ACCURACY: Text<2> = text("{0}: accuracy {1} of 100", "{0}:精度 {1}(満点 100)");
pub(crate) const CANDIDATE: Text<3> = text("candidate {0}: {1} {2}", "候補{0}:{1} {2}");
pub(crate) const REMARK: Text<7> =
    text("{0} {1}{2}: {3} to {4} %{5}{6}", "{0} {1}{2}:勝率 {3} → {4} %{5}{6}");
pub(crate) const TURNING: Text<0> = text(", a turning point", "、形勢の分かれ目");
pub(crate) const ADDED: Text<1> = text("; {0}", "、{0}");
pub(crate) const BETTER: Text<1> = text("; better {0}", "、最善は {0}");

// What the analysis reports on the terminal.

pub(crate) const GAMES_READ: Text<1> = text("{0} game", "{0}局");
pub(crate) const FILES_READ: Text<1> = text("{0} file", "ファイル{0}個");
pub(crate) const READ_FROM: Text<3> =
    text("{0} read from {1}, {2} skipped", "{1}から{0}を読み込み、{2}局を除外");
pub(crate) const STARTED: Text<3> = text("{0}; {1}, {2}", "{0}。{1}、{2}");
pub(crate) const WARNINGS: Text<1> = text("{0} warning", "警告{0}件");
pub(crate) const VARIATIONS: Text<1> = text("{0} variation", "変化{0}個");
pub(crate) const RECORD_WRITTEN: Text<1> =
    text("record written to {0}", "棋譜を {0} に書き出しました");
pub(crate) const PICTURE_WRITTEN: Text<1> =
    text("picture written to {0}", "図を {0} に書き出しました");
pub(crate) const PAGE_WRITTEN: Text<1> =
    text("page written to {0}", "ページを {0} に書き出しました");

// The picture of an analysis.

pub(crate) const CHANCE_AXIS: Text<0> = text("Black's winning probability", "先手の勝率");
pub(crate) const MOVE_NUMBER: Text<0> = text("move", "手数");
pub(crate) const PICTURE_BEST: Text<2> = text("best: {0} ({1} %)", "最善: {0}(勝率 {1} %)");
pub(crate) const PICTURE_PLAYED: Text<3> =
    text("move {0}: {1} ({2} %)", "{0}手目: {1}(勝率 {2} %)");

// The list of analysed games.

pub(crate) const INDEX_TITLE: Text<1> = text("Analysis of {0} game", "{0}局の解析");
pub(crate) const INDEX_NUMBER: Text<0> = text("no", "番号");
pub(crate) const PLAYERS: Text<0> = text("players", "対局者");
pub(crate) const INDEX_DATE: Text<0> = text("date", "日付");
pub(crate) const ENDING: Text<0> = text("result", "結果");
pub(crate) const INDEX_CURVE: Text<0> = text("Black's chance", "先手の勝率");
pub(crate) const ACCURACY_OF_BOTH: Text<0> = text("accuracy", "精度");
pub(crate) const MARKS: Text<0> = text("Black - White", "先手 - 後手");

// Mates.

pub(crate) const MATE_IN: Text<4> = text("mate in {0}{1}{2}: {3}", "{0}手詰{1}{2}:{3}");
pub(crate) const INTERPOSITIONS: Text<1> =
    text(", and {0} plies of useless interpositions", "(ほかに無駄合{0}手)");
pub(crate) const SHORTEST: Text<0> = text(", the shortest", "(最短)");
pub(crate) const NO_MATE: Text<0> = text("no mate by checks", "不詰(王手の連続では詰まない)");
pub(crate) const OPEN: Text<0> =
    text("open: neither a mate nor its absence was proved", "未解決(詰みも不詰も証明できなかった)");
pub(crate) const MATES: Text<1> = text("{0} mate", "詰み{0}題");
pub(crate) const MATES_TALLY: Text<4> = text(
    "{0}, {1} without mate, {2} open, {3} unreadable",
    "{0}、不詰{1}題、未解決{2}題、読めない局面{3}",
);
pub(crate) const CONTINUE_FROM: Text<1> =
    text("interrupted; use --from {0} to continue", "中断しました。続けるには --from {0}");
pub(crate) const CHECKS_TALLY: Text<3> =
    text("; {0} sound, {1} unsound, {2} undecided", "、完全作{0}題、不完全作{1}題、未決{2}題");
pub(crate) const SOUND: Text<0> = text("sound: the solution is unique", "完全作:解は唯一");
pub(crate) const UNSOUND_OTHERS: Text<1> = text("unsound: {0} (yozume)", "余詰:{0}");
pub(crate) const OTHER_SOLUTIONS: Text<1> = text("{0} other solution", "別解{0}個");
pub(crate) const AT_LEAST: Text<0> = text("at least ", "少なくとも");
pub(crate) const UNSOUND_SHORTER: Text<1> =
    text("unsound: shorter than the given mate in {0} (hayazume)", "早詰:示された{0}手詰より短い");
pub(crate) const UNSOUND_LONGER: Text<1> =
    text("unsound: longer than the given mate in {0}", "示された{0}手詰より長い");
pub(crate) const UNSOUND_NO_MATE: Text<0> = text("unsound: no mate (fuzume)", "不詰");
pub(crate) const UNDECIDED_MATE: Text<0> =
    text("undecided: a mate may exist", "未決:詰むかもしれない");
pub(crate) const UNDECIDED_LENGTH: Text<0> =
    text("undecided: a shorter mate may exist", "未決:より短い詰みがあるかもしれない");
pub(crate) const UNDECIDED_OTHERS: Text<0> =
    text("undecided: other solutions may exist", "未決:余詰があるかもしれない");
pub(crate) const GIVEN_MOVES: Text<1> = text(
    "the given moves {0} do not mate and are ignored",
    "示された手順 {0} は詰みに至らないので無視",
);
pub(crate) const GIVEN_FIELD: Text<1> =
    text("the given {0} cannot be read and is ignored", "示された {0} は読めないので無視");
pub(crate) const OTHER_SOLUTION: Text<3> =
    text("from move {0}, mate in {1}: {2}", "{0}手目から{1}手詰:{2}");
pub(crate) const OPEN_FROM: Text<1> =
    text("open: other solutions from move {0}", "未決:{0}手目からの余詰");
pub(crate) const MATE_COSTS: Text<6> = text(
    "time: median {0} ms, 99 % within {1} ms, longest {2} ms; {3} nodes, {4} nodes/s; \
     table at most {5} MiB",
    "時間:中央値 {0} ms、99 % は {1} ms 以内、最長 {2} ms。{3} 局面、毎秒 {4} 局面、表は最大 {5} MiB",
);

// The value of a position.

pub(crate) const SCORE: Text<0> = text("score", "評価値");
pub(crate) const CENTIPAWNS_FOR: Text<1> =
    text("centipawns for {0}, to move", "点(歩は 100。手番の{0}から見た値)");
pub(crate) const RELATIONS_OF_PIECES: Text<0> = text(
    "Relations of every piece for these king squares, centipawns for Black:",
    "この玉の位置での各駒の関係の値(先手から見た点):",
);
pub(crate) const STRONGEST: Text<0> = text(
    "Strongest relations of two pieces, with and without the kings:",
    "値の大きい二駒の関係(玉との関係を含む):",
);
pub(crate) const AND: Text<2> = text("{0} and {1}", "{0} と {1}");
pub(crate) const OWN_UNIT: Text<2> = text(
    "In the network's own unit: {0} at an FV_SCALE of {1}.",
    "ネットワーク自身の単位では {0}(FV_SCALE {1})。",
);
pub(crate) const LOSS_WITHOUT: Text<0> = text(
    "Loss of value without each piece, centipawns for Black:",
    "各駒がないときに失われる値(先手から見た点):",
);
pub(crate) const NETWORK_REST: Text<1> = text(
    "{0} in addition to the contributions of the pieces, each of which is the network's loss \
     without the piece",
    "うち {0} は各駒の値の合計に含まれない(駒の値は、その駒がないときに失われる値)",
);
pub(crate) const HOLDS: Text<2> = text("{0} holds {1}", "{0}の持駒 {1}");
pub(crate) const PIECE: Text<0> = text("piece", "駒");
pub(crate) const WEIGHT: Text<0> = text("weight", "重み");
pub(crate) const FEATURE: Text<0> = text("feature", "特徴量");
pub(crate) const PRODUCT: Text<0> = text("product", "積");
pub(crate) const GROUP: Text<0> = text("group", "種類");
pub(crate) const GROUP_SUMS: Text<0> = text(
    "Number and sum of the weights of each side, centipawns for that side.",
    "各対局者の重みの数と和(その側から見た点)。",
);

/// Words in the names of parts and weights. Abbreviations such as KPP are the same in Japanese.
const PARTS: [Text<0>; 38] = [
    text("Black", "先手"),
    text("White", "後手"),
    text("material", "駒割"),
    text("king relations", "玉との関係"),
    text("relations", "関係の計"),
    text("pairs", "二駒関係"),
    text("tempo", "手番"),
    text("threats", "当たり"),
    text("network", "ネットワーク"),
    text("kpp", "玉と二駒"),
    text("guards", "玉の守り"),
    text("neighbours", "隣り合う駒"),
    text("attacked", "利き上の駒"),
    text("mobility", "動けるマスの数"),
    text("pins", "ピン"),
    text("bishop-pawns", "角と同色の歩"),
    text("steps", "前進と後退"),
    text("file-pawns", "筋の歩"),
    text("king-zone", "玉の周囲"),
    text("board", "盤上"),
    text("hand", "持駒"),
    text("attacks", "玉の隣への利き"),
    text("distance", "玉との近さ"),
    text("own", "自玉"),
    text("enemy", "敵玉"),
    text("pawn", "歩"),
    text("lance", "香"),
    text("knight", "桂"),
    text("silver", "銀"),
    text("gold", "金"),
    text("bishop", "角"),
    text("rook", "飛"),
    text("tokin", "と"),
    text("promoted-lance", "成香"),
    text("promoted-knight", "成桂"),
    text("promoted-silver", "成銀"),
    text("horse", "馬"),
    text("dragon", "龍"),
];

/// The name of a part of the value or of a weight, such as `material, Black` or `hand.pawn`.
pub(crate) fn part_name(language: Language, english: &str) -> String {
    if language == Language::English {
        return english.to_owned();
    }
    let word = |english: &str| {
        let known = PARTS.into_iter().find(|text| text.get(Language::English) == english);
        known.map_or_else(|| english.to_owned(), |text| text.get(language).to_owned())
    };
    let separators = [", ", "."].into_iter();
    let split = separators.filter_map(|separator| english.split_once(separator)).next();
    match split {
        Some((whole, part)) => format!("{}({})", word(whole), word(part)),
        None => word(english),
    }
}

// Books.

pub(crate) const BOOK_POSITION: Text<2> = text("{0} ({1} to move)", "{0}({1}番)");
pub(crate) const NOT_IN_BOOK: Text<0> = text("not in the book", "定跡にありません");
pub(crate) const ANSWER: Text<0> = text("answer", "応手");
pub(crate) const BLACKS: Text<0> = text("Black's", "先手側");
pub(crate) const DEPTH: Text<0> = text("depth", "深さ");
pub(crate) const COUNT: Text<0> = text("count", "出現数");
pub(crate) const SHARE: Text<0> = text("share", "割合");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::score_parts::parts;
    use crate::eval::Evaluation;
    use crate::shogi::Position;

    #[test]
    fn all_names_of_parts_are_known() {
        for (name, _) in parts(&Evaluation::HandMade, &Position::startpos()) {
            let japanese = part_name(Language::Japanese, &name);
            assert!(!japanese.contains(|c: char| c.is_ascii_lowercase()), "{name}: {japanese}");
        }
    }

    #[test]
    fn names_of_parts_are_translated_word_by_word() {
        for (english, japanese) in [
            ("material, Black", "駒割(先手)"),
            ("hand.promoted-silver", "持駒(成銀)"),
            ("KPP, White", "KPP(後手)"),
            ("KK", "KK"),
        ] {
            assert_eq!(part_name(Language::Japanese, english), japanese);
            assert_eq!(part_name(Language::English, english), english);
        }
    }
}
