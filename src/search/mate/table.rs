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
