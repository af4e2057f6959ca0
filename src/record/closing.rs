//! The end of a game in the words of KIF and KI2: closing words, the closing sentence, and the last
//! comment of 81Dojo.
//!
//! A sentence names the winner, the loser, or both: まで98手で後手の勝ち, まで98手で先手の反則により後手の勝ち.

use super::ending::{Closing, SideResult};
use super::notation::words::{digit, side_names, side_of, side_of_mark};
use super::{Ending, Game, GameResult};
use crate::shogi::Color;

/// Closing words of KIF; KI2 has them in a sentence. The first word for a result and an ending is
/// written. A sentence has the meaning of the first word that it contains, so 不詰 precedes 詰.
pub(super) const CLOSINGS: [Closing; 31] = [
    Closing::new("投了", SideResult::Loses, Some(Ending::Resignation)),
    Closing::new("不詰", SideResult::Open, None),
    Closing::new("詰み", SideResult::Loses, Some(Ending::Mate)),
    Closing::new("詰", SideResult::Loses, Some(Ending::Mate)),
    Closing::new("切れ負け", SideResult::Loses, Some(Ending::Time)),
    Closing::new("時間切れ", SideResult::Loses, Some(Ending::Time)),
    Closing::new("時間切れ負け", SideResult::Loses, Some(Ending::Time)),
    Closing::new("Time-up", SideResult::Loses, Some(Ending::Time)),
    Closing::new("反則負け", SideResult::Loses, Some(Ending::IllegalMove)),
    Closing::new("反則勝ち", SideResult::Wins, Some(Ending::IllegalMove)),
    Closing::new("反則", SideResult::Loses, Some(Ending::IllegalMove)),
    Closing::new("反則手", SideResult::Loses, Some(Ending::IllegalMove)),
    // A failed declaration, 入玉宣言不成立.
    Closing::new("不成立", SideResult::Loses, Some(Ending::IllegalMove)),
    Closing::new("入玉勝ち", SideResult::Wins, Some(Ending::Declaration)),
    Closing::new("宣言勝ち", SideResult::Wins, Some(Ending::Declaration)),
    Closing::new("勝ち宣言", SideResult::Wins, Some(Ending::Declaration)),
    Closing::new("入玉宣言", SideResult::Wins, Some(Ending::Declaration)),
    Closing::new("入玉宣言勝ち", SideResult::Wins, Some(Ending::Declaration)),
    Closing::new("不戦勝", SideResult::Wins, None),
    Closing::new("不戦敗", SideResult::Loses, None),
    Closing::new("持将棋", SideResult::Draw, Some(Ending::Impasse)),
    Closing::new("千日手", SideResult::Draw, Some(Ending::Repetition)),
    Closing::new("最大手数", SideResult::Draw, Some(Ending::MaxMoves)),
    Closing::new("最大手数超過", SideResult::Draw, Some(Ending::MaxMoves)),
    Closing::new("引き分け", SideResult::Draw, None),
    Closing::new("引分け", SideResult::Draw, None),
    Closing::new("引分", SideResult::Draw, None),
    Closing::new("中断", SideResult::Open, Some(Ending::Interruption)),
    Closing::new("封じ手", SideResult::Open, Some(Ending::Interruption)),
    Closing::new("一時中断", SideResult::Open, Some(Ending::Interruption)),
    // A lost connection loses the game on 81Dojo.
    Closing::new("接続切れ", SideResult::Loses, Some(Ending::Interruption)),
];

/// The first word of the sentence that closes a record.
pub(super) const SENTENCE: &str = "まで";

/// The last word of the comment that closes a record of 81Dojo: 時間切れにて終局.
const COMMENT_END: &str = "終局";

/// An illegal move reported by a comment.
const ILLEGAL: Closing = Closing::new("反則", SideResult::Loses, Some(Ending::IllegalMove));

