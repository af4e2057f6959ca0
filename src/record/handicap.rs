//! Handicaps: start positions with names. The upper player (White) moves first.

use super::notation::words::{count_name, digit, eat_count};
use super::setup::hold_rest;
use super::{Fault, Game, GameBuilder};
use crate::shogi::{Color, Position, STARTPOS};

/// A handicap that JKF has, too.
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

    fn sfen(&self) -> String {
        sfen(&format!("{}/ppppppppp", self.ranks), "-")
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

/// More names that records have: the name, the upper player's three back ranks, and the pieces in
/// hand. Games from these positions are written with their board.
const MORE_NAMES: [(&str, &str, &str); 12] = [
    ("左香落ち", "lnsgkgsn1/1r5b1/ppppppppp", "-"),
    ("両香落ち", "1nsgkgsn1/1r5b1/ppppppppp", "-"),
    ("飛角落ち", "lnsgkgsnl/9/ppppppppp", "-"),
    ("七枚落ち", "3gkgs2/9/ppppppppp", "-"),
    ("九枚落ち", "4kg3/9/ppppppppp", "-"),
    ("十九枚落ち", "4k4/9/9", "-"),
    ("裸玉", "4k4/9/9", "-"),
    ("歩三兵", "4k4/9/9", "3p"),
    ("トンボ", "4k4/1r5b1/ppppppppp", "-"),
    ("トンボ+香", "l3k3l/1r5b1/ppppppppp", "-"),
    ("トンボ+桂香", "ln2k2nl/1r5b1/ppppppppp", "-"),
    ("太閤落ち", "lnsgkgsnl/1r5b1/p1ppppppp", "-"),
];

/// The usual handicaps with their start positions as SFENs; the even game comes first.
pub fn handicaps() -> impl Iterator<Item = (&'static str, String)> {
    let common = HANDICAPS.iter().filter(|handicap| handicap.is_common);
    let named = common.map(|handicap| (handicap.name, handicap.sfen()));
    [("平手", STARTPOS.to_owned())].into_iter().chain(named)
}

/// Names that other programs use for other positions: the third, fifth, seventh and ninth piece can
/// be that of either side.
const SEVERAL_STARTS: [&str; 4] = ["三枚落ち", "五枚落ち", "七枚落ち", "九枚落ち"];

/// Spellings of parts of a name, and the usual ones.
const SPELLINGS: [(&str, &str); 7] = [
    ("おち", "落ち"),
    ("飛車", "飛"),
    ("角行", "角"),
    ("香車", "香"),
    ("兩", "両"),
    ("＋", "+"),
    ("とんぼ", "トンボ"),
];

/// The standard start position in JKF.
const USUAL_PRESET: &str = "HIRATE";
/// Any other start position in JKF.
pub(super) const OTHER_PRESET: &str = "OTHER";

/// The start position with these ranks and this hand of the upper player.
fn sfen(ranks: &str, hand: &str) -> String {
    let lower = STARTPOS.splitn(4, '/').nth(3).unwrap_or_default();
    format!("{ranks}/{}", lower.replace(" b -", &format!(" w {hand}")))
}

/// A name without the differences in spelling of different programs.
fn bare(name: &str) -> String {
    let name = name.split(['(', '（']).next().unwrap_or_default();
    let name: String = name.chars().filter(|c| !c.is_whitespace()).collect();
    let name = SPELLINGS.into_iter().fold(name, |name, (from, to)| name.replace(from, to));
    with_japanese_numbers(name.trim_end_matches('ち').trim_end_matches('落'))
}

/// The text with Japanese numbers in place of digits: 二枚 for 2枚.
fn with_japanese_numbers(text: &str) -> String {
    let (mut rest, mut result) = (text, String::new());
    while let Some(c) = rest.chars().next() {
        let before = rest;
        let is_number = c == '十' || digit(c).is_some();
        let count = if is_number { eat_count(&mut rest) } else { 0 };
        if (2..20).contains(&count) {
            result += &count_name(count);
        } else {
            result.push(c);
            rest = &before[c.len_utf8()..];
        }
    }
    result
}

/// The start position of a handicap by its name; 平手 is the standard one. The second value is a
/// warning if other programs use the name for another position.
pub(super) fn start(name: &str) -> Result<(GameBuilder, Option<Fault>), Fault> {
    if name.starts_with("平手") || name.is_empty() {
        return Ok((GameBuilder::new(), None));
    }
    let wanted = bare(name);
    // 角得: the lower player has the pieces in hand that the upper player lacks.
    let (wanted, has_rest) = match wanted.strip_suffix('得') {
        Some(wanted) => (wanted, true),
        None => (wanted.as_str(), false),
    };
    let common = HANDICAPS.iter().map(|known| (known.name, known.sfen()));
    let more = MORE_NAMES.into_iter().map(|(name, ranks, hand)| (name, sfen(ranks, hand)));
    let known = common.chain(more).find(|(name, _)| bare(name) == wanted);
    let unknown = || Fault::unexpected("a known handicap; give the board", name);
    let (found, sfen) = known.ok_or_else(unknown)?;
    let mut content = Position::from_sfen(&sfen)?.content();
    if has_rest {
        hold_rest(&mut content, Color::Black);
    }
    let pos = Position::from_pieces(&content)?;
    let start = pos.to_sfen();
    let is_open = SEVERAL_STARTS.contains(&found);
    let warning = is_open.then(|| Fault::SeveralStarts { name: name.to_owned(), start });
    Ok((GameBuilder::from_position(pos), warning))
}

/// The start position with this name in JKF.
pub(super) fn preset_start(preset: &str) -> Result<GameBuilder, Fault> {
    if preset == USUAL_PRESET {
        return Ok(GameBuilder::new());
    }
    let known = HANDICAPS.iter().find(|known| known.preset == preset);
    let known = known.ok_or_else(|| Fault::unexpected("a start of JKF", preset))?;
    Ok(GameBuilder::from_sfen(&known.sfen())?)
}

/// The name of a game's start position in JKF; [`OTHER_PRESET`] if the record has the board.
pub(super) fn preset(game: &Game) -> &'static str {
    if game.is_from_usual_start() {
        return USUAL_PRESET;
    }
    Handicap::of(game).filter(|known| known.is_common).map_or(OTHER_PRESET, |known| known.preset)
}

