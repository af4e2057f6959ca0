//! The `position` command: parses text into a position with its history.

use thiserror::Error;

use crate::quote::quoted;
use crate::shogi::{IllegalMove, Move, Position, SfenError};

/// The text after `position`, not validated: `startpos` or `[sfen] BOARD SIDE HAND [N]`, then
/// optionally `moves` and a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionText(pub(crate) String);

/// The reason why a position is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PositionError {
    /// The SFEN is invalid or the position cannot be played.
    #[error("{0}")]
    Sfen(#[from] SfenError),
    /// A word other than `moves` follows `startpos`.
    #[error("unexpected {} after startpos: moves follow the word `moves`", quoted(.0))]
    Surplus(String),
    /// A word in the list is not a move.
    #[error("move {number}, {}, is not a move", quoted(.text))]
    NotAMove {
        /// Index in the list; 1 is the first.
        number: usize,
        /// The given text.
        text: String,
    },
    /// A move of the list is illegal.
    #[error("move {number}: {error}")]
    Illegal {
        /// Index in the list; 1 is the first.
        number: usize,
        /// The move and the reason.
        error: IllegalMove,
    },
}

impl PositionText {
    /// Sets up the position and plays the moves. All legal moves are accepted, including useless
    /// non-promotions.
    ///
    /// # Errors
    /// [`PositionError`] for an invalid position, or for the first invalid move.
    pub fn to_position(&self) -> Result<Position, PositionError> {
        let words: Vec<&str> = self.0.split_ascii_whitespace().collect();
        let split = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let (setup, moves) = words.split_at(split);
        let mut pos = match setup {
            ["startpos"] => Position::startpos(),
            ["startpos", word, ..] => return Err(PositionError::Surplus((*word).to_owned())),
            ["sfen", fields @ ..] | fields => Position::from_sfen(&fields.join(" "))?,
        };
        for (number, &text) in moves.iter().enumerate().skip(1) {
            let mv: Move = text
                .parse()
                .map_err(|()| PositionError::NotAMove { number, text: text.to_owned() })?;
            pos.check_legal(mv).map_err(|error| PositionError::Illegal { number, error })?;
            pos.do_move(mv);
        }
        Ok(pos)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::STARTPOS;

    fn set_up(line: &str) -> Result<Position, PositionError> {
        PositionText(line.to_owned()).to_position()
    }

    #[test]
    fn all_forms_are_accepted() {
        let board = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";
        for line in [
            "startpos".to_owned(),
            "startpos moves".to_owned(),
            format!("sfen {STARTPOS}"),
            format!("sfen {board}"),
            format!("{board} moves"),
            format!("{STARTPOS} moves"),
        ] {
            assert_eq!(set_up(&line).map(|pos| pos.to_sfen()), Ok(STARTPOS.to_owned()), "{line}");
        }
        let played = set_up(&format!("sfen {board} moves 7g7f 3c3d 8h2b")).expect("legal moves");
        assert_eq!((played.moves_made(), played.move_number()), (3, 4));
    }

    #[test]
    fn errors_name_the_invalid_part() {
        let message = |line: &str| set_up(line).expect_err(line).to_string();
        assert_eq!(
            message("startpos moves 7g7f 7g7f"),
            "move 2: 7g7f is not a move of any piece here"
        );
        assert_eq!(
            message("startpos 7g7f"),
            "unexpected \"7g7f\" after startpos: moves follow the word `moves`"
        );
        for line in [format!("sfen {STARTPOS} move 7g7f"), format!("{STARTPOS} 7g7f moves 3c3d")] {
            let (_, word) = line.split_once(" 1 ").expect("a move number");
            let word = word.split(' ').next().unwrap_or_default();
            let expected =
                format!("unexpected {word:?} after the SFEN: moves follow the word `moves`");
            assert_eq!(message(&line), expected);
        }
        let long = message(&format!("startpos moves {}", "7".repeat(5_000)));
        assert_eq!(long, format!("move 1, \"{}\"..., is not a move", "7".repeat(80)));
        assert!(message("startpos moves 7g7f resign").contains("move 2, \"resign\""));
        assert!(message("").contains("needs board, side and hand"));
        assert!(message("foo").contains("\"foo\""));
    }
}
