//! One side's half of the relations: its king, and the pieces that the king relates to.

use crate::eval::learned::KingView;
use crate::eval::learned::features::{SideView, pairs};
use crate::eval::{PieceIndex, PieceList};
use crate::shogi::{Color, Delta, Position, Square};

/// Number of indices that a king relates to: the piece indices, then the squares of the enemy king.
/// The enemy king counts as one more piece, so KKP is a case of KPP and needs no code of its own.
pub(super) const RELATED: usize = KingView::INPUTS;

/// Number of entries of a half: 38 pieces and the enemy king.
pub(super) const ENTRIES: usize = PieceList::SLOTS + 1;

/// The entry of the enemy king.
const ENEMY_KING: usize = PieceList::SLOTS;

/// An empty slot; its relations have weight zero.
pub(super) const NONE: u16 = 0;

/// A king and the entries it relates to, in its side's normalized view ([`KingView`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KingHalf {
    view: KingView,
    /// The related indices, shape `[39]`: piece indices by slot, then 1548 + square of the enemy
    /// king.
    pub(super) entries: [u16; ENTRIES],
}

impl KingHalf {
    /// The half of `side`; `None` if a king is missing. `list` is the piece list of `pos`.
    pub fn new(pos: &Position, list: &PieceList, side: Color) -> Option<KingHalf> {
        Some(KingHalf::with_view(KingView::new(pos.kings()?, side), list, side))
    }

    fn with_view(kings: KingView, list: &PieceList, side: Color) -> KingHalf {
        let pieces = SideView { kings, pieces: list.list(side) }.normal_pieces();
        let mut half = KingHalf { view: kings, entries: [NONE; ENTRIES] };
        for (entry, input) in half.entries.iter_mut().zip(kings.inputs(&pieces)) {
            *entry = input as u16;
        }
        half
    }

    /// The half of `side` after a move. `self`, `pos` and `list` are those before the move.
    #[inline]
    pub fn after(&self, pos: &Position, list: &PieceList, side: Color, delta: &Delta) -> KingHalf {
        let mut half = match delta.king_move() {
            Some(to) => self.after_king_move(pos, list, side, to),
            None => self.clone(),
        };
        for change in delta.captured.iter().chain([&delta.moved]) {
            if let Some(slot) = list.slot(change.before)
                && let Some(index) = PieceIndex::new(change.after, side)
            {
                half.entries[slot] = half.view.normal(index).index() as u16;
            }
        }
        half
    }

    fn after_king_move(
        &self,
        pos: &Position,
        list: &PieceList,
        side: Color,
        to: Square,
    ) -> KingHalf {
        let mut kings = pos.kings().expect("a half has both kings");
        kings[pos.side_to_move().index()] = to;
        let view = KingView::new(kings, side);
        if view.is_mirrored() != self.view.is_mirrored() {
            return KingHalf::with_view(view, list, side);
        }
        let mut half = KingHalf { view, entries: self.entries };
        half.entries[ENEMY_KING] = view.enemy_input() as u16;
        half
    }

    /// The king's square, 0..45.
    #[inline]
    pub(super) fn king(&self) -> usize {
        self.view.king()
    }
}

/// The index of `related` on the board mirrored left to right.
pub(super) fn mirrored(related: usize) -> usize {
    if let Some(index) = PieceIndex::from_index(related) {
        return index.mirrored().index();
    }
    let enemy = Square::from_index(related - PieceIndex::COUNT).expect("the enemy king's square");
    PieceIndex::COUNT + enemy.mirror().index()
}

/// Visits the pairs that `to` has and `from` does not, with sign +1, and those that only `from`
/// has, with -1. The value and the gradient of a difference are both sums over this walk.
///
/// `visit(king, related, others, sign)` visits all pairs of `related` with one of `others`, and
/// skips others that are [`NONE`]. Cost: two visits per changed entry, 78 visits if the
/// king moved.
pub(super) fn walk(from: &KingHalf, to: &KingHalf, mut visit: impl FnMut(usize, u16, &[u16], f32)) {
    if from.king() != to.king() {
        walk_all(from, |king, related, others| visit(king, related, others, -1.0));
        walk_all(to, |king, related, others| visit(king, related, others, 1.0));
        return;
    }
    // Removing the old entries one by one and then adding the new ones visits each pair once.
    let mut present = from.entries;
    for entry in differing(from, to) {
        present[entry] = NONE;
        if from.entries[entry] != NONE {
            visit(from.king(), from.entries[entry], &present, -1.0);
        }
    }
    walk_added(from, to, |king, related, others| visit(king, related, others, 1.0));
}

/// Visits all pairs of a half, in the form of [`walk`].
#[inline]
pub(super) fn walk_all(half: &KingHalf, mut visit: impl FnMut(usize, u16, &[u16])) {
    for (related, others) in pairs(&half.entries).filter(|&(related, _)| related != NONE) {
        visit(half.king(), related, others);
    }
}

/// Visits the pairs that `to` has and `from` does not, in the form of [`walk`]. The kings must be
/// on the same square.
#[inline]
pub(super) fn walk_added(
    from: &KingHalf,
    to: &KingHalf,
    mut visit: impl FnMut(usize, u16, &[u16]),
) {
    let mut present = from.entries;
    differing(from, to).for_each(|entry| present[entry] = NONE);
    for entry in differing(from, to) {
        if to.entries[entry] != NONE {
            visit(to.king(), to.entries[entry], &present);
        }
        present[entry] = to.entries[entry];
    }
}

/// The indices of entries that differ.
#[inline]
pub(super) fn differing(a: &KingHalf, b: &KingHalf) -> impl Iterator<Item = usize> {
    let mut bits = 0u64;
    for (entry, (a, b)) in a.entries.iter().zip(&b.entries).enumerate() {
        bits |= u64::from(a != b) << entry;
    }
    std::iter::from_fn(move || {
        let entry = (bits != 0).then_some(bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        entry
    })
}
