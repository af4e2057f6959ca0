//! The lines of KIF and KI2 before the first move: names, event, handicap, board diagram.
//!
//! Header lines are `KEY：VALUE`; some programs write an ASCII colon.

use std::io::{self, Write};

use super::diagram::{self, Diagram};
use super::japanese::{self, side_names, side_of};
use super::lines::Broken;
use super::text::one_line;
use super::transcript::Transcript;
use super::{Fault, Game, GameBuilder, Header};
use crate::shogi::{Color, STARTPOS};

/// A handicap of Kifu for Windows. The upper player (White) moves first.
struct Handicap {
    name: &'static str,
    /// The name in JKF.
    preset: &'static str,
    /// The upper player's two back ranks.
    ranks: &'static str,
    /// Whether every program knows the name. Other handicaps are also written with their board.
    is_common: bool,
}

impl Handicap {
    const fn common(name: &'static str, preset: &'static str, ranks: &'static str) -> Handicap {
        Handicap { name, preset, ranks, is_common: true }
    }

    const fn rare(name: &'static str, preset: &'static str, ranks: &'static str) -> Handicap {
        Handicap { name, preset, ranks, is_common: false }
    }

    fn start(&self) -> Result<GameBuilder, Fault> {
        Ok(GameBuilder::from_sfen(&self.sfen())?)
    }

    fn sfen(&self) -> String {
        let rest = STARTPOS.splitn(3, '/').nth(2).unwrap_or_default();
        format!("{}/{}", self.ranks, rest.replace(" b ", " w "))
    }

    /// The handicap of the game, if it has one.
    fn of(game: &Game) -> Option<&'static Handicap> {
        let sfen = game.start_sfen();
        HANDICAPS.iter().find(|handicap| handicap.sfen() == sfen)
    }
}

const HANDICAPS: [Handicap; 15] = [
    Handicap::common("香落ち", "KY", "lnsgkgsn1/1r5b1"),
    Handicap::common("右香落ち", "KY_R", "1nsgkgsnl/1r5b1"),
    Handicap::common("角落ち", "KA", "lnsgkgsnl/1r7"),
    Handicap::common("飛車落ち", "HI", "lnsgkgsnl/7b1"),
    Handicap::common("飛香落ち", "HIKY", "lnsgkgsn1/7b1"),
    Handicap::common("二枚落ち", "2", "lnsgkgsnl/9"),
    Handicap::rare("三枚落ち", "3", "lnsgkgsn1/9"),
    Handicap::common("四枚落ち", "4", "1nsgkgsn1/9"),
    Handicap::rare("五枚落ち", "5", "2sgkgsn1/9"),
    Handicap::rare("左五枚落ち", "5_L", "1nsgkgs2/9"),
    Handicap::common("六枚落ち", "6", "2sgkgs2/9"),
    Handicap::rare("左七枚落ち", "7_L", "2sgkg3/9"),
    Handicap::rare("右七枚落ち", "7_R", "3gkgs2/9"),
    Handicap::common("八枚落ち", "8", "3gkg3/9"),
    Handicap::common("十枚落ち", "10", "4k4/9"),
];

/// The standard start position in JKF.
const USUAL_PRESET: &str = "HIRATE";
/// Any other start position in JKF.
pub(super) const OTHER_PRESET: &str = "OTHER";

/// Header keys and the fields of [`Header`] that store them. Of several keys for one field the first
/// is written.
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
const HANDICAP: &str = "手合割";

/// Keys that start a record. After the moves of a game they start the next one.
const FIRST_KEYS: [&str; 10] =
    ["開始日時", "対局日", "棋戦", "表題", "場所", "手合割", "先手", "後手", "下手", "上手"];

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
        match (key, side_of(key)) {
            (HANDICAP, _) => self.handicap = Some(value.to_owned()),
            ("手番", _) => self.diagram.setup.side = side_of(value).unwrap_or(Color::Black),
            // Some programs write a variation number into the header.
            ("変化", _) => {}
            (_, Some(color)) if is_hand(key) => self.diagram.read_hand(color, value)?,
            _ => set_header(&mut self.header, key, value),
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

    fn start(&self) -> Result<GameBuilder, Fault> {
        if self.diagram.has_board() {
            return Ok(GameBuilder::from_position(self.diagram.to_position()?));
        }
        self.handicap.as_deref().map_or_else(|| Ok(GameBuilder::new()), handicap_start)
    }

    /// A transcript with the start position and the comments before the first move. `line` is the line
    /// of the file for errors.
    pub fn begin(&self, line: usize, remarks: &[&str]) -> Result<Transcript, Broken> {
        let builder = self.start().map_err(|fault| Broken { line, fault })?;
        let mut transcript = Transcript::new(builder);
        remarks.iter().for_each(|text| transcript.comment(text));
        Ok(transcript)
    }
}

/// Sets a header field by its Japanese key.
pub(super) fn set_header(header: &mut Header, key: &str, value: &str) {
    match key {
        "先手" | "下手" => header.set("black", value),
        "後手" | "上手" => header.set("white", value),
        _ => {
            let known = KEYS.into_iter().find(|&(name, _)| name == key);
            // A title in addition to an event, and a second date, keep their own keys.
            let is_taken = |key| ["date", "event"].contains(&key) && header.get(key).is_some();
            let known = known.filter(|&(_, key)| !is_taken(key));
            header.set(known.map_or(key, |(_, key)| key), value);
        }
    }
}

