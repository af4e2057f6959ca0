//! A proof table that grows as needed.
//!
//! Entries of one board start at one slot, whatever the hand, and continue in the slots after it
//! (linear probing). A full table grows; at its largest size, the entries that cost least are
//! removed (garbage collection: Nagai 1999).

use super::proof_state::{ProofKey, ProofState};
use crate::large_pages::may_fail;
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
    /// The maximum length for which a disproof or the numbers hold.
    left: u16,
}

impl ProofEntry {
    /// Whether this entry says nothing that `newer`, of the same key, does not say.
    fn is_implied_by(&self, newer: &ProofEntry) -> bool {
        let (old, new) = (self.state, newer.state);
        if new.proof == 0 {
            let is_weaker = if old.is_open() { self.left } else { old.plies } >= new.plies;
            old.disproof > 0 && is_weaker && self.hand.is_superior_or_equal(newer.hand)
        } else if new.disproof == 0 {
            let is_weaker = self.left <= newer.left;
            old.proof > 0 && is_weaker && newer.hand.is_superior_or_equal(self.hand)
        } else {
            self.hand == newer.hand && self.left == newer.left
        }
    }

    /// Entries with a smaller value are removed first.
    fn value(&self, age: u16) -> (bool, u32) {
        (self.age == age, self.work)
    }
}

/// Maximum number of slots in which an entry is searched.
const REACH: usize = 64;
/// Number of entries whose values are compared before a garbage collection.
const SAMPLE: usize = 1_024;

/// A table of positions and their proofs.
pub(super) struct GrowingTable {
    /// Shape [capacity + REACH]: each slot is followed by [`REACH`] others.
    entries: Vec<ProofEntry>,
    /// Number of non-empty entries.
    used: usize,
    /// The table starts with `least` entries and grows up to `most`.
    least: usize,
    most: usize,
    age: u16,
}

impl GrowingTable {
    pub const ENTRY_BYTES: usize = size_of::<ProofEntry>();

    /// A table that starts with `least` entries and grows up to `most`.
    pub fn new(least: usize, most: usize) -> GrowingTable {
        let least = least.max(1);
        GrowingTable { entries: slots(least), used: 0, least, most, age: 0 }
    }

    pub fn clear(&mut self) {
        self.entries.truncate(self.least + REACH);
        self.entries.fill(ProofEntry::default());
        (self.used, self.age) = (0, 0);
    }

    /// Current capacity in positions.
    pub fn len(&self) -> usize {
        self.entries.len() - REACH
    }

    /// Doubles the table if the limit and the memory allow it, and returns whether it has.
    fn grow(&mut self) -> bool {
        let len = self.len() * 2;
        let mut entries = Vec::new();
        let is_given =
            len <= self.most && may_fail(|| entries.try_reserve_exact(len + REACH).is_ok());
        if !is_given {
            // Do not try again for every entry.
            self.most = self.len();
            return false;
        }
        entries.resize(len + REACH, ProofEntry::default());
        self.used = 0;
        for entry in std::mem::replace(&mut self.entries, entries) {
            self.reinsert(entry);
        }
        true
    }

    /// Removes about half of the entries: those of earlier queries first, then those that cost
    /// least.
    fn collect_garbage(&mut self) {
        let age = self.age;
        let step = (self.entries.len() / SAMPLE).max(1);
        let used = |entry: &&ProofEntry| entry.key != 0;
        let mut values: Vec<(bool, u32)> =
            self.entries.iter().step_by(step).filter(used).map(|entry| entry.value(age)).collect();
        values.sort_unstable();
        let Some(&limit) = values.get(values.len() / 2) else { return };
        self.used = 0;
        // No entry moves to a later slot, so none is visited twice.
        for at in 0..self.entries.len() {
            let entry = std::mem::take(&mut self.entries[at]);
            if entry.value(age) > limit {
                self.reinsert(entry);
            }
        }
    }

    /// Stores an entry of this table again. It is dropped if it has no room.
    fn reinsert(&mut self, entry: ProofEntry) {
        let home = self.home(entry.key);
        let room = self.entries[home..home + REACH].iter_mut().find(|room| room.key == 0);
        if let Some(room) = room.filter(|_| entry.key != 0) {
            *room = entry;
            self.used += 1;
        }
    }

    /// Clears the table and doubles it. Returns whether it has grown.
    pub fn clear_and_grow(&mut self) -> bool {
        self.entries.fill(ProofEntry::default());
        self.used = 0;
        self.grow()
    }

