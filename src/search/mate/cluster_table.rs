//! A proof table of fixed size, whose entries compete for the places of their cluster.

use super::proof_state::{ProofKey, ProofState};
use crate::shogi::Hand;

#[derive(Clone, Copy, Default)]
struct ProofEntry {
    /// 0: empty.
    key: u64,
    hand: Hand,
    state: ProofState,
    /// Nodes spent below the position.
    work: u32,
    age: u16,
}

/// Entries per cluster. Entries of one board share a cluster, whatever the hand.
const CLUSTER: usize = 4;

/// A table of positions and their proofs.
pub(super) struct ClusterTable {
    entries: Vec<ProofEntry>,
    age: u16,
}

impl ClusterTable {
    pub const ENTRY_BYTES: usize = size_of::<ProofEntry>();

    /// A table for about `entries` positions.
    pub fn new(entries: usize) -> ClusterTable {
        let entries = entries.div_ceil(CLUSTER).max(1) * CLUSTER;
        ClusterTable { entries: vec![ProofEntry::default(); entries], age: 0 }
    }

    pub fn clear(&mut self) {
        self.entries.fill(ProofEntry::default());
        self.age = 0;
    }

    /// Capacity in positions.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Starts a new query, so that entries of earlier queries are replaced first.
    pub fn begin(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    /// The stored state that applies to this key, and its hand. A mate with a smaller hand is also
    /// a mate with a larger one; a disproof with a larger hand also holds with a smaller one.
    pub fn get(&self, place: ProofKey) -> Option<(ProofState, Hand)> {
        let key = place.key();
        let mut same = None;
        for entry in &self.entries[self.cluster(key)] {
            if entry.key != key {
                continue;
            }
            let known = entry.state;
            let decides = entry.hand == place.hand
                || known.proof == 0 && place.hand.is_superior_or_equal(entry.hand)
                || known.disproof == 0 && entry.hand.is_superior_or_equal(place.hand);
            if decides {
                if known.proof == 0 || known.disproof == 0 {
                    return Some((known, entry.hand));
                }
                same = Some((known, entry.hand));
            }
        }
        same
    }

    /// Stores a state that holds for `hand`. It replaces the entry of the same position; else an
    /// entry of an older query; else the entry with the least work.
    pub fn put(&mut self, place: ProofKey, hand: Hand, state: ProofState, work: u64) {
        let (key, age) = (place.key(), self.age);
        let cluster = self.cluster(key);
        let value = |entry: &ProofEntry| {
            let same = entry.key == key && entry.hand == place.hand;
            (!same, entry.key != 0, entry.age == age, entry.work)
        };
        if let Some(victim) = self.entries[cluster].iter_mut().min_by_key(|entry| value(entry)) {
            let work = u32::try_from(work).unwrap_or(u32::MAX);
            *victim = ProofEntry { key, hand, state, work, age };
        }
    }

    fn cluster(&self, key: u64) -> std::ops::Range<usize> {
        let clusters = self.entries.len() / CLUSTER;
        let at = ((u128::from(key) * clusters as u128) >> 64) as usize * CLUSTER;
        at..at + CLUSTER
    }
}

#[cfg(test)]
mod tests {
    use super::super::proof_state::ANY_LENGTH;
    use super::*;
    use crate::shogi::Color;

    fn place(board_key: u64, hand: Hand) -> ProofKey {
        ProofKey { board_key, attacker: Color::Black, hand, left: ANY_LENGTH }
    }

    #[test]
    fn old_and_cheap_entries_are_replaced_first() {
        let mut table = ClusterTable::new(4);
        let open = ProofState { proof: 2, disproof: 3, ..ProofState::default() };
        table.put(place(1, Hand::EMPTY), Hand::EMPTY, open, 1_000);
        table.begin();
        for (key, work) in [(2, 9), (3, 2), (4, 7)] {
            table.put(place(key, Hand::EMPTY), Hand::EMPTY, open, work);
        }
        table.put(place(5, Hand::EMPTY), Hand::EMPTY, open, 5);
        assert_eq!(table.get(place(1, Hand::EMPTY)), None, "old");
        table.put(place(6, Hand::EMPTY), Hand::EMPTY, open, 5);
        assert_eq!(table.get(place(3, Hand::EMPTY)), None, "cheap");
        assert_eq!(table.get(place(2, Hand::EMPTY)), Some((open, Hand::EMPTY)));
    }
}
