//! Quiescence search with the weights that are being learned: the leaf s* of the best line.
//!
//! [`QuiescenceLeaf`](crate::lab::QuiescenceLeaf) cannot replace it: it evaluates with finished
//! integer weights, and these are floats that change with every batch.

use super::king_half::KingHalf;
use super::policy_table::PolicyTable;
use crate::eval::material::PieceValues;
use crate::eval::{PieceList, see_values};
use crate::lab::capture_search::{ScoredMove, best_value, ordered};
use crate::shogi::{Move, Position, Scope};

/// Longest line, plies. Longer exchanges are rare.
const MAX_DEPTH: u32 = 8;

/// A leaf from the side to move's view.
#[derive(Clone, Debug)]
pub(super) struct ExchangeLeaf {
    /// Centipawns, relative to any fixed zero.
    pub value: f32,
    /// The halves of the side to move and of its opponent.
    pub halves: [KingHalf; 2],
}

impl ExchangeLeaf {
    /// The same leaf from the opponent's view.
    pub fn turned(self) -> ExchangeLeaf {
        let [ours, theirs] = self.halves;
        ExchangeLeaf { value: -self.value, halves: [theirs, ours] }
    }
}

/// A position with its piece list, on which the search makes moves.
pub(super) struct ExchangeSearch<'a> {
    pub pos: &'a mut Position,
    pub list: &'a mut PieceList,
    pub table: &'a PolicyTable,
}

impl ExchangeSearch<'_> {
    /// Makes a move, calls `then`, takes the move back.
    pub fn descend<T>(&mut self, mv: Move, then: impl FnOnce(&mut Self) -> T) -> T {
        let delta = self.pos.do_move(mv);
        self.list.apply(&delta);
        let result = then(self);
        self.list.revert(&delta);
        self.pos.undo_move();
        result
    }

    /// The best leaf below `here`, which describes the current position. The side to move stands
    /// pat or makes a capture or promotion that loses no material. Fail-soft alpha-beta in the
    /// window `alpha..beta`, side to move's view.
    pub fn quiesce(
        &mut self,
        here: ExchangeLeaf,
        alpha: f32,
        beta: f32,
        depth: u32,
    ) -> ExchangeLeaf {
        if here.value >= beta || depth == MAX_DEPTH {
            return here;
        }
        let us = self.pos.side_to_move();
        let gain = |mv| Some(self.pos.see(mv, see_values())).filter(|&gain| gain >= 0);
        let moves = ordered(self.pos, Scope::CAPTURES | Scope::PROMOTIONS, gain);
        let mut best = here.clone();
        best_value(here.value, [alpha, beta], moves, |ScoredMove { mv, .. }, [alpha, beta]| {
            let delta = self.pos.delta_of(mv);
            let [before_us, before_them] = &here.halves;
            let [ours, theirs] = [(before_us, us), (before_them, !us)]
                .map(|(half, side)| half.after(self.pos, self.list, side, &delta));
            let relations = self.table.single_difference(before_us, &ours)
                - self.table.single_difference(before_them, &theirs);
            let gain = (us.sign() * PieceValues::ENGINE.of_delta(&delta)) as f32 + relations;
            let child = ExchangeLeaf { value: here.value + gain, halves: [ours, theirs] }.turned();
            let leaf =
                self.descend(mv, |line| line.quiesce(child, -beta, -alpha, depth + 1)).turned();
            let value = leaf.value;
            if value > best.value {
                best = leaf;
            }
            Some(value)
        });
        best
    }
}
