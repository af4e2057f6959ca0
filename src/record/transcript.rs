//! The state of a game while its record is read move by move.
//!
//! One rule serves every format: **keep the legal prefix**. A game is kept up to the first move that
//! cannot be read or played, with a warning that names the line. If another move follows, the record
//! contains a game that was not understood, which is an error. It is also an error if the first move
//! cannot be read or played.

use std::time::Duration;

use super::ending::{Closing, SideResult};
use super::japanese::{read_closing_comment, read_closing_sentence};
use super::lines::{Broken, Reading, TextLine};
use super::{Ending, Fault, GameBuilder, GameResult, Header, MoveFault, search_comment};
use crate::shogi::{Color, Move, Position};

/// The moves so far, and how the record closes.
#[derive(Debug)]
pub(super) struct Transcript {
    builder: GameBuilder,
    /// The first move that cannot be read or played.
    stop: Option<Broken>,
    /// Whether the record says that this move lost the game. Then there is no warning.
    is_punished: bool,
    closing: Option<(Option<GameResult>, Option<Ending>)>,
    unknown_end: Option<String>,
    warnings: Vec<Broken>,
}

impl Transcript {
    pub fn new(builder: GameBuilder) -> Transcript {
        Transcript {
            builder,
            stop: None,
            is_punished: false,
            closing: None,
            unknown_end: None,
            warnings: Vec::new(),
        }
    }

    pub fn position(&self) -> &Position {
        self.builder.position()
    }

    /// The side to move after the moves that were played.
    pub fn side(&self) -> Color {
        self.position().side_to_move()
    }

    /// Whether the record has said how the game ended.
    pub fn is_closed(&self) -> bool {
        self.closing.is_some()
    }

    /// Plays the move of this line. `read` reads the move from `text`.
    pub fn play(
        &mut self,
        line: &TextLine,
        text: &str,
        read: impl FnOnce(&Position, &str) -> Result<Move, MoveFault>,
    ) -> Result<(), Broken> {
        if let Some(stop) = self.stop.take() {
            return Err(stop);
        }
        if self.closing.is_some() {
            return Err(line.broken(Fault::unexpected("the end of the game", text)));
        }
        let number = self.position().moves_made() + 1;
        let mv = read(self.position(), text);
        let played = mv.and_then(|mv| Ok(self.builder.push(mv)?));
        let broken = |fault| line.broken(Fault::Move { number, fault });
        self.stop = played.err().map(broken);
        Ok(())
    }

    /// Adds a warning for a line without a meaning. Formats without move numbers call this only for
    /// lines that cannot hide a move.
    pub fn pass_over(&mut self, line: &TextLine) {
        self.warnings.push(line.broken(Fault::Meaningless(line.text.trim().to_owned())));
    }

    /// Stops at a line that may hide a move, or has an unexpected move number.
    ///
    /// # Errors
    /// The first such line, if there was one.
    pub fn stop_at(&mut self, broken: Broken) -> Result<(), Broken> {
        match self.stop.replace(broken) {
            Some(first) => Err(first),
            None => Ok(()),
        }
    }

    /// Sets the time of the last move or of the closing word.
    pub fn spend(&mut self, time: Duration) {
        let moves = self.position().moves_made();
        // A dropped move ends the game like a closing word.
        let is_over = self.closing.is_some() || self.stop.is_some();
        if let Some(ply) = if is_over { Some(moves) } else { moves.checked_sub(1) } {
            self.builder.notes().set_time(ply, time);
        }
    }

    /// Adds a comment line. The first comment after a move that contains a score sets the score of that
    /// move.
    pub fn comment(&mut self, text: &str) {
        let moves = self.position().moves_made();
        let unscored = moves.checked_sub(1).filter(|&ply| self.builder.score(ply).is_none());
        let scored = unscored.filter(|_| self.stop.is_none());
        let scored =
            scored.and_then(|ply| Some((ply, search_comment::read(text, self.position())?)));
        let Some((ply, (score, line, rest))) = scored else {
            return self.builder.notes().add_comment(moves, text);
        };
        self.builder.set_score(ply, score);
        self.builder.notes().set_line(ply, &line);
        if !rest.is_empty() {
            self.builder.notes().add_comment(moves, rest);
        }
    }

