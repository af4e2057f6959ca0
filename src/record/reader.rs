//! Reads games from files.

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use encoding_rs_io::DecodeReaderBytes;

use super::jkf::JkfRecords;
use super::line_records::LineRecords;
use super::lines::{Broken, LineDecoder, Reading, text_lines};
use super::packed::PackedRecords;
use super::records::Records;
use super::{Format, Game, RecordError, Warning, format};
use crate::file;

/// Bytes that are read to detect the format and the encoding.
const HEAD_BYTES: u64 = 1 << 16;
const BUFFER_BYTES: usize = 1 << 16;
/// The first bytes of a zstd frame (RFC 8878).
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The byte order marks of UTF-16.
const UTF_16_MARKS: [[u8; 2]; 2] = [[0xff, 0xfe], [0xfe, 0xff]];

/// The games of one file, read one at a time. Only an array of JKF is read into memory as a whole.
///
/// A game is kept up to the first move that cannot be read or played; [`take_warnings`] reports
/// such moves and other lines that were not understood. A game is an error of its own
/// ([`RecordError::Broken`]) if more moves follow, or if nothing of it was understood; the next
/// call returns the next game. After [`RecordError::Read`] there are no more games.
///
/// [`take_warnings`]: GameReader::take_warnings
pub struct GameReader {
    path: PathBuf,
    format: Format,
    records: Box<dyn Records>,
    warnings: Vec<Warning>,
    is_strict: bool,
    has_failed: bool,
}

impl GameReader {
    /// Opens a file.
    ///
    /// # Errors
    /// [`RecordError::Read`], [`RecordError::UnknownFormat`] and [`RecordError::OtherKind`].
    pub fn open(path: &Path) -> Result<GameReader, RecordError> {
        let file = file::open(path)
            .map_err(|source| RecordError::Read { path: path.to_owned(), source })?;
        GameReader::new(path, file)
    }

    /// Reads any bytes, zstd-compressed or not; `path` names them in errors and hints at the
    /// format.
    ///
    /// # Errors
    /// As [`open`](GameReader::open).
    pub fn new(path: &Path, input: impl Read + Send + 'static) -> Result<GameReader, RecordError> {
        let failed = |source| RecordError::Read { path: path.to_owned(), source };
        let (head, rest) = split_head(input).map_err(failed)?;
        let decoder = LineDecoder::of(&head);
        // Training positions can have any bytes.
        let is_packed = Format::from_file_name(path).and_then(Format::layout).is_some();
        // No text has a null byte.
        let binary = head.contains(&0).then_some("a binary file");
        let kind = if format::is_book(&head) {
            Some("a book")
        } else {
            file::other_kind(path, &head).or(binary)
        };
        if let Some(kind) = kind.filter(|_| !is_packed) {
            return Err(RecordError::OtherKind(path.to_owned(), kind));
        }
        let format = Format::detect(path, &head, decoder)
            .ok_or_else(|| RecordError::UnknownFormat(path.to_owned()))?;
        let input = Cursor::new(head).chain(rest);
        let records: Box<dyn Records> = match (format.layout(), format) {
            (Some(layout), _) => Box::new(PackedRecords::new(layout, Box::new(input))),
            (None, Format::Jkf) => Box::new(JkfRecords::new(input)),
            _ => Box::new(LineRecords::new(format, Box::new(text_lines(input, decoder)))),
        };
        let path = path.to_owned();
        let (warnings, is_strict, has_failed) = (Vec::new(), false, false);
        Ok(GameReader { path, format, records, warnings, is_strict, has_failed })
    }

    /// With `is_strict`, a game with a warning is an error.
    #[must_use]
    pub fn strict(self, is_strict: bool) -> GameReader {
        GameReader { is_strict, ..self }
    }

    /// The format of the file.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Warnings of the games read since the last call.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.warnings)
    }

    fn keep(&mut self, reading: Reading) -> Result<Game, Broken> {
        let Reading { game, mut warnings } = reading;
        if self.is_strict && !warnings.is_empty() {
            return Err(warnings.swap_remove(0));
        }
        let warning = |Broken { line, fault }| Warning { path: self.path.clone(), line, fault };
        self.warnings.extend(warnings.into_iter().map(warning));
        Ok(game)
    }
}

impl Iterator for GameReader {
    type Item = Result<Game, RecordError>;

    fn next(&mut self) -> Option<Result<Game, RecordError>> {
        if self.has_failed {
            return None;
        }
        let record = self.records.next()?;
        self.has_failed = record.is_err();
        Some(match record {
            Err(source) => Err(RecordError::Read { path: self.path.clone(), source }),
            Ok(reading) => {
                reading.and_then(|reading| self.keep(reading)).map_err(|Broken { line, fault }| {
                    RecordError::Broken { path: self.path.clone(), line, fault }
                })
            }
        })
    }
}