/// The name of the game's handicap, if it has one.
pub(super) fn name(game: &Game) -> Option<&'static str> {
    Handicap::of(game).map(|handicap| handicap.name)
}

/// Whether a game is written with its board: no program knows its start position by a name, or some
/// do not.
pub(super) fn needs_board(game: &Game) -> bool {
    !game.is_from_usual_start() && Handicap::of(game).is_none_or(|known| !known.is_common)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sfen_of(name: &str) -> String {
        let (builder, _) = start(name).expect(name);
        builder.finish().start_sfen().to_owned()
    }

    #[test]
    fn handicaps_round_trip() {
        for Handicap { name, .. } in HANDICAPS {
            let game = start(&format!("{name}　")).expect(name).0.finish();
            assert_eq!(super::name(&game), Some(name));
            assert_eq!(game.start_position().side_to_move(), Color::White);
        }
        let two = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
        assert_eq!(sfen_of("二枚落"), two);
        assert!(start("飛落ち").is_ok());
        assert!(start("平手　　").expect("no handicap").0.finish().is_from_usual_start());
        let error = start("百枚落ち").expect_err("too many").to_string();
        assert!(error.contains("百枚落ち") && error.ends_with("give the board"), "{error}");
        for name in ["その他", "29枚落ち", "枚落ち", "得"] {
            assert!(start(name).is_err(), "{name}");
        }
    }

    #[test]
    fn names_of_other_programs() {
        let rest = "/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w ";
        for (name, upper, hands) in [
            ("七枚落ち", "3gkgs2/9/ppppppppp", "-"),
            ("九枚落ち", "4kg3/9/ppppppppp", "-"),
            ("９枚落ち", "4kg3/9/ppppppppp", "-"),
            ("裸玉", "4k4/9/9", "-"),
            ("十九枚落ち", "4k4/9/9", "-"),
            ("19枚落ち", "4k4/9/9", "-"),
            ("歩三兵", "4k4/9/9", "3p"),
            ("歩3兵", "4k4/9/9", "3p"),
            ("トンボ", "4k4/1r5b1/ppppppppp", "-"),
            ("トンボ＋香", "l3k3l/1r5b1/ppppppppp", "-"),
            ("トンボ + 桂香", "ln2k2nl/1r5b1/ppppppppp", "-"),
            ("太閤落ち", "lnsgkgsnl/1r5b1/p1ppppppp", "-"),
            ("兩香落ち", "1nsgkgsn1/1r5b1/ppppppppp", "-"),
            ("両香落", "1nsgkgsn1/1r5b1/ppppppppp", "-"),
            ("香車落ち", "lnsgkgsn1/1r5b1/ppppppppp", "-"),
            ("飛車角落ち", "lnsgkgsnl/9/ppppppppp", "-"),
            ("2枚落ち", "lnsgkgsnl/9/ppppppppp", "-"),
            ("２枚落ち", "lnsgkgsnl/9/ppppppppp", "-"),
            ("10枚おち", "4k4/9/ppppppppp", "-"),
            ("二枚落ち（上手先番）", "lnsgkgsnl/9/ppppppppp", "-"),
            ("角得", "lnsgkgsnl/1r7/ppppppppp", "B"),
            ("四枚得", "1nsgkgsn1/9/ppppppppp", "RB2L"),
        ] {
            assert_eq!(sfen_of(name), format!("{upper}{rest}{hands} 1"), "{name}");
        }
    }

    #[test]
    fn a_name_for_several_positions_gives_a_warning() {
        for name in ["三枚落ち", "5枚落ち", "七枚落ち", "九枚落ち"] {
            let warning = start(name).expect(name).1.expect("a warning").to_string();
            let sfen = sfen_of(name);
            assert!(warning.contains(name) && warning.contains(&sfen), "{warning}");
        }
        for name in ["平手", "二枚落ち", "左五枚落ち", "裸玉"] {
            assert_eq!(start(name).expect(name).1, None, "{name}");
        }
    }
}
