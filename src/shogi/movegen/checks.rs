//! Generation of checking moves, from the check squares instead of from all moves.

use super::Scope;
use crate::shogi::{
    Bitboard, CheckSquares, HandPiece, Move, MoveList, PieceKind, Position, Square, attacks,
};

/// Appends the legal moves of [`Scope::USEFUL`] that give check, and the useless non-promotions if
/// `scope` contains [`Scope::POINTLESS`]. `checks` must belong to this position.
pub fn generate_checks(pos: &Position, scope: Scope, checks: &CheckSquares, list: &mut MoveList) {
    let us = pos.side_to_move();
    let mut add = |mv: Move| {
        if pos.is_legal(mv) {
            list.push(mv);
        }
    };
    let mut add_check = |mv: Move| {
        if pos.gives_check(mv, checks) {
            add(mv);
        }
    };
    for from in pos.color(us) {
        let piece = pos.standing_on(from);
        let shields = checks.shields.contains(from);
        let squares = if shields { Bitboard::ALL } else { checks.of(piece.kind) };
        let squares = squares & !pos.color(us);
        if squares.is_empty() {
            continue;
        }
        let promotes = piece.kind.promoted().is_some();
        for to in attacks::piece(us, piece.kind, from, pos.occupied()) & squares {
            let zone = from.is_promotion_zone(us) || to.is_promotion_zone(us);
            if zone && promotes {
                add_check(Move::promotion(from, to));
            }
            if scope.contains(Scope::POINTLESS) || !is_pointless(pos, piece.kind, zone, to) {
                add_check(Move::board(from, to));
            }
        }
    }
    let empty = !pos.occupied();
    for held in HandPiece::ALL.into_iter().filter(|&held| pos.hand(us).has(held)) {
        for to in checks.direct(held) & empty {
            add(Move::drop(held, to));
        }
    }
}

/// Whether a non-promotion belongs to [`Scope::POINTLESS`]. `zone`: whether the move could promote.
fn is_pointless(pos: &Position, kind: PieceKind, zone: bool, to: Square) -> bool {
    match kind {
        PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook => zone,
        PieceKind::Lance => Bitboard::far_ranks(pos.side_to_move(), 2).contains(to),
        _ => false,
    }
}
