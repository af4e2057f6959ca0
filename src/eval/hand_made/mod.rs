//! The hand-made evaluation, `<material>`: material plus the relations of every piece to both
//! kings. Each relation is a term of one king and one piece.
//!
//! [`king_relation`] defines the relations, [`evaluate`] sums the value from scratch, and
//! [`incremental`] updates it along a line. The evaluation needs no file and can explain its value.
//! It is the baseline for learned evaluations.
//!
//! Source: the split into material and king relations follows Hoki, "Optimal control of minimax
//! search results to learn positional evaluation" (2006).

pub(super) mod incremental;
pub mod king_relation;

use crate::eval::material::PieceValues;
use crate::eval::score::Score;
use crate::shogi::{Color, Position};

/// Value of having the move, in centipawns.
pub const TEMPO: i32 = 25;

/// Value of a position from the side to move's view: material, relations of the pieces to the
/// kings, and tempo. Computed from scratch: slow and simple, the reference for [`incremental`].
pub fn evaluate(pos: &Position) -> Score {
    let us = pos.side_to_move();
    Score::cp(us.sign() * (PieceValues::ENGINE.balance(pos) + relations(pos)) + TEMPO)
}

/// Relations term, from Black's view. 0 if a king is missing.
pub fn relations(pos: &Position) -> i32 {
    relation_half(pos, Color::Black) - relation_half(pos, Color::White)
}

/// Relations of one side's king, from that side's view. 0 if either king is missing.
pub fn relation_half(pos: &Position, side: Color) -> i32 {
    match (pos.king(side), pos.king(!side)) {
        (Some(king), Some(_)) => king_relation::half(pos, side, king),
        _ => 0,
    }
}
