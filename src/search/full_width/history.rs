//! Move ordering by experience: the history heuristic.

use crate::search::Depth;
use crate::search::history_table::{HistoryIndex, HistoryTable};
use crate::search::ordering::{FROM_TO_COUNT, from_to};
use crate::shogi::{Color, Move};

/// How often each quiet move cut off, weighed by depth (Schaeffer 1989). Shape `[colour][from-to]`.
pub(super) struct History(HistoryTable);

impl History {
    /// Largest absolute value.
    pub const MAX: i32 = HistoryTable::LIMIT;

    /// Nothing learned.
    pub fn new() -> History {
        History(HistoryTable::new(2 * FROM_TO_COUNT))
    }

    /// The value of a move of `color`.
    #[inline]
    pub fn get(&self, color: Color, mv: Move) -> i32 {
        self.0.get(stat(color, mv))
    }

    /// A quiet move cut off at `depth`, after the `failed` ones before it did not.
    pub fn reward(&mut self, color: Color, best: Move, failed: &[Move], depth: Depth) {
        let plies = depth.to_plies();
        let bonus = (plies * plies * 4).min(1_024);
        self.0.update(stat(color, best), bonus);
        for &mv in failed {
            self.0.update(stat(color, mv), -bonus);
        }
    }
}

#[inline]
fn stat(color: Color, mv: Move) -> HistoryIndex {
    HistoryIndex(color.index() * FROM_TO_COUNT + from_to(mv))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str) -> Move {
        text.parse().expect("a move")
    }

    #[test]
    fn values_stay_in_range_and_order_moves() {
        let mut history = History::new();
        let (good, bad) = (mv("P*5e"), mv("7g7f"));
        for _ in 0..10_000 {
            history.reward(Color::White, good, &[bad], Depth::plies(30));
        }
        let (high, low) = (history.get(Color::White, good), history.get(Color::White, bad));
        assert!(high > 10_000 && high <= History::MAX, "{high}");
        assert!((-History::MAX..-10_000).contains(&low), "{low}");
        assert_eq!(history.get(Color::Black, good), 0);
    }
}
