//! Scored moves that are taken one by one.

use std::mem;

use arrayvec::ArrayVec;

use crate::search::ordering::ScoredMove;
use crate::shogi::{MAX_MOVES, Move, MoveList};

/// Scored moves that are taken one by one, the best first, or in list order.
pub(super) struct ScoredMoves {
    moves: MoveList,
    /// Value and place of each move as one number, see [`key`], or [`TAKEN`]. The largest is that
    /// of the best move, so that one pass over numbers, which the compiler vectorizes, finds it.
    keys: ArrayVec<i32, MAX_MOVES>,
    /// The moves before this place are passed in list order.
    next: usize,
}

/// Number of bits for the place of a move in the list.
const PLACE_BITS: u32 = 10;
/// The largest place.
const LAST_PLACE: usize = (1 << PLACE_BITS) - 1;
/// Smaller than every key.
const TAKEN: i32 = i32::MIN;

/// The key of a move. A greater value has the greater key, and of equal values the first place.
#[inline]
fn key(value: i32, place: usize) -> i32 {
    const { assert!(MAX_MOVES <= LAST_PLACE) };
    debug_assert!(value.abs() < 1 << (i32::BITS - 1 - PLACE_BITS), "too large a value: {value}");
    (value << PLACE_BITS) + (LAST_PLACE - place) as i32
}

impl ScoredMoves {
    /// An empty list.
    pub fn new() -> ScoredMoves {
        ScoredMoves { moves: MoveList::new(), keys: ArrayVec::new(), next: 0 }
    }

    /// Refills the list with the moves that `generate` appends, except `left_out`. Absolute values
    /// must be below 2^21.
    #[inline]
    pub fn fill(
        &mut self,
        generate: impl FnOnce(&mut MoveList),
        left_out: Option<Move>,
        value: impl Fn(Move) -> i32,
    ) {
        self.moves.clear();
        generate(&mut self.moves);
        self.keys.clear();
        self.next = 0;
        self.keys.extend(
            self.moves.iter().enumerate().map(|(place, &mv)| {
                if Some(mv) == left_out { TAKEN } else { key(value(mv), place) }
            }),
        );
    }

    /// Takes the best remaining move; the first of equal ones.
    pub fn take_best(&mut self) -> Option<ScoredMove> {
        self.take_best_above(i32::MIN)
    }

    /// Takes the best remaining move, if its value is greater.
    pub fn take_best_above(&mut self, value: i32) -> Option<ScoredMove> {
        let best = self.keys.iter().fold(TAKEN, |best, &key| best.max(key));
        (best != TAKEN && best >> PLACE_BITS > value)
            .then(|| self.take(LAST_PLACE - (best as usize & LAST_PLACE)))
    }

    /// Takes the next move in list order with a greater value. Passes the others until
    /// [`restart`](ScoredMoves::restart).
    pub fn take_next_above(&mut self, value: i32) -> Option<ScoredMove> {
        let left = self.keys.get(self.next..).unwrap_or_default();
        let found = left.iter().position(|&key| key != TAKEN && key >> PLACE_BITS > value);
        self.next = found.map_or(self.keys.len(), |ahead| self.next + ahead + 1);
        found.map(|_| self.take(self.next - 1))
    }

    /// Lets the list order start with the first remaining move again.
    pub fn restart(&mut self) {
        self.next = 0;
    }

    #[inline]
    fn take(&mut self, place: usize) -> ScoredMove {
        let key = mem::replace(&mut self.keys[place], TAKEN);
        ScoredMove { mv: self.moves[place], value: key >> PLACE_BITS }
    }
}

#[cfg(test)]
mod tests {
    use std::iter;

    use super::*;

    fn mv(text: &str) -> Move {
        text.parse().expect("a move")
    }

    #[test]
    fn moves_are_taken_best_first_or_in_list_order() {
        let moves = ["7g7f", "2g2f", "5g5f", "9g9f", "1g1f", "3g3f"].map(mv);
        let value = |mv: Move| {
            moves.iter().position(|&other| other == mv).map_or(0, |n| [3, 9, -7, 9, 5, -2][n])
        };
        let filled = || {
            let mut scored = ScoredMoves::new();
            scored.fill(|list| list.extend(moves), Some(moves[4]), value);
            scored
        };
        let mut scored = filled();
        let best: Vec<Move> = iter::from_fn(|| scored.take_best()).map(|best| best.mv).collect();
        assert_eq!(best, [1, 3, 0, 5, 2].map(|place| moves[place]));

        let mut scored = filled();
        assert_eq!(scored.take_best_above(8).map(|best| best.value), Some(9));
        assert_eq!(scored.take_best_above(8).map(|best| best.mv), Some(moves[3]));
        assert!(scored.take_best_above(8).is_none());
        let passed = iter::from_fn(|| scored.take_next_above(-5)).map(|next| next.value);
        assert_eq!(passed.collect::<Vec<_>>(), [3, -2]);
        assert!(scored.take_next_above(i32::MIN).is_none());
        scored.restart();
        assert_eq!(scored.take_next_above(i32::MIN).map(|next| next.value), Some(-7));
        assert!(scored.take_best().is_none());
    }
}
