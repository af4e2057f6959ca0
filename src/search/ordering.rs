//! Shared parts of move ordering: scored moves, and the from-to index of a move in a history table.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use crate::shogi::{MAX_MOVES, Move};

/// Number of from-to indices; see [`from_to`].
pub(crate) const FROM_TO_COUNT: usize = 88 * 81;

/// Index of a move's origin ([`Move::origin_index`]) and destination, below [`FROM_TO_COUNT`].
#[inline]
pub(crate) fn from_to(mv: Move) -> usize {
    mv.origin_index() * 81 + mv.to().index()
}

/// A move and its ordering value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoredMove {
    pub mv: Move,
    pub value: i32,
}

/// Unsorted scored moves, for nodes that search only a few of them.
pub(crate) type Candidates = ArrayVec<ScoredMove, MAX_MOVES>;

/// Removes and returns the best candidate; the first of equal ones.
#[inline]
pub(crate) fn take_best(moves: &mut Candidates) -> Option<ScoredMove> {
    let best = (0..moves.len()).max_by_key(|&at| (moves[at].value, Reverse(at)))?;
    Some(moves.swap_remove(best))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str) -> Move {
        text.parse().expect("a move")
    }

    #[test]
    fn from_to_indices_are_distinct_and_in_range() {
        let moves = ["7g7f", "7f7g", "P*7f", "R*7f", "9i9h", "G*9i"].map(mv);
        for (n, &one) in moves.iter().enumerate() {
            assert!(from_to(one) < FROM_TO_COUNT);
            assert!(moves[..n].iter().all(|&other| from_to(other) != from_to(one)));
        }
    }
}
