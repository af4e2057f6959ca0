//! Writes games to files.

use std::io::{self, Write};

use super::packed::Layout;
use super::{Format, Game, Losses, TextEncoding, csa, jkf, ki2, kif, labelled, packed, usi};

/// Writes games in one format.
///
/// Parts of games that the format cannot store are dropped and counted
/// ([`losses`](GameWriter::losses)). Labelled games store only moves, scores and the result. KI2
/// has no times. KIF and JKF have whole seconds. Formats of training positions store only positions
/// with a score.
#[derive(Debug)]
pub struct GameWriter<W: Write> {
    out: W,
    format: Format,
    encoding: TextEncoding,
    written: usize,
    positions: usize,
    losses: Losses,
}

impl<W: Write> GameWriter<W> {
    /// A writer of this format, in UTF-8.
    pub fn new(out: W, format: Format) -> GameWriter<W> {
        let encoding = TextEncoding::Utf8;
        GameWriter { out, format, encoding, written: 0, positions: 0, losses: Losses::default() }
    }

    /// The same writer in another encoding. Panics if the format does not have it
    /// ([`TextEncoding::fits`]).
    #[must_use]
    pub fn encoded(self, encoding: TextEncoding) -> GameWriter<W> {
        assert!(encoding.fits(self.format), "{:?} is UTF-8", self.format);
        GameWriter { encoding, ..self }
    }

    /// Writes a game.
    ///
    /// # Errors
    /// The errors of the output.
    pub fn write(&mut self, game: &Game) -> io::Result<()> {
        let mut bytes = Vec::new();
        if self.format == Format::Csa && self.written > 0 {
            writeln!(bytes, "{}", csa::SEPARATOR)?;
        }
        bytes.extend(
            self.encoding.declaration(self.format).into_iter().flat_map(String::into_bytes),
        );
        match self.format {
            Format::Usi => usi::write(game, &mut bytes)?,
            Format::Labelled => labelled::write(game, &mut bytes)?,
            Format::Csa => csa::write(game, &mut bytes)?,
            Format::Kif => kif::write(game, &mut bytes)?,
            Format::Ki2 => ki2::write(game, &mut bytes)?,
            Format::Jkf => jkf::write(game, &mut bytes)?,
            Format::Psv => packed::write(game, Layout::Psv, &mut bytes)?,
            Format::Hcpe => packed::write(game, Layout::Hcpe, &mut bytes)?,
        }
        self.losses += Losses::of(game, self.format);
        if self.encoding != TextEncoding::Utf8 {
            let text = String::from_utf8(bytes).expect("formats with encodings are text");
            let (encoded, missing) = self.encoding.encode(&text);
            self.losses.characters += missing;
            bytes = encoded;
        }
        self.out.write_all(&bytes)?;
        self.written += 1;
        self.positions += self.format.layout().map_or(0, |layout| packed::count(layout, &bytes));
        Ok(())
    }

    /// Number of positions written so far; `None` unless the format stores positions.
    pub fn positions(&self) -> Option<usize> {
        self.format.layout().map(|_| self.positions)
    }

    /// The dropped parts of these games.
    pub fn losses(&self) -> Losses {
        self.losses
    }

    /// The output.
    pub fn into_inner(self) -> W {
        self.out
    }
}
