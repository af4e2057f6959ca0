//! Shared parts of move ordering: killer moves, scored moves, and the from-to index of a move in a
//! history table.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use crate::shogi::{MAX_MOVES, Move};

/// Number of from-to indices; see [`from_to`].
pub(super) const FROM_TO_COUNT: usize = 88 * 81;

/// Index of a move's origin ([`Move::origin_index`]) and destination, below [`FROM_TO_COUNT`].
#[inline]
pub(super) fn from_to(mv: Move) -> usize {
    mv.origin_index() * 81 + mv.to().index()
}

/// The last two quiet moves that caused a beta cutoff at one ply (Akl and Newborn 1977).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Killers([Option<Move>; 2]);

impl Killers {
    /// Adds a quiet move that caused a beta cutoff.
    #[inline]
    pub fn add(&mut self, mv: Move) {
        if self.0[0] != Some(mv) {
            self.0 = [Some(mv), self.0[0]];
        }
    }

    /// The killers, most recent first.
    #[inline]
    pub fn get(self) -> [Option<Move>; 2] {
        self.0
    }
}

/// A move and its ordering value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoredMove {
    pub mv: Move,
    pub value: i32,
}

/// Unsorted scored moves, for nodes that search only a few of them.
pub(super) type Candidates = ArrayVec<ScoredMove, MAX_MOVES>;

/// Removes and returns the best candidate; the first of equal ones.
#[inline]
pub(super) fn take_best(moves: &mut Candidates) -> Option<ScoredMove> {
    let best = (0..moves.len()).max_by_key(|&at| (moves[at].value, Reverse(at)))?;
    Some(moves.swap_remove(best))
}

/// Scored moves that are taken one by one.
pub(super) struct ScoredMoves {
    list: ArrayVec<ScoredMove, MAX_MOVES>,
    next: usize,
}

impl ScoredMoves {
    /// An empty list.
    pub fn new() -> ScoredMoves {
        ScoredMoves { list: ArrayVec::new(), next: 0 }
    }

    /// Refills the list with `moves` except `left_out`.
    pub fn fill(&mut self, moves: &[Move], left_out: Option<Move>, value: impl Fn(Move) -> i32) {
        self.list.clear();
        self.next = 0;
        for &mv in moves {
            if Some(mv) != left_out {
                self.list.push(ScoredMove { mv, value: value(mv) });
            }
        }
    }

    /// Number of moves, including those already taken.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Moves the entries with more than `value` to the front, unsorted, and returns them.
    pub fn gather(&mut self, value: i32) -> &mut [ScoredMove] {
        let mut count = 0;
        for at in 0..self.list.len() {
            if self.list[at].value > value {
                self.list.swap(count, at);
                count += 1;
            }
        }
        &mut self.list[..count]
    }

    /// Takes the next move in list order.
    pub fn take_next(&mut self) -> Option<ScoredMove> {
        let scored = self.list.get(self.next).copied();
        self.next += 1;
        scored
    }

    /// Makes the last taken move the next one again.
    pub fn put_back(&mut self) {
        self.next -= 1;
    }

    /// Takes the best remaining move; the first of equal ones.
    pub fn take_best(&mut self) -> Option<ScoredMove> {
        self.take_best_before(self.list.len())
    }

    /// Takes the best remaining move before index `end`, or the next move in list order from there
    /// on. One step of selection sort.
    pub fn take_best_before(&mut self, end: usize) -> Option<ScoredMove> {
        let left = self.list.get_mut(self.next..end).unwrap_or_default();
        if let Some((first, others)) = left.split_first() {
            let (mut best, mut value) = (0, first.value);
            for (at, scored) in others.iter().enumerate() {
                if scored.value > value {
                    (best, value) = (at + 1, scored.value);
                }
            }
            left.swap(0, best);
        }
        self.take_next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str) -> Move {
        text.parse().expect("a move")
    }

    #[test]
    fn killers_keep_the_last_two() {
        let mut killers = Killers::default();
        for text in ["7g7f", "2g2f", "2g2f", "P*5e"] {
            killers.add(mv(text));
        }
        assert_eq!(killers.get(), [Some(mv("P*5e")), Some(mv("2g2f"))]);
    }

    #[test]
    fn from_to_indices_are_distinct_and_in_range() {
        let moves = ["7g7f", "7f7g", "P*7f", "R*7f", "9i9h", "G*9i"].map(mv);
        for (n, &one) in moves.iter().enumerate() {
            assert!(from_to(one) < FROM_TO_COUNT);
            assert!(moves[..n].iter().all(|&other| from_to(other) != from_to(one)));
        }
    }

    #[test]
    fn moves_before_the_end_index_are_taken_best_first() {
        let moves = ["7g7f", "2g2f", "5g5f", "9g9f", "1g1f"].map(mv);
        let value = |mv: Move| {
            moves.iter().position(|&other| other == mv).map_or(0, |n| [3, 9, 1, 9, 5][n])
        };
        let mut scored = ScoredMoves::new();
        scored.fill(&moves, Some(moves[4]), value);
        assert_eq!(scored.len(), 4);
        assert_eq!(scored.gather(2).len(), 3);
        let taken: Vec<Move> =
            (0..3).filter_map(|_| scored.take_best_before(3)).map(|r| r.mv).collect();
        assert_eq!(taken, [moves[1], moves[3], moves[0]]);
        assert_eq!(scored.take_best().map(|r| r.mv), Some(moves[2]));
        assert!(scored.take_best().is_none() && scored.take_next().is_none());
    }
}
