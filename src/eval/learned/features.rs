//! The features of a position, that is, what a learned evaluation has weights for.
//!
//! | feature | seen by | number |
//! |---|---|---|
//! | KK, both kings | Black | [`KingView::pair`] |
//! | KKP, both kings and a piece | Black | that and each of [`SideView::normal_pieces`] |
//! | PP, two pieces | Black | [`pairs`] of the list as it is |
//! | KPP, a king and two pieces | either side | [`KingView::king`] and [`pairs`] of the normal pieces |
//! | tempo | the side to move | [`KingView::pair`] |
//! | threats | the side to move | [`each_threat`](super::threats::each_threat) |
//! | inputs of a network | either side | [`KingView::inputs`] of the normal pieces |
//!
//! Every sum over a position uses these features: the value from scratch, its explanation, and
//! learning. The incremental sums use the changes of the same numbers ([`IndexChange`]). Tests
//! compare both.

use super::king_view::KingView;
use crate::eval::index::PieceIndex;
use crate::eval::piece_list::PieceList;
use crate::shogi::{Color, Square};

/// All pieces in one side's view. Empty slots contain [`PieceIndex::NONE`].
pub type Pieces = [PieceIndex; PieceList::SLOTS];

/// The kings and pieces in one side's view.
#[derive(Clone, Copy, Debug)]
pub struct SideView<'a> {
    /// The kings, normalized.
    pub kings: KingView,
    /// The pieces, not mirrored.
    pub pieces: &'a Pieces,
}

impl<'a> SideView<'a> {
    /// Black's view and White's view. `kings` contains the squares of both kings.
    #[inline]
    pub fn both(kings: [Square; 2], list: &'a PieceList) -> [SideView<'a>; 2] {
        Color::ALL
            .map(|side| SideView { kings: KingView::new(kings, side), pieces: list.list(side) })
    }

    /// The pieces in the normalized view.
    #[inline]
    pub fn normal_pieces(self) -> Pieces {
        if self.kings.is_mirrored() { self.pieces.map(PieceIndex::mirrored) } else { *self.pieces }
    }
}

/// All pairs of a list: each entry with the entries before it.
#[inline]
pub fn pairs<T: Copy>(list: &[T]) -> impl Iterator<Item = (T, &[T])> {
    list.iter().enumerate().map(|(n, &entry)| (entry, &list[..n]))
}

/// A piece that moved from one place to another, in one side's normalized view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexChange {
    /// The slot in the list, 0..38.
    pub slot: usize,
    /// The old place.
    pub old: PieceIndex,
    /// The new place.
    pub new: PieceIndex,
}

/// Change of a sum over all pairs by `changes`, which led to `pieces`. The pieces move one after
/// the other, while the other pieces stay in their places of that moment. `change(old, new,
/// others)` is the change of the sum over the pairs with `others` when a piece moves from `old` to
/// `new`.
#[inline]
pub(super) fn pairs_change(
    mut pieces: Pieces,
    changes: &[IndexChange],
    change: impl Fn(PieceIndex, PieceIndex, &Pieces) -> i32,
) -> i32 {
    for &IndexChange { slot, old, .. } in changes {
        pieces[slot] = old;
    }
    let mut sum = 0;
    for &IndexChange { slot, old, new } in changes {
        // The empty slot has no relations, so the piece has no relation to itself.
        pieces[slot] = PieceIndex::NONE;
        sum += change(old, new, &pieces);
        pieces[slot] = new;
    }
    sum
}