/// The first bytes and the rest of the input, decompressed and decoded from UTF-16.
fn split_head(input: impl Read + Send + 'static) -> io::Result<(Vec<u8>, Box<dyn BufRead + Send>)> {
    let mut input: Box<dyn BufRead + Send> =
        Box::new(BufReader::with_capacity(BUFFER_BYTES, input));
    if input.fill_buf()?.starts_with(&ZSTD_MAGIC) {
        let decoder = zstd::Decoder::with_buffer(input)?;
        input = Box::new(BufReader::with_capacity(BUFFER_BYTES, decoder));
    }
    if UTF_16_MARKS.iter().any(|mark| input.fill_buf().is_ok_and(|bytes| bytes.starts_with(mark))) {
        let decoder = DecodeReaderBytes::new(input);
        input = Box::new(BufReader::with_capacity(BUFFER_BYTES, decoder));
    }
    let mut head = Vec::new();
    input.as_mut().take(HEAD_BYTES).read_to_end(&mut head)?;
    Ok((head, input))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> Vec<Result<Game, String>> {
        let bytes = Cursor::new(text.as_bytes().to_vec());
        let reader = GameReader::new(Path::new(name), bytes).expect("a known format");
        reader.map(|game| game.map_err(|error| error.to_string())).collect()
    }

    #[test]
    fn a_broken_game_does_not_lose_the_others() {
        let usi = "startpos moves 7g7f\n\n# remark\nstartpos moves 7g7e\nstartpos moves 2g2f\n";
        let csa =
            "V2.2\nPI\n+\n+7776FU\n/\n\nPI\n+\n+7775FU\n%TORYO\n/\nPI\n+\n+2726FU\n%TORYO\n/\n";
        let kif = "手合割：平手\n   1 ７六歩(77)\n   2 中断\n\n開始日時：2020\n手合割：平手\n\
                   後手：乙\n   1 ７五歩(77)\n変化：1手\n   1 ２六歩(27)\n\
                   手合割：平手\n   1 ２六歩(27)\n変化：1手\n   1 ７六歩(77)\n";
        let ki2 = "手合割：平手\n▲７六歩\n手合割：平手\n\n▲７五金\n変化：1手\n▲２六歩\n\
                   変化：1手\n▲３六歩\n手合割：平手\n▲２六歩\n";
        for (name, text, place) in [
            ("x.usi", usi, "x.usi:4: "),
            ("x.csa", csa, "x.csa:9: "),
            ("x.kif", kif, "x.kif:8: "),
            ("x.ki2", ki2, "x.ki2:5: "),
        ] {
            let games = read(name, text);
            assert_eq!(games.len(), 3, "{name}");
            for (at, usi) in [(0, "7g7f"), (2, "2g2f")] {
                let moves = games[at].as_ref().map(|game| game.moves()[0].to_string());
                assert_eq!(moves, Ok(usi.to_owned()), "{name}");
            }
            let error = games[1].as_ref().expect_err("broken");
            assert!(error.starts_with(place), "{error}");
        }
    }

    #[test]
    fn strict_readers_refuse_what_others_keep() {
        let text = "startpos moves 7g7f 7g7f\nstartpos moves 2g2f\n";
        let reader = || GameReader::new(Path::new("x.usi"), text.as_bytes()).expect("a format");
        let mut lenient = reader();
        assert_eq!(lenient.by_ref().filter(Result::is_ok).count(), 2);
        let warnings: Vec<String> =
            lenient.take_warnings().iter().map(ToString::to_string).collect();
        assert_eq!(warnings.len(), 1);
        assert!(warnings[0].starts_with("x.usi:1: move 2: 7g7f"), "{}", warnings[0]);
        assert!(lenient.take_warnings().is_empty());
        let strict: Vec<bool> = reader().strict(true).map(|game| game.is_ok()).collect();
        assert_eq!(strict, [false, true]);
    }

    #[test]
    fn positions_without_moves_are_several_records() {
        let board = "後手の持駒：なし\n+---------------------------+\n\
            | ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n\
            | ・ ・ ・ ・ 歩 ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n\
            | ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n\
            | ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n\
            | ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n+---------------------------+\n先手の持駒：金\n";
        for name in ["x.ki2", "x.kif", "x.bod"] {
            let games = read(name, &format!("{board}{board}\n手合割：その他\n{board}"));
            let starts: Vec<_> =
                games.iter().map(|game| game.as_ref().expect(name).start_sfen()).collect();
            assert_eq!(starts, ["4k4/9/4P4/9/9/9/9/9/4K4 b G 1"; 3], "{name}");
        }
    }

    #[test]
    fn utf_16_is_decoded() {
        let text = "手合割：平手\n   1 ７六歩(77)\n   2 投了\n";
        let units: Vec<u16> = "\u{feff}".encode_utf16().chain(text.encode_utf16()).collect();
        for bytes in [
            units.iter().flat_map(|unit| unit.to_le_bytes()).collect::<Vec<u8>>(),
            units.iter().flat_map(|unit| unit.to_be_bytes()).collect(),
        ] {
            let reader = GameReader::new(Path::new("x"), Cursor::new(bytes)).expect("a format");
            let games: Vec<Game> = reader.map(|game| game.expect("a game")).collect();
            assert_eq!((games.len(), games[0].moves().len()), (1, 1));
        }
    }

    #[test]
    fn compressed_and_unreadable_files() {
        let line = "startpos moves 7g7f | winner=b\n";
        let packed = zstd::encode_all(line.as_bytes(), 1).expect("memory");
        // Two frames, as joined files have them.
        let twice = [packed.as_slice(), &packed].concat();
        let reader = GameReader::new(Path::new("x"), Cursor::new(twice)).expect("a known format");
        assert_eq!(reader.filter_map(Result::ok).count(), 2);

        let cut = packed[..packed.len() - 5].to_vec();
        let error = GameReader::new(Path::new("x"), Cursor::new(cut)).err().expect("cut off");
        assert!(matches!(error, RecordError::Read { .. }), "{error}");
        let error = GameReader::new(Path::new("x"), "hello".as_bytes()).err().expect("no record");
        assert!(matches!(error, RecordError::UnknownFormat(_)), "{error}");
        let error = GameReader::open(Path::new("/no/such/file")).err().expect("no file");
        assert!(error.to_string().contains("/no/such/file"), "{error}");
    }
}
