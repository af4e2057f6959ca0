//! A position as one side sees it.

use arrayvec::ArrayVec;

use super::group::{KINDS, SLIDERS};
use crate::eval::PieceIndex;
use crate::eval::{PieceList, places_of};
use crate::shogi::{Bitboard, Color, Piece, PieceKind, Position, Square, attacks};

/// A position from one side's view (the normalized view). The board is rotated so that the side
/// moves up. It is mirrored left to right if the side's king is beyond the 5th file, and not
/// mirrored if the king is missing.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub pos: &'a Position,
    pub color: Color,
    /// The own king's square on the real board, not in the view.
    pub king: Option<Square>,
    is_mirrored: bool,
}

impl<'a> Side<'a> {
    pub fn new(pos: &'a Position, color: Color) -> Side<'a> {
        let king = pos.king(color);
        let is_mirrored = king.is_some_and(|king| king.relative(color).file() > 4);
        Side { pos, color, king, is_mirrored }
    }

    /// A square in the view.
    #[inline]
    pub fn normal(self, sq: Square) -> Square {
        let sq = sq.relative(self.color);
        if self.is_mirrored { sq.mirror() } else { sq }
    }

    /// A place in the view.
    #[inline]
    pub fn normal_index(self, index: PieceIndex) -> PieceIndex {
        if self.is_mirrored { index.mirrored() } else { index }
    }

    /// File offset and rank offset from one square to another in the view, each -8 to 8.
    #[inline]
    pub fn offset(self, from: Square, to: Square) -> (i32, i32) {
        let (from, to) = (self.normal(from), self.normal(to));
        let between = |from: usize, to: usize| to as i32 - from as i32;
        (between(from.file(), to.file()), between(from.rank(), to.rank()))
    }

    /// Own pieces of a kind.
    #[inline]
    pub fn own(self, kind: PieceKind) -> Bitboard {
        self.pos.pieces(self.color, kind)
    }

    /// All own pieces.
    #[inline]
    pub fn all_own(self) -> Bitboard {
        self.pos.color(self.color)
    }

    /// The owner (0 = own, 1 = enemy) and the kind of a piece as one number, 0..28.
    #[inline]
    pub fn code(self, piece: Piece) -> usize {
        usize::from(piece.color != self.color) * KINDS + piece.kind.index()
    }

    /// The non-king pieces in the view, in ascending order.
    pub fn sorted_indices(self) -> ArrayVec<PieceIndex, { PieceList::SLOTS }> {
        const WORDS: usize = PieceIndex::COUNT.div_ceil(64);
        let mut present = [0_u64; WORDS];
        for index in places_of(self.pos).filter_map(|place| PieceIndex::new(place, self.color)) {
            let index = self.normal_index(index).index();
            present[index / 64] |= 1 << (index % 64);
        }
        let mut list = ArrayVec::new();
        for (word, mut bits) in present.into_iter().enumerate() {
            while bits != 0 {
                let index = word * 64 + bits.trailing_zeros() as usize;
                // Positions of problems may have more pieces than a full set.
                if let Some(index) = PieceIndex::from_index(index).filter(|_| !list.is_full()) {
                    list.push(index);
                }
                bits &= bits - 1;
            }
        }
        list
    }

    /// Enemy sliders, as their index in [`SLIDERS`] and the pieces between them and the own king on
    /// `king`.
    #[inline]
    pub fn snipers(self, king: Square) -> impl Iterator<Item = (usize, Bitboard)> {
        let occupied = self.pos.occupied();
        SLIDERS.into_iter().enumerate().flat_map(move |(number, kind)| {
            let line = match kind {
                PieceKind::Lance => attacks::lance_ray(self.color, king),
                PieceKind::Rook | PieceKind::Dragon => attacks::rook_rays(king),
                _ => attacks::bishop_rays(king),
            };
            let snipers = self.pos.pieces(!self.color, kind) & line;
            let between = move |sniper| attacks::between(king, sniper) & occupied;
            snipers.iter().map(move |sniper| (number, between(sniper)))
        })
    }
}
