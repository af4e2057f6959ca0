//! The main line of a KIF or KI2 record. The two formats differ only in the notation of moves.

use std::io::{self, Write};

use super::closing::SENTENCE;
use super::lines::{Broken, Reading, TextLine};
use super::preamble::{Preamble, split_key};
use super::transcript::Transcript;
use super::{Fault, japanese};

/// The key of a line that starts a variation.
const VARIATION: &str = "変化";

/// The place of games played on 81Dojo, in lower case. A comment closes their records.
const DOJO: &str = "81dojo";

/// Whether the line is content of a game, not a comment.
pub(super) fn is_content(text: &str) -> bool {
    !text.is_empty() && !text.starts_with(['#', '*', '&'])
}

/// Whether the line starts a variation: `変化：12手`. Other lines with this first word do not.
pub(super) fn is_variation(text: &str) -> bool {
    split_key(text).is_some_and(|(key, value)| {
        let number = value.trim_end_matches(|c: char| c != '手').strip_suffix('手');
        key == VARIATION
            && number.is_some_and(|number| {
                !number.is_empty() && number.chars().all(|c| japanese::digit(c).is_some())
            })
    })
}

/// The text of a comment line. `*` starts a comment; `&` starts a bookmark, which is kept unchanged.
fn comment(text: &str) -> Option<&str> {
    text.strip_prefix('*').or_else(|| text.starts_with('&').then_some(text))
}

/// Writes the comments after a move.
pub(super) fn write_comments(lines: &[String], out: &mut dyn Write) -> io::Result<()> {
    lines.iter().try_for_each(|line| match line.strip_prefix('&') {
        Some(_) => writeln!(out, "{line}"),
        None => writeln!(out, "*{line}"),
    })
}

/// Reads the lines of one game. `is_move_line` recognizes the first line of the moves. From there on,
/// `read_moves` reads each trimmed line and returns whether it understood the line.
pub(super) fn read(
    lines: &[TextLine],
    is_move_line: fn(&str) -> bool,
    mut read_moves: impl FnMut(&mut Transcript, &TextLine, &str) -> Result<bool, Broken>,
) -> Result<Reading, Broken> {
    let mut preamble = Preamble::default();
    let mut transcript: Option<Transcript> = None;
    // Comments before the first move, and lines without a meaning there.
    let (mut remarks, mut unread) = (Vec::new(), Vec::new());
    let mut last_comment = None;
    for line in lines {
        let text = line.text.trim();
        if transcript.is_some() && is_variation(text) {
            break;
        }
        if let Some(text) = comment(text) {
            last_comment = Some((line.number, text));
            match &mut transcript {
                Some(transcript) => transcript.comment(text),
                None => remarks.push(text),
            }
            continue;
        }
        if !is_content(text) {
            continue;
        }
        last_comment = None;
        if transcript.is_none() {
            if !is_move_line(text) {
                if !preamble.read(text).map_err(|fault| line.broken(fault))? {
                    unread.push(line);
                }
                continue;
            }
            transcript = Some(preamble.begin(line.number, &remarks)?);
        }
        let transcript = transcript.as_mut().expect("begun above");
        if text.starts_with(SENTENCE) {
            transcript.read_sentence(line);
        } else if !read_moves(transcript, line, text)? && !preamble.read_field(text) {
            transcript.pass_over(line);
        }
    }
    let mut transcript = match transcript {
        Some(transcript) => transcript,
        // Text of which nothing was understood is not a game without moves.
        None if !unread.is_empty() && !preamble.has_board() => {
            let text = unread[0].text.trim();
            return Err(unread[0].broken(Fault::unexpected("a line of a game record", text)));
        }
        None => preamble.begin(lines.last().map_or(0, |line| line.number), &remarks)?,
    };
    unread.into_iter().for_each(|line| transcript.pass_over(line));
    if let Some((line, text)) = last_comment {
        let place = preamble.header.get("site").unwrap_or_default();
        transcript.read_last_comment(line, text, place.to_ascii_lowercase().contains(DOJO));
    }
    transcript.finish(preamble.header)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_move_number_begins_a_variation() {
        for text in ["変化：3手", "変化:12手", "変化： 7手", "変化：１２手", "変化：3手から"]
        {
            assert!(is_variation(text), "{text}");
        }
        for text in ["変化", "変化：", "変化：手", "変化の余地あり", "変化：次の一手", "変化3手"]
        {
            assert!(!is_variation(text), "{text}");
        }
    }
}