/// English names of the sides.
const ENGLISH_SIDES: [(&str, Color); 4] = [
    ("sente", Color::Black),
    ("black", Color::Black),
    ("gote", Color::White),
    ("white", Color::White),
];

/// Words after the name of a side, and whether this side won. The first one in the text counts. 勝
/// alone is part of family names.
const OUTCOMES: [(&str, bool); 14] = [
    ("勝ち", true),
    ("勝利", true),
    ("の勝", true),
    ("不戦勝", true),
    ("反則勝", true),
    ("wins", true),
    ("won", true),
    ("負け", false),
    ("の負", false),
    ("反則負", false),
    ("敗", false),
    ("loses", false),
    ("lost", false),
    ("loss", false),
];

/// Causes after the name of a side, and whether this side won, if no outcome follows.
const CAUSES: [(&str, bool); 14] = [
    ("反則", false),
    ("二歩", false),
    ("打ち歩", false),
    ("不成立", false),
    ("切れ", false),
    ("投了", false),
    ("王手", false),
    ("失格", false),
    ("棄権", false),
    ("resign", false),
    ("illegal", false),
    ("time", false),
    ("宣言", true),
    ("入玉", true),
];

/// Words after a cause. What follows them need not be about the same side.
const CAUSE_ENDS: [&str; 6] = ["により", "によって", "による", "のため", "にて", "で"];

/// Words for an ending in a text that names a side. The first one of the list counts.
const ENDINGS: [(&str, Ending); 14] = [
    ("接続切れ", Ending::Interruption),
    ("二歩", Ending::IllegalMove),
    ("打ち歩", Ending::IllegalMove),
    ("切れ", Ending::Time),
    ("time", Ending::Time),
    ("反則", Ending::IllegalMove),
    ("illegal", Ending::IllegalMove),
    ("不成立", Ending::IllegalMove),
    ("入玉", Ending::Declaration),
    ("宣言", Ending::Declaration),
    ("詰", Ending::Mate),
    ("投了", Ending::Resignation),
    ("resign", Ending::Resignation),
    ("千日手", Ending::Repetition),
];

/// What a text says about the end of a game.
#[derive(Clone, Copy, Debug)]
pub(super) enum Statement {
    /// A side is named.
    Named(GameResult, Option<Ending>),
    /// About the side to move.
    OfMover(Closing),
    /// Perpetual check, without the name of a side. The side that gave the checks lost.
    PerpetualCheck,
    /// About a winner or a loser that is not named, or about two winners.
    Unclear,
}

/// Reads a closing sentence, or another text about the end of a game. `None` if it says nothing
/// about it.
pub(super) fn read_statement(text: &str) -> Option<Statement> {
    let text = text.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let is_perpetual = has(&["perpetual", "oute_sennichite", "連続王手", "王手連続"])
        || (has(&["王手"]) && has(&["千日手"]));
    let winners = winners(&text);
    if let Some((&winner, others)) = winners.split_first() {
        let found = ENDINGS.into_iter().find(|(word, _)| text.contains(word));
        let ending = if is_perpetual { Some(Ending::IllegalMove) } else { found.map(|(_, it)| it) };
        let is_clear = others.iter().all(|&other| other == winner);
        let named = Statement::Named(GameResult::win_of(winner), ending);
        return Some(if is_clear { named } else { Statement::Unclear });
    }
    if is_perpetual {
        return Some(Statement::PerpetualCheck);
    }
    let closing = CLOSINGS.iter().find(|closing| text.contains(&closing.word.to_lowercase()));
    let is_unclear = OUTCOMES.iter().any(|(word, _)| text.contains(word));
    closing.copied().map(Statement::OfMover).or(is_unclear.then_some(Statement::Unclear))
}

