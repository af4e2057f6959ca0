//! Tables of history statistics.

use std::mem::take;
use std::sync::atomic::{AtomicBool, AtomicI16, Ordering::Relaxed};

use super::ordering::{FROM_TO_COUNT, from_to};
use super::prefetch::prefetch;
use crate::shogi::Move;

/// Values lie within +-`LIMIT` and start at `START`. Each update moves a value towards the limit in
/// proportion to the remaining distance. Values therefore never overflow, and old updates decay: a
/// bonus of one tenth of the limit keeps nine tenths of the old value.
///
/// Several threads may share a table. If two update an entry at the same time, one update is lost.
///
/// Entries are stored relative to `START`. A new table is therefore zeroed memory, which the
/// operating system provides on first access.
#[derive(Default)]
pub(crate) struct HistoryTable<const LIMIT: i32 = 16_384, const START: i32 = 0> {
    values: Vec<AtomicI16>,
    /// Whether an entry of this block has changed. A short game changes few of them, and clearing
    /// all would take longer than such a game. At first all are set, so that the first clearing
    /// writes to all the memory.
    changed: Vec<AtomicBool>,
}

/// Entries of a block that is cleared at once.
const BLOCK: usize = 1 << 9;

/// Index into a [`HistoryTable`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct HistoryIndex(pub usize);

impl HistoryIndex {
    /// The index of a move in one row of a table of shape `[row][from-to]`.
    #[inline]
    pub fn from_to(row: usize, mv: Move) -> HistoryIndex {
        HistoryIndex(row * FROM_TO_COUNT + from_to(mv))
    }
}

/// Memory of tables with these lengths, in bytes.
pub(crate) const fn table_bytes(lengths: &[usize]) -> usize {
    let (mut sum, mut at) = (0, 0);
    while at < lengths.len() {
        sum += lengths[at] * size_of::<i16>();
        at += 1;
    }
    sum
}

impl<const LIMIT: i32, const START: i32> HistoryTable<LIMIT, START> {
    /// Largest absolute value.
    pub const LIMIT: i32 = {
        assert!(LIMIT + START.abs() <= i16::MAX as i32);
        LIMIT
    };

    /// Initial value of an entry.
    pub const START: i32 = START;

    /// A table in which every value is `START`.
    pub fn new(len: usize) -> Self {
        let changed = (0..len.div_ceil(BLOCK)).map(|_| AtomicBool::new(true)).collect();
        HistoryTable { values: bytemuck::zeroed_vec(len), changed }
    }

    /// One row of a table of shape `[row][N]`. Its values are relative to
    /// [`START`](HistoryTable::START).
    #[inline]
    pub fn row<const N: usize>(&self, row: usize) -> &[AtomicI16; N] {
        &self.values.as_chunks().0[row]
    }

    #[inline]
    pub fn get(&self, at: HistoryIndex) -> i32 {
        i32::from(self.values[at.0].load(Relaxed)) + START
    }

    /// Prefetches an entry.
    #[inline]
    pub fn prefetch(&self, at: HistoryIndex) {
        prefetch(&self.values[at.0]);
    }

    /// Updates a value. `bonus` is clamped to +-`LIMIT`.
    #[inline]
    pub fn update(&self, at: HistoryIndex, bonus: i32) {
        let bonus = bonus.clamp(-Self::LIMIT, Self::LIMIT);
        let value = &self.values[at.0];
        let old = i32::from(value.load(Relaxed)) + START;
        value.store((old + bonus - old * bonus.abs() / LIMIT - START) as i16, Relaxed);
        let changed = &self.changed[at.0 / BLOCK];
        // Most blocks have changed already, and a write would take the cache line from other
        // threads.
        if !changed.load(Relaxed) {
            changed.store(true, Relaxed);
        }
    }

    /// Sets all values to `START`.
    pub fn clear(&mut self) {
        let blocks = self.values.chunks_mut(BLOCK).zip(&mut self.changed);
        for (block, changed) in blocks {
            if take(changed.get_mut()) {
                block.fill_with(AtomicI16::default);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_in_range_and_can_change_sign() {
        let mut table = <HistoryTable>::new(2);
        for _ in 0..1_000 {
            table.update(HistoryIndex(0), <HistoryTable>::LIMIT);
            table.update(HistoryIndex(1), -1_600);
        }
        assert_eq!(table.get(HistoryIndex(0)), <HistoryTable>::LIMIT);
        assert!((-<HistoryTable>::LIMIT..-15_000).contains(&table.get(HistoryIndex(1))));
        table.update(HistoryIndex(1), 8_000);
        assert!(table.get(HistoryIndex(1)) > -5_000, "old updates decay");
        table.clear();
        assert_eq!(table.get(HistoryIndex(0)), 0);
    }

    #[test]
    fn values_start_at_start_and_stay_within_limit() {
        let mut table = HistoryTable::<30_000, -523>::new(1);
        let at = HistoryIndex(0);
        assert_eq!(table.get(at), -523);
        table.update(at, 3_000);
        assert_eq!(table.get(at), -523 + 3_000 + 52);
        for bonus in [i32::MAX, -30_000] {
            table.update(at, bonus);
            assert_eq!(table.get(at), 30_000 * bonus.signum());
        }
        table.clear();
        assert_eq!(table.get(at), -523);
    }

    #[test]
    fn clearing_reaches_every_changed_block() {
        let mut table = <HistoryTable>::new(2 * BLOCK + 3);
        for _ in 0..2 {
            let all = [0, BLOCK - 1, BLOCK, 2 * BLOCK + 2].map(HistoryIndex);
            all.iter().for_each(|&at| table.update(at, 100));
            assert!(all.iter().all(|&at| table.get(at) == 100));
            table.clear();
            assert!(all.iter().all(|&at| table.get(at) == 0));
        }
    }
}
