//! Which moves are generated.

use bitflags::bitflags;

bitflags! {
    /// The moves to generate. In check, only those that are evasions.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Scope: u8 {
        /// Captures.
        const CAPTURES = 1;
        /// Board moves to empty squares, including promotions.
        const QUIETS = 1 << 1;
        /// Drops.
        const DROPS = 1 << 2;
        /// Promotions on empty squares (contained in `QUIETS`).
        const PROMOTIONS = 1 << 3;
        /// King moves to empty squares (contained in `QUIETS`).
        const KING = 1 << 4;
        /// Adds the legal but useless non-promotions: pawns, bishops and rooks that could promote,
        /// and lances on the second rank from the far edge.
        const POINTLESS = 1 << 5;
        /// The moves that a search considers: all except the useless non-promotions.
        const USEFUL = Self::CAPTURES.bits() | Self::QUIETS.bits() | Self::DROPS.bits();
        /// Every legal move.
        const LEGAL = Self::USEFUL.bits() | Self::POINTLESS.bits();
    }
}
