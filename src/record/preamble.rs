//! The lines of KIF and KI2 before the first move: names, event, handicap, board diagram.
//!
//! Header lines are `KEY：VALUE`; some programs write an ASCII colon.

use std::io::{self, Write};

use super::closing::SENTENCE;
use super::diagram::{self, Diagram};
use super::lines::Broken;
use super::notation::words::{digit, side_names, side_of, split_mark, split_number};
use super::text::one_line;
use super::transcript::Transcript;
use super::{Fault, Game, GameBuilder, Header, handicap};
use crate::shogi::Color;

/// Header keys and the fields of [`Header`] that store them. Of several keys for one field, the
/// first one that the record does not have for another field is written.
const KEYS: [(&str, &str); 10] = [
    ("開始日時", "date"),
    ("対局日", "date"),
    ("終了日時", "end_time"),
    ("棋戦", "event"),
    ("表題", "event"),
    ("場所", "site"),
    ("持ち時間", "time_limit"),
    ("戦型", "opening"),
    ("備考", "note"),
    ("消費時間", "time_used"),
];

/// The key of the handicap.
pub(super) const HANDICAP: &str = "手合割";

/// Start of the line between the header and the moves of KIF.
pub(super) const HEAD_OF_MOVES: &str = "手数-";

/// Keys of the players.
const PLAYERS: [(&str, Color); 4] = [
    ("先手", Color::Black),
    ("下手", Color::Black),
    ("後手", Color::White),
    ("上手", Color::White),
];

/// Keys that start a record. After the moves of a game they start the next one.
const FIRST_KEYS: [&str; 10] =
    ["開始日時", "対局日", "棋戦", "表題", "場所", "手合割", "先手", "後手", "下手", "上手"];

/// Last words of a key for the pieces in hand of a side.
const HANDS: [&str; 3] = ["持駒", "持ち駒", "もち駒"];

/// Characters between two names in one line.
const SEPARATORS: [char; 11] = ['/', '／', '|', '｜', '、', '，', ',', '・', ';', ' ', '　'];

/// Longest key before an ASCII colon, characters. Longer text is prose.
const LONGEST_KEY: usize = 16;

/// Key and value of a header line. A key before an ASCII colon consists of letters, because times
/// also contain such colons.
pub(super) fn split_key(text: &str) -> Option<(&str, &str)> {
    let (key, value) = text.split_once(['：', ':'])?;
    let is_wide = text[key.len()..].starts_with('：');
    let (key, value) = (key.trim(), value.trim());
    let is_key = is_wide
        || (key.chars().count() <= LONGEST_KEY
            && key.chars().all(|c| c.is_alphabetic() || c == '_' || c == '-'));
    (is_key && !key.is_empty()).then_some((key, value))
}

/// State while the lines before the first move are read.
#[derive(Debug, Default)]
pub(super) struct Preamble {
    pub header: Header,
    handicap: Option<String>,
    diagram: Diagram,
}

impl Preamble {
    /// Reads one trimmed line. Returns whether the line has a meaning.
    pub fn read(&mut self, text: &str) -> Result<bool, Fault> {
        if text.starts_with('|') {
            self.diagram.read_rank(text)?;
            return Ok(true);
        }
        if let Some(side) = side_of(text).filter(|_| text.ends_with("手番")) {
            self.diagram.setup.side = side;
            return Ok(true);
        }
        let Some((key, value)) = split_key(text) else { return Ok(is_decoration(text)) };
        match (key, hand_owner(key)) {
            (HANDICAP, _) => self.handicap = Some(value.to_owned()),
            ("手番", _) => self.diagram.setup.side = side_of(value).unwrap_or(Color::Black),
            // Some programs write a variation number into the header.
            ("変化", _) => {}
            (_, Some(Some(color))) => self.diagram.read_hand(color, value)?,
            // A hand that is left out gives another position.
            (_, Some(None)) => return Ok(false),
            (_, None) => set_header(&mut self.header, key, value),
        }
        Ok(true)
    }

    /// Reads a header line after the moves. Returns whether it is one.
    pub fn read_field(&mut self, text: &str) -> bool {
        let field = split_key(text).filter(|(_, value)| !value.is_empty());
        let Some((key, value)) = field else { return is_decoration(text) };
        set_header(&mut self.header, key, value);
        true
    }

    /// Whether a board diagram was read.
    pub fn has_board(&self) -> bool {
        self.diagram.has_board()
    }

    /// The start position, and a warning if the name of the handicap is not exact.
    fn start(&self) -> Result<(GameBuilder, Option<Fault>), Fault> {
        if self.diagram.has_board() {
            return Ok((GameBuilder::from_position(self.diagram.to_position()?), None));
        }
        handicap::start(self.handicap.as_deref().unwrap_or_default())
    }

