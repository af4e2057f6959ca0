//! Who won a game, and by what it ended.

use crate::shogi::Color;

/// Who won a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// The first player won.
    BlackWins,
    /// The second player won.
    WhiteWins,
    /// Nobody won.
    Draw,
}

impl GameResult {
    /// This player won.
    pub fn win_of(color: Color) -> GameResult {
        match color {
            Color::Black => GameResult::BlackWins,
            Color::White => GameResult::WhiteWins,
        }
    }

    /// The winner; `None` for a draw.
    pub fn winner(self) -> Option<Color> {
        match self {
            GameResult::BlackWins => Some(Color::Black),
            GameResult::WhiteWins => Some(Color::White),
            GameResult::Draw => None,
        }
    }

    /// `b`, `w` or `d`.
    pub fn letter(self) -> char {
        match self {
            GameResult::BlackWins => 'b',
            GameResult::WhiteWins => 'w',
            GameResult::Draw => 'd',
        }
    }

    /// Reads [`letter`](GameResult::letter).
    pub fn from_letter(text: &str) -> Option<GameResult> {
        let all = [GameResult::BlackWins, GameResult::WhiteWins, GameResult::Draw];
        all.into_iter().find(|result| text.chars().eq([result.letter()]))
    }
}

/// By what a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The side to move resigned.
    Resignation,
    /// The side to move was mated.
    Mate,
    /// The side to move overstepped its time.
    Time,
    /// An illegal move (two pawns, perpetual check, ...); the move itself is not in the record.
    IllegalMove,
    /// The fourth occurrence of a position.
    Repetition,
    /// Both kings have entered (jishogi), a draw by agreement.
    Impasse,
    /// The longest length allowed.
    MaxMoves,
    /// The side to move declared its win (nyugyoku).
    Declaration,
    /// Broken off.
    Interruption,
}

/// All endings in the order of the enum, with their words in USI lines (`ending=resignation`).
const NAMES: [(Ending, &str); 9] = [
    (Ending::Resignation, "resignation"),
    (Ending::Mate, "mate"),
    (Ending::Time, "time"),
    (Ending::IllegalMove, "illegal_move"),
    (Ending::Repetition, "repetition"),
    (Ending::Impasse, "impasse"),
    (Ending::MaxMoves, "max_moves"),
    (Ending::Declaration, "declaration"),
    (Ending::Interruption, "interruption"),
];

impl Ending {
    /// The word in USI lines.
    pub fn name(self) -> &'static str {
        NAMES[self as usize].1
    }

    /// Reads [`name`](Ending::name).
    pub fn from_name(name: &str) -> Option<Ending> {
        NAMES.into_iter().find(|&(_, known)| known == name).map(|(ending, _)| ending)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for (ending, name) in NAMES {
            assert_eq!(ending.name(), name);
            assert_eq!(Ending::from_name(ending.name()), Some(ending));
        }
        assert_eq!(Ending::from_name("resign"), None);
    }
}
