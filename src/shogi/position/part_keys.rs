//! Keys of parts of the board: positions that share a part share its key, whatever else differs.

use crate::shogi::{Color, Piece, PieceKind};

/// Zobrist keys of parts of the board, without the side to move and without the hands.
///
/// Maintained by [`do_move`](super::Position::do_move); the oracle is
/// [`compute_part_keys`](super::Position::compute_part_keys).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartKeys {
    /// The pawns of both sides; promoted pawns are not among them.
    pub pawns: u64,
    /// The lances, knights, silvers and golds of both sides, unpromoted.
    pub minors: u64,
    /// All pieces but the pawns, by colour.
    pub non_pawns: [u64; Color::COUNT],
}

impl PartKeys {
    /// Adds a piece with this board key, or removes it.
    #[inline]
    pub(super) fn toggle(&mut self, piece: Piece, board_key: u64) {
        if piece.kind == PieceKind::Pawn {
            self.pawns ^= board_key;
            return;
        }
        self.non_pawns[piece.color.index()] ^= board_key;
        if piece.kind.index() <= PieceKind::Gold.index() {
            self.minors ^= board_key;
        }
    }
}
