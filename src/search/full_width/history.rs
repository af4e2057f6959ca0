//! Move ordering by experience: killer moves and the history heuristic.

use crate::search::Depth;
use crate::shogi::{Color, Move, Origin};

/// How often each quiet move cut off, weighed by depth (Schaeffer 1989). Shape
/// `[colour][origin][destination]`, origins 0-80 squares, 81-87 kinds in hand; values within +-[`History::MAX`].
pub struct History(Box<[[[i16; 81]; 88]; 2]>);

impl History {
    /// Largest absolute value.
    pub const MAX: i32 = 16_384;

    /// Nothing learned.
    pub fn new() -> History {
        History(Box::new([[[0; 81]; 88]; 2]))
    }

    /// The value of a move of `color`.
    #[inline]
    pub fn get(&self, color: Color, mv: Move) -> i32 {
        i32::from(self.0[color.index()][origin(mv)][mv.to().index()])
    }

    /// A quiet move cut off at `depth`, after the `failed` ones before it did not. Each value moves
    /// towards the limit in proportion to what is left, so that it never overflows and old
    /// experience fades.
    pub fn reward(&mut self, color: Color, best: Move, failed: &[Move], depth: Depth) {
        let plies = depth.to_plies();
        let bonus = (plies * plies * 4).min(1_024);
        self.update(color, best, bonus);
        for &mv in failed {
            self.update(color, mv, -bonus);
        }
    }

    fn update(&mut self, color: Color, mv: Move, bonus: i32) {
        let value = &mut self.0[color.index()][origin(mv)][mv.to().index()];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / History::MAX) as i16;
    }
}

impl Default for History {
    fn default() -> History {
        History::new()
    }
}

#[inline]
fn origin(mv: Move) -> usize {
    match mv.origin() {
        Origin::Board(from) => from.index(),
        Origin::Hand(held) => 81 + held.index(),
    }
}

/// The last two quiet moves that cut off at one distance from the root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Killers([Option<Move>; 2]);

impl Killers {
    /// A quiet move cut off.
    #[inline]
    pub fn add(&mut self, mv: Move) {
        if self.0[0] != Some(mv) {
            self.0 = [Some(mv), self.0[0]];
        }
    }

    /// The killers, latest first.
    #[inline]
    pub fn get(&self, n: usize) -> Option<Move> {
        self.0.get(n).copied().flatten()
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

    #[test]
    fn killers_keep_the_last_two() {
        let mut killers = Killers::default();
        for text in ["7g7f", "2g2f", "2g2f", "P*5e"] {
            killers.add(mv(text));
        }
        assert_eq!((killers.get(0), killers.get(1)), (Some(mv("P*5e")), Some(mv("2g2f"))));
        assert_eq!(killers.get(2), None);
    }
}
