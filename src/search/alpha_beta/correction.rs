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

type Table = HistoryTable<1_024>;

/// All correction tables. The threads of a game share them.
#[derive(Default)]
pub(super) struct CorrectionHistory {
    tables: [Table; TABLES],
    /// Right shift that makes a key an index.
    shift: u32,
}

/// Correction keys: the key of a position in each table, the side to move in its highest bit; `None`
/// if an earlier move is missing.
#[derive(Clone, Copy, Debug)]
pub(super) struct CorrectionKeys([Option<u64>; TABLES]);

impl CorrectionKeys {
    /// `made`: the move made this many plies ago; `None` if it is unknown or a null move.
    #[inline(always)]
    pub fn new(pos: &Position, made: impl Fn(usize) -> Option<PieceTo>) -> CorrectionKeys {
        let side = pos.side_to_move().index() as u64;
        let at = |hash: u64| side << 63 | hash >> 1;
        let last = made(1).map(|last| mix(last.identity() as u64));
        let pair = |before: Option<PieceTo>| Some(at(mix(last? ^ before?.identity() as u64)));
        let parts = pos.part_keys();
        let [black, white] = parts.non_pawns;
        CorrectionKeys([
            Some(at(parts.pawns)),
            Some(at(parts.minors)),
            Some(at(black)),
            Some(at(white)),
            pair(made(2)),
            pair(made(4)),
        ])
    }
}

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
        TABLES * table_bytes(&[entries(threads)])
    }

    /// Empty tables for this number of threads.
    pub fn new(threads: usize) -> CorrectionHistory {
        let tables = std::array::from_fn(|_| Table::new(entries(threads)));
        CorrectionHistory { tables, shift: u64::BITS - entries(threads).ilog2() }
    }

    /// Clears all tables.
    pub fn clear(&mut self) {
        self.tables.iter_mut().for_each(Table::clear);
    }

    #[inline]
    fn at(&self, key: u64) -> HistoryIndex {
        HistoryIndex((key >> self.shift) as usize)
    }

    /// Prefetches the entries that [`get`](CorrectionHistory::get) will read.
    #[inline]
    pub fn prefetch(&self, keys: CorrectionKeys) {
        for (table, key) in self.tables.iter().zip(keys.0) {
            if let Some(key) = key {
                table.prefetch(self.at(key));
            }
        }
    }

    /// The sum of the corrections in centipawns, to be added to the static evaluation. `share`:
    /// scale factor in 1/1024.
    #[inline]
    pub fn get(&self, keys: CorrectionKeys, share: i32) -> i32 {
        let mut sum = 0;
        for ((table, key), reach) in self.tables.iter().zip(keys.0).zip(REACH) {
            sum += key.map_or(0, |key| table.get(self.at(key)) * reach);
        }
        // The sum is at most 613 centipawns times 1,024, so the product fits.
        sum / Table::LIMIT * share / 1_024
    }

    /// Learns from a search of `depth` plies whose score was `error` centipawns above the corrected
    /// evaluation. `rate`: learning rate in 1/1024.
    pub fn update(&self, keys: CorrectionKeys, error: i32, depth: i32, has_best: bool, rate: i32) {
        let limit = Table::LIMIT / 4;
        let units = ERROR_UNITS[usize::from(has_best)];
        let bonus = (error * depth / units).clamp(-limit, limit);
        for ((table, key), table_rate) in self.tables.iter().zip(keys.0).zip(RATES) {
            if let Some(key) = key {
                table.update(self.at(key), bonus * table_rate / 1_024 * rate / 1_024);
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
            corrections.get(CorrectionKeys::new(pos, |_| None), 1_024)
        };
        assert_eq!(of(&corrections, &searched), 0);
        for _ in 0..200 {
            let keys = CorrectionKeys::new(&searched, |_| None);
            corrections.update(keys, 300, 8, true, 1_024);
        }
        assert!(of(&corrections, &searched) > of(&corrections, &similar));
        assert!(of(&corrections, &similar) > 50);
        assert_eq!(of(&corrections, &other), 0);
    }
}
