//! The parts of the evaluation that a search needs along a line.

use super::{FeatureWeights, UNIT, full};
use crate::eval::from_scratch::FromScratch;
use crate::eval::material::PieceValues;
use crate::eval::score::Score;
use crate::shogi::{Delta, Move, PieceKind, Position};

impl FromScratch for FeatureWeights {
    fn piece_values(&self) -> &PieceValues {
        FeatureWeights::piece_values(self)
    }

    #[inline]
    fn evaluate(&self, pos: &Position) -> Score {
        full::evaluate(self, pos)
    }

    /// Change of the moved piece's value by its distances to both kings. The squares that it
    /// attacks near them are not included, because they are not a relation of this piece alone.
    fn piece_king_change(&self, pos: &Position, mv: Move) -> i32 {
        let Some(kings) = pos.kings().filter(|_| pos.moved_piece(mv) != PieceKind::King) else {
            return 0;
        };
        let Delta { moved, .. } = pos.delta_of(mv);
        let of = |place| self.near_kings(place, kings.map(Some));
        pos.side_to_move().sign() * (of(moved.after) - of(moved.before)) / UNIT
    }
}
