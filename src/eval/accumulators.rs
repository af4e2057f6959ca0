//! The accumulators of a network along a line of moves.
//!
//! An evaluation updates each side's view from the nearest earlier position with a known
//! accumulator. The positions in between keep their accumulators, so that later lines that branch
//! off there need few updates. If a king's move has changed all rows since, the [`RefreshCache`]
//! provides the accumulator instead.

use super::index::PieceIndex;
use super::kernel::{Aligned, Kernel};
use super::recorded_line::RecordedLine;
use super::refresh_cache::{RefreshCache, Rows};
use crate::shogi::{Color, Square};

/// A first layer: a bias plus one row of weights for each piece of a side's view, and for each king
/// if kings have rows.
pub(super) trait FirstLayer {
    /// A side's view of both kings, which determines the rows.
    type View: Copy;

    /// The view with the own and the enemy king on these squares, which are rotated for White.
    /// `None` if the layer needs a king that is missing.
    fn view(&self, own: Option<Square>, enemy: Option<Square>) -> Option<Self::View>;

    /// The row of a non-king piece, given as the side sees it.
    fn piece_row(&self, view: Self::View, index: PieceIndex) -> u32;

    /// The rows of the own and the enemy king, if kings have rows.
    fn king_rows(&self, view: Self::View) -> Option<[u32; 2]>;

    /// Whether a piece has the same row in both views.
    fn shares_rows(&self, before: Self::View, after: Self::View) -> bool;

    /// The weights of a row.
    fn row(&self, row: u32) -> &[i16];

    /// The accumulator without rows. Its length is that of a row, a multiple of 32.
    fn bias(&self) -> &[i16];

    /// All rows of a view. `pieces` contains the slots of the list as the side sees them.
    fn rows(&self, view: Self::View, pieces: &[PieceIndex]) -> Rows {
        let pieces = pieces.iter().map(|&index| self.piece_row(view, index));
        pieces.chain(self.king_rows(view).into_iter().flatten()).collect()
    }
}

/// The accumulators of the positions of a line.
#[derive(Clone, Debug)]
pub(super) struct Accumulators {
    kernel: Kernel,
    width: usize,
    /// Shape `[position][2][width]`.
    numbers: Aligned<i16>,
    cache: RefreshCache,
}

impl Accumulators {
    /// Accumulators of this length, a multiple of 32.
    pub fn new(kernel: Kernel, width: usize) -> Accumulators {
        let numbers = Aligned::zeros(RecordedLine::<()>::RESERVED * 2 * width);
        Accumulators { kernel, width, numbers, cache: RefreshCache::new(width) }
    }

    /// The accumulator of a view of a position, which must have been computed.
    #[inline]
    pub fn get(&self, at: usize, color: Color) -> &[i16] {
        &self.numbers[(2 * at + color.index()) * self.width..][..self.width]
    }

    /// Computes the accumulator of `color`'s view of the current position. Returns the position
    /// that stores it. The view must exist.
    #[inline]
    pub fn catch_up<S: Copy + Default>(
        &mut self,
        layer: &impl FirstLayer,
        line: &mut RecordedLine<S>,
        color: Color,
    ) -> usize {
        let top = line.positions.len() - 1;
        let view_at = |line: &RecordedLine<S>, at: usize| {
            let kings = line.positions[at].kings;
            let king = |of: Color| kings[of.index()].map(|sq| sq.relative(color));
            layer.view(king(color), king(!color)).expect("a move does not remove kings")
        };
        let (mut at, mut view) = (top, view_at(line, top));
        let mut known = loop {
            let position = &line.positions[at];
            if let Some(known) = position.accumulators[color.index()] {
                break known as usize;
            }
            if at == 0 {
                return self.refresh(layer, line, color, view_at(line, top));
            }
            if position.king_moved.is_some() {
                let before = view_at(line, at - 1);
                if !layer.shares_rows(before, view) {
                    return self.refresh(layer, line, color, view_at(line, top));
                }
                view = before;
            }
            at -= 1;
        };
        for next in at + 1..=top {
            let before = view;
            let mut rows = [[0; 2]; 2];
            let changes = line.changes(next, color);
            let mut count = changes.as_slice().len();
            for (rows, places) in rows.iter_mut().zip(changes.as_slice()) {
                *rows = places.map(|index| layer.piece_row(view, index));
            }
            // At most one king has moved. Then no other piece moved, except a captured one.
            if line.positions[next].king_moved.is_some() {
                view = view_at(line, next);
                if let (Some(old), Some(new)) = (layer.king_rows(before), layer.king_rows(view)) {
                    for (old, new) in old.into_iter().zip(new).filter(|(old, new)| old != new) {
                        rows[count] = [old, new];
                        count += 1;
                    }
                }
            }
            if count > 0 {
                self.replace(layer, &rows[..count], (known, next), color);
                known = next;
            }
            line.positions[next].accumulators[color.index()] = Some(known as u32);
        }
        known
    }

    /// Computes an accumulator from that of an earlier position by replacing rows.
    #[inline]
    fn replace(
        &mut self,
        layer: &impl FirstLayer,
        rows: &[[u32; 2]],
        (base, at): (usize, usize),
        color: Color,
    ) {
        self.reserve(at);
        let mut found: [[&[i16]; 2]; 2] = [[&[]; 2]; 2];
        for (found, pair) in found.iter_mut().zip(rows) {
            *found = pair.map(|row| layer.row(row));
        }
        let (earlier, mine) = self.numbers.split_at_mut(2 * at * self.width);
        let before = &earlier[(2 * base + color.index()) * self.width..][..self.width];
        let accumulator = &mut mine[color.index() * self.width..][..self.width];
        self.kernel.replace_rows(accumulator, before, &found[..rows.len()]);
    }

    /// Computes the accumulator of the current position without earlier positions. Returns the
    /// position.
    #[cold]
    fn refresh<L: FirstLayer, S: Copy + Default>(
        &mut self,
        layer: &L,
        line: &mut RecordedLine<S>,
        color: Color,
        view: L::View,
    ) -> usize {
        let at = line.positions.len() - 1;
        self.reserve(at);
        let rows = layer.rows(view, line.list(at).list(color));
        let king = line.positions[at].kings[color.index()];
        let row = |row| layer.row(row);
        let known = self.cache.refresh(self.kernel, (color, king), &rows, layer.bias(), row);
        self.numbers[(2 * at + color.index()) * self.width..][..self.width].copy_from_slice(known);
        line.positions[at].accumulators[color.index()] = Some(at as u32);
        at
    }

    /// Allocates the accumulators of the positions up to `at`.
    #[inline]
    fn reserve(&mut self, at: usize) {
        let size = 2 * self.width;
        if self.numbers.len() < (at + 1) * size {
            self.numbers = self.numbers.grown((at + 1 + RecordedLine::<()>::RESERVED) * size);
        }
    }
}
