//! The weights during learning.

use std::io;

use super::king_half::{ENTRIES, KingHalf, NONE, RELATED, differing, walk, walk_added, walk_all};
use crate::eval::learned::KingView;
use crate::lab::learn::{CheckpointReader, CheckpointWriter, gathered_sum};

/// Length of a row in memory: 1629 rounded up to a multiple of 16 floats, so that rows start at
/// cache lines.
const STRIDE: usize = 1632;

/// Weights of the relations of a king to pairs of pieces, in centipawns: KPP, and KKP where one of
/// the two is the enemy king.
///
/// Shape `[45][1629][1629]` (own king, first, second; see [`KingHalf`]). Both orders of a pair hold
/// the same number, so that all pairs of one piece are in one row: learning mostly reads rows of 39
/// weights. Pairs with [`NONE`] weigh zero. Size: 478 MB of address space; the system allocates
/// only pages that were written.
#[derive(Clone, PartialEq)]
pub struct PolicyTable {
    /// Shape `[45][1629][1632]`.
    weights: Vec<f32>,
}

/// A half with its sums. They allow a neighbouring half to be evaluated by the difference alone.
#[derive(Clone, Debug)]
pub struct SummedHalf {
    pub(super) half: KingHalf,
    /// Sum of the pairs of each entry, shape `[39]`.
    rows: [f32; ENTRIES],
    /// Sum of all pairs.
    sum: f32,
}

/// (King, first index) of each row.
fn rows() -> impl Iterator<Item = (usize, usize)> {
    (0..KingView::KINGS).flat_map(|king| (0..RELATED).map(move |first| (king, first)))
}

impl PolicyTable {
    /// Creates a table of zeros.
    pub fn zero() -> PolicyTable {
        PolicyTable { weights: vec![0.0; KingView::KINGS * RELATED * STRIDE] }
    }

    /// Returns one weight. Panics if an index is out of range.
    pub fn weight(&self, king: usize, first: usize, second: usize) -> f32 {
        self.row(king, first)[second]
    }

    /// Sets one weight, in both orders.
    pub fn set(&mut self, king: usize, first: usize, second: usize, value: f32) {
        self.row_mut(king, first)[second] = value;
        self.row_mut(king, second)[first] = value;
    }

    /// Adds to one weight, in both orders.
    #[inline]
    pub(super) fn add(&mut self, king: usize, first: usize, second: usize, amount: f32) {
        self.row_mut(king, first)[second] += amount;
        self.row_mut(king, second)[first] += amount;
    }

    /// Sets one weight in one order only, for numbers that are always read in that order.
    pub(super) fn set_one(&mut self, king: usize, first: usize, second: usize, value: f32) {
        self.row_mut(king, first)[second] = value;
    }

    /// The weights of `first` with every smaller index. Panics if an index is out of range.
    pub(super) fn row_before(&self, king: usize, first: usize) -> &[f32] {
        &self.row(king, first)[..first]
    }

    /// Writes the weights of all pairs to a checkpoint: a row for each king and first index, empty
    /// if all its weights are zero.
    pub(super) fn write(&self, out: &mut CheckpointWriter) -> io::Result<()> {
        rows().try_for_each(|(king, first)| {
            let row = self.row_before(king, first);
            let is_learned = row.iter().any(|&weight| weight != 0.0);
            out.floats(if is_learned { row } else { &[] })
        })
    }

    /// Reverses [`write`](PolicyTable::write). Empty rows are not written to, so that they use no
    /// memory.
    pub(super) fn read(&mut self, input: &mut CheckpointReader) -> io::Result<()> {
        for (king, first) in rows() {
            for (second, weight) in input.floats(first)?.into_iter().enumerate() {
                if weight != 0.0 {
                    self.set(king, first, second, weight);
                }
            }
        }
        Ok(())
    }

    /// Sum over all pairs of a half from scratch, centipawns from its side's view.
    pub fn half(&self, half: &KingHalf) -> f32 {
        let mut sum = 0.0;
        walk_all(half, |king, related, others| sum += self.row_sum(king, related, others));
        sum
    }

    /// Computes the sums of a half, by which its neighbours are evaluated. Cost: 39 rows.
    pub fn known(&self, half: KingHalf) -> SummedHalf {
        let rows = half.entries.map(|related| match related {
            NONE => 0.0,
            _ => self.row_sum(half.king(), related, &half.entries),
        });
        SummedHalf { sum: rows.iter().sum::<f32>() / 2.0, rows, half }
    }

    /// Value of `to` minus value of `from`. Cost: a row per changed entry, 39 rows if the king
    /// moved.
    #[inline]
    pub fn difference(&self, from: &SummedHalf, to: &KingHalf) -> f32 {
        let SummedHalf { half, rows, sum } = from;
        if half.king() != to.king() {
            return self.half(to) - sum;
        }
        let mut gain = 0.0;
        for entry in differing(half, to) {
            gain -= rows[entry];
            // A pair whose two pieces both changed is in both rows.
            for earlier in differing(half, to).take_while(|&earlier| earlier < entry) {
                let pair = [earlier, entry].map(|n| usize::from(half.entries[n]));
                gain += self.weight(half.king(), pair[0], pair[1]);
            }
        }
        walk_added(half, to, |king, related, others| gain += self.row_sum(king, related, others));
        gain
    }

    #[inline]
    fn row(&self, king: usize, first: usize) -> &[f32; STRIDE] {
        let row = self.weights[(king * RELATED + first) * STRIDE..].first_chunk();
        row.expect("the table is made of whole rows")
    }

    #[inline]
    fn row_mut(&mut self, king: usize, first: usize) -> &mut [f32; STRIDE] {
        let row = self.weights[(king * RELATED + first) * STRIDE..].first_chunk_mut();
        row.expect("the table is made of whole rows")
    }

    /// Sum of the weights of `related` with each of `others`.
    #[inline]
    fn row_sum(&self, king: usize, related: u16, others: &[u16]) -> f32 {
        let row = self.row(king, related.into());
        gathered_sum(others, |other| row[usize::from(other)])
    }

    /// Value of `to` minus value of `from`, for a `from` that few halves are compared with. Cost:
    /// two rows per changed entry, 78 rows if the king moved.
    pub fn single_difference(&self, from: &KingHalf, to: &KingHalf) -> f32 {
        let mut sum = 0.0;
        walk(from, to, |king, related, others, sign| {
            sum += sign * self.row_sum(king, related, others);
        });
        sum
    }
}
