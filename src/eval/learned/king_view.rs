//! One side's view of the two kings. It determines the rows of the learned weights.

use crate::eval::index::PieceIndex;
use crate::shogi::{Color, Square};

/// Both kings in one side's *normalized view*. The board is rotated so that the side moves up. It
/// is mirrored left to right if the side's king is beyond the 5th file. Relations to a king are the
/// same on the mirrored board, so the own king has only 45 squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KingView {
    king: u8,
    enemy: u8,
    mirrored: bool,
}

impl KingView {
    /// Number of own king squares: files 1 to 5.
    pub const KINGS: usize = 45;
    /// Number of pairs of king squares: 45 own times 81 enemy.
    pub const PAIRS: usize = KingView::KINGS * Square::COUNT;

    /// Number of inputs of a network: the piece indices, and the squares of the enemy king.
    pub const INPUTS: usize = PieceIndex::COUNT + Square::COUNT;

    /// Creates the view of `side`. `kings` contains the squares of Black's and White's king.
    #[inline]
    pub fn new(kings: [Square; 2], side: Color) -> KingView {
        let own = kings[side.index()].relative(side);
        let enemy = kings[(!side).index()].relative(side);
        KingView::from_own_view(own, enemy)
    }

    /// Creates the view of a side with its own king on `own` and the enemy king on `enemy`. The
    /// board is already rotated, but not mirrored.
    #[inline]
    pub fn from_own_view(own: Square, enemy: Square) -> KingView {
        let mirrored = own.file() > 4;
        let normal = |sq: Square| if mirrored { sq.mirror() } else { sq };
        KingView { king: normal(own).index() as u8, enemy: normal(enemy).index() as u8, mirrored }
    }

    /// Index of the own king's square, 0..45, file-major.
    #[inline]
    pub fn king(self) -> usize {
        usize::from(self.king)
    }

    /// Index of the enemy king's square, 0..81, file-major.
    #[inline]
    pub fn enemy(self) -> usize {
        usize::from(self.enemy)
    }

    /// Index of the pair, own king * 81 + enemy king, 0..3645.
    #[inline]
    pub fn pair(self) -> usize {
        self.king() * Square::COUNT + self.enemy()
    }

    /// Whether the board is mirrored in this view.
    #[inline]
    pub fn is_mirrored(self) -> bool {
        self.mirrored
    }

    /// The own king's square, before the board is mirrored.
    #[inline]
    pub(super) fn own_square(self) -> Square {
        let sq = Square::from_index(self.king()).expect("the king is on the board");
        if self.mirrored { sq.mirror() } else { sq }
    }

    /// Converts `index` of the side's view to the normalized view.
    #[inline]
    pub fn normal(self, index: PieceIndex) -> PieceIndex {
        if self.mirrored { index.mirrored() } else { index }
    }

    /// The enemy king as an input of a network.
    #[inline]
    pub fn enemy_input(self) -> usize {
        PieceIndex::COUNT + self.enemy()
    }

    /// The inputs of a network: the pieces, given in the normalized view, and the enemy king.
    #[inline]
    pub fn inputs(self, pieces: &[PieceIndex]) -> impl Iterator<Item = usize> {
        pieces.iter().map(|index| index.index()).chain([self.enemy_input()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn king_indices_are_in_range_and_mirror_images_are_equal() {
        for own in Square::all() {
            for enemy in Square::all().filter(|&enemy| enemy != own) {
                let view = KingView::from_own_view(own, enemy);
                assert!(view.king() < KingView::KINGS && view.pair() < KingView::PAIRS);
                let image = KingView::from_own_view(own.mirror(), enemy.mirror());
                if own.file() != 4 {
                    assert_eq!(view.pair(), image.pair());
                    assert_ne!(view.is_mirrored(), image.is_mirrored());
                }
                let kings = [own, enemy];
                assert_eq!(KingView::new(kings, Color::Black), view);
                assert_eq!((view.own_square(), view.enemy() % 9), (own, enemy.rank()));
                let turned = [enemy.flip(), own.flip()];
                assert_eq!(KingView::new(turned, Color::White), view);
            }
        }
    }
}
