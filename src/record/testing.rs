//! What the tests of several formats share.

use super::Game;
use super::lines::TextLine;

/// The lines of a file with this text.
pub(super) fn lines(text: &str) -> Vec<TextLine> {
    let line = |(i, text): (usize, &str)| TextLine { number: i + 1, text: text.to_owned() };
    text.lines().enumerate().map(line).collect()
}

/// The moves in USI notation.
pub(super) fn moves(game: &Game) -> String {
    game.moves().iter().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
}
