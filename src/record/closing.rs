//! The words that say how a game ended.

use super::{Ending, GameResult};
use crate::shogi::Color;

/// What a closing word means for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SideResult {
    Wins,
    Loses,
    Draw,
    /// Nothing is decided.
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

    /// The word of a format's table that says how a game ended: the one for this ending, else the
    /// table's first for this result; for undecided games only the former.
    pub fn choose(
        table: &'static [Closing],
        side_result: SideResult,
        ending: Option<Ending>,
    ) -> Option<&'static Closing> {
        let fitting = || table.iter().filter(move |closing| closing.side_result == side_result);
        let exact = fitting().find(|closing| ending.is_some() && closing.ending == ending);
        exact.or_else(|| if side_result == SideResult::Open { None } else { fitting().next() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
