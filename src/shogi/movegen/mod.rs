//! Legal move generation.
//!
//! Input: a [`Position`] and a [`Scope`]. Output: legal moves, appended to a [`MoveList`]. Moves
//! are generated legal: pinned pieces stay on their line (`board_moves`), drops obey the rules
//! (`drops`), and in check only evasions are generated (`evasions`). Checking moves have their own
//! generator (`checks`).

mod board_moves;
mod checks;
mod drops;
mod evasions;
mod scope;

pub use checks::generate_checks;
pub use scope::Scope;

use super::{Move, MoveList, Position};

/// Appends the legal moves of the side to move within `scope`.
#[inline]
pub fn generate(pos: &Position, scope: Scope, list: &mut MoveList) {
    if pos.in_check() {
        evasions::generate(pos, scope, list);
        return;
    }
    let them = pos.color(!pos.side_to_move());
    let empty = !pos.occupied();
    let targets = board_moves::Targets::new(scope, them, empty);
    board_moves::pieces(pos, &targets, pos.pinned(), list);
    board_moves::king(pos, targets.king, list);
    if scope.contains(Scope::DROPS) {
        drops::generate(pos, empty, list);
    }
}

/// The legal moves as a new list.
pub fn legal_moves(pos: &Position, scope: Scope) -> MoveList {
    let mut list = MoveList::new();
    generate(pos, scope, &mut list);
    list
}

/// Whether the side to move has a legal move.
pub fn has_legal_move(pos: &Position) -> bool {
    // Most positions have a king move. Drops are the most expensive part, so they come last.
    let us = pos.side_to_move();
    if let Some(king) = pos.king(us)
        && !pos.flights(us, king, pos.occupied()).is_empty()
    {
        return true;
    }
    let mut list = MoveList::new();
    for scope in [Scope::CAPTURES | Scope::QUIETS, Scope::DROPS] {
        generate(pos, scope, &mut list);
        if !list.is_empty() {
            return true;
        }
    }
    false
}

/// The legal moves that give check.
pub fn legal_checks(pos: &Position, scope: Scope) -> impl Iterator<Item = Move> {
    let squares = pos.check_squares();
    legal_moves(pos, scope).into_iter().filter(move |&mv| pos.gives_check(mv, &squares))
}
