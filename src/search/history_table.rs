//! Tables of running statistics.

use super::ordering::{FROM_TO_COUNT, from_to};
use crate::shogi::Move;

/// Values within +-[`HistoryTable::LIMIT`]. Each update moves a value towards the limit in
/// proportion to what is left, so that it never overflows and old experience fades.
pub(super) struct HistoryTable(Vec<i16>);

/// Index into a [`HistoryTable`].
#[derive(Clone, Copy, Debug)]
pub(super) struct HistoryIndex(pub usize);

impl HistoryIndex {
    /// Of a move in a row of a table of shape `[row][from-to]`.
    #[inline]
    pub fn from_to(row: usize, mv: Move) -> HistoryIndex {
        HistoryIndex(row * FROM_TO_COUNT + from_to(mv))
    }
}

impl HistoryTable {
    /// Largest absolute value.
    pub const LIMIT: i32 = 16_384;

    /// Memory for tables of these lengths.
    pub const fn bytes(lengths: &[usize]) -> usize {
        let (mut sum, mut at) = (0, 0);
        while at < lengths.len() {
            sum += lengths[at] * size_of::<i16>();
            at += 1;
        }
        sum
    }

    /// Zeros. The system hands the memory out as it is used.
    pub fn new(len: usize) -> HistoryTable {
        HistoryTable(vec![0; len])
    }

    #[inline]
    pub fn get(&self, at: HistoryIndex) -> i32 {
        i32::from(self.0[at.0])
    }

    /// Moves a value; `bonus` within +-[`HistoryTable::LIMIT`].
    #[inline]
    pub fn update(&mut self, at: HistoryIndex, bonus: i32) {
        let value = &mut self.0[at.0];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / HistoryTable::LIMIT) as i16;
    }

    pub fn clear(&mut self) {
        self.0.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_in_range_and_can_turn() {
        let mut table = HistoryTable::new(2);
        for _ in 0..1_000 {
            table.update(HistoryIndex(0), HistoryTable::LIMIT);
            table.update(HistoryIndex(1), -1_600);
        }
        assert_eq!(table.get(HistoryIndex(0)), HistoryTable::LIMIT);
        assert!((-HistoryTable::LIMIT..-15_000).contains(&table.get(HistoryIndex(1))));
        table.update(HistoryIndex(1), 8_000);
        assert!(table.get(HistoryIndex(1)) > -5_000, "old experience fades");
        table.clear();
        assert_eq!(table.get(HistoryIndex(0)), 0);
    }
}
