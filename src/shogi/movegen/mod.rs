//! Legal move generation.
//!
//! In: a [`Position`] and a [`Scope`]. Out: legal moves, appended to a [`MoveList`]. Every move is
//! legal as generated: pinned pieces stay on their line (`board_moves`), drops keep to the rules
//! (`drops`), and in check only evasions are made (`evasions`). Moves that check have a way of their
//! own (`checks`).

mod board_moves;
mod checks;
mod drops;
mod evasions;

pub use checks::generate_checks;

use bitflags::bitflags;

use super::{Move, MoveList, Position};

bitflags! {
    /// Which moves to generate. In check the result is what remains of them as evasions.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Scope: u8 {
        /// Moves that take a piece.
        const CAPTURES = 1;
        /// Moves on the board to empty squares, promotions included.
        const QUIETS = 1 << 1;
        /// Drops.
        const DROPS = 1 << 2;
        /// Promotions on empty squares (contained in `QUIETS`).
        const PROMOTIONS = 1 << 3;
        /// King moves to empty squares (contained in `QUIETS`).
        const KING = 1 << 4;
        /// Also the legal but pointless: pawns, bishops and rooks that do not promote where they
        /// could, and lances on the last rank but one.
        const POINTLESS = 1 << 5;
        /// What a search looks at: everything but the pointless.
        const USEFUL = Self::CAPTURES.bits() | Self::QUIETS.bits() | Self::DROPS.bits();
        /// Every legal move.
        const LEGAL = Self::USEFUL.bits() | Self::POINTLESS.bits();
    }
}

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

/// The legal moves in a list of their own.
pub fn legal_moves(pos: &Position, scope: Scope) -> MoveList {
    let mut list = MoveList::new();
    generate(pos, scope, &mut list);
    list
}

/// Whether the side to move has a legal move.
pub fn has_legal_move(pos: &Position) -> bool {
    // Few positions lack a king move; drops are the costly part, so they come last.
    let us = pos.side_to_move();
    if let Some(king) = pos.king(us)
        && !pos.flights(us, king, pos.occupied()).is_empty()
    {
        return true;
    }
    let mut list = MoveList::new();
    for scope in [Scope::CAPTURES | Scope::QUIETS | Scope::POINTLESS, Scope::DROPS] {
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
