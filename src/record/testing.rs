//! What the tests of several formats share.

use std::io::{self, Write};

use super::Game;
use super::lines::{Broken, TextLine};

/// The lines of a file with this text.
pub(super) fn lines(text: &str) -> Vec<TextLine> {
    let line = |(i, text): (usize, &str)| TextLine { number: i + 1, text: text.to_owned() };
    text.lines().enumerate().map(line).collect()
}

/// The moves in USI notation.
pub(super) fn moves(game: &Game) -> String {
    game.moves().iter().map(|mv| mv.to_string()).collect::<Vec<_>>().join(" ")
}

/// What a format writes of a game.
pub(super) fn written(write: fn(&Game, &mut dyn Write) -> io::Result<()>, game: &Game) -> String {
    let mut bytes = Vec::new();
    write(game, &mut bytes).expect("memory");
    String::from_utf8(bytes).expect("UTF-8")
}

/// Asserts that each line, put behind `head`, breaks the game: the error names the line and has the
/// text beside it.
pub(super) fn check_faults(
    read: fn(&[TextLine]) -> Result<Game, Broken>,
    head: &str,
    cases: &[(&str, &str)],
) {
    for &(line, part) in cases {
        let broken = read(&lines(&format!("{head}{line}\n"))).expect_err(line);
        assert_eq!(broken.line, head.lines().count() + 1, "{line}");
        assert!(broken.fault.to_string().contains(part), "{}", broken.fault);
    }
}