    /// A transcript with the start position and the comments before the first move. `line` is the
    /// line of the file for errors.
    pub fn begin(&self, line: usize, remarks: &[&str]) -> Result<Transcript, Broken> {
        let broken = |fault| Broken { line, fault };
        let (builder, warning) = self.start().map_err(broken)?;
        let mut transcript = Transcript::new(builder);
        warning.map(broken).into_iter().for_each(|warning| transcript.warn(warning));
        remarks.iter().for_each(|text| transcript.comment(text));
        Ok(transcript)
    }
}

/// Sets a header field by its Japanese key.
pub(super) fn set_header(header: &mut Header, key: &str, value: &str) {
    match PLAYERS.into_iter().find(|&(name, _)| name == key) {
        Some((_, color)) => set_player(header, color, value),
        None => {
            let known = KEYS.into_iter().find(|&(name, _)| name == key);
            // A title in addition to an event, and a second date, keep their own keys.
            let is_taken = |key| ["date", "event"].contains(&key) && header.get(key).is_some();
            let known = known.filter(|&(_, key)| !is_taken(key));
            header.set(known.map_or(key, |(_, key)| key), value);
        }
    }
}

/// Sets the name of a player. Some programs write both players in one line: `先手: 甲 / 後手: 乙`.
fn set_player(header: &mut Header, color: Color, text: &str) {
    let second = text.char_indices().find_map(|(at, _)| {
        let (key, color) = PLAYERS.into_iter().find(|(key, _)| text[at..].starts_with(key))?;
        let name = text[at + key.len()..].trim_start().strip_prefix(['：', ':'])?;
        (at == 0 || text[..at].ends_with(SEPARATORS)).then_some((at, color, name))
    });
    let first = second.map_or(text, |(at, ..)| text[..at].trim_end_matches(SEPARATORS));
    header.set(["black", "white"][color.index()], first);
    if let Some((_, color, name)) = second {
        set_player(header, color, name);
    }
}

/// Whose pieces in hand a key is about; `None` if it is another key. In problems of mate, 攻方 (the
/// attacker) and 持駒 alone are Black, 受方 and 玉方 (the defender) White. The inner value is `None` if
/// the owner is unknown.
fn hand_owner(key: &str) -> Option<Option<Color>> {
    let owner = HANDS.iter().find_map(|word| key.strip_suffix(word))?;
    let (mark, owner) = split_mark(owner.trim_end_matches(['の', '側', ' ', '　']));
    Some(mark.or_else(|| match owner.chars().next() {
        None | Some('攻' | '詰') => Some(Color::Black),
        Some('受' | '玉' | '守') => Some(Color::White),
        Some(_) => side_of(owner),
    }))
}

/// Whether a key is that of the pieces in hand of a known side.
fn is_hand(key: &str) -> bool {
    hand_owner(key).is_some_and(|owner| owner.is_some())
}

/// Whether a line carries no data: the frame of a diagram, its file numbers, its move number
/// (`手数＝12 ▲７六歩 まで`).
fn is_decoration(text: &str) -> bool {
    let is_plain = |c: char| {
        let is_letter = c.is_alphabetic() || c == char::REPLACEMENT_CHARACTER;
        !is_letter || digit(c).is_some()
    };
    text.starts_with("手数") || text.starts_with('+') || text.chars().all(is_plain)
}

/// Whether a line is about the pieces in hand of a side.
pub(super) fn is_hand_line(text: &str) -> bool {
    split_key(text).is_some_and(|(key, _)| is_hand(key))
}

/// Whether a line of KIF or KI2 after the moves of a game starts another record.
pub(super) fn begins_game(text: &str) -> bool {
    split_key(text).is_some_and(|(key, _)| FIRST_KEYS.contains(&key) || is_hand(key))
}

/// Whether one record can have several lines with this key. It has one start position and two
/// players, but earlier versions of Kankei wrote the two dates of a record with one key.
pub(super) fn can_repeat(key: &str) -> bool {
    KEYS.iter().any(|(name, _)| *name == key)
}

/// Writes the header and the start position of a game. The board comes last: readers of several
/// records take a header line behind a board for the next record.
pub(super) fn write(game: &Game, out: &mut dyn Write) -> io::Result<()> {
    fields(game, is_line).iter().try_for_each(|(key, value)| writeln!(out, "{key}：{value}"))?;
    if handicap::needs_board(game) {
        write!(out, "{}", diagram::draw(&game.start_position()))?;
    }
    Ok(())
}

/// Number of header lines whose key another line has.
pub(super) fn repeated_keys(game: &Game, is_kept: IsKept) -> usize {
    let fields = fields(game, is_kept);
    let is_repeated = |at: &usize| fields[..*at].iter().any(|(key, _)| *key == fields[*at].0);
    (0..fields.len()).filter(is_repeated).count()
}

/// Whether a format stores a header field with this key and this value.
pub(super) type IsKept = fn(&str, &str) -> bool;

