//! A game while its record is read move by move.

use super::closing::{Closing, SideResult};
use super::japanese::read_closing_sentence;
use super::lines::Broken;
use super::{Ending, Fault, Game, GameBuilder, GameResult, Header};
use crate::shogi::{Color, Move, Position, Square};

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

    /// Where the last move went.
    pub fn last_square(&self) -> Option<Square> {
        self.position().last_move().map(Move::to)
    }

    /// Number of the next move, 1 = first of the game.
    pub fn number(&self) -> usize {
        self.builder.next_number()
    }

    /// Plays the move that stands in this line; `text` is the move as the record has it.
    pub fn play(&mut self, line: usize, text: &str, mv: Move) -> Result<(), Broken> {
        if let Some(broken) = self.illegal.take() {
            return Err(broken);
        }
        if self.closing.is_some() {
            let fault = Fault::unexpected("the end of the game", text);
            return Err(Broken { line, fault });
        }
        let number = self.number();
        if let Err(error) = self.builder.push(mv) {
            self.illegal = Some(Broken { line, fault: Fault::Illegal { number, error } });
        }
        Ok(())
    }

    /// Notes how the game ended, from the view of the side to move.
    pub fn close(&mut self, side_result: SideResult, ending: Option<Ending>) {
        let mover = self.side();
        let result = match self.illegal.take() {
            // Who made the illegal move lost, whosever turn the record takes it to be.
            Some(_) if ending == Some(Ending::IllegalMove) => Some(GameResult::win_of(!mover)),
            illegal => {
                self.illegal = illegal;
                side_result.result(mover)
            }
        };
        self.close_with(result, ending);
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
        if self.closing.is_none()
            && let Some((result, ending)) = read_closing_sentence(text, self.side())
        {
            self.close_with(result, ending);
        }
    }

    /// Notes the result.
    pub fn close_with(&mut self, result: Option<GameResult>, ending: Option<Ending>) {
        self.closing = Some((result, ending));
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
