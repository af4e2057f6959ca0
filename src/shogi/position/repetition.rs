//! Repetition (sennichite), perpetual check, and superior or inferior positions.

use super::{Position, StateInfo};

/// How the present position repeats an earlier one, from the side to move's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// Equal position, no perpetual check.
    Draw,
    /// Equal position; the opponent gave check with every move of the cycle and loses.
    Win,
    /// Equal position; the side to move gave check with every move of the cycle and loses.
    Loss,
    /// Same board, but the side to move now holds more: it has gained for nothing.
    Superior,
    /// Same board, but the side to move now holds less.
    Inferior,
}

/// How many moves back the search looks for a repetition. Longer cycles are left to the game's
/// own count; looking further costs time at every node.
const SEARCH_WINDOW: usize = 32;

impl Position {
    /// The latest earlier occurrence of this position, else the latest with the same board and side
    /// to move and comparable hands, if any lies within the last 32 moves and no null move stands
    /// between. The search takes a second occurrence for the fourth.
    #[inline]
    pub fn repetition(&self) -> Option<Repetition> {
        let reach = SEARCH_WINDOW.min(self.state.since_null as usize);
        let mut comparable = None;
        let mut back = 4;
        while back <= reach {
            let earlier = &self.history[self.history.len() - back];
            if earlier.board_key == self.state.board_key {
                let (now, then) = (self.state.hand, earlier.hand);
                if earlier.hand_key == self.state.hand_key {
                    return Some(self.verdict(back));
                }
                comparable = comparable.or(if now.is_superior_or_equal(then) {
                    Some(Repetition::Superior)
                } else {
                    then.is_superior_or_equal(now).then_some(Repetition::Inferior)
                });
            }
            back += 2;
        }
        comparable
    }

    /// The verdict of the rules: `Draw`, `Win` or `Loss` at the fourth occurrence of board, hands
    /// and side to move. Looks through the whole game.
    pub fn fourfold(&self) -> Option<Repetition> {
        let same = |state: &StateInfo| {
            state.board_key == self.state.board_key && state.hand_key == self.state.hand_key
        };
        let reach = self.state.since_null as usize;
        let third = (2..=reach)
            .step_by(2)
            .filter(|&back| same(&self.history[self.history.len() - back]))
            .nth(2)?;
        Some(self.verdict(third))
    }

    /// Who, if anyone, gave perpetual check in the cycle of `plies` moves that ends here.
    #[inline]
    fn verdict(&self, plies: usize) -> Repetition {
        let perpetual =
            |color: crate::shogi::Color| usize::from(self.state.checks[color.index()]) * 2 >= plies;
        if perpetual(!self.side) {
            Repetition::Win
        } else if perpetual(self.side) {
            Repetition::Loss
        } else {
            Repetition::Draw
        }
    }
}
