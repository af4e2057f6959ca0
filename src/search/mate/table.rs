//! The proof table: proofs, disproofs and proof numbers of positions.

use crate::large_pages::may_fail;
use crate::shogi::{Color, Hand};

/// Proof state of a position from the attacker's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ProofState {
    /// Minimum number of leaves to prove for a mate; 0: proved.
    pub proof: u32,
    /// Minimum number of leaves to disprove; 0: disproved.
    pub disproof: u32,
    /// Length of the proved mate in plies; 0 without a proof.
    pub plies: u16,
    /// Whether the position is open but disproved on some lines ([`ProofKey::on_line`]).
    pub has_lines: bool,
}

/// Key of a position in the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProofKey {
    /// Board and side to move.
    pub board_key: u64,
    pub attacker: Color,
    /// The attacker's hand.
    pub hand: Hand,
}

impl ProofKey {
    /// The key of this position at the end of this line only.
    pub fn on_line(self, line_key: u64) -> ProofKey {
        ProofKey { board_key: self.board_key ^ line_key, ..self }
    }

    /// The same position has another key if the other side attacks. Never 0.
    fn key(&self) -> u64 {
        let role = if self.attacker == Color::White { 0x9e37_79b9_7f4a_7c15 } else { 0 };
        (self.board_key ^ role).max(1)
    }
}

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
pub(super) struct ProofTable {
    entries: Vec<ProofEntry>,
    /// Number of non-empty entries.
    used: usize,
    /// The table starts with `least` entries and grows up to `most`.
    least: usize,
    most: usize,
    age: u16,
}

impl ProofTable {
    pub const ENTRY_BYTES: usize = size_of::<ProofEntry>();

    /// A table that starts with `least` entries and grows up to `most`.
    pub fn new(least: usize, most: usize) -> ProofTable {
        let least = least.div_ceil(CLUSTER).max(1) * CLUSTER;
        let entries = vec![ProofEntry::default(); least];
        ProofTable { entries, used: 0, least, most, age: 0 }
    }

    pub fn clear(&mut self) {
        self.entries.truncate(self.least);
        self.entries.fill(ProofEntry::default());
        (self.used, self.age) = (0, 0);
    }

    /// Current capacity in positions.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Doubles the table if the limit and the memory allow it. Each cluster becomes two.
    fn grow(&mut self) {
        let len = self.entries.len() * 2;
        let mut entries = Vec::new();
        let is_given = len <= self.most && may_fail(|| entries.try_reserve_exact(len).is_ok());
        if !is_given {
            // Do not try again for every entry.
            self.most = self.entries.len();
            return;
        }
        entries.resize(len, ProofEntry::default());
        for entry in std::mem::replace(&mut self.entries, entries) {
            let cluster = self.cluster(entry.key);
            let room = self.entries[cluster].iter_mut().find(|room| room.key == 0);
            if let Some(room) = room.filter(|_| entry.key != 0) {
                *room = entry;
            }
        }
    }

    /// Clears the table and doubles it. Returns whether it has grown.
    pub fn clear_and_grow(&mut self) -> bool {
        let len = self.entries.len();
        self.entries.fill(ProofEntry::default());
        self.used = 0;
        self.grow();
        self.entries.len() > len
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
            self.used += usize::from(victim.key == 0);
            *victim = ProofEntry { key, hand, state, work, age };
        }
        if self.entries.len() < self.most && self.used * 4 >= self.entries.len() * 3 {
            self.grow();
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
    use super::*;
    use crate::shogi::HandPiece;

    fn place(board_key: u64, hand: Hand) -> ProofKey {
        ProofKey { board_key, attacker: Color::Black, hand }
    }

    #[test]
    fn proofs_hold_for_larger_hands_and_disproofs_for_smaller_hands() {
        let gold = Hand::EMPTY.with(HandPiece::Gold);
        let two = gold.with(HandPiece::Gold);
        let rook = Hand::EMPTY.with(HandPiece::Rook);
        let mut table = ProofTable::new(16, 16);
        let mate = ProofState { proof: 0, disproof: 9, plies: 3, ..ProofState::default() };
        table.put(place(5, gold), gold, mate, 1);
        assert_eq!(table.get(place(5, two)), Some((mate, gold)));
        assert_eq!(table.get(place(5, Hand::EMPTY)), None);
        assert_eq!(table.get(place(5, rook)), None);
        assert_eq!(table.get(ProofKey { attacker: Color::White, ..place(5, gold) }), None);
        let none = ProofState { proof: 9, ..ProofState::default() };
        table.put(place(6, gold), gold, none, 1);
        assert_eq!(table.get(place(6, Hand::EMPTY)), Some((none, gold)));
        assert_eq!(table.get(place(6, two)), None);
        table.clear();
        assert_eq!(table.get(place(5, gold)), None);
    }

    #[test]
    fn growing_keeps_all_entries() {
        let mut table = ProofTable::new(4, 64);
        let open = ProofState { proof: 2, disproof: 3, ..ProofState::default() };
        let mut rng = crate::rng::Rng::from_seed(1);
        let mut known = Vec::new();
        while table.len() < 64 {
            let key = rng.next_u64();
            table.put(place(key, Hand::EMPTY), Hand::EMPTY, open, 1);
            let before = table.len();
            known.retain(|&key| table.get(place(key, Hand::EMPTY)).is_some());
            known.push(key);
            assert!(before == table.len() && known.len() <= table.len());
        }
        assert!(known.iter().all(|&key| table.get(place(key, Hand::EMPTY)).is_some()));
        assert!(known.len() > 20, "{}", known.len());
        table.clear();
        assert_eq!(table.len(), 4);
        assert!(known.iter().all(|&key| table.get(place(key, Hand::EMPTY)).is_none()));
    }

    #[test]
    fn old_and_cheap_entries_are_replaced_first() {
        let mut table = ProofTable::new(4, 4);
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
