//! Evasions: capture of the checking piece, interposition, and king moves.

use super::{board_moves, drops};
use crate::shogi::{MoveList, Position, Scope, attacks};

/// Generates the legal moves in check within `scope`.
#[inline(never)]
pub(super) fn generate(pos: &Position, scope: Scope, list: &mut MoveList) {
    let us = pos.side_to_move();
    let empty = !pos.occupied();
    let targets = board_moves::Targets::new(scope, pos.color(!us), empty);
    board_moves::king(pos, targets.king, list);
    let checkers = pos.checkers();
    let (Some(king), Some(checker), false) = (pos.king(us), checkers.first(), checkers.has_many())
    else {
        return; // in double check only the king can move
    };
    let between = attacks::between(king, checker);
    board_moves::pieces(pos, &targets.within(between | checkers), pos.pinned(), list);
    if scope.contains(Scope::DROPS) && !between.is_empty() {
        drops::generate(pos, between, list);
    }
}
