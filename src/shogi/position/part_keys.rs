//! Keys of parts of the board. Positions that share a part share its key.

use crate::shogi::{Color, Piece, PieceKind};

/// Zobrist keys of parts of the board, without side to move and hands.
///
/// Updated by [`do_move`](super::Position::do_move). The oracle is
/// [`compute_part_keys`](super::Position::compute_part_keys).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartKeys {
    /// Unpromoted pawns of both sides.
    pub pawns: u64,
    /// Unpromoted lances, knights, silvers and golds of both sides.
    pub minors: u64,
    /// All pieces except unpromoted pawns, by color.
    pub non_pawns: [u64; Color::COUNT],
}

impl PartKeys {
    /// Adds or removes a piece with this board key.
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
