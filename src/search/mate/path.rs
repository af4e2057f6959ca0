//! The path of a proof search: the positions from its start to the current node.

use crate::shogi::{Color, Hand, Position};

/// Odd, with well-mixed bits.
const PATH_MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
/// Number of bits of the board key that count positions of the path.
const FILTER_BITS: u32 = 12;

/// A position of the path.
#[derive(Clone, Copy)]
struct PathPlace {
    board_key: u64,
    /// The attacker's hand.
    hand: Hand,
    /// Key of the path up to and including this position.
    path_key: u64,
}

/// The positions of the path, the latest last.
pub(super) struct ProofPath {
    places: Vec<PathPlace>,
    /// Number of positions by the low bits of their board key, so that most positions are not
    /// compared with the whole path. Shape [1 << [`FILTER_BITS`]].
    counts: Vec<u16>,
}

impl ProofPath {
    pub fn new() -> ProofPath {
        ProofPath { places: Vec::new(), counts: vec![0; 1 << FILTER_BITS] }
    }

    pub fn clear(&mut self) {
        self.places.clear();
        self.counts.fill(0);
    }

    /// Appends a position.
    pub fn push(&mut self, pos: &Position, attacker: Color) {
        let board_key = pos.board_key();
        let path_key = (self.key().rotate_left(7) ^ pos.key()).wrapping_mul(PATH_MULTIPLIER);
        self.places.push(PathPlace { board_key, hand: pos.hand(attacker), path_key });
        self.counts[filter_index(board_key)] += 1;
    }

    /// Removes the last position.
    pub fn pop(&mut self) {
        if let Some(place) = self.places.pop() {
            self.counts[filter_index(place.board_key)] -= 1;
        }
    }

    /// Number of moves.
    pub fn plies(&self) -> usize {
        self.places.len().saturating_sub(1)
    }

    /// Key of the whole path.
    pub fn key(&self) -> u64 {
        self.places.last().map_or(0, |last| last.path_key)
    }

    /// The latest earlier ply with the board of the last position, in which the attacker held at
    /// least as much as now.
    pub fn repeated(&self) -> Option<usize> {
        self.earlier(|then, now| then.is_superior_or_equal(now))
    }

    /// The latest earlier ply with the board of the last position, in which the attacker held at
    /// most as much as now.
    pub fn improved(&self) -> Option<usize> {
        self.earlier(|then, now| now.is_superior_or_equal(then))
    }

    fn earlier(&self, compares: impl Fn(Hand, Hand) -> bool) -> Option<usize> {
        let [before @ .., now] = &self.places[..] else { return None };
        if self.counts[filter_index(now.board_key)] < 2 {
            return None;
        }
        let is_same =
            |then: &PathPlace| then.board_key == now.board_key && compares(then.hand, now.hand);
        before.iter().rposition(is_same)
    }
}

fn filter_index(board_key: u64) -> usize {
    (board_key & ((1 << FILTER_BITS) - 1)) as usize
}
