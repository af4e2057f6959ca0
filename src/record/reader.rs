//! Files to games.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::iter::Peekable;
use std::path::{Path, PathBuf};

use super::lines::{Broken, TextLine, text_lines};
use super::{Fault, Format, Game, RecordError, csa, ki2, kif, labelled, main_line, preamble, usi};

/// Bytes that are looked at to find the format out.
const HEAD_BYTES: u64 = 1 << 16;
const BUFFER_BYTES: usize = 1 << 16;
/// How a zstd frame begins (RFC 8878).
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The games of one file, read as they are asked for: no more than one game is in memory.
///
/// A broken game is an error of its own ([`RecordError::Broken`]); the next call gives the game
/// behind it. After [`RecordError::Read`] there is nothing more.
pub struct GameReader {
    path: PathBuf,
    format: Format,
    lines: Peekable<Box<dyn Iterator<Item = io::Result<TextLine>> + Send>>,
    variations: usize,
    has_failed: bool,
}

impl GameReader {
    /// Opens a file.
    ///
    /// # Errors
    /// [`RecordError::Read`] and [`RecordError::UnknownFormat`].
    pub fn open(path: &Path) -> Result<GameReader, RecordError> {
        let file = File::open(path)
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
        let format = Format::detect(path, &head)
            .ok_or_else(|| RecordError::UnknownFormat(path.to_owned()))?;
        let lines: Box<dyn Iterator<Item = _> + Send> =
            Box::new(text_lines(Cursor::new(head).chain(rest)));
        let (path, lines) = (path.to_owned(), lines.peekable());
        Ok(GameReader { path, format, lines, variations: 0, has_failed: false })
    }

    /// The format of the file.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Branches from the main lines that were skipped so far.
    pub fn variations(&self) -> usize {
        self.variations
    }

    /// The lines of the next game; `None` at the end of the file.
    fn next_record(&mut self) -> io::Result<Option<Vec<TextLine>>> {
        let mut record = Vec::new();
        let (mut has_content, mut has_moves) = (false, false);
        let begins_next = |line: &TextLine| preamble::begins_game(line.text.trim());
        while let Some(line) =
            self.lines.next_if(|line| !(has_moves && line.as_ref().is_ok_and(begins_next)))
        {
            let line = line?;
            let text = line.text.trim();
            match self.format {
                Format::Usi | Format::Labelled => {
                    if !text.is_empty() && !text.starts_with('#') {
                        return Ok(Some(vec![line]));
                    }
                    continue;
                }
                Format::Csa => {
                    if text == csa::SEPARATOR {
                        if has_content {
                            return Ok(Some(record));
                        }
                        record.clear();
                        continue;
                    }
                    has_content |= csa::is_content(text);
                }
                Format::Kif | Format::Ki2 => {
                    has_content |= main_line::is_content(text);
                    has_moves |= match self.format {
                        Format::Ki2 => ki2::is_move_line(text),
                        _ => kif::is_move_line(text),
                    };
                    if text.starts_with(main_line::VARIATION) {
                        self.variations += 1;
                    }
                }
            }
            record.push(line);
        }
        Ok(has_content.then_some(record))
    }
}

impl Iterator for GameReader {
    type Item = Result<Game, RecordError>;

    fn next(&mut self) -> Option<Result<Game, RecordError>> {
        if self.has_failed {
            return None;
        }
        let record = self.next_record().transpose()?;
        self.has_failed = record.is_err();
        let path = || self.path.clone();
        let record = record.map_err(|source| RecordError::Read { path: path(), source });
        Some(record.and_then(|record| {
            let broken = |Broken { line, fault }| RecordError::Broken { path: path(), line, fault };
            read_record(self.format, &record).map_err(broken)
        }))
    }
}

fn read_record(format: Format, record: &[TextLine]) -> Result<Game, Broken> {
    let line_by_line = |read: fn(&str) -> Result<Game, Fault>| {
        let line = record.first().expect("a record has a line");
        read(line.text.trim()).map_err(|fault| line.broken(fault))
    };
    match format {
        Format::Usi => line_by_line(usi::read),
        Format::Labelled => line_by_line(labelled::read),
        Format::Csa => csa::read(record),
        Format::Kif => kif::read(record),
        Format::Ki2 => ki2::read(record),
    }
}

/// The first bytes, decompressed, and what follows them.
fn split_head(input: impl Read + Send + 'static) -> io::Result<(Vec<u8>, Box<dyn BufRead + Send>)> {
    let mut input: Box<dyn BufRead + Send> =
        Box::new(BufReader::with_capacity(BUFFER_BYTES, input));
    if input.fill_buf()?.starts_with(&ZSTD_MAGIC) {
        let decoder = zstd::Decoder::with_buffer(input)?;
        input = Box::new(BufReader::with_capacity(BUFFER_BYTES, decoder));
    }
    let mut head = Vec::new();
    input.as_mut().take(HEAD_BYTES).read_to_end(&mut head)?;
    Ok((head, input))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> (Vec<Result<Game, String>>, usize) {
        let bytes = Cursor::new(text.as_bytes().to_vec());
        let mut reader = GameReader::new(Path::new(name), bytes).expect("a known format");
        let games = reader.by_ref().map(|game| game.map_err(|error| error.to_string())).collect();
        (games, reader.variations())
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
        for (name, text, place, variations) in [
            ("x.usi", usi, "x.usi:4: ", 0),
            ("x.csa", csa, "x.csa:9: ", 0),
            ("x.kif", kif, "x.kif:8: ", 2),
            ("x.ki2", ki2, "x.ki2:5: ", 2),
        ] {
            let (games, skipped) = read(name, text);
            assert_eq!((games.len(), skipped), (3, variations), "{name}");
            for (at, usi) in [(0, "7g7f"), (2, "2g2f")] {
                let moves = games[at].as_ref().map(|game| game.moves()[0].to_string());
                assert_eq!(moves, Ok(usi.to_owned()), "{name}");
            }
            let error = games[1].as_ref().expect_err("broken");
            assert!(error.starts_with(place), "{error}");
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
