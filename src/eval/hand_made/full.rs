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
fn relation_half(pos: &Position, side: Color) -> i32 {
    match (pos.king(side), pos.king(!side)) {
        (Some(king), Some(_)) => king_relation::half(pos, side, king),
        _ => 0,
    }
}

/// Splits the value of [`evaluate`] into named parts, each from the side to move's view. Their sum
/// is the value before it is clamped to the range of scores.
pub fn explain(pos: &Position) -> Vec<(String, i32)> {
    let us = pos.side_to_move();
    let mut parts = Vec::new();
    for side in Color::ALL {
        let sign = side.sign() * us.sign();
        parts.push((format!("material, {side:?}"), sign * material::side_total(pos, side)));
        parts.push((format!("king relations, {side:?}"), sign * relation_half(pos, side)));
    }
    parts.push(("tempo".to_string(), TEMPO));
    parts
}
