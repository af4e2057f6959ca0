//! The proof table: proofs, disproofs and proof numbers of positions.
//!
//! Inside a game, the table has a fixed size ([`ClusterTable`]); for problems, it grows and removes
//! what cost least ([`GrowingTable`]).

use super::cluster_table::ClusterTable;
use super::growing_table::GrowingTable;
use super::proof_state::{ProofKey, ProofState};
use crate::shogi::Hand;

/// A table of positions and their proofs.
pub(super) enum ProofTable {
    Cluster(ClusterTable),
    Growing(GrowingTable),
}

impl ProofTable {
    /// Bytes per position.
    pub const ENTRY_BYTES: usize = {
        let [one, other] = [ClusterTable::ENTRY_BYTES, GrowingTable::ENTRY_BYTES];
        if one > other { one } else { other }
    };

    pub fn clear(&mut self) {
        match self {
            ProofTable::Cluster(table) => table.clear(),
            ProofTable::Growing(table) => table.clear(),
        }
    }

    /// Current capacity in positions.
    pub fn len(&self) -> usize {
        match self {
            ProofTable::Cluster(table) => table.len(),
            ProofTable::Growing(table) => table.len(),
        }
    }

    /// Clears the table and doubles it. Returns whether it has grown.
    pub fn clear_and_grow(&mut self) -> bool {
        match self {
            ProofTable::Cluster(_) => false,
            ProofTable::Growing(table) => table.clear_and_grow(),
        }
    }

    /// Starts a new query, so that entries of earlier queries are removed first.
    pub fn begin(&mut self) {
        match self {
            ProofTable::Cluster(table) => table.begin(),
            ProofTable::Growing(table) => table.begin(),
        }
    }

    /// The stored state that applies to this key, and its hand. A mate with a smaller hand is also
    /// a mate with a larger one; a disproof with a larger hand also holds with a smaller one.
    pub fn get(&self, place: ProofKey) -> Option<(ProofState, Hand)> {
        match self {
            ProofTable::Cluster(table) => table.get(place),
            ProofTable::Growing(table) => table.get(place),
        }
    }

    /// Stores a state that holds for `hand`. `work`: nodes spent on it.
    pub fn put(&mut self, place: ProofKey, hand: Hand, state: ProofState, work: u64) {
        match self {
            ProofTable::Cluster(table) => table.put(place, hand, state, work),
            ProofTable::Growing(table) => table.put(place, hand, state, work),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::proof_state::ANY_LENGTH;
    use super::*;
    use crate::shogi::{Color, HandPiece};

    fn place(board_key: u64, hand: Hand) -> ProofKey {
        ProofKey { board_key, attacker: Color::Black, hand, left: ANY_LENGTH }
    }

    #[test]
    fn proofs_hold_for_larger_hands_and_disproofs_for_smaller_hands() {
        let gold = Hand::EMPTY.with(HandPiece::Gold);
        let two = gold.with(HandPiece::Gold);
        let rook = Hand::EMPTY.with(HandPiece::Rook);
        let mate = ProofState { proof: 0, disproof: 9, plies: 3, ..ProofState::default() };
        let none = ProofState { proof: 9, ..ProofState::default() };
        for mut table in [
            ProofTable::Cluster(ClusterTable::new(16)),
            ProofTable::Growing(GrowingTable::new(16, 16)),
        ] {
            table.put(place(5, gold), gold, mate, 1);
            assert_eq!(table.get(place(5, two)), Some((mate, gold)));
            assert_eq!(table.get(place(5, Hand::EMPTY)), None);
            assert_eq!(table.get(place(5, rook)), None);
            assert_eq!(table.get(ProofKey { attacker: Color::White, ..place(5, gold) }), None);
            table.put(place(6, gold), gold, none, 1);
            assert_eq!(table.get(place(6, Hand::EMPTY)), Some((none, gold)));
            assert_eq!(table.get(place(6, two)), None);
            table.clear();
            assert_eq!(table.get(place(5, gold)), None);
        }
    }
}