/// [`IsKept`] of KIF and KI2: whether the line is read as that field, not as a comment, a move, a
/// sentence or a part of the start position.
pub(super) fn is_line(key: &str, _: &str) -> bool {
    let starts_another = key.starts_with(['#', '*', '&'])
        || key.starts_with(SENTENCE)
        || key.starts_with(HEAD_OF_MOVES)
        || split_number(key).is_some()
        || split_mark(key).0.is_some();
    let mut preamble = Preamble::default();
    let is_read = !starts_another && preamble.read(&format!("{key}：x")) == Ok(true);
    is_read && preamble.header.fields.iter().any(|(name, _)| name == key)
}

/// Whether a key names a player.
pub(super) fn is_player(key: &str) -> bool {
    PLAYERS.iter().any(|(name, _)| *name == key)
}

/// Number of header fields that a format does not store.
pub(super) fn lost_fields(game: &Game, is_kept: IsKept) -> usize {
    game.header.fields.iter().filter(|field| !is_written(field, is_kept)).count()
}

/// Whether [`fields`] includes a header field.
fn is_written((key, value): &(String, String), is_kept: IsKept) -> bool {
    KEYS.iter().any(|&(japanese, name)| key == japanese || key == name)
        || is_kept(&one_line(key), value)
}

/// Header fields with their Japanese keys. Keys without a Japanese name are kept as they are.
pub(super) fn fields(game: &Game, is_kept: IsKept) -> Vec<(String, String)> {
    let handicap = handicap::name(game);
    // A record can have two dates, or a title in addition to an event, each with its own key.
    let is_free = |name: &str| game.header.fields.iter().all(|(key, _)| key != name);
    let japanese = |key: &str| {
        let mut names = KEYS.into_iter().filter(|&(_, known)| known == key);
        names.find(|(name, _)| is_free(name)).map(|(name, _)| name)
    };
    let field = |key: &str, value: &str| {
        (japanese(key).map_or_else(|| one_line(key), str::to_owned), one_line(value))
    };
    let mut fields = Vec::new();
    for key in ["date", "event"] {
        fields.extend(game.header.get(key).map(|value| field(key, value)));
    }
    // The handicap is always written, because it starts the record.
    let usual = if game.is_from_usual_start() { "平手" } else { "その他" };
    fields.push((HANDICAP.to_owned(), handicap.unwrap_or(usual).to_owned()));
    let written = game.header.fields.iter().filter(|field| is_written(field, is_kept));
    fields.extend(written.map(|(key, value)| field(key, value)));
    for (name, player) in side_names(handicap.is_some()).into_iter().zip(&game.header.players) {
        fields.push((name.to_owned(), one_line(player.as_deref().unwrap_or_default())));
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_that_would_mean_something_else_are_left_out() {
        let mut game = GameBuilder::new().finish();
        let others = ["手合割", "手番", "変化", "先手の持駒", "先手", "まで5手", "手数-"];
        let signs = ["*a", "#a", "&a", "▲７六歩", "1 ７六歩(77)", "a：b"];
        let kept = ["天気", "三番勝負", "1日目", "site", "対局日", "winner"];
        for key in others.into_iter().chain(signs).chain(kept) {
            game.header.set(key, "x");
        }
        let names = fields(&game, is_line);
        let names: Vec<&str> = names.iter().map(|(key, _)| key.as_str()).collect();
        let written = ["天気", "三番勝負", "1日目", "場所", "対局日", "winner"];
        assert_eq!(names, [&["手合割"][..], &written, &["先手", "後手"]].concat());
        assert_eq!(lost_fields(&game, is_line), others.len() + signs.len());
    }

    #[test]
    fn header_lines() {
        let mut preamble = Preamble::default();
        for line in [
            "開始日時：2020/01/02",
            "棋戦：A",
            "表題：B",
            "先手：甲",
            "後手：",
            "天気：雨",
            "備考：C：D",
            "場所:D:E",
            "+-----+",
            "手数＝3  ▲７六歩  まで",
            "  ９ ８ ７ ６ ５ ４ ３ ２ １",
        ] {
            assert_eq!(preamble.read(line), Ok(true), "{line}");
        }
        for line in
            ["何もない", "1 ▲foo", "7776FU", "1. ７六歩(77) ( 0:03/)", "see: a: b", "\u{fffd}"]
        {
            assert_eq!(preamble.read(line), Ok(line.starts_with("see")), "{line}");
        }
        let header = preamble.header;
        assert_eq!(header.players, [Some("甲".to_owned()), None]);
        assert_eq!((header.get("event"), header.get("date")), (Some("A"), Some("2020/01/02")));
        assert_eq!(header.get("表題"), Some("B"));
        assert_eq!((header.get("天気"), header.get("note")), (Some("雨"), Some("C：D")));
        assert_eq!(header.get("site"), Some("D:E"));
        for line in ["手合割：平手", "後手：乙", "後手:乙", "上手の持駒：なし"]
        {
            assert!(begins_game(line), "{line}");
        }
        for line in ["変化：12手", "まで3手で先手の勝ち", "先手消費時間：3分", "後手番"]
        {
            assert!(!begins_game(line), "{line}");
        }
    }
}
