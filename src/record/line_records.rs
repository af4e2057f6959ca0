//! The lines of a file, split into records.

use std::collections::VecDeque;
use std::io;

use super::lines::{Broken, Reading, TextLine};
use super::records::Records;
use super::usi::Play;
use super::{Fault, Format, csa, japanese_record, ki2, kif, labelled, preamble, usi};

/// Ranks of a complete board diagram.
const RANKS: usize = 9;

type Lines = Box<dyn Iterator<Item = io::Result<TextLine>> + Send>;

/// The records of a file whose format has lines. One record is in memory at a time.
pub(super) struct LineRecords {
    format: Format,
    lines: Lines,
    /// Lines that were read, of the next record.
    next: VecDeque<TextLine>,
}

impl LineRecords {
    pub fn new(format: Format, lines: Lines) -> LineRecords {
        LineRecords { format, lines, next: VecDeque::new() }
    }

    /// The lines of the next game; `None` at the end of the file.
    fn next_record(&mut self) -> io::Result<Option<Vec<TextLine>>> {
        match self.format {
            Format::Csa => self.next_csa(),
            Format::Kif | Format::Ki2 => self.next_japanese(),
            _ => self.next_line(),
        }
    }

    /// The next line that is neither empty nor a comment.
    fn next_line(&mut self) -> io::Result<Option<Vec<TextLine>>> {
        for line in self.lines.by_ref() {
            let line = line?;
            let text = line.text.trim();
            if !text.is_empty() && !text.starts_with('#') {
                return Ok(Some(vec![line]));
            }
        }
        Ok(None)
    }

    fn next_csa(&mut self) -> io::Result<Option<Vec<TextLine>>> {
        let (mut record, mut has_content) = (Vec::new(), false);
        for line in self.lines.by_ref() {
            let line = line?;
            let text = line.text.trim();
            if text == csa::SEPARATOR {
                if has_content {
                    return Ok(Some(record));
                }
                record.clear();
                continue;
            }
            has_content |= csa::is_content(text);
            record.push(line);
        }
        Ok(has_content.then_some(record))
    }

    /// Records of KIF and KI2 have no separator; the header of the next one ends a game.
    fn next_japanese(&mut self) -> io::Result<Option<Vec<TextLine>>> {
        let mut record: Vec<TextLine> = Vec::new();
        let mut seen = Seen::default();
        while let Some(line) = self.next.pop_front().map(Ok).or_else(|| self.lines.next()) {
            let line = line?;
            let text = line.text.trim();
            if seen.is_complete_before(text) {
                // Header lines that looked like a repetition belong to the next record, too.
                let end = seen.doubtful.unwrap_or(record.len());
                let later = std::mem::take(&mut self.next);
                self.next = record.drain(end..).chain([line]).chain(later).collect();
                break;
            }
            seen.add(text, self.format, record.len());
            record.push(line);
        }
        Ok(seen.content.then_some(record))
    }
}

/// What a record of KIF or KI2 contains so far.
#[derive(Default)]
struct Seen {
    content: bool,
    moves: bool,
    ranks: usize,
    /// Header keys before the moves.
    keys: Vec<String>,
    /// Index of the first line after a board that may belong to the next record: it repeats a key
    /// that one record can repeat. It does if another board or player follows before the moves.
    doubtful: Option<usize>,
}

impl Seen {
    fn has_key(&self, key: &str) -> bool {
        self.keys.iter().any(|known| known == key)
    }

    /// Whether this line belongs to the next record.
    fn is_complete_before(&self, text: &str) -> bool {
        if self.moves {
            return preamble::begins_game(text);
        }
        // A position without moves ends at another board or at a repeated key.
        let key = preamble::split_key(text).map(|(key, _)| key);
        let repeats = key.is_some_and(|key| self.has_key(key) && !preamble::can_repeat(key));
        let is_next = text.starts_with('|') || (preamble::begins_game(text) && repeats);
        self.ranks == RANKS && is_next
    }

    fn add(&mut self, text: &str, format: Format, at: usize) {
        let is_move_line =
            if format == Format::Ki2 { ki2::is_move_line } else { kif::is_move_line };
        self.content |= japanese_record::is_content(text);
        self.moves |= is_move_line(text);
        if self.moves {
            self.doubtful = None;
            return;
        }
        self.ranks += usize::from(text.starts_with('|'));
        let Some((key, _)) = preamble::split_key(text) else { return };
        if self.ranks == RANKS && preamble::begins_game(text) && self.has_key(key) {
            self.doubtful.get_or_insert(at);
        }
        self.keys.push(key.to_owned());
    }
}

impl Records for LineRecords {
    fn next(&mut self) -> Option<io::Result<Result<Reading, Broken>>> {
        let record = self.next_record().transpose()?;
        Some(record.map(|record| read_record(self.format, &record)))
    }
}

fn read_record(format: Format, record: &[TextLine]) -> Result<Reading, Broken> {
    let line_by_line = |read: fn(&str) -> Result<Play, Fault>| {
        let line = record.first().expect("a record has a line");
        let Play { game, warning } = read(line.text.trim()).map_err(|fault| line.broken(fault))?;
        let warnings = warning.into_iter().map(|fault| line.broken(fault)).collect();
        Ok(Reading { game, warnings })
    };
    match format {
        Format::Labelled => line_by_line(labelled::read),
        Format::Csa => csa::read(record),
        Format::Kif => kif::read(record),
        Format::Ki2 => ki2::read(record),
        _ => line_by_line(usi::read),
    }
}
