//! Quiet moves that give check, made from the squares of check instead of from all moves.

use crate::shogi::{
    Bitboard, CheckSquares, HandPiece, Move, MoveList, PieceKind, Position, Square, attacks,
};

/// Appends the moves within [`Scope::USEFUL`](super::Scope::USEFUL) that check without taking or
/// promoting. Not in check; `checks` must be of this position.
pub fn generate_quiet_checks(pos: &Position, checks: &CheckSquares, list: &mut MoveList) {
    debug_assert!(!pos.in_check());
    let us = pos.side_to_move();
    let empty = !pos.occupied();
    let mut add = |mv: Move| {
        if pos.is_legal(mv) {
            list.push(mv);
        }
    };
    for held in HandPiece::ALL.into_iter().filter(|&held| pos.hand(us).has(held)) {
        for to in checks.direct(held) & empty {
            add(Move::drop(held, to));
        }
    }
    for from in pos.color(us) {
        let Some(piece) = pos.piece_on(from) else {
            unreachable!("a coloured square holds a piece")
        };
        let shields = checks.shields().contains(from);
        let squares = if shields { empty } else { checks.of(piece.kind) & empty };
        if squares.is_empty() {
            continue;
        }
        for to in attacks::piece(us, piece.kind, from, pos.occupied()) & squares {
            let mv = Move::board(from, to);
            if pos.gives_check(mv, checks) && !is_pointless(pos, piece.kind, from, to) {
                add(mv);
            }
        }
    }
}

/// What [`Scope::POINTLESS`](super::Scope::POINTLESS) says of a move that does not promote.
fn is_pointless(pos: &Position, kind: PieceKind, from: Square, to: Square) -> bool {
    let us = pos.side_to_move();
    match kind {
        PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook => {
            from.is_promotion_zone(us) || to.is_promotion_zone(us)
        }
        PieceKind::Lance => Bitboard::far_ranks(us, 2).contains(to),
        _ => false,
    }
}