/// The start position of a handicap by its name; 平手 is the standard one.
pub(super) fn handicap_start(name: &str) -> Result<GameBuilder, Fault> {
    let bare = |name: &str| name.trim_end_matches('ち').replace("飛車", "飛");
    if name.starts_with("平手") || name.is_empty() {
        return Ok(GameBuilder::new());
    }
    let known = HANDICAPS.iter().find(|known| bare(known.name) == bare(name));
    known.ok_or_else(|| Fault::unexpected("a handicap", name))?.start()
}

/// The start position with this name in JKF.
pub(super) fn preset_start(preset: &str) -> Result<GameBuilder, Fault> {
    if preset == USUAL_PRESET {
        return Ok(GameBuilder::new());
    }
    let known = HANDICAPS.iter().find(|known| known.preset == preset);
    known.ok_or_else(|| Fault::unexpected("a start of JKF", preset))?.start()
}

/// The name of a game's start position in JKF; [`OTHER_PRESET`] if the record has the board.
pub(super) fn preset(game: &Game) -> &'static str {
    if game.is_from_usual_start() {
        return USUAL_PRESET;
    }
    Handicap::of(game).filter(|known| known.is_common).map_or(OTHER_PRESET, |known| known.preset)
}

/// Whether a key is that of the pieces in hand of a side.
fn is_hand(key: &str) -> bool {
    side_of(key).is_some() && (key.ends_with("持駒") || key.ends_with("持ち駒"))
}

/// Whether a line carries no data: the frame of a diagram, its file numbers, its move number
/// (`手数＝12 ▲７六歩 まで`).
fn is_decoration(text: &str) -> bool {
    let is_plain = |c: char| {
        let is_letter = c.is_alphabetic() || c == char::REPLACEMENT_CHARACTER;
        !is_letter || japanese::digit(c).is_some()
    };
    text.starts_with("手数") || text.starts_with('+') || text.chars().all(is_plain)
}

/// Whether a line of KIF or KI2 after the moves of a game starts another record.
pub(super) fn begins_game(text: &str) -> bool {
    let Some((key, _)) = split_key(text) else { return false };
    FIRST_KEYS.contains(&key) || is_hand(key)
}

/// Writes the header and the start position of a game.
pub(super) fn write(game: &Game, out: &mut dyn Write) -> io::Result<()> {
    let handicap = Handicap::of(game);
    let is_usual = game.is_from_usual_start();
    for (key, value) in fields(game) {
        writeln!(out, "{key}：{value}")?;
        // The board follows the line that starts a record.
        let has_board = !is_usual && handicap.is_none_or(|known| !known.is_common);
        if key == HANDICAP && has_board {
            write!(out, "{}", diagram::draw(&game.start_position()))?;
        }
    }
    Ok(())
}

/// Header fields with their Japanese keys. Keys without a Japanese name are kept.
pub(super) fn fields(game: &Game) -> Vec<(String, String)> {
    let handicap = Handicap::of(game);
    let japanese =
        |key: &str| KEYS.into_iter().find(|&(_, known)| known == key).map(|(name, _)| name);
    let field = |key: &str, value: &str| {
        (japanese(key).map_or_else(|| one_line(key), str::to_owned), one_line(value))
    };
    let mut fields = Vec::new();
    for key in ["date", "event"] {
        fields.extend(game.header.get(key).map(|value| field(key, value)));
    }
    // The handicap is always written, because it starts the record.
    let usual = if game.is_from_usual_start() { "平手" } else { "その他" };
    let name = handicap.map_or(usual, |known| known.name);
    fields.push((HANDICAP.to_owned(), name.to_owned()));
    fields.extend(game.header.fields.iter().map(|(key, value)| field(key, value)));
    for (name, player) in side_names(handicap.is_some()).into_iter().zip(&game.header.players) {
        fields.push((name.to_owned(), one_line(player.as_deref().unwrap_or_default())));
    }
    fields
}

/// The name of the game's handicap, if it has one.
pub(super) fn handicap_name(game: &Game) -> Option<&'static str> {
    Handicap::of(game).map(|handicap| handicap.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(lines: &[&str]) -> Result<GameBuilder, Fault> {
        let mut preamble = Preamble::default();
        for line in lines {
            preamble.read(line)?;
        }
        preamble.start()
    }

    #[test]
    fn handicaps_round_trip() {
        for Handicap { name, .. } in HANDICAPS {
            let game = start(&[&format!("手合割：{name}　")]).expect(name).finish();
            assert_eq!(handicap_name(&game), Some(name));
            assert_eq!(game.start_position().side_to_move(), Color::White);
        }
        let two = start(&["手合割：二枚落"]).expect("a handicap").finish();
        let sfen = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
        assert_eq!(two.start_sfen(), sfen);
        assert!(start(&["手合割：飛落ち"]).is_ok());
        assert!(start(&["手合割：平手　　"]).expect("no handicap").finish().is_from_usual_start());
        let error = start(&["手合割：百枚落ち"]).expect_err("too many").to_string();
        assert!(error.contains("百枚落ち"), "{error}");
        assert!(start(&["手合割：その他"]).is_err());
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