    /// Starts a new query, so that entries of earlier queries are removed first.
    pub fn begin(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    /// The stored state that applies to this key, and its hand. A mate with a smaller hand is also
    /// a mate with a larger one; a disproof with a larger hand also holds with a smaller one. A
    /// mate of fewer plies is also one of more; a disproof for more plies also holds for fewer. Of
    /// several mates, the shortest.
    pub fn get(&self, place: ProofKey) -> Option<(ProofState, Hand)> {
        let key = place.key();
        let (mut same, mut mate) = (None, None::<(ProofState, Hand)>);
        let home = self.home(key);
        for entry in self.entries[home..home + REACH].iter().take_while(|entry| entry.key != 0) {
            if entry.key != key {
                continue;
            }
            let (known, hand) = (entry.state, entry.hand);
            if known.proof == 0 {
                let applies = known.plies <= place.left && place.hand.is_superior_or_equal(hand);
                if applies && mate.is_none_or(|(mate, _)| known.plies < mate.plies) {
                    mate = Some((known, hand));
                }
            } else if known.disproof == 0 {
                if place.left <= entry.left && hand.is_superior_or_equal(place.hand) {
                    return Some((known, hand));
                }
            } else if hand == place.hand && entry.left == place.left {
                same = Some((known, hand));
            }
        }
        mate.or(same)
    }

    /// Stores a state that holds for `hand`. It replaces an entry that it implies; else it takes an
    /// empty slot; else it replaces the entry with the least work.
    pub fn put(&mut self, place: ProofKey, hand: Hand, state: ProofState, work: u64) {
        if self.used * 3 >= self.len() * 2 && !self.grow() {
            self.collect_garbage();
        }
        let (key, age) = (place.key(), self.age);
        let work = u32::try_from(work).unwrap_or(u32::MAX);
        let newer = ProofEntry { key, hand, state, work, age, left: place.left };
        let home = self.home(key);
        let run = &mut self.entries[home..home + REACH];
        let is_room =
            |entry: &ProofEntry| entry.key == 0 || entry.key == key && entry.is_implied_by(&newer);
        let room = run.iter().position(is_room).or_else(|| {
            let cheapest = run.iter().enumerate().min_by_key(|(_, entry)| entry.value(age));
            cheapest.map(|(at, _)| at)
        });
        if let Some(at) = room {
            self.used += usize::from(run[at].key == 0);
            run[at] = newer;
        }
    }

    /// The first slot of a key. Larger keys have later slots.
    fn home(&self, key: u64) -> usize {
        ((u128::from(key) * self.len() as u128) >> 64) as usize
    }
}

/// Empty slots for a capacity of `len`.
fn slots(len: usize) -> Vec<ProofEntry> {
    vec![ProofEntry::default(); len + REACH]
}

#[cfg(test)]
mod tests {
    use super::super::proof_state::ANY_LENGTH;
    use super::*;
    use crate::shogi::Color;

    const OPEN: ProofState = ProofState { proof: 2, disproof: 3, plies: 0, has_lines: false };

    fn place(board_key: u64, hand: Hand) -> ProofKey {
        ProofKey { board_key, attacker: Color::Black, hand, left: ANY_LENGTH }
    }

    #[test]
    fn proofs_hold_for_longer_limits_and_disproofs_for_shorter_limits() {
        let within = |left| ProofKey { left, ..place(5, Hand::EMPTY) };
        let mut table = GrowingTable::new(16, 16);
        let mate = |plies| ProofState { proof: 0, disproof: 9, plies, ..ProofState::default() };
        let none = ProofState { proof: 9, ..ProofState::default() };
        table.put(within(5), Hand::EMPTY, none, 1);
        table.put(within(9), Hand::EMPTY, OPEN, 1);
        assert_eq!(table.get(within(5)), Some((none, Hand::EMPTY)));
        assert_eq!(table.get(within(3)), Some((none, Hand::EMPTY)));
        assert_eq!(table.get(within(7)), None);
        assert_eq!(table.get(within(9)), Some((OPEN, Hand::EMPTY)));
        table.put(within(ANY_LENGTH), Hand::EMPTY, mate(9), 1);
        assert_eq!(table.get(within(9)), Some((mate(9), Hand::EMPTY)));
        table.put(within(ANY_LENGTH), Hand::EMPTY, mate(7), 1);
        assert_eq!(table.get(within(ANY_LENGTH)), Some((mate(7), Hand::EMPTY)));
        assert_eq!(table.get(within(5)), Some((none, Hand::EMPTY)));
        assert_eq!(table.used, 2, "the two proofs replace the open entry");
    }

    #[test]
    fn growing_keeps_all_entries() {
        let mut table = GrowingTable::new(4, 1 << 12);
        let mut rng = crate::rng::Rng::from_seed(1);
        let mut known = Vec::new();
        while table.len() < 1 << 12 {
            let key = rng.next_u64();
            table.put(place(key, Hand::EMPTY), Hand::EMPTY, OPEN, 1);
            known.push(key);
        }
        assert!(known.iter().all(|&key| table.get(place(key, Hand::EMPTY)).is_some()));
        assert!(known.len() > 1_000, "{}", known.len());
        table.clear();
        assert_eq!(table.len(), 4);
        assert!(known.iter().all(|&key| table.get(place(key, Hand::EMPTY)).is_none()));
    }

    #[test]
    fn old_and_cheap_entries_are_removed_first() {
        let mut table = GrowingTable::new(3_000, 3_000);
        let mut rng = crate::rng::Rng::from_seed(2);
        let mut add = |table: &mut GrowingTable, number: usize, work: u64| -> Vec<u64> {
            let keys: Vec<u64> = (0..number).map(|_| rng.next_u64()).collect();
            for &key in &keys {
                table.put(place(key, Hand::EMPTY), Hand::EMPTY, OPEN, work);
            }
            keys
        };
        let kept = |table: &GrowingTable, keys: &[u64]| {
            keys.iter().filter(|&&key| table.get(place(key, Hand::EMPTY)).is_some()).count()
        };
        let old = add(&mut table, 300, 1_000);
        table.begin();
        let dear = add(&mut table, 300, 9);
        let cheap = add(&mut table, 1_400, 2);
        assert_eq!([&old, &dear, &cheap].map(|keys| kept(&table, keys)), [300, 300, 1_400]);
        add(&mut table, 1, 2);
        assert_eq!([&old, &dear, &cheap].map(|keys| kept(&table, keys)), [0, 300, 0]);
        assert_eq!((table.len(), table.used), (3_000, 301));
    }
}
