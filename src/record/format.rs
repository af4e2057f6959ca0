//! The formats, and how a file's format is detected.

use std::path::Path;

use super::closing::SENTENCE;
use super::lines::{LineDecoder, split_lines};
use super::notation::words::RANKS;
use super::packed::Layout;
use super::{csa, jkf, ki2, kif, packed, preamble};
use crate::shogi::Move;

/// The first line of an opening book.
const BOOK_HEADER: &[u8] = b"#YANEURAOU-DB2016";

/// A format of game records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// `startpos moves ... | key=value | ...`, one game per line.
    Usi,
    /// `moves | scores | result`, one game per line.
    Labelled,
    /// The Computer Shogi Association's format.
    Csa,
    /// One move per line, in Japanese, with origin squares.
    Kif,
    /// Moves in Japanese notation, without origin squares.
    Ki2,
    /// JSON Kifu Format.
    Jkf,
    /// Training positions of YaneuraOu and nodchip, 40 bytes each.
    Psv,
    /// Training positions of Apery and dlshogi, 38 bytes each.
    Hcpe,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 8] = [
        Format::Usi,
        Format::Labelled,
        Format::Csa,
        Format::Kif,
        Format::Ki2,
        Format::Jkf,
        Format::Psv,
        Format::Hcpe,
    ];

    /// The formats that store whole games.
    pub const OF_GAMES: [Format; 6] =
        [Format::Usi, Format::Labelled, Format::Csa, Format::Kif, Format::Ki2, Format::Jkf];

    /// Whether the format stores variations.
    pub fn has_variations(self) -> bool {
        matches!(self, Format::Kif | Format::Ki2 | Format::Jkf)
    }

    /// Whether programs read several games from such a file. Kankei also reads files of joined KIF,
    /// KI2 and JKF, but other programs read one game from them. A `.jsonl` file has a JKF object
    /// per line.
    pub fn has_several_games(self, path: &Path) -> bool {
        !self.has_variations() || extension(path).as_deref() == Some("jsonl")
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        ["usi", "labelled", "csa", "kif", "ki2", "jkf", "psv", "hcpe"][self as usize]
    }

    /// Reads [`name`](Format::name).
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The format of a file name's extension. A following `.zst` is ignored.
    pub fn from_file_name(path: &Path) -> Option<Format> {
        match extension(path)?.as_str() {
            "usi" | "sfen" => Some(Format::Usi),
            "labelled" => Some(Format::Labelled),
            "csa" => Some(Format::Csa),
            "kif" | "kifu" | "bod" => Some(Format::Kif),
            "ki2" | "ki2u" => Some(Format::Ki2),
            "jkf" | "json" | "jsonl" => Some(Format::Jkf),
            "psv" | "bin" => Some(Format::Psv),
            "hcpe" => Some(Format::Hcpe),
            _ => None,
        }
    }

    /// Whether the files are texts.
    pub fn is_text(self) -> bool {
        self.layout().is_none()
    }

    /// The layout of a format of training positions; `None` for other formats.
    pub(super) fn layout(self) -> Option<Layout> {
        match self {
            Format::Psv => Some(Layout::Psv),
            Format::Hcpe => Some(Layout::Hcpe),
            _ => None,
        }
    }

    /// The format of a file by its first lines. If they fit several formats (KIF and KI2 have the
    /// same header lines), the name decides.
    pub(super) fn detect(path: &Path, head: &[u8], decoder: LineDecoder) -> Option<Format> {
        let named = Format::from_file_name(path);
        if let Some(layout) = named.and_then(Format::layout) {
            // Other files are named .bin as well.
            let is_certain = extension(path).as_deref() != Some("bin");
            return named.filter(|_| is_certain || packed::is_possible(layout, head));
        }
        if jkf::is_typical(head) {
            return Some(Format::Jkf);
        }
        let mut is_japanese = false;
        for bytes in split_lines(head) {
            let text = decoder.decode(bytes);
            let text = text.trim();
            if let Some(format) = Format::of_line(text) {
                return Some(format);
            }
            let is_rank = text.starts_with('|') && text.ends_with(RANKS);
            let has_key = preamble::split_key(text).is_some_and(|(key, _)| !key.is_ascii());
            is_japanese |= has_key || is_rank || text.starts_with("#KIF");
        }
        if is_japanese && named != Some(Format::Ki2) { Some(Format::Kif) } else { named }
    }

    /// The only format with such a line, if there is one.
    fn of_line(text: &str) -> Option<Format> {
        let first = text.split_ascii_whitespace().next()?;
        let is_start = matches!(first, "startpos" | "sfen" | "position");
        if is_start || first.matches('/').count() == 8 || first.parse::<Move>().is_ok() {
            // Fields of USI lines are key=value.
            let is_labelled = text.contains('|') && !text.contains('=');
            return if is_labelled { Some(Format::Labelled) } else { Some(Format::Usi) };
        }
        if csa::is_typical(text) {
            return Some(Format::Csa);
        }
        if text.starts_with(SENTENCE) {
            return None;
        }
        if ki2::is_move_line(text) {
            return Some(Format::Ki2);
        }
        kif::is_move_line(text).then_some(Format::Kif)
    }
}

