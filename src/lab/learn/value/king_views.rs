//! Both sides' views of a pair of kings.

use crate::eval::PieceIndex;
use crate::eval::learned::KingView;
use crate::shogi::Square;

/// Number of squares of the own king in a normalized view.
pub(super) const KINGS: usize = KingView::KINGS;
/// Number of pairs of king squares in a normalized view.
pub(super) const KING_PAIRS: usize = KingView::PAIRS;
/// Number of piece indices.
pub(super) const PIECES: usize = PieceIndex::COUNT;
/// The kings from both sides' views.
#[derive(Clone, Copy, Debug)]
pub(super) struct KingViews {
    /// A side's normalized view.
    pub here: KingView,
    /// The other side's view of the same board.
    pub there: KingView,
}

impl KingViews {
    /// The views of a side that sees the kings on these squares, and of the other side.
    pub fn new(own: Square, enemy: Square) -> KingViews {
        KingViews {
            here: KingView::from_own_view(own, enemy),
            there: KingView::from_own_view(enemy.flip(), own.flip()),
        }
    }

    /// The views of all pairs of king squares, in the order of [`KingView::pair`].
    pub fn all() -> impl Iterator<Item = KingViews> {
        let own = Square::all().take(KINGS);
        own.flat_map(|own| Square::all().map(move |enemy| KingViews::new(own, enemy)))
    }

    /// The value of a piece, as `here` sees it, to both sides together: here minus there.
    pub fn antisymmetric(
        self,
        piece: PieceIndex,
        weight: impl Fn(KingView, PieceIndex) -> f32,
    ) -> f32 {
        let seen = self.there.normal(piece.turned());
        weight(self.here, self.here.normal(piece)) - weight(self.there, seen)
    }
}