/// The meaning of a word in the column of the moves; `None` if it is no closing word.
pub(super) fn read_closing_word(text: &str) -> Option<Statement> {
    let word = text.split(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    let exact = Closing::find(&CLOSINGS, word).map(Statement::OfMover);
    let text = text.split('(').next().unwrap_or_default();
    exact.or_else(|| read_statement(text).filter(|found| !matches!(found, Statement::Unclear)))
}

/// The winners by the words after each name of a side in a text.
fn winners(text: &str) -> Vec<Color> {
    let names: Vec<(usize, usize, Color)> = text
        .char_indices()
        .filter_map(|(at, c)| {
            let (len, color) = side_at(&text[at..], c)?;
            Some((at, at + len, color))
        })
        .collect();
    let ends = names.iter().skip(1).map(|&(at, ..)| at).chain([text.len()]);
    let winner = |(&(_, from, color), to): (&(usize, usize, Color), usize)| {
        has_won(&text[from..to]).map(|won| if won { color } else { !color })
    };
    names.iter().zip(ends).filter_map(winner).collect()
}

/// The length of the name or mark of a side at the front of a text, and the side.
fn side_at(text: &str, first: char) -> Option<(usize, Color)> {
    let english = ENGLISH_SIDES.into_iter().find(|(name, _)| text.starts_with(name));
    let japanese = side_of(text).map(|color| (side_names(false)[0].len(), color));
    japanese
        .or(side_of_mark(first).map(|color| (first.len_utf8(), color)))
        .or(english.map(|(name, color)| (name.len(), color)))
}

/// Whether a side won, by the words after its name.
fn has_won(text: &str) -> Option<bool> {
    let text = text.trim_start_matches([' ', '　', '側', '番']);
    // 先手は時間切れにより勝ち is about Black, but of 先手の反則により勝ち only the foul is.
    let is_subject = text.starts_with(['は', 'が', '、', '，', ',', ':']);
    let cause = CAUSE_ENDS.iter().filter_map(|word| text.find(word)).min();
    let own = &text[..cause.filter(|_| !is_subject).unwrap_or(text.len())];
    let outcomes = OUTCOMES.iter().filter_map(|&(word, won)| Some((own.find(word)?, won)));
    let outcome = outcomes.min_by_key(|&(at, _)| at).map(|(_, won)| won);
    let cause = CAUSES.iter().find(|(word, _)| own.contains(word)).map(|&(_, won)| won);
    outcome.or(own.trim_end().ends_with('勝').then_some(true)).or(cause)
}

/// The number of moves in a closing sentence: 98 in まで98手で後手の勝ち.
pub(super) fn count_in_sentence(text: &str) -> Option<usize> {
    let text = text.strip_prefix(SENTENCE)?.trim_start_matches(['、', ' ', '　']);
    let (number, _) = text.split_once('手')?;
    let is_digit = |c: char| c.is_ascii_digit() || ('０'..='９').contains(&c);
    let mut digits = number.chars().map(|c| digit(c).filter(|_| is_digit(c)));
    let value = |sum: usize, digit: Option<usize>| sum.checked_mul(10)?.checked_add(digit?);
    digits.try_fold(0, value).filter(|_| !number.is_empty())
}

/// The ending reported by the last comment of a record; `None` if it reports none. If the last move
/// was illegal, a comment that names no other ending refers to that move.
pub(super) fn read_closing_comment(text: &str, is_illegal: bool) -> Option<Statement> {
    let illegal = is_illegal.then_some(Statement::OfMover(ILLEGAL));
    let is_foul = text.contains(ILLEGAL.word);
    let is_last = text.trim_end_matches(['。', ' ', '　']).ends_with(COMMENT_END);
    if !is_last && !(is_foul && (is_illegal || text.contains(COMMENT_END))) {
        return None;
    }
    let statement = read_statement(text).filter(|found| !matches!(found, Statement::Unclear));
    if is_foul && is_illegal { illegal } else { statement.or(illegal) }
}

/// The last line of a KIF game, in place of a move. `None` if neither result nor ending is known,
/// and for a win without an ending, which only the sentence states: any line would be a guess.
pub(super) fn closing_line(game: &Game, side: Color) -> Option<&'static Closing> {
    if game.bare_winner().is_some() {
        return None;
    }
    Closing::choose(&CLOSINGS, SideResult::of(game.result, side), game.ending)
}

