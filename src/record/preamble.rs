//! What KIF and KI2 say before the first move: names, event, handicap, a board diagram.

use std::io::{self, Write};

use super::diagram::{self, Diagram};
use super::japanese::{side_names, side_of};
use super::lines::Broken;
use super::text::one_line;
use super::transcript::Transcript;
use super::{Fault, Game, GameBuilder, Header};
use crate::shogi::{Color, STARTPOS};

/// Handicaps by name, with the upper player's two back ranks. The upper player (White) moves
/// first.
const HANDICAPS: [(&str, &str); 15] = [
    ("香落ち", "lnsgkgsn1/1r5b1"),
    ("右香落ち", "1nsgkgsnl/1r5b1"),
    ("角落ち", "lnsgkgsnl/1r7"),
    ("飛車落ち", "lnsgkgsnl/7b1"),
    ("飛香落ち", "lnsgkgsn1/7b1"),
    ("二枚落ち", "lnsgkgsnl/9"),
    ("三枚落ち", "lnsgkgsn1/9"),
    ("四枚落ち", "1nsgkgsn1/9"),
    ("五枚落ち", "2sgkgsn1/9"),
    ("左五枚落ち", "1nsgkgs2/9"),
    ("六枚落ち", "2sgkgs2/9"),
    ("左七枚落ち", "2sgkg3/9"),
    ("右七枚落ち", "3gkgs2/9"),
    ("八枚落ち", "3gkg3/9"),
    ("十枚落ち", "4k4/9"),
];

/// Header keys that have a name of their own in [`Header`], or one shared with CSA. The first of a
/// key is the one that is written.
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

/// Keys with which a record begins: behind the moves of a game they announce the next one.
const FIRST_KEYS: [&str; 6] = ["開始日時", "対局日", "棋戦", "表題", "場所", "手合割"];

/// The lines before the first move while they are read.
#[derive(Debug, Default)]
pub(super) struct Preamble {
    pub header: Header,
    handicap: Option<String>,
    diagram: Diagram,
}

impl Preamble {
    /// Reads one trimmed line. Lines that say nothing here (rules of a diagram, remarks) are let
    /// pass: moves cannot hide in them.
    pub fn read(&mut self, text: &str) -> Result<(), Fault> {
        if text.starts_with('|') {
            return self.diagram.read_rank(text);
        }
        if let Some(side) = side_of(text).filter(|_| text.ends_with("手番")) {
            self.diagram.setup.side = side;
        }
        let Some((key, value)) = text.split_once('：') else { return Ok(()) };
        let (key, value) = (key.trim(), value.trim());
        match (key, side_of(key)) {
            ("手合割", _) => self.handicap = Some(value.to_owned()),
            ("手番", _) => self.diagram.setup.side = side_of(value).unwrap_or(Color::Black),
            (_, Some(color)) if key.ends_with("持駒") || key.ends_with("持ち駒") => {
                self.diagram.read_hand(color, value)?;
            }
            ("先手" | "下手", _) => self.header.set("black", value),
            ("後手" | "上手", _) => self.header.set("white", value),
            _ => {
                let known = KEYS.into_iter().find(|&(name, _)| name == key);
                // A title beside the event, a second date keep their own names.
                let is_taken =
                    |key| ["date", "event"].contains(&key) && self.header.get(key).is_some();
                let known = known.filter(|&(_, key)| !is_taken(key));
                self.header.set(known.map_or(key, |(_, key)| key), value);
            }
        }
        Ok(())
    }

    fn start(&self) -> Result<GameBuilder, Fault> {
        if self.diagram.has_board() {
            return Ok(GameBuilder::from_position(self.diagram.to_position()?));
        }
        let Some(name) = &self.handicap else { return Ok(GameBuilder::new()) };
        let bare = |name: &str| name.trim_end_matches('ち').replace("飛車", "飛");
        if bare(name).starts_with("平手") || name.is_empty() {
            return Ok(GameBuilder::new());
        }
        let known = HANDICAPS.into_iter().find(|(known, _)| bare(known) == bare(name));
        let (_, ranks) = known.ok_or_else(|| Fault::unexpected("a handicap", name))?;
        Ok(GameBuilder::from_sfen(&handicap_sfen(ranks))?)
    }

    /// The game, begun at this line of the file, with the comments before its first move.
    pub fn begin(&self, line: usize, remarks: &[&str]) -> Result<Transcript, Broken> {
        let builder = self.start().map_err(|fault| Broken { line, fault })?;
        let mut transcript = Transcript::new(builder);
        remarks.iter().for_each(|text| transcript.comment(text));
        Ok(transcript)
    }
}

/// Whether a line of KIF or KI2 behind the moves of a game begins another record.
pub(super) fn begins_game(text: &str) -> bool {
    let Some((key, _)) = text.split_once('：') else { return false };
    let key = key.trim();
    FIRST_KEYS.contains(&key) || side_of(key).is_some()
}

/// Writes header and start of a game. Keys that are not Japanese words are written as they are.
pub(super) fn write(game: &Game, out: &mut dyn Write) -> io::Result<()> {
    let handicap = handicap_name(game);
    let [black, white] = side_names(handicap.is_some());
    let name = |key: &str| KEYS.into_iter().find(|&(_, known)| known == key).map(|(name, _)| name);
    let field = |out: &mut dyn Write, key: &str, value: &str| {
        writeln!(out, "{}：{}", name(key).unwrap_or(&one_line(key)), one_line(value))
    };
    for key in ["date", "event"] {
        game.header.get(key).map_or(Ok(()), |value| field(out, key, value))?;
    }
    // The handicap tells that a record begins; other keys do not.
    match handicap {
        Some(name) => writeln!(out, "手合割：{name}")?,
        None if game.is_from_usual_start() => writeln!(out, "手合割：平手")?,
        None => {
            writeln!(out, "手合割：その他")?;
            write!(out, "{}", diagram::draw(&game.start_position()))?;
        }
    }
    for (key, value) in &game.header.fields {
        field(out, key, value)?;
    }
    for (name, player) in [black, white].into_iter().zip(&game.header.players) {
        writeln!(out, "{name}：{}", one_line(player.as_deref().unwrap_or_default()))?;
    }
    Ok(())
}

/// The name of the handicap with which the game began, if it has one.
pub(super) fn handicap_name(game: &Game) -> Option<&'static str> {
    let sfen = game.start_sfen();
    HANDICAPS.into_iter().find(|(_, ranks)| handicap_sfen(ranks) == sfen).map(|(name, _)| name)
}

fn handicap_sfen(ranks: &str) -> String {
    let rest = STARTPOS.splitn(3, '/').nth(2).unwrap_or_default();
    format!("{ranks}/{}", rest.replace(" b ", " w "))
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
        for (name, _) in HANDICAPS {
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
            "+-----+",
            "何もない",
        ] {
            preamble.read(line).expect(line);
        }
        let header = preamble.header;
        assert_eq!(header.players, [Some("甲".to_owned()), None]);
        assert_eq!((header.get("event"), header.get("date")), (Some("A"), Some("2020/01/02")));
        assert_eq!(header.get("表題"), Some("B"));
        assert_eq!((header.get("天気"), header.get("note")), (Some("雨"), Some("C：D")));
        assert!(begins_game("手合割：平手") && begins_game("後手：乙"));
        assert!(!begins_game("変化：12手") && !begins_game("まで3手で先手の勝ち"));
    }
}
