//! Items grouped by a key.

/// Items grouped by a key, in order within each group.
#[derive(Clone, Debug)]
pub(super) struct KeyGroups<T> {
    /// All items, group by group.
    pub members: Vec<T>,
    /// Start of each group in `members`, then the end of the last group.
    starts: Vec<usize>,
}

impl<T> Default for KeyGroups<T> {
    fn default() -> KeyGroups<T> {
        KeyGroups { members: Vec::new(), starts: Vec::new() }
    }
}

impl<T: Copy + From<u32>> KeyGroups<T> {
    /// Groups the items `0..keys.len()` by their keys, all below `count`: a counting sort.
    pub fn fill(&mut self, count: usize, keys: &[usize]) {
        self.starts.clear();
        self.starts.resize(count + 1, 0);
        for &key in keys {
            self.starts[key + 1] += 1;
        }
        for group in 0..count {
            self.starts[group + 1] += self.starts[group];
        }
        let mut next = self.starts.clone();
        self.members.resize(keys.len(), T::from(0));
        for (number, &key) in keys.iter().enumerate() {
            self.members[next[key]] = T::from(number as u32);
            next[key] += 1;
        }
    }

    /// The members of a group.
    pub fn of(&self, group: usize) -> &[T] {
        &self.members[self.starts[group]..self.starts[group + 1]]
    }

    /// Splits `values` after every `step` groups. It has one value per member, in the order of
    /// `members`.
    pub fn split<'v, V>(&self, values: &'v mut [V], step: usize) -> Vec<&'v mut [V]> {
        let edges: Vec<usize> = self.starts.iter().copied().step_by(step).collect();
        cut(values, &edges)
    }
}

/// The parts of `values` between adjacent `edges`, which ascend from 0.
pub(super) fn cut<'v, T>(mut values: &'v mut [T], edges: &[usize]) -> Vec<&'v mut [T]> {
    edges
        .windows(2)
        .map(|edge| {
            let (part, rest) = std::mem::take(&mut values).split_at_mut(edge[1] - edge[0]);
            values = rest;
            part
        })
        .collect()
}
