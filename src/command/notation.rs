//! Moves as the commands print them, and the language around them.

use std::env;

use super::language::Language;
use crate::record::{MoveScore, japanese_move_text};
use crate::shogi::{Move, Position};

/// A notation of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Notation {
    /// 7g7f
    Usi,
    /// ▲７六歩
    Japanese,
}

/// The options that select notation and language.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct NotationArg {
    /// Notation of printed moves; the default is that of --lang, or Japanese if the locale (LC_ALL,
    /// LC_MESSAGES or LANG) is Japanese
    #[arg(long, value_enum)]
    notation: Option<Notation>,
    /// Language of printed texts; the default is that of the notation
    #[arg(long, value_enum)]
    lang: Option<Language>,
}

/// How moves and texts are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wording {
    pub notation: Notation,
    pub language: Language,
}

impl NotationArg {
    /// The selected notation and language.
    pub fn wording(self) -> Wording {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"];
        let mut set = names.into_iter().filter_map(|name| env::var(name).ok());
        self.in_locale(set.find(|value| !value.is_empty()).as_deref())
    }

    /// Like [`wording`](NotationArg::wording), in a given locale.
    fn in_locale(self, locale: Option<&str>) -> Wording {
        let notation = self.notation.or(self.lang.map(Notation::of_language));
        let notation = notation.unwrap_or_else(|| Notation::of_locale(locale));
        Wording { notation, language: self.lang.unwrap_or(notation.language()) }
    }
}

impl Notation {
    fn language(self) -> Language {
        match self {
            Notation::Usi => Language::English,
            Notation::Japanese => Language::Japanese,
        }
    }

    fn of_language(language: Language) -> Notation {
        language.choose(Notation::Usi, Notation::Japanese)
    }

    fn of_locale(locale: Option<&str>) -> Notation {
        let is_japanese = locale.is_some_and(|name| name.starts_with("ja"));
        if is_japanese { Notation::Japanese } else { Notation::Usi }
    }

    /// The name in the scripts of pages.
    pub fn code(self) -> &'static str {
        match self {
            Notation::Usi => "usi",
            Notation::Japanese => "japanese",
        }
    }

    /// A legal move of a position.
    pub fn name(self, pos: &Position, mv: Move) -> String {
        match self {
            Notation::Usi => mv.to_string(),
            Notation::Japanese => japanese_move_text(pos, mv),
        }
    }

    /// The moves of a legal line from a position.
    pub fn line(self, pos: &Position, moves: &[Move]) -> String {
        let mut pos = pos.clone();
        let name = |&mv: &Move| {
            let name = self.name(&pos, mv);
            pos.do_move(mv);
            name
        };
        moves.iter().map(name).collect::<Vec<String>>().join(" ")
    }
}

/// A text padded with spaces to this width on a terminal.
pub(crate) fn padded(text: &str, width: usize) -> String {
    text.to_owned() + &" ".repeat(width.saturating_sub(columns(text)))
}

/// A text at the right of a column of this width on a terminal.
pub(crate) fn at_right(text: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(columns(text))) + text
}

/// A text in the middle of a column of this width on a terminal.
pub(crate) fn centred(text: &str, width: usize) -> String {
    let left = width.saturating_sub(columns(text)) / 2;
    padded(&(" ".repeat(left) + text), width)
}

/// Width of a text on a terminal, where Japanese characters are two columns wide.
fn columns(text: &str) -> usize {
    text.chars().map(|c| if c >= '\u{2e80}' { 2 } else { 1 }).sum()
}

/// A score as JSON: `{"cp":35}`, or `{"mate":5}`, negative if the side is mated.
pub(crate) fn json_score(score: MoveScore) -> serde_json::Value {
    match score {
        MoveScore::Centipawns(value) => serde_json::json!({ "cp": value }),
        MoveScore::MatesIn(plies) => serde_json::json!({ "mate": plies }),
        MoveScore::MatedIn(plies) => serde_json::json!({ "mate": -i64::from(plies) }),
    }
}

/// Moves as a JSON array of USI moves.
pub(crate) fn json_moves(moves: &[Move]) -> serde_json::Value {
    moves.iter().map(Move::to_string).collect::<Vec<String>>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locale_selects_the_notation() {
        for (locale, expected) in [
            (None, Notation::Usi),
            (Some("C"), Notation::Usi),
            (Some("en_US.UTF-8"), Notation::Usi),
            (Some("ja_JP.UTF-8"), Notation::Japanese),
            (Some("ja"), Notation::Japanese),
        ] {
            assert_eq!(Notation::of_locale(locale), expected, "{locale:?}");
        }
    }

    #[test]
    fn notation_and_language_follow_each_other() {
        use Language::English;
        use Notation::Usi;
        let japanese = (Notation::Japanese, Language::Japanese);
        for (notation, lang, locale, expected) in [
            (None, None, "C", (Usi, English)),
            (None, None, "ja_JP.UTF-8", japanese),
            (Some(Usi), None, "ja_JP.UTF-8", (Usi, English)),
            (Some(Notation::Japanese), None, "C", japanese),
            (None, Some(Language::Japanese), "C", japanese),
            (None, Some(English), "ja_JP.UTF-8", (Usi, English)),
            (Some(Usi), Some(Language::Japanese), "C", (Usi, Language::Japanese)),
        ] {
            let Wording { notation, language } =
                NotationArg { notation, lang }.in_locale(Some(locale));
            assert_eq!((notation, language), expected, "{locale}");
        }
    }

    #[test]
    fn lines_are_named_move_by_move() {
        let moves = ["7g7f", "3c3d", "8h2b+", "3a2b"].map(|mv| mv.parse().expect("a move"));
        let line = |notation: Notation| notation.line(&Position::startpos(), &moves);
        assert_eq!(line(Notation::Usi), "7g7f 3c3d 8h2b+ 3a2b");
        assert_eq!(line(Notation::Japanese), "▲７六歩 △３四歩 ▲２二角成 △同　銀");
        assert_eq!(padded("▲７六歩", 9), "▲７六歩  ");
        assert_eq!(padded("7g7f", 3), "7g7f");
        assert_eq!((at_right("歩", 4), centred("歩", 5)), ("  歩".to_owned(), " 歩  ".to_owned()));
    }

    #[test]
    fn scores_are_json_objects() {
        assert_eq!(json_score(MoveScore::Centipawns(-5)).to_string(), "{\"cp\":-5}");
        assert_eq!(json_score(MoveScore::MatedIn(4)).to_string(), "{\"mate\":-4}");
    }
}
