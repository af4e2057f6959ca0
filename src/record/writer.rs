//! Games to files.

use std::io::{self, Write};

use super::{Format, Game, Losses, csa, ki2, kif, labelled, usi};

/// Writes games in one format, one behind the other.
///
/// What a format has no room for is lost, and counted ([`losses`](GameWriter::losses)): labelled
/// games keep nothing but moves, scores and result, KI2 no times, KIF whole seconds.
#[derive(Debug)]
pub struct GameWriter<W: Write> {
    out: W,
    format: Format,
    written: usize,
    losses: Losses,
}

impl<W: Write> GameWriter<W> {
    /// A writer of this format.
    pub fn new(out: W, format: Format) -> GameWriter<W> {
        GameWriter { out, format, written: 0, losses: Losses::default() }
    }

    /// Writes a game.
    ///
    /// # Errors
    /// What the output says.
    pub fn write(&mut self, game: &Game) -> io::Result<()> {
        match self.format {
            Format::Usi => usi::write(game, &mut self.out)?,
            Format::Labelled => labelled::write(game, &mut self.out)?,
            Format::Csa => {
                if self.written > 0 {
                    writeln!(self.out, "{}", csa::SEPARATOR)?;
                }
                csa::write(game, &mut self.out)?;
            }
            Format::Kif => kif::write(game, &mut self.out)?,
            Format::Ki2 => ki2::write(game, &mut self.out)?,
        }
        self.written += 1;
        self.losses += Losses::of(game, self.format);
        Ok(())
    }

    /// Games written so far.
    pub fn written(&self) -> usize {
        self.written
    }

    /// What was lost of these games.
    pub fn losses(&self) -> Losses {
        self.losses
    }

    /// The output.
    pub fn into_inner(self) -> W {
        self.out
    }
}
