//! A record of KIF or KI2: header, main line and variations. The two formats differ only in the
//! notation of moves.

use std::io::{self, Write};

use super::Fault;
use super::closing::SENTENCE;
use super::forks::{Fork, read_variations};
use super::lines::{Broken, Reading, TextLine};
use super::notation::words::digit;
use super::preamble::{Preamble, split_key};
use super::transcript::Transcript;

/// The key of a line that starts a variation.
const VARIATION: &str = "変化";

/// The number of moves that no game reaches.
const LARGEST_NUMBER: usize = u32::MAX as usize;

/// The place of games played on 81Dojo, in lower case. A comment closes their records.
const DOJO: &str = "81dojo";

/// Whether the line is content of a game, not a comment.
pub(super) fn is_content(text: &str) -> bool {
    !text.is_empty() && !text.starts_with(['#', '*', '&'])
}

/// Whether the line starts a variation: `変化：12手`. Other lines with this first word do not.
pub(super) fn is_variation(text: &str) -> bool {
    variation_number(text).is_some()
}

/// The number of the move that a variation replaces: 12 in `変化：12手`. A number that no game reaches
/// is returned as the largest.
fn variation_number(text: &str) -> Option<usize> {
    let (_, value) = split_key(text).filter(|&(key, _)| key == VARIATION)?;
    let number = value.trim_end_matches(|c: char| c != '手').strip_suffix('手')?;
    let digits: Option<Vec<usize>> = number.chars().map(digit).collect();
    let digits = digits.filter(|digits| !digits.is_empty())?;
    let add = |sum: usize, digit| sum.checked_mul(10)?.checked_add(digit);
    Some(digits.into_iter().try_fold(0, add).unwrap_or(LARGEST_NUMBER).min(LARGEST_NUMBER))
}

/// The text of a comment line. `*` starts a comment; `&` starts a bookmark, which is kept
/// unchanged.
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

/// Writes the line before a variation that replaces move `ply` (0 = first).
pub(super) fn write_start_of_variation(ply: usize, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n{VARIATION}：{}手", ply + 1)
}

/// How a format writes its moves.
pub(super) struct MoveLines {
    /// Recognizes the first line of the moves.
    pub is_move_line: fn(&str) -> bool,
    /// Number of moves and closing words in a line.
    pub count: fn(&str) -> usize,
    /// Reads a trimmed line of the moves and returns whether it understood the line.
    pub read: fn(&mut Numbers, &mut Transcript, &TextLine, &str) -> Result<bool, Broken>,
}

/// The move numbers of a record: the first of the game, and the last one read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Numbers {
    pub first: Option<usize>,
    pub last: Option<usize>,
}

/// Reads the lines of one game.
pub(super) fn read(lines: &[TextLine], moves: &MoveLines) -> Result<Reading, Broken> {
    let begun = lines.iter().position(|line| {
        let text = line.text.trim();
        is_content(text) && (moves.is_move_line)(text)
    });
    let is_fork = |line: &TextLine| is_variation(line.text.trim());
    let end = begun.and_then(|begun| Some(begun + lines[begun..].iter().position(is_fork)?));
    let (main, others) = lines.split_at(end.unwrap_or(lines.len()));
    let mut numbers = Numbers::default();
    let mut reading = read_main_line(main, moves, &mut numbers)?;
    let first = numbers.first.unwrap_or(1);
    let mut branches = branches(others, first, moves.count);
    let forks = std::mem::take(&mut branches[0].forks);
    read_variations(&mut reading, forks, |transcript, index: usize| {
        let Branch { from, lines, ref mut forks, .. } = branches[index];
        let mut numbers = Numbers { first: Some(first), last: from.checked_sub(1) };
        // Fields of the header behind a variation are not kept.
        let mut fields = Preamble::default();
        let end = lines.iter().try_for_each(|line| {
            let Some(text) = comment(line.text.trim()) else {
                return read_move_line(line, moves, &mut numbers, transcript, &mut fields);
            };
            transcript.comment(text);
            Ok(())
        });
        (std::mem::take(forks), end)
    });
    Ok(reading)
}

/// The lines of a variation.
#[derive(Default)]
struct Branch<'a> {
    /// The number of its first move, and the number after its last entry.
    from: usize,
    end: usize,
    lines: &'a [TextLine],
    /// The variations that leave it, by index.
    forks: Vec<Fork<usize>>,
}

/// The variations in the lines after the main line, which is the first in the list. `first` is its
/// first move number.
///
/// A variation leaves the last line before it that starts earlier and has the move.
fn branches(lines: &[TextLine], first: usize, count: fn(&str) -> usize) -> Vec<Branch<'_>> {
    let is_start = |&at: &usize| is_variation(lines[at].text.trim());
    let starts: Vec<usize> = (0..lines.len()).filter(is_start).chain([lines.len()]).collect();
    let mut branches = vec![Branch::default()];
    let mut open = vec![0];
    for around in starts.windows(2) {
        let (head, lines) = (&lines[around[0]], &lines[around[0] + 1..around[1]]);
        let number = variation_number(head.text.trim()).expect("a line that starts a variation");
        let from = number.max(first);
        let has_move = |index: usize| {
            let Branch { from: start, end, .. } = branches[index];
            index == 0 || (start < from && from < end)
        };
        open.truncate(open.iter().rposition(|&index| has_move(index)).unwrap_or_default() + 1);
        let parent = *open.last().expect("the main line stays open");
        let content = branches.len();
        branches[parent].forks.push(Fork { ply: from - first, line: head.number, content });
        open.push(content);
        let texts = lines.iter().map(|line| line.text.trim()).filter(|text| is_content(text));
        let end = from + texts.map(count).sum::<usize>();
        branches.push(Branch { from, end, lines, forks: Vec::new() });
    }
    branches
}

/// Reads a line of moves, a closing sentence, or a field of the header; lines without content are
/// skipped.
fn read_move_line(
    line: &TextLine,
    moves: &MoveLines,
    numbers: &mut Numbers,
    transcript: &mut Transcript,
    preamble: &mut Preamble,
) -> Result<(), Broken> {
    let text = line.text.trim();
    if !is_content(text) {
        return Ok(());
    }
    if text.starts_with(SENTENCE) {
        transcript.read_sentence(line, numbers.first.unwrap_or(1));
    } else if !(moves.read)(numbers, transcript, line, text)? && !preamble.read_field(text) {
        transcript.pass_over(line);
    }
    Ok(())
}

/// Reads the header, the start position and the main line.
fn read_main_line(
    lines: &[TextLine],
    moves: &MoveLines,
    numbers: &mut Numbers,
) -> Result<Reading, Broken> {
    let mut preamble = Preamble::default();
    let mut transcript: Option<Transcript> = None;
    // Comments before the first move, and lines without a meaning there.
    let (mut remarks, mut unread) = (Vec::new(), Vec::new());
    let mut last_comment = None;
    for line in lines {
        let text = line.text.trim();
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
            if !(moves.is_move_line)(text) {
                if !preamble.read(text).map_err(|fault| line.broken(fault))? {
                    unread.push(line);
                }
                continue;
            }
            transcript = Some(preamble.begin(line.number, &remarks)?);
        }
        let transcript = transcript.as_mut().expect("begun above");
        read_move_line(line, moves, numbers, transcript, &mut preamble)?;
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
