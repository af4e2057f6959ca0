//! Number of attackers of each square, computed for all squares at once.

use crate::shogi::{Bitboard, Color, PieceKind, Position, Square, attacks};

/// Number of attacks of one side's pieces, without its king, on every square: 0 to 3. More attacks
/// count as 3.
#[derive(Clone, Copy, Debug)]
pub(super) struct AttackCounts {
    ones: Bitboard,
    twos: Bitboard,
}

impl AttackCounts {
    /// Counts the attacks of a side.
    pub fn new(pos: &Position, side: Color) -> AttackCounts {
        let mut counts = AttackCounts { ones: Bitboard::EMPTY, twos: Bitboard::EMPTY };
        let occupied = pos.occupied();
        counts.add(pos.pieces(side, PieceKind::Pawn).forward(side));
        let others = pos.color(side) & !pos.kind(PieceKind::Pawn) & !pos.kind(PieceKind::King);
        for sq in others {
            if let Some(piece) = pos.piece_on(sq) {
                counts.add(attacks::piece(side, piece.kind, sq, occupied));
            }
        }
        counts
    }

    /// Adds one attack to each square of a set. The counts are two-bit numbers that saturate at 3.
    #[inline]
    fn add(&mut self, attacked: Bitboard) {
        let carry = self.ones & attacked;
        self.ones = (self.ones ^ attacked) | (self.twos & carry);
        self.twos |= carry;
    }

    /// Number of attacks on a square, 0 to 3.
    #[inline]
    pub fn of(self, sq: Square) -> usize {
        usize::from(self.ones.contains(sq)) + 2 * usize::from(self.twos.contains(sq))
    }
}
