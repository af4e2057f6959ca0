//! Tables of running statistics.

/// Values within +-[`StatTable::LIMIT`]. Each update moves a value towards the limit in proportion to
/// what is left, so that it never overflows and old experience fades.
pub(super) struct StatTable(Vec<i16>);

/// Index into a [`StatTable`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Stat(pub usize);

impl StatTable {
    /// Largest absolute value.
    pub const LIMIT: i32 = 16_384;

    /// Zeros. The system hands the memory out as it is used.
    pub fn new(len: usize) -> StatTable {
        StatTable(vec![0; len])
    }

    #[inline]
    pub fn get(&self, at: Stat) -> i32 {
        i32::from(self.0[at.0])
    }

    /// Moves a value; `bonus` within +-[`StatTable::LIMIT`].
    #[inline]
    pub fn update(&mut self, at: Stat, bonus: i32) {
        let value = &mut self.0[at.0];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / StatTable::LIMIT) as i16;
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
        let mut table = StatTable::new(2);
        for _ in 0..1_000 {
            table.update(Stat(0), StatTable::LIMIT);
            table.update(Stat(1), -1_600);
        }
        assert_eq!(table.get(Stat(0)), StatTable::LIMIT);
        assert!((-StatTable::LIMIT..-15_000).contains(&table.get(Stat(1))));
        table.update(Stat(1), 8_000);
        assert!(table.get(Stat(1)) > -5_000, "old experience fades");
        table.clear();
        assert_eq!(table.get(Stat(0)), 0);
    }
}