    /// Sets the result from the view of the side to move, and the ending.
    pub fn close(&mut self, side_result: SideResult, ending: Option<Ending>) {
        let mover = self.side();
        self.closing = Some(match &self.stop {
            None => (side_result.result(mover), ending),
            Some(_) if ending == Some(Ending::IllegalMove) => {
                // The side that made the illegal move lost, whichever side the record has to move.
                self.is_punished = true;
                (SideResult::Loses.result(mover), ending)
            }
            Some(stop) => {
                // The record includes the dropped move, so the other side is to move.
                let is_one_move = matches!(stop.fault, Fault::Move { .. });
                let result = side_result.result(!mover).filter(|_| is_one_move);
                (result, ending.filter(|ending| !ending.is_of_side_to_move()))
            }
        });
    }

    /// Sets result and ending if the word is one of a format's closing words. Returns whether it is.
    pub fn close_by_word(&mut self, table: &[Closing], word: &str) -> bool {
        let closing = table.iter().find(|closing| closing.word == word);
        if let Some(closing) = closing {
            self.close(closing.side_result, closing.ending);
        }
        closing.is_some()
    }

    /// Handles an unknown closing word. The result stays open; the header field `end` keeps the word.
    pub fn close_by_unknown_word(&mut self, word: &str) {
        self.closing.get_or_insert_default();
        self.unknown_end = Some(word.to_owned());
    }

    /// Sets result and ending from a sentence like まで98手で後手の勝ち, unless a closing word did. If the
    /// last move was illegal, a win of the other side means that this move lost.
    pub fn read_sentence(&mut self, text: &str) {
        if self.closing.is_some_and(|closing| closing != (None, None)) {
            return;
        }
        // The record includes the dropped move.
        let side = if self.stop.is_some() { !self.side() } else { self.side() };
        if let Some((result, ending)) = read_closing_sentence(text, side) {
            self.close_with(result, ending);
        }
    }

    /// Sets the result, unless a closing word did.
    pub fn close_with_result(&mut self, result: GameResult) {
        if self.closing.is_none_or(|closing| closing == (None, None)) {
            self.close_with(Some(result), None);
        }
    }

    /// Sets the result, which does not depend on the side to move, and the ending.
    fn close_with(&mut self, result: Option<GameResult>, ending: Option<Ending>) {
        let is_illegal = self.stop.as_ref().is_some_and(|stop| stop.fault.is_illegal_move());
        let is_lost = self.stop.is_some() && result == Some(GameResult::win_of(!self.side()));
        let is_named = ending == Some(Ending::IllegalMove);
        let is_punished = is_lost && (is_named || (is_illegal && ending.is_none()));
        self.is_punished |= is_punished;
        self.closing = Some(match ending {
            _ if is_punished => (result, Some(Ending::IllegalMove)),
            Some(ending) if self.stop.is_some() && ending.is_of_side_to_move() => (result, None),
            _ => (result, ending),
        });
    }

    /// Sets result and ending from the comment in the last line of a record. Only records of 81Dojo and
    /// records with an illegal last move are closed this way.
    pub fn read_last_comment(&mut self, text: &str, is_dojo: bool) {
        if self.closing.is_some() || !(is_dojo || self.stop.is_some()) {
            return;
        }
        if let Some(closing) = read_closing_comment(text, self.stop.is_some()) {
            self.close(closing.side_result, closing.ending);
        }
    }

    /// Returns the game with all warnings.
    ///
    /// # Errors
    /// The first move, if it cannot be read or played.
    pub fn finish(self, mut header: Header) -> Result<Reading, Broken> {
        let kept = self.position().moves_made();
        let mut warnings = self.warnings;
        if let Some(Broken { line, fault }) = self.stop.filter(|_| !self.is_punished) {
            if kept == 0 {
                return Err(Broken { line, fault });
            }
            warnings.push(Broken { line, fault: Fault::Cut { fault: Box::new(fault), kept } });
        }
        warnings.sort_by_key(|warning| warning.line);
        let mut game = self.builder.finish();
        (game.result, game.ending) = self.closing.unwrap_or_default();
        if let Some(word) = self.unknown_end {
            header.set("end", &word);
        }
        game.header = header;
        Ok(Reading { game, warnings })
    }
}
