//! The evaluation computed from scratch. It is slow and simple, and the reference for
//! [`incremental`](super::incremental).

use super::king_relation;
use crate::eval::material;
use crate::eval::score::Score;
use crate::shogi::{Color, Position};

/// Value of having the move, in centipawns.
pub const TEMPO: i32 = 25;

/// Value of a position from the side to move's view: material, relations of the pieces to the
/// kings, and tempo.
pub fn evaluate(pos: &Position) -> Score {
    let us = pos.side_to_move();
    Score::cp(us.sign() * (material::balance(pos) + relations(pos)) + TEMPO)
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
