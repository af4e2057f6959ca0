//! A cache of accumulators by square of the own king.
//!
//! If a row belongs to a square of the own king, a move of that king changes all rows. When the
//! king returns to an earlier square of this search, most other pieces are on the same squares as
//! then. The cached accumulator then needs few changes.
//!
//! Source: public descriptions of the "Finny tables" of chess programs, named after their author.

use arrayvec::ArrayVec;

use super::kernel::{Aligned, Kernel};
use super::piece_list::PieceList;
use crate::shogi::{Color, Square};

/// Largest number of rows of a view: the pieces and both kings.
pub(super) const MAX_ROWS: usize = PieceList::SLOTS + 2;

/// The rows of a view: one for each slot of the piece list, then those of the kings.
pub type Rows = ArrayVec<u32, MAX_ROWS>;

/// An accumulator for each view and square of the own king.
#[derive(Clone, Debug)]
pub(super) struct RefreshCache {
    /// The rows in each accumulator. Empty for accumulators that are not yet used. Shape `[2][81]`.
    rows: Vec<Rows>,
    /// Shape `[2][81][width]`.
    accumulators: Aligned<i16>,
    width: usize,
}

impl RefreshCache {
    /// Creates a cache of accumulators of this length, a multiple of 32.
    pub(super) fn new(width: usize) -> RefreshCache {
        let count = 2 * Square::COUNT;
        RefreshCache {
            rows: vec![Rows::new(); count],
            accumulators: Aligned::zeros(count * width),
            width,
        }
    }

    /// Returns the accumulator of `view`, whose king is on `king`, updated to exactly these rows.
    /// `bias` is always the same for this view and square. `row` returns the weights of a row.
    #[cold]
    pub(super) fn refresh<'w>(
        &mut self,
        kernel: Kernel,
        (view, king): (Color, Option<Square>),
        rows: &Rows,
        bias: &[i16],
        row: impl Fn(u32) -> &'w [i16],
    ) -> &[i16] {
        let place = view.index() * Square::COUNT + king.map_or(0, Square::index);
        let known = &mut self.rows[place];
        let accumulator = &mut self.accumulators[place * self.width..][..self.width];
        let mut added: ArrayVec<&[i16], MAX_ROWS> = ArrayVec::new();
        if known.is_empty() {
            added.extend(rows.iter().map(|&new| row(new)));
            kernel.sum_rows(accumulator, bias, &added);
        } else {
            let mut removed = added.clone();
            // A piece keeps its slot in the list, so a piece that has not moved keeps its row.
            for (&old, &new) in known.iter().zip(rows).filter(|(old, new)| old != new) {
                removed.push(row(old));
                added.push(row(new));
            }
            kernel.change_rows(accumulator, &added, &removed);
        }
        known.clone_from(rows);
        accumulator
    }
}
