//! The history heuristic of the full-width searcher.

use super::half_plies::HalfPlies;
use crate::eval::see_values;
use crate::search::history_table::{HistoryIndex, HistoryTable};
use crate::search::ordering::FROM_TO_COUNT;
use crate::shogi::{Color, Move, Position};

/// HalfPlies-weighted success of each quiet move at causing beta cutoffs (Schaeffer 1989). Shape
/// `[color][from-to]`.
pub(super) struct QuietHistory(HistoryTable);

impl QuietHistory {
    /// An empty table.
    pub fn new() -> QuietHistory {
        QuietHistory(<HistoryTable>::new(2 * FROM_TO_COUNT))
    }

    /// The value of a move of `color`.
    #[inline]
    pub fn get(&self, color: Color, mv: Move) -> i32 {
        self.0.get(HistoryIndex::from_to(color.index(), mv))
    }

    /// Updates after a beta cutoff by a quiet move at `depth`. `failed`: the quiet moves searched
    /// before it.
    pub fn on_beta_cutoff(&mut self, color: Color, best: Move, failed: &[Move], depth: HalfPlies) {
        let plies = depth.to_plies();
        let bonus = (plies * plies * 4).min(1_024);
        self.0.update(HistoryIndex::from_to(color.index(), best), bonus);
        for &mv in failed {
            self.0.update(HistoryIndex::from_to(color.index(), mv), -bonus);
        }
    }

    /// The value of an evasion: winning captures come before all quiet moves, losing captures after
    /// them.
    pub fn evasion(&self, pos: &Position, mv: Move) -> i32 {
        if pos.is_quiet(mv) {
            return self.get(pos.side_to_move(), mv);
        }
        let gain = pos.see(mv, see_values());
        if gain >= 0 { 2 * <HistoryTable>::LIMIT + gain } else { -2 * <HistoryTable>::LIMIT + gain }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str) -> Move {
        text.parse().expect("a move")
    }

    #[test]
    fn values_stay_in_range_and_order_moves() {
        let mut history = QuietHistory::new();
        let (good, bad) = (mv("P*5e"), mv("7g7f"));
        for _ in 0..10_000 {
            history.on_beta_cutoff(Color::White, good, &[bad], HalfPlies::plies(30));
        }
        let (high, low) = (history.get(Color::White, good), history.get(Color::White, bad));
        assert!(high > 10_000 && high <= <HistoryTable>::LIMIT, "{high}");
        assert!((-<HistoryTable>::LIMIT..-10_000).contains(&low), "{low}");
        assert_eq!(history.get(Color::Black, good), 0);
    }
}
