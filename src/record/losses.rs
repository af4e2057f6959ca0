//! Parts of games that a format cannot store.

use std::fmt;
use std::ops::AddAssign;

use super::closing::{Statement, closing_line, closing_sentence, read_statement};
use super::{Ending, Format, Game, csa, jkf, packed, preamble};
use crate::quote::count;

/// Counts of the parts of games that a format cannot store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    /// Header fields, including names, event and date.
    pub header_fields: usize,
    /// Games whose ending is read back as another one, because no word of the format fits. The
    /// winner is always preserved.
    pub endings: usize,
    /// Times of moves.
    pub times: usize,
    /// Times of moves that are truncated to whole seconds.
    pub fractions: usize,
    /// Comments.
    pub comments: usize,
    /// Positions that formats of training positions cannot store: positions without a score, of a
    /// game without a result, or with fewer than 40 pieces.
    pub positions: usize,
    /// Characters that the encoding of the file lacks.
    pub characters: usize,
    /// Expected lines. Formats with comments store them only after scores.
    pub lines: usize,
    /// Variations. KIF, KI2 and JKF store them; the other counts then include their parts.
    pub variations: usize,
}

impl Losses {
    /// The parts of a game that `format` cannot store.
    pub fn of(game: &Game, format: Format) -> Losses {
        let mut losses = Losses::of_line(game, format);
        if format.has_variations() {
            for (_, line) in game.lines().skip(1) {
                losses += Losses::of_line(line, format);
                // The winner without an ending is in the header.
                let is_lost = format == Format::Jkf && line.bare_winner().is_some();
                losses.endings += usize::from(is_lost);
            }
        } else {
            losses.variations = game.variations().len();
        }
        losses
    }

    fn of_line(game: &Game, format: Format) -> Losses {
        let notes = &game.notes;
        let times = notes.times().count();
        let plies = game.moves().len();
        match format {
            Format::Usi | Format::Csa | Format::Kif | Format::Ki2 | Format::Jkf => {
                let bare = notes.lines().filter(|&(ply, _)| game.score(ply).is_none()).count();
                let is_in_seconds = matches!(format, Format::Kif | Format::Jkf);
                let fractions = notes.times().filter(|(_, time)| time.subsec_nanos() > 0).count();
                // Only a closing word has a time behind the moves.
                let timed = plies + usize::from(has_closing_word(game, format));
                let untimed = notes.times().filter(|&(ply, _)| ply >= timed).count();
                let behind = notes.comments().filter(|&(moves, _)| moves > plies).count();
                let is_usi = format == Format::Usi;
                Losses {
                    header_fields: lost_fields(game, format),
                    endings: usize::from(read_ending(game, format) != game.ending),
                    times: match format {
                        Format::Usi => 0,
                        Format::Ki2 => times,
                        _ => untimed,
                    },
                    comments: if is_usi { 0 } else { behind },
                    fractions: if is_in_seconds { fractions } else { 0 },
                    lines: if is_usi { 0 } else { bare },
                    ..Losses::default()
                }
            }
            Format::Labelled | Format::Psv | Format::Hcpe => Losses {
                header_fields: game.header.len(),
                endings: usize::from(game.ending.is_some()),
                times,
                fractions: 0,
                comments: notes.comments().count(),
                lines: notes.lines().count(),
                positions: if format == Format::Labelled { 0 } else { packed::left_out(game) },
                ..Losses::default()
            },
        }
    }

    /// Whether nothing is lost.
    pub fn is_empty(&self) -> bool {
        *self == Losses::default()
    }
}

/// Header fields that a record format cannot store.
fn lost_fields(game: &Game, format: Format) -> usize {
    match format {
        Format::Kif | Format::Ki2 => preamble::lost_fields(game, preamble::is_line),
        // A JSON object has each key once.
        Format::Jkf => {
            preamble::lost_fields(game, jkf::keeps) + preamble::repeated_keys(game, jkf::keeps)
        }
        _ => 0,
    }
}

/// Whether a word in place of a move ends the game.
fn has_closing_word(game: &Game, format: Format) -> bool {
    let side = game.mover(game.moves().len());
    match format {
        Format::Csa | Format::Jkf => csa::closing(game, side).is_some(),
        Format::Kif => closing_line(game, side).is_some(),
        _ => false,
    }
}

/// The ending that a reader of the format finds.
fn read_ending(game: &Game, format: Format) -> Option<Ending> {
    let side = game.mover(game.moves().len());
    match format {
        Format::Usi => game.ending,
        Format::Labelled | Format::Psv | Format::Hcpe => None,
        Format::Csa | Format::Jkf => csa::closing(game, side).and_then(|(_, ending)| ending),
        Format::Kif => closing_line(game, side)?.ending,
        // For a resignation, KI2 has only the sentence that a side has won.
        Format::Ki2 if game.ending == Some(Ending::Resignation) => game.ending,
        Format::Ki2 => {
            match read_statement(&closing_sentence(game, game.moves().len(), side, false)?)? {
                Statement::Named(_, ending) => ending,
                Statement::OfMover(closing) => closing.ending,
                Statement::PerpetualCheck | Statement::Unclear => None,
            }
        }
    }
}

impl AddAssign for Losses {
    fn add_assign(&mut self, other: Losses) {
        self.header_fields += other.header_fields;
        self.endings += other.endings;
        self.times += other.times;
        self.fractions += other.fractions;
        self.comments += other.comments;
        self.positions += other.positions;
        self.characters += other.characters;
        self.lines += other.lines;
        self.variations += other.variations;
    }
}

impl fmt::Display for Losses {
    /// `12 header fields, 300 times, 2 comments`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.header_fields, "header field", ""),
            (self.endings, "ending", ""),
            (self.times, "time", ""),
            (self.fractions, "fraction", " of a second"),
            (self.comments, "comment", ""),
            (self.lines, "expected line", ""),
            (self.variations, "variation", ""),
            (self.positions, "position", ""),
            (self.characters, "character", " of the encoding"),
        ];
        let lost = parts.into_iter().filter(|&(number, ..)| number > 0);
        let text = |(number, name, of)| format!("{}{of}", count(number, name));
        let lost: Vec<String> = lost.map(text).collect();
        f.write_str(&lost.join(", "))
    }
}