/// The extension of a file name in lower case, without the dot. `.zst` is ignored.
pub(super) fn extension(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?.to_ascii_lowercase();
    let name = name.strip_suffix(".zst").unwrap_or(&name);
    Some(name.rsplit_once('.')?.1.to_owned())
}

/// Whether a file with these first bytes is an opening book.
pub(super) fn is_book(head: &[u8]) -> bool {
    let head = head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(head);
    head.trim_ascii_start().starts_with(BOOK_HEADER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_goes_before_name() {
        let detect = |name: &str, text: &str| {
            Format::detect(Path::new(name), text.as_bytes(), LineDecoder::of(text.as_bytes()))
        };
        for (text, format) in [
            ("# remark\n\nstartpos moves 7g7f | winner=b", Format::Usi),
            ("position startpos", Format::Usi),
            ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", Format::Usi),
            ("7g7f 3c3d | . 12 | b", Format::Labelled),
            ("startpos moves 7g7f | . | b", Format::Labelled),
            ("V2.2\nN+a", Format::Csa),
            ("'remark\n+7776FU", Format::Csa),
            ("PI", Format::Csa),
            ("# ---- Kifu\n手合割：平手\n先手：甲\n手数----指手---", Format::Kif),
            ("手合割：平手\n   1 ７六歩(77)", Format::Kif),
            ("先手：甲\n後手：乙\n\n▲７六歩    △３四歩", Format::Ki2),
            ("#KIF version=2.0 encoding=UTF-8\n先手：甲\n\n▲７六歩", Format::Ki2),
            ("先手:甲\n1. ７六歩(77)", Format::Kif),
            ("{\"header\":{},\"moves\":[{}]}", Format::Jkf),
            (" [{\n\"moves\": []}]", Format::Jkf),
        ] {
            for name in ["x", "x.usi", "x.csa", "x.kif", "x.ki2"] {
                assert_eq!(detect(name, text), Some(format), "{name} {text}");
            }
        }
        assert_eq!(detect("x.txt", "手合割：平手\n"), Some(Format::Kif));
        assert_eq!(detect("x.ki2", "手合割：平手\n"), Some(Format::Ki2));
        assert_eq!(detect("x.CSA.zst", ""), Some(Format::Csa));
        assert_eq!(detect("x.txt", "hello\n"), None);
        assert_eq!(detect("x.md", "| a | table |\n|---|---|\n"), None);
        assert_eq!(detect("x.txt", "| ・v玉 ・|一\n"), Some(Format::Kif));
        assert_eq!(detect("x.txt", "先手:甲\n後手:乙\n"), Some(Format::Kif));
        assert_eq!(detect("x.txt", "1. a list\n2. of things: two\n"), None);
        for format in Format::ALL {
            assert_eq!(Format::from_name(format.name()), Some(format));
            assert_eq!(detect(&format!("x.{}", format.name()), ""), Some(format));
        }
    }
}
