//! The state of a game while its record is read move by move.
//!
//! One rule serves every format: **keep the legal prefix**. A game is kept up to the first move
//! that cannot be read or played, with a warning that names the line. If another move follows, the
//! record contains a game that was not understood, which is an error. It is also an error if the
//! first move cannot be read or played. The [`claims`] of the record give the result.

use std::time::Duration;

use super::claims::{self, Claim};
use super::closing::{Statement, count_in_sentence, read_closing_comment, read_statement};
use super::ending::{Closing, SideResult};
use super::lines::{Broken, Reading, TextLine};
use super::{Ending, Fault, GameBuilder, GameResult, Header, MoveFault, search_comment};
use crate::shogi::{Color, Move, Position};

/// What messages call the main line.
const GAME: &str = "game";

/// The moves so far, and how the record closes.
#[derive(Debug)]
pub(super) struct Transcript {
    builder: GameBuilder,
    /// [`GAME`] or `variation`.
    part: &'static str,
    /// The first move that cannot be read or played.
    stop: Option<Broken>,
    /// Whether the record says that this move lost the game. Then there is no warning.
    is_punished: bool,
    claims: Vec<Claim>,
    /// A closing word without a known meaning, and its line.
    unknown_word: Option<(usize, String)>,
    warnings: Vec<Broken>,
}

impl Transcript {
    pub fn new(builder: GameBuilder) -> Transcript {
        Transcript {
            builder,
            part: GAME,
            stop: None,
            is_punished: false,
            claims: Vec::new(),
            unknown_word: None,
            warnings: Vec::new(),
        }
    }

    /// The transcript of a variation from a position with its history.
    pub fn of_variation(pos: Position) -> Transcript {
        Transcript { part: "variation", ..Transcript::new(GameBuilder::of_variation(pos)) }
    }

    pub fn position(&self) -> &Position {
        self.builder.position()
    }

    /// The side to move after the moves that were played.
    fn side(&self) -> Color {
        self.position().side_to_move()
    }

    /// The side to move at the end of the record; `None` if a line may hide moves.
    pub fn mover(&self) -> Option<Color> {
        match &self.stop {
            None => Some(self.side()),
            // The record includes the dropped move.
            Some(stop) => matches!(stop.fault, Fault::Move { .. }).then_some(!self.side()),
        }
    }

    /// The side to move after this number of moves.
    pub fn mover_after(&self, moves: usize) -> Color {
        let is_even = (self.position().moves_made() % 2 + moves % 2).is_multiple_of(2);
        if is_even { self.side() } else { !self.side() }
    }

