//! By what a game ends, and the words that say so.

use super::GameResult;
use crate::shogi::Color;

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

impl Ending {
    /// All of them.
    pub const ALL: [Ending; 9] = [
        Ending::Resignation,
        Ending::Mate,
        Ending::Time,
        Ending::IllegalMove,
        Ending::Repetition,
        Ending::Impasse,
        Ending::MaxMoves,
        Ending::Declaration,
        Ending::Interruption,
    ];

    /// The word in USI lines (`ending=resignation`).
    pub fn name(self) -> &'static str {
        match self {
            Ending::Resignation => "resignation",
            Ending::Mate => "mate",
            Ending::Time => "time",
            Ending::IllegalMove => "illegal_move",
            Ending::Repetition => "repetition",
            Ending::Impasse => "impasse",
            Ending::MaxMoves => "max_moves",
            Ending::Declaration => "declaration",
            Ending::Interruption => "interruption",
        }
    }

    /// Reads [`name`](Ending::name).
    pub fn from_name(name: &str) -> Option<Ending> {
        Ending::ALL.into_iter().find(|ending| ending.name() == name)
    }
}

/// What a closing word means for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Wins,
    Loses,
    Draw,
    /// Nothing is decided.
    Open,
}

impl Verdict {
    pub fn result(self, side: Color) -> Option<GameResult> {
        match self {
            Verdict::Wins => Some(GameResult::win_of(side)),
            Verdict::Loses => Some(GameResult::win_of(!side)),
            Verdict::Draw => Some(GameResult::Draw),
            Verdict::Open => None,
        }
    }

    pub fn of(result: Option<GameResult>, side: Color) -> Verdict {
        match result.map(GameResult::winner) {
            None => Verdict::Open,
            Some(None) => Verdict::Draw,
            Some(Some(winner)) if winner == side => Verdict::Wins,
            Some(Some(_)) => Verdict::Loses,
        }
    }
}

/// A word that closes a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closing {
    pub word: &'static str,
    pub verdict: Verdict,
    pub ending: Option<Ending>,
}

impl Closing {
    pub const fn new(word: &'static str, verdict: Verdict, ending: Option<Ending>) -> Closing {
        Closing { word, verdict, ending }
    }

    /// The word of a format's table that says how a game ended: the one for this ending, else the
    /// table's first for this verdict; for undecided games only the former.
    pub fn choose(
        table: &'static [Closing],
        verdict: Verdict,
        ending: Option<Ending>,
    ) -> Option<&'static Closing> {
        let fitting = || table.iter().filter(move |closing| closing.verdict == verdict);
        let exact = fitting().find(|closing| ending.is_some() && closing.ending == ending);
        exact.or_else(|| if verdict == Verdict::Open { None } else { fitting().next() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_verdicts_round_trip() {
        for ending in Ending::ALL {
            assert_eq!(Ending::from_name(ending.name()), Some(ending));
        }
        assert_eq!(Ending::from_name("resign"), None);
        for side in Color::ALL {
            for verdict in [Verdict::Wins, Verdict::Loses, Verdict::Draw, Verdict::Open] {
                assert_eq!(Verdict::of(verdict.result(side), side), verdict);
            }
        }
    }
}
