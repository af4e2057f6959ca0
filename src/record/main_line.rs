//! The main line of a KIF or KI2 record: the two differ only in how they write the moves.

use std::io::{self, Write};

use super::Game;
use super::lines::{Broken, TextLine};
use super::preamble::Preamble;
use super::transcript::Transcript;

/// With this word the branches from the main line begin.
pub(super) const VARIATION: &str = "変化";

/// With this word the sentence begins that closes a record.
pub(super) const CLOSING: &str = "まで";

/// Whether the line says anything about a game.
pub(super) fn is_content(text: &str) -> bool {
    !text.is_empty() && !text.starts_with(['#', '*', '&'])
}

/// The text of a line of comment: `*` begins one, and `&` a bookmark, which stays as it is.
fn comment(text: &str) -> Option<&str> {
    text.strip_prefix('*').or_else(|| text.starts_with('&').then_some(text))
}

/// Writes the comments behind a move.
pub(super) fn write_comments(lines: &[String], out: &mut dyn Write) -> io::Result<()> {
    lines.iter().try_for_each(|line| match line.strip_prefix('&') {
        Some(_) => writeln!(out, "{line}"),
        None => writeln!(out, "*{line}"),
    })
}

/// Reads the lines of one game. `is_move_line` tells where the moves begin, and `read_moves` reads
/// a trimmed line of them.
pub(super) fn read(
    lines: &[TextLine],
    is_move_line: fn(&str) -> bool,
    mut read_moves: impl FnMut(&mut Transcript, &TextLine, &str) -> Result<(), Broken>,
) -> Result<Game, Broken> {
    let mut preamble = Preamble::default();
    let mut transcript: Option<Transcript> = None;
    // Comments before the first move.
    let mut remarks = Vec::new();
    for line in lines {
        let text = line.text.trim();
        if text.starts_with(VARIATION) {
            break;
        }
        if let Some(text) = comment(text) {
            match &mut transcript {
                Some(transcript) => transcript.comment(text),
                None => remarks.push(text),
            }
            continue;
        }
        if !is_content(text) {
            continue;
        }
        if !is_move_line(text) {
            // Between the moves there are remarks only.
            if transcript.is_none() {
                preamble.read(text).map_err(|fault| line.broken(fault))?;
            }
            continue;
        }
        let transcript = match &mut transcript {
            Some(transcript) => transcript,
            none => none.insert(preamble.begin(line.number, &remarks)?),
        };
        if text.starts_with(CLOSING) {
            transcript.read_sentence(text);
        } else {
            read_moves(transcript, line, text)?;
        }
    }
    let transcript = match transcript {
        Some(transcript) => transcript,
        None => preamble.begin(lines.last().map_or(0, |line| line.number), &remarks)?,
    };
    transcript.finish(preamble.header)
}