    /// Whether a move could not be read or played.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_some()
    }

    /// Whether the record has said how the game ended.
    pub fn is_closed(&self) -> bool {
        !self.claims.is_empty() || self.unknown_word.is_some()
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
        if self.is_closed() {
            return Err(line.broken(Fault::unexpected("the end of the game", text)));
        }
        let number = self.position().moves_made() + 1;
        let mv = read(self.position(), text);
        let played = mv.and_then(|mv| Ok(self.builder.push(mv)?));
        let broken = |fault| line.broken(Fault::Move { number, fault });
        self.stop = played.err().map(broken);
        Ok(())
    }

    /// Stops at a word without a known meaning, because more of the game follows: it was no closing
    /// word.
    pub fn reopen(&mut self) {
        if let Some((line, word)) = self.unknown_word.take() {
            let number = self.position().moves_made() + 1;
            let fault = Fault::Move { number, fault: MoveFault::NotAMove(word) };
            self.stop.get_or_insert(Broken { line, fault });
        }
    }

    /// Adds a warning.
    pub fn warn(&mut self, warning: Broken) {
        self.warnings.push(warning);
    }

    /// Adds a warning for a line without a meaning. Formats without move numbers call this only for
    /// lines that cannot hide a move.
    pub fn pass_over(&mut self, line: &TextLine) {
        self.warn(line.broken(Fault::Meaningless(line.text.trim().to_owned())));
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

    /// Stops at the error that ended the reading of a variation.
    pub fn restore(&mut self, broken: Broken) {
        self.stop = Some(broken);
        self.is_punished = false;
    }

    /// Sets the time of the last move or of the closing word.
    pub fn spend(&mut self, time: Duration) {
        let moves = self.builder.len();
        // A dropped move ends the game like a closing word.
        let is_over = self.is_closed() || self.stop.is_some();
        if let Some(ply) = if is_over { Some(moves) } else { moves.checked_sub(1) } {
            self.builder.notes().set_time(ply, time);
        }
    }

    /// Adds a comment line. The first comment after a move that contains a score sets the score of
    /// that move.
    pub fn comment(&mut self, text: &str) {
        let moves = self.builder.len();
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

    /// Adds the claim of a closing word about the side to move, `mover`, if that side is known.
    pub fn close(&mut self, line: usize, closing: Closing, mover: Option<Color>) {
        let Closing { word, side_result, ending } = closing;
        // 不詰 says nothing about the result. In a variation it is only a remark.
        if (side_result, ending, self.part) == (SideResult::Open, None, GAME) {
            return self.close_by_unknown_word(line, word);
        }
        let (result, ending) = if self.stop.is_some() && ending == Some(Ending::IllegalMove) {
            // The side that made the illegal move lost, whichever side the record has to move.
            self.is_punished = true;
            (SideResult::Loses.result(self.side()), ending)
        } else {
            let is_draw = side_result == SideResult::Draw;
            let side = mover.or(is_draw.then_some(Color::Black));
            let is_kept = |ending: &Ending| self.stop.is_none() || !ending.is_of_side_to_move();
            (side.and_then(|side| side_result.result(side)), ending.filter(is_kept))
        };
        self.claims.push(Claim { line, text: word.to_owned(), result, ending, is_verdict: false });
    }

    /// Adds the claim of a text that names the winner or the loser. If the last move was illegal, a
    /// win of the other side means that this move lost.
    pub fn claim(&mut self, claim: Claim) {
        let Claim { result, ending, .. } = claim;
        let is_illegal = self.stop.as_ref().is_some_and(|stop| stop.fault.is_illegal_move());
        let is_lost = self.stop.is_some() && result == Some(GameResult::win_of(!self.side()));
        let is_named = ending == Some(Ending::IllegalMove);
        let is_punished = is_lost && (is_named || (is_illegal && ending.is_none()));
        self.is_punished |= is_punished;
        let ending = match ending {
            _ if is_punished => Some(Ending::IllegalMove),
            Some(ending) if self.stop.is_some() && ending.is_of_side_to_move() => None,
            _ => ending,
        };
        self.claims.push(Claim { ending, ..claim });
    }

    /// Adds the claim of a text about the end. `mover` is the side to move, if that is known.
    pub fn state(&mut self, line: usize, text: &str, statement: Statement, mover: Option<Color>) {
        let claim = |result, ending| Claim {
            line,
            text: text.to_owned(),
            result: Some(result),
            ending,
            is_verdict: false,
        };
        match statement {
            Statement::OfMover(closing) => self.close(line, closing, mover),
            Statement::Named(result, ending) => self.claim(claim(result, ending)),
            Statement::PerpetualCheck => {
                let winner = claims::winner_by_perpetual_check(self.position());
                match winner.filter(|_| self.stop.is_none()) {
                    Some(winner) => self.claim(claim(winner, Some(Ending::IllegalMove))),
                    None => {
                        let word = text.split_once("手で").map_or(text, |(_, word)| word);
                        self.close_by_unknown_word(line, word);
                    }
                }
            }
            Statement::Unclear => {
                self.warn(Broken { line, fault: Fault::Unclear(text.to_owned()) });
            }
        }
    }

    /// Handles a closing word without a known meaning. It says nothing about the result; the header
    /// field `end` keeps it.
    pub fn close_by_unknown_word(&mut self, line: usize, word: &str) {
        self.unknown_word = Some((line, word.to_owned()));
    }

    /// Reads a closing sentence like まで98手で後手の勝ち. `first` is the number of the first move.
    pub fn read_sentence(&mut self, line: &TextLine, first: usize) {
        let text = line.text.trim();
        let count =
            count_in_sentence(text).map(|number| number.saturating_add(1).saturating_sub(first));
        if count.is_some_and(|count| count > self.position().moves_made()) {
            self.reopen();
        }
        let mover = match count {
            Some(count) if self.is_stopped() => Some(self.mover_after(count)),
            _ => self.mover(),
        };
        if let Some(statement) = read_statement(text) {
            self.state(line.number, text, statement, mover);
        }
    }

    /// Sets the result, if nothing else says how the game ended.
    pub fn close_with_result(&mut self, line: usize, text: &str, result: GameResult) {
        if self.claims.iter().all(|claim| (claim.result, claim.ending) == (None, None)) {
            let (text, result) = (text.to_owned(), Some(result));
            self.claim(Claim { line, text, result, ending: None, is_verdict: false });
        }
    }

    /// Reads the comment in the last line of a record. Only records of 81Dojo and records with an
    /// illegal last move are closed by a comment.
    pub fn read_last_comment(&mut self, line: usize, text: &str, is_dojo: bool) {
        if self.is_closed() || !(is_dojo || self.stop.is_some()) {
            return;
        }
        if let Some(statement) = read_closing_comment(text, self.stop.is_some()) {
            self.state(line, text, statement, self.mover());
        }
    }

    /// Returns the game with all warnings.
    ///
    /// # Errors
    /// The first move, if it cannot be read or played.
    pub fn finish(mut self, header: Header) -> Result<Reading, Broken> {
        match self.stop.take_if(|_| !self.is_punished && self.builder.len() == 0) {
            Some(first) => Err(first),
            None => Ok(self.end(header).0),
        }
    }

    /// Returns the game or variation, which may have no moves, with all warnings, and the last
    /// position.
    pub fn end(self, mut header: Header) -> (Reading, Position) {
        let last = Some(self.position()).filter(|_| self.stop.is_none());
        let ((result, ending), disputed) = claims::decide(&self.claims, last);
        let mut warnings = self.warnings;
        warnings.extend(disputed);
        let (mut game, last) = self.builder.into_parts();
        if let Some(Broken { line, fault }) = self.stop.filter(|_| !self.is_punished) {
            let (part, kept) = (self.part, last.moves_made());
            warnings
                .push(Broken { line, fault: Fault::Cut { part, fault: Box::new(fault), kept } });
        }
        (game.result, game.ending) = (result, ending);
        if let Some((line, word)) = self.unknown_word {
            match self.part {
                GAME => header.set("end", &word),
                _ => warnings.push(Broken { line, fault: Fault::Meaningless(word) }),
            }
        }
        warnings.sort_by_key(|warning| warning.line);
        game.header = header;
        (Reading { game, warnings }, last)
    }
}
