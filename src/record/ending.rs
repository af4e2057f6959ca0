//! Results and endings of games, and the words for them.

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

    /// Points of a side, in halves: 2 won, 1 drawn, 0 lost.
    pub fn half_points(self, side: Color) -> u8 {
        self.winner().map_or(1, |winner| if winner == side { 2 } else { 0 })
    }

    /// `b`, `w` or `d`.
    pub fn letter(self) -> char {
        ['b', 'w', 'd'][self as usize]
    }

    /// Reads [`letter`](GameResult::letter).
    pub fn from_letter(text: &str) -> Option<GameResult> {
        let all = [GameResult::BlackWins, GameResult::WhiteWins, GameResult::Draw];
        all.into_iter().find(|result| text.chars().eq([result.letter()]))
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The side to move resigned.
    Resignation,
    /// The side to move was mated.
    Mate,
    /// The side to move exceeded its time.
    Time,
    /// An illegal move (two pawns, perpetual check, ...); the move itself is not in the record.
    IllegalMove,
    /// The fourth occurrence of a position.
    Repetition,
    /// Both kings have entered (jishogi), a draw by agreement.
    Impasse,
    /// The maximum number of moves was reached.
    MaxMoves,
    /// The side to move declared a win (nyugyoku).
    Declaration,
    /// The game was interrupted.
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

/// The word for a draw without an ending.
pub const DRAW: &str = "draw";

impl Ending {
    /// The word in USI lines.
    pub fn name(self) -> &'static str {
        NAMES[self as usize].1
    }

    /// Whether a game with this ending and without a winner is drawn.
    pub fn is_draw(self) -> bool {
        matches!(self, Ending::Repetition | Ending::Impasse | Ending::MaxMoves)
    }

    /// Whether the ending is an action or a state of the side to move.
    pub(super) fn is_of_side_to_move(self) -> bool {
        use Ending::{Declaration, Mate, Resignation, Time};
        matches!(self, Resignation | Mate | Time | Declaration)
    }

    /// Reads [`name`](Ending::name).
    pub fn from_name(name: &str) -> Option<Ending> {
        NAMES.into_iter().find(|&(_, known)| known == name).map(|(ending, _)| ending)
    }
}

/// The result from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SideResult {
    Wins,
    Loses,
    Draw,
    /// No result.
    Open,
}

impl SideResult {
    pub fn result(self, side: Color) -> Option<GameResult> {
        match self {
            SideResult::Wins => Some(GameResult::win_of(side)),
            SideResult::Loses => Some(GameResult::win_of(!side)),
            SideResult::Draw => Some(GameResult::Draw),
            SideResult::Open => None,
        }
    }

    pub fn of(result: Option<GameResult>, side: Color) -> SideResult {
        match result.map(GameResult::winner) {
            None => SideResult::Open,
            Some(None) => SideResult::Draw,
            Some(Some(winner)) if winner == side => SideResult::Wins,
            Some(Some(_)) => SideResult::Loses,
        }
    }
}

/// A word that closes a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closing {
    pub word: &'static str,
    pub side_result: SideResult,
    pub ending: Option<Ending>,
}

impl Closing {
    pub const fn new(
        word: &'static str,
        side_result: SideResult,
        ending: Option<Ending>,
    ) -> Closing {
        Closing { word, side_result, ending }
    }

    /// The entry of a word.
    pub fn find(table: &[Closing], word: &str) -> Option<Closing> {
        table.iter().find(|closing| closing.word == word).copied()
    }

    /// The word of a format's table for an ending: the word for exactly this ending, else the first
    /// word for this result, of a draw the one without an ending. Games without a result only have
    /// the former.
    pub fn choose(
        table: &'static [Closing],
        side_result: SideResult,
        ending: Option<Ending>,
    ) -> Option<&'static Closing> {
        let fitting = || table.iter().filter(move |closing| closing.side_result == side_result);
        let exact = fitting().find(|closing| ending.is_some() && closing.ending == ending);
        match side_result {
            SideResult::Open => exact,
            // A draw has a word that says nothing else.
            SideResult::Draw => {
                let plain = || fitting().find(|closing| closing.ending.is_none());
                exact.or_else(plain)
            }
            SideResult::Wins | SideResult::Loses => exact.or_else(|| fitting().next()),
        }
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

    #[test]
    fn verdicts_round_trip() {
        for side in Color::ALL {
            for side_result in
                [SideResult::Wins, SideResult::Loses, SideResult::Draw, SideResult::Open]
            {
                assert_eq!(SideResult::of(side_result.result(side), side), side_result);
            }
        }
    }
}
