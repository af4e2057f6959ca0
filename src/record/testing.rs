//! What the tests of several formats share.

use std::io::{self, Write};

use super::lines::{Broken, Reading, TextLine};
use super::{Game, usi};

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

/// The game of a USI line.
pub(super) fn game(line: &str) -> Game {
    usi::read(line).expect(line).game
}

/// The game of a reading that has no warnings.
pub(super) fn whole(reading: Result<Reading, Broken>) -> Result<Game, Broken> {
    reading.map(|reading| {
        assert_eq!(reading.warnings, [], "a game that is read whole");
        reading.game
    })
}

/// Asserts that each line, put behind the moves of `head`, cuts the game short: a warning names the
/// line and has the text in it. With `behind`, a move that follows, the game is an error.
pub(super) fn check_faults(
    read: fn(&[TextLine]) -> Result<Reading, Broken>,
    head: &str,
    behind: &str,
    cases: &[(&str, &str)],
) {
    let check = |broken: &Broken, line: &str, part: &str| {
        assert_eq!(broken.line, head.lines().count() + 1, "{line}");
        assert!(broken.fault.to_string().contains(part), "{}", broken.fault);
    };
    for &(line, part) in cases {
        let last = read(&lines(&format!("{head}{line}\n"))).expect(line);
        assert_eq!(last.warnings.len(), 1, "{line}");
        check(&last.warnings[0], line, part);
        let broken = read(&lines(&format!("{head}{line}\n{behind}"))).expect_err(line);
        check(&broken, line, part);
    }
}