/// The sentence that closes a line after this number of moves: まで98手で後手の勝ち. `None` if neither
/// result nor ending is known.
pub(super) fn closing_sentence(
    game: &Game,
    moves: usize,
    side: Color,
    handicap: bool,
) -> Option<String> {
    let side_result = SideResult::of(game.result, side);
    let by = match game.result.and_then(GameResult::winner) {
        None => Closing::choose(&CLOSINGS, side_result, game.ending)?.word.to_owned(),
        Some(winner) => {
            let names = side_names(handicap);
            let (winner, loser) = (names[winner.index()], names[(!winner).index()]);
            match game.ending {
                Some(Ending::Mate) if side_result == SideResult::Loses => "詰み".to_owned(),
                Some(Ending::Time) => format!("時間切れにより{winner}の勝ち"),
                Some(Ending::IllegalMove) => format!("{loser}の反則負け"),
                Some(Ending::Declaration) => format!("{winner}の入玉勝ち"),
                _ => format!("{winner}の勝ち"),
            }
        }
    };
    Some(format!("{SENTENCE}{moves}手で{by}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Result and ending of a text, where `side` is to move.
    fn end(text: &str, side: Color) -> Option<(Option<GameResult>, Option<Ending>)> {
        Some(match read_statement(text)? {
            Statement::Named(result, ending) => (Some(result), ending),
            Statement::OfMover(closing) => (closing.side_result.result(side), closing.ending),
            Statement::PerpetualCheck | Statement::Unclear => return None,
        })
    }

    #[test]
    fn closing_sentences() {
        let read = |text| end(text, Color::Black);
        let (black, white) = (GameResult::BlackWins, GameResult::WhiteWins);
        assert_eq!(read("まで98手で後手の勝ち"), Some((Some(white), None)));
        assert_eq!(read("まで98手で下手の勝ち"), Some((Some(black), None)));
        let illegal = Some((Some(white), Some(Ending::IllegalMove)));
        assert_eq!(read("まで98手で先手の反則負け"), illegal);
        assert_eq!(read("まで98手で後手の反則勝ち"), illegal);
        let in_time = Some((Some(black), Some(Ending::Time)));
        assert_eq!(read("まで98手で時間切れにより先手の勝ち"), in_time);
        let repeated = Some((Some(GameResult::Draw), Some(Ending::Repetition)));
        assert_eq!(read("まで98手で千日手"), repeated);
        assert_eq!(read("まで98手で詰み"), Some((Some(white), Some(Ending::Mate))));
        assert_eq!(read("まで98手で詰"), Some((Some(white), Some(Ending::Mate))));
        assert_eq!(read("まで98手で不詰"), Some((None, None)));
        assert_eq!(read("まで98手で入玉宣言不成立"), illegal);
        assert_eq!(read("まで98手で中断"), Some((None, Some(Ending::Interruption))));
        assert_eq!(read("まで98手"), None);
    }

    #[test]
    fn the_words_after_a_side_are_about_this_side() {
        use Ending::{Declaration, IllegalMove, Interruption, Mate, Resignation, Time};
        for (text, ending) in [
            ("先手の反則により後手の勝ち", Some(IllegalMove)),
            ("先手の時間切れにより後手の勝ち", Some(Time)),
            ("先手の接続切れで後手の勝ち", Some(Interruption)),
            ("先手の投了により後手の勝ち", Some(Resignation)),
            ("先手の二歩により後手の勝ち", Some(IllegalMove)),
            ("先手の打ち歩詰めで後手の勝ち", Some(IllegalMove)),
            ("先手の入玉宣言不成立により後手の勝ち", Some(IllegalMove)),
            ("先手の負け、後手の勝ち", None),
            ("先手が投了し後手の勝ち", Some(Resignation)),
            ("後手の勝ち（先手の時間切れ）", Some(Time)),
            ("後手勝ち（先手反則負け）", Some(IllegalMove)),
            ("後手の勝ち（時間切れ負け）", Some(Time)),
            ("先手、時間切れにより負け", Some(Time)),
            ("先手は時間切れにより敗北", Some(Time)),
            ("先手反則により勝ち", Some(IllegalMove)),
            ("先手の反則により勝ち", Some(IllegalMove)),
            ("後手は時間切れにより勝ち", Some(Time)),
            ("後手の時間切れ勝ち", Some(Time)),
            ("先手の投了", Some(Resignation)),
            ("先手玉の詰みで後手の勝ち", Some(Mate)),
            ("後手の入玉宣言勝ち", Some(Declaration)),
            ("後手の入玉宣言", Some(Declaration)),
            ("後手勝", None),
            ("先手 勝又 の負け", None),
            ("上手の勝ち", None),
            ("下手の反則負け、上手の勝ち", Some(IllegalMove)),
            ("▲の時間切れにより△の勝ち", Some(Time)),
            ("☗先手の負け", None),
            ("後手番の勝ち", None),
            ("先手の連続王手の千日手により後手の勝ち", Some(IllegalMove)),
            ("連続王手の千日手により先手の負け", Some(IllegalMove)),
            ("Black resigned, White wins", Some(Resignation)),
            ("Gote won on time", Some(Time)),
            ("White wins", None),
        ] {
            for side in Color::ALL {
                let expected = Some((Some(GameResult::WhiteWins), ending));
                assert_eq!(end(&format!("{SENTENCE}98手で{text}"), side), expected, "{text}");
            }
        }
        for text in ["先手の勝ち、後手の勝ち", "羽生の勝ち", "▲の負け、△の負け"]
        {
            assert!(matches!(read_statement(text), Some(Statement::Unclear)), "{text}");
        }
        for text in ["連続王手の千日手", "王手連続千日手", "連続王手", "王手千日手"]
        {
            assert!(matches!(read_statement(text), Some(Statement::PerpetualCheck)), "{text}");
        }
    }

    #[test]
    fn sentences_have_a_number_of_moves() {
        for (text, count) in [
            ("まで98手で後手の勝ち", Some(98)),
            ("まで、１２手にて投了", Some(12)),
            ("まで0手", Some(0)),
            ("まで後手の勝ち", None),
            ("まで手", None),
            ("98手で投了", None),
        ] {
            assert_eq!(count_in_sentence(text), count, "{text}");
        }
    }

    #[test]
    fn closing_comments() {
        let read = |text, is_illegal| {
            read_closing_comment(text, is_illegal).map(|statement| match statement {
                Statement::OfMover(closing) => closing.ending,
                other => panic!("{text}: {other:?}"),
            })
        };
        assert_eq!(read("時間切れにて終局", false), Some(Some(Ending::Time)));
        assert_eq!(read("接続切れにて終局", false), Some(Some(Ending::Interruption)));
        assert_eq!(read("投了にて終局。", false), Some(Some(Ending::Resignation)));
        assert_eq!(read("反則手にて終局", false), Some(Some(Ending::IllegalMove)));
        assert_eq!(read("二歩にて終局", true), Some(Some(Ending::IllegalMove)));
        assert_eq!(read("二歩の反則です", true), Some(Some(Ending::IllegalMove)));
        assert_eq!(read("二歩の反則です", false), None);
        assert_eq!(read("終局後の感想", true), None);
        assert_eq!(read("時間切れが近い", false), None);
        let perpetual = read_closing_comment("連続王手の千日手にて終局", false);
        assert!(matches!(perpetual, Some(Statement::PerpetualCheck)));
    }
}
