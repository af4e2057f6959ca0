//! Correction history: adjusts the static evaluation by the errors found in searches of similar
//! positions.
//!
//! Positions are similar if they share one of these: the pawns, the minor pieces, one side's pieces
//! without pawns, or a pair of earlier moves. The pairs are the last two moves, and the last move
//! with the move three plies before it.
//! Source: correction history as known in the field (Caissa and Stockfish, 2024).

use super::history::PieceTo;
use crate::search::history_table::{HistoryIndex, HistoryTable, table_bytes};
use crate::shogi::{Color, Position};

/// Entries of one table for each side to move and each thread.
const SIZE: usize = 1 << 16;
/// Number of tables: pawns, minor pieces, Black's pieces, White's pieces, two pairs of moves.
const TABLES: usize = 6;
/// Largest correction by each table in centipawns.
const REACH: [i32; TABLES] = [121, 86, 124, 124, 79, 79];
/// Learning rate of each table in 1/1024.
const RATES: [i32; TABLES] = [1_065, 1_278, 1_555, 1_555, 1_044, 522];
/// Error, in centipawns times plies, that changes an entry by one. Index 0: without a best move; 1:
/// with one.
const ERROR_UNITS: [i32; 2] = [10, 14];

type Values = HistoryTable<1_024>;

/// All correction tables. The threads of a game share them.
#[derive(Default)]
pub(super) struct CorrectionHistory {
    /// Shape `[table][entry]`, then one entry for missing keys, which stays 0.
    values: Values,
    /// Right shift that makes a key an index.
    shift: u32,
}

/// The index of a position's entry in each table. A pair of moves that are not both known has the
/// entry for missing keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CorrectionKeys([u32; TABLES]);

/// Spreads the bits of a word into the upper bits.
#[inline]
fn mix(word: u64) -> u64 {
    let product = word.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    product ^ product >> 29
}

/// Number of entries of one table for this number of threads.
fn entries(threads: usize) -> usize {
    Color::COUNT * SIZE * threads.next_power_of_two()
}

impl CorrectionHistory {
    /// Memory of all tables for this number of threads in bytes.
    pub fn bytes(threads: usize) -> usize {
        table_bytes(&[TABLES * entries(threads) + 1])
    }

    /// Empty tables for this number of threads.
    pub fn new(threads: usize) -> CorrectionHistory {
        let entries = entries(threads);
        let values = Values::new(TABLES * entries + 1);
        CorrectionHistory { values, shift: u64::BITS - entries.ilog2() }
    }

    /// Clears all tables.
    pub fn clear(&mut self) {
        self.values.clear();
    }

    /// The keys of a position. `made`: the move made this many plies ago; `None` if it is unknown
    /// or a null move.
    #[inline]
    pub fn keys(&self, pos: &Position, made: impl Fn(usize) -> Option<PieceTo>) -> CorrectionKeys {
        let side = pos.side_to_move().index() as u64;
        let entries_bits = u64::BITS - self.shift;
        let at = |table: u32, hash: u64| {
            (table << entries_bits) + ((side << 63 | hash >> 1) >> self.shift) as u32
        };
        let missing = self.missing();
        let last = made(1).map(|last| mix(last.identity() as u64));
        let pair = |table, before: Option<PieceTo>| match (last, before) {
            (Some(last), Some(before)) => at(table, mix(last ^ before.identity() as u64)),
            _ => missing,
        };
        let parts = pos.part_keys();
        let [black, white] = parts.non_pawns;
        CorrectionKeys([
            at(0, parts.pawns),
            at(1, parts.minors),
            at(2, black),
            at(3, white),
            pair(4, made(2)),
            pair(5, made(4)),
        ])
    }

    /// The entry for missing keys.
    fn missing(&self) -> u32 {
        (TABLES as u32) << (u64::BITS - self.shift)
    }

    /// Prefetches the entries that [`get`](CorrectionHistory::get) will read.
    #[inline]
    pub fn prefetch(&self, keys: CorrectionKeys) {
        keys.0.iter().for_each(|&at| self.values.prefetch(HistoryIndex(at as usize)));
    }

    /// The sum of the corrections in centipawns, to be added to the static evaluation. `share`:
    /// scale factor in 1/1024.
    #[inline]
    pub fn get(&self, keys: CorrectionKeys, share: i32) -> i32 {
        let entries = keys.0.map(|at| self.values.get(HistoryIndex(at as usize)));
        let sum: i32 = entries.iter().zip(REACH).map(|(entry, reach)| entry * reach).sum();
        // The sum is at most 613 centipawns times 1,024, so the product fits.
        sum / Values::LIMIT * share / 1_024
    }

    /// Learns from a search of `depth` plies whose score was `error` centipawns above the corrected
    /// evaluation. `rate`: learning rate in 1/1024.
    pub fn update(&self, keys: CorrectionKeys, error: i32, depth: i32, has_best: bool, rate: i32) {
        let limit = Values::LIMIT / 4;
        let units = ERROR_UNITS[usize::from(has_best)];
        let bonus = (error * depth / units).clamp(-limit, limit);
        for (at, table_rate) in keys.0.into_iter().zip(RATES) {
            if at != self.missing() {
                let bonus = bonus * table_rate / 1_024 * rate / 1_024;
                self.values.update(HistoryIndex(at as usize), bonus);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_apply_to_similar_positions_only() {
        let position = |sfen| Position::from_sfen(sfen).expect("valid");
        // The same pawns with other pieces; then other pawns and pieces.
        let searched = position("4k4/9/4p4/9/9/9/4P4/9/4K4 b G2r2b3g4s4n4l16p 1");
        let similar = position("4k4/9/4p4/9/9/9/4P4/4G4/4K4 b 2r2b3g4s4n4l16p 1");
        let other = position("3k5/9/p8/9/9/9/P8/4S4/3K5 b 2r2b4g3s4n4l16p 1");
        let corrections = CorrectionHistory::new(1);
        let of = |corrections: &CorrectionHistory, pos: &Position| {
            corrections.get(corrections.keys(pos, |_| None), 1_024)
        };
        assert_eq!(of(&corrections, &searched), 0);
        for _ in 0..200 {
            let keys = corrections.keys(&searched, |_| None);
            corrections.update(keys, 300, 8, true, 1_024);
        }
        assert!(of(&corrections, &searched) > of(&corrections, &similar));
        assert!(of(&corrections, &similar) > 50);
        assert_eq!(of(&corrections, &other), 0);
    }
}
