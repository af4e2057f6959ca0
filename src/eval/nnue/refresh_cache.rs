//! A cache of accumulators by square of the own king.
//!
//! If a row belongs to a square of the own king, a move of that king changes all rows. When the
//! king returns to an earlier square of this search, most other pieces are on the same squares as
//! then. The cached accumulator then needs few changes.

use arrayvec::ArrayVec;

use super::feature_set::{MAX_ROWS, Rows};
use super::network::Nnue;
use crate::eval::kernel::{Aligned, Kernel};
use crate::shogi::{Color, Square};

/// An accumulator for each view and square of the own king.
#[derive(Clone, Debug)]
pub(super) struct RefreshCache {
    /// The rows in each accumulator. Empty for accumulators that are not yet used. Shape `[2][81]`.
    rows: Vec<Rows>,
    /// Shape `[2][81][stride]`.
    accumulators: Aligned<i16>,
}

impl RefreshCache {
    pub(super) fn new(network: &Nnue) -> RefreshCache {
        let count = 2 * Square::COUNT;
        RefreshCache {
            rows: vec![Rows::new(); count],
            accumulators: Aligned::zeros(count * network.stride()),
        }
    }

    /// Returns the accumulator of `view`, whose king is on `king`, updated to exactly these rows.
    #[cold]
    pub(super) fn refresh(
        &mut self,
        network: &Nnue,
        kernel: Kernel,
        (view, king): (Color, Option<Square>),
        rows: &Rows,
    ) -> &[i16] {
        let place = view.index() * Square::COUNT + king.map_or(0, Square::index);
        let (known, stride) = (&mut self.rows[place], network.stride());
        let accumulator = &mut self.accumulators[place * stride..][..stride];
        if known.is_empty() {
            network.accumulate(kernel, rows, accumulator);
        } else {
            let mut added: ArrayVec<&[i16], MAX_ROWS> = ArrayVec::new();
            let mut removed = added.clone();
            // A piece keeps its slot in the list, so a piece that has not moved keeps its row.
            for (&old, &new) in known.iter().zip(rows).filter(|(old, new)| old != new) {
                removed.push(network.row(old));
                added.push(network.row(new));
            }
            kernel.change_rows(accumulator, &added, &removed);
        }
        known.clone_from(rows);
        accumulator
    }
}
