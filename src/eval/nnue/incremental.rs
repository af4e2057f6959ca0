//! The accumulators updated incrementally along a line of moves.
//!
//! Values are equal to [`full`] in every position. A move is only recorded. The next evaluation
//! updates each view from the nearest earlier position with a known accumulator. The positions in
//! between keep their accumulators, so that later lines that branch off there need few updates. If
//! the rows belong to the own king's square and that king has moved since, the [`RefreshCache`]
//! provides the accumulator instead.

use std::sync::Arc;

use arrayvec::ArrayVec;

use super::feature_set::FeatureView;
use super::full;
use super::network::Nnue;
use crate::eval::kernel::{Aligned, Kernel};
use crate::eval::recorded_line::RecordedLine;
use crate::eval::refresh_cache::RefreshCache;
use crate::eval::score::Score;
use crate::shogi::{Color, Position};

/// Evaluates the positions of a line; see [`Evaluator`](crate::eval::Evaluator).
#[derive(Clone, Debug)]
pub struct NnueStack {
    network: Arc<Nnue>,
    kernel: Kernel,
    /// The line, which the caller updates.
    pub line: Line,
    /// Shape `[position][2][stride]`.
    accumulators: Aligned<i16>,
    cache: RefreshCache,
    /// The input of the head. Every evaluation overwrites it.
    input: Aligned<u8>,
}

/// The line with, for each view of a position, the position that stores its accumulator. `None`
/// until it is computed.
type Line = RecordedLine<[Option<usize>; 2]>;

impl NnueStack {
    /// Creates a line that starts at `pos`.
    pub fn new(network: Arc<Nnue>, kernel: Kernel, pos: &Position) -> NnueStack {
        NnueStack {
            kernel,
            line: Line::new(pos),
            accumulators: Aligned::zeros(Line::RESERVED * 2 * network.stride()),
            cache: RefreshCache::new(network.stride()),
            input: network.input_buffer(),
            network,
        }
    }

    /// Value of the current position, which must be `pos`, from the side to move's view. Costs the
    /// head, and two rows per view for each piece that moved since the last known accumulator.
    pub fn evaluate(&mut self, pos: &Position) -> Score {
        let score = Score::cp(match self.raw() {
            Some(raw) => self.network.calibration().to_centipawns(raw),
            None => self.line.material(self.line.top().side),
        });
        debug_assert_eq!(score, full::evaluate(&self.network, pos), "{pos}");
        score
    }

    /// The raw value of the current position from the side to move's view. `None` if the network
    /// needs a king that is missing.
    fn raw(&mut self) -> Option<i32> {
        let (top, side) = (self.line.positions.len() - 1, self.line.top().side);
        let sides = [side, !side];
        let views = [self.view(top, sides[0])?, self.view(top, sides[1])?];
        let known_at = sides.map(|side| self.catch_up(side));
        let spans = [0, 1].map(|n| self.span(known_at[n], sides[n]));
        let accumulators = spans.map(|span| &self.accumulators[span]);
        Some(self.network.raw(self.kernel, views, accumulators, &mut self.input))
    }

    /// `color`'s view of the kings in a position of the line. `None` if the network needs a king
    /// that is missing.
    #[inline]
    fn view(&self, at: usize, color: Color) -> Option<FeatureView> {
        let kings = self.line.positions[at].kings;
        let king = |of: Color| kings[of.index()].map(|sq| sq.relative(color));
        self.network.view(king(color), king(!color))
    }

    /// The range of the accumulator of a view for a position of the line.
    #[inline]
    fn span(&self, at: usize, color: Color) -> std::ops::Range<usize> {
        let stride = self.network.stride();
        let first = (2 * at + color.index()) * stride;
        first..first + stride
    }

    /// Computes the accumulator of a view of the current position. Returns the position that stores
    /// it. The view must exist.
    fn catch_up(&mut self, color: Color) -> usize {
        let (top, view) = (self.line.positions.len() - 1, color.index());
        let relative = self.network.form().features.is_king_relative();
        let mut at = top;
        let mut known = loop {
            let position = &self.line.positions[at];
            if let Some(known) = position.sums[view] {
                break known;
            }
            if at == 0 || (relative && position.king_moved == Some(color)) {
                self.refresh(color);
                return top;
            }
            at -= 1;
        };
        for next in at + 1..=top {
            known = self.follow(next, color, known);
        }
        known
    }

    /// Computes the accumulator of a view from that of the previous position, which is stored at
    /// `base`.
    #[inline]
    fn follow(&mut self, at: usize, color: Color, base: usize) -> usize {
        let here = "a move does not remove kings";
        let before = self.view(at - 1, color).expect(here);
        let after = self.view(at, color).expect(here);
        // At most one king has moved. In that case no other piece changed, except a captured one.
        let mut rows: ArrayVec<[u32; 2], 2> = ArrayVec::new();
        for change in &self.line.positions[at].changes {
            let (old, new) = (change.before[color.index()], change.after[color.index()]);
            rows.push([before.piece(old), after.piece(new)]);
        }
        if self.line.positions[at].king_moved.is_some()
            && let (Some(old), Some(new)) = (before.kings(), after.kings())
        {
            let moved = old.into_iter().zip(new).filter(|(old, new)| old != new);
            rows.extend(moved.map(|(old, new)| [old, new]));
        }
        let known = if rows.is_empty() { base } else { at };
        if known == at {
            self.reserve(at);
            let (from, to) = (self.span(base, color), self.span(at, color));
            let (earlier, later) = self.accumulators.split_at_mut(to.start);
            let rows: ArrayVec<[&[i16]; 2], 2> =
                rows.iter().map(|pair| pair.map(|row| self.network.row(row))).collect();
            let accumulator = &mut later[..to.end - to.start];
            self.kernel.replace_rows(accumulator, &earlier[from], &rows);
        }
        self.line.positions[at].sums[color.index()] = Some(known);
        known
    }

    /// Computes the accumulator of a view of the current position without earlier positions.
    fn refresh(&mut self, color: Color) {
        let at = self.line.positions.len() - 1;
        self.reserve(at);
        let view = self.view(at, color).expect("the caller checked that the kings exist");
        let rows = view.rows(self.line.list.list(color));
        let (to, king) = (self.span(at, color), self.line.positions[at].kings[color.index()]);
        let network = &self.network;
        let row = |row| network.row(row);
        let accumulator =
            self.cache.refresh(self.kernel, (color, king), &rows, network.bias(), row);
        self.accumulators[to].copy_from_slice(accumulator);
        self.line.positions[at].sums[color.index()] = Some(at);
    }

    /// Allocates the accumulators of this position.
    #[inline]
    fn reserve(&mut self, at: usize) {
        let size = 2 * self.network.stride();
        if self.accumulators.len() < (at + 1) * size {
            self.accumulators = self.accumulators.grown((at + 1 + Line::RESERVED) * size);
        }
    }
}
