//! A game while its record is read move by move.

use std::time::Duration;

use super::ending::{Closing, SideResult};
use super::japanese::read_closing_sentence;
use super::lines::{Broken, TextLine};
use super::{Ending, Fault, Game, GameBuilder, GameResult, Header, MoveFault, search_comment};
use crate::shogi::{Color, Move, Position};

/// Moves so far, and how the record closes. An illegal move is forgiven if the record itself goes
/// on to say that the game was lost by it: the move is left out then.
#[derive(Debug)]
pub(super) struct Transcript {
    builder: GameBuilder,
    illegal: Option<Broken>,
    closing: Option<(Option<GameResult>, Option<Ending>)>,
}

impl Transcript {
    pub fn new(builder: GameBuilder) -> Transcript {
        Transcript { builder, illegal: None, closing: None }
    }

    pub fn position(&self) -> &Position {
        self.builder.position()
    }

    pub fn side(&self) -> Color {
        self.position().side_to_move()
    }

    /// Plays the move that stands in this line: `text` in the record, which `read` understands.
    pub fn play(
        &mut self,
        line: &TextLine,
        text: &str,
        read: impl FnOnce(&Position, &str) -> Result<Move, MoveFault>,
    ) -> Result<(), Broken> {
        let number = self.position().moves_made() + 1;
        let broken = |fault| line.broken(Fault::Move { number, fault });
        let mv = read(self.position(), text).map_err(broken)?;
        if let Some(broken) = self.illegal.take() {
            return Err(broken);
        }
        if self.closing.is_some() {
            return Err(line.broken(Fault::unexpected("the end of the game", text)));
        }
        self.illegal = self.builder.push(mv).err().map(|error| broken(error.into()));
        Ok(())
    }

    /// Notes the time spent on what was read last: a move, or the closing word.
    pub fn spend(&mut self, time: Duration) {
        let moves = self.position().moves_made();
        // An illegal move that is left out ends the game as a closing word does.
        let is_over = self.closing.is_some() || self.illegal.is_some();
        if let Some(ply) = if is_over { Some(moves) } else { moves.checked_sub(1) } {
            self.builder.notes().set_time(ply, time);
        }
    }

    /// Notes a line of comment behind what was read last. The first one behind a move that tells a
    /// score is the score of that move.
    pub fn comment(&mut self, text: &str) {
        let moves = self.position().moves_made();
        let unscored = moves.checked_sub(1).filter(|&ply| self.builder.score(ply).is_none());
        let told = unscored.filter(|_| self.illegal.is_none());
        let told = told.and_then(|ply| Some((ply, search_comment::read(text, self.position())?)));
        let Some((ply, (score, line, rest))) = told else {
            return self.builder.notes().add_comment(moves, text);
        };
        self.builder.set_score(ply, score);
        self.builder.notes().set_line(ply, &line);
        if !rest.is_empty() {
            self.builder.notes().add_comment(moves, rest);
        }
    }

    /// Notes how the game ended, from the view of the side to move.
    pub fn close(&mut self, side_result: SideResult, ending: Option<Ending>) {
        let mover = self.side();
        let is_punished = ending == Some(Ending::IllegalMove) && self.illegal.take().is_some();
        // Who made the illegal move lost, whosever turn the record takes it to be.
        let side_result = if is_punished { SideResult::Loses } else { side_result };
        let result = side_result.result(mover);
        self.closing = Some((result, ending));
    }

    /// Notes how the game ended if the word is one of a format's closing words.
    pub fn close_by_word(&mut self, table: &[Closing], word: &str) -> bool {
        let closing = table.iter().find(|closing| closing.word == word);
        if let Some(closing) = closing {
            self.close(closing.side_result, closing.ending);
        }
        closing.is_some()
    }

    /// Notes what a sentence like まで98手で後手の勝ち says, unless a closing word stood among the
    /// moves.
    pub fn read_sentence(&mut self, text: &str) {
        if self.closing.is_none() {
            self.closing = read_closing_sentence(text, self.side());
        }
    }

    pub fn finish(self, header: Header) -> Result<Game, Broken> {
        if let Some(broken) = self.illegal {
            return Err(broken);
        }
        let mut game = self.builder.finish();
        (game.result, game.ending) = self.closing.unwrap_or_default();
        game.header = header;
        Ok(game)
    }
}
