//! Repetition (sennichite), perpetual check, and superior or inferior positions.

use super::{Position, StateInfo};

/// How the current position repeats an earlier one, from the side to move's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// Same position, no perpetual check.
    Draw,
    /// Same position. The opponent gave check with every move of the cycle and loses.
    Win,
    /// Same position. The side to move gave check with every move of the cycle and loses.
    Loss,
    /// Same board, but the side to move now has more in hand.
    Superior,
    /// Same board, but the side to move now has less in hand.
    Inferior,
}

/// How many moves back the search looks for a repetition. Longer cycles are detected by the game's
/// own count. A larger window costs time at every node.
const SEARCH_WINDOW: usize = 32;

impl Position {
    /// The latest earlier occurrence of this position; else the latest one with the same board,
    /// side to move and comparable hands. Only the last 32 moves after the last null move are
    /// searched.
    #[inline]
    pub fn repetition(&self) -> Option<Repetition> {
        self.repetition_within(SEARCH_WINDOW)
    }

    /// Like [`repetition`](Self::repetition), for a search `ply` moves from its root. A second
    /// occurrence within the search counts as the fourth, because a side that can force it once can
    /// force it again. An occurrence before the root does not show this, so it counts only by the
    /// [rules](Self::fourfold).
    #[inline]
    pub fn repetition_in_search(&self, ply: usize) -> Option<Repetition> {
        let found = self.repetition_within(ply.min(SEARCH_WINDOW));
        match found {
            Some(Repetition::Draw | Repetition::Win | Repetition::Loss) => found,
            // Only a position that occurred before can have occurred three times.
            _ if ply < SEARCH_WINDOW && self.occurred_within(SEARCH_WINDOW) => {
                self.fourfold().or(found)
            }
            _ => found,
        }
    }

    /// Whether the same position occurred within the last `plies` moves.
    #[inline]
    fn occurred_within(&self, plies: usize) -> bool {
        let reach = plies.min(self.state.since_null as usize);
        (4..=reach).step_by(2).any(|back| self.is_same(&self.history[self.history.len() - back]))
    }

    #[inline]
    fn is_same(&self, earlier: &StateInfo) -> bool {
        earlier.board_key == self.state.board_key && earlier.hand_key == self.state.hand_key
    }

    #[inline]
    fn repetition_within(&self, plies: usize) -> Option<Repetition> {
        let reach = plies.min(self.state.since_null as usize);
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

    /// The result by the rules: `Draw`, `Win` or `Loss` at the fourth occurrence of board, hands
    /// and side to move. Searches the whole game.
    pub fn fourfold(&self) -> Option<Repetition> {
        let reach = self.state.since_null as usize;
        let third = (2..=reach)
            .step_by(2)
            .filter(|&back| self.is_same(&self.history[self.history.len() - back]))
            .nth(2)?;
        Some(self.verdict(third))
    }

    /// The result of a cycle of `plies` moves that ends here, depending on perpetual check.
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
