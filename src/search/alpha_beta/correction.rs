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

/// Entries of one table for each side to move.
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

/// All correction tables of one thread.
pub(super) struct CorrectionHistory([Table; TABLES]);

/// Correction keys: the index of a position in each table; `None` if an earlier move is missing.
#[derive(Clone, Copy, Debug)]
pub(super) struct CorrectionKeys([Option<HistoryIndex>; TABLES]);

impl CorrectionKeys {
    /// `made`: the move made this many plies ago; `None` if it is unknown or a null move.
    #[inline]
    pub fn new(pos: &Position, made: impl Fn(usize) -> Option<PieceTo>) -> CorrectionKeys {
        let side = pos.side_to_move();
        let at = |hash: u64| HistoryIndex(side.index() * SIZE + (hash >> 48) as usize);
        let pair = |earlier: usize| {
            let (last, before) = (made(1)?, made(earlier)?);
            Some(at(mix(mix(last.identity() as u64) ^ before.identity() as u64)))
        };
        let parts = pos.part_keys();
        let [black, white] = parts.non_pawns;
        CorrectionKeys([
            Some(at(parts.pawns)),
            Some(at(parts.minors)),
            Some(at(black)),
            Some(at(white)),
            pair(2),
            pair(4),
        ])
    }
}

/// Spreads the bits of a word into the upper bits.
#[inline]
fn mix(word: u64) -> u64 {
    let product = word.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    product ^ product >> 29
}

impl CorrectionHistory {
    /// Memory of all tables in bytes.
    pub const BYTES: usize = TABLES * table_bytes(&[Color::COUNT * SIZE]);

    /// Empty tables.
    pub fn new() -> CorrectionHistory {
        CorrectionHistory(std::array::from_fn(|_| Table::new(Color::COUNT * SIZE)))
    }

    /// Clears all tables.
    pub fn clear(&mut self) {
        self.0.iter_mut().for_each(Table::clear);
    }

    /// The sum of the corrections in centipawns, to be added to the static evaluation. `share`:
    /// scale factor in 1/1024.
    #[inline]
    pub fn get(&self, keys: CorrectionKeys, share: i32) -> i32 {
        let mut sum = 0;
        for ((table, at), reach) in self.0.iter().zip(keys.0).zip(REACH) {
            sum += at.map_or(0, |at| table.get(at) * reach);
        }
        // The sum is at most 613 centipawns times 1,024, so the product fits.
        sum / Table::LIMIT * share / 1_024
    }

    /// Learns from a search of `depth` plies whose score was `error` centipawns above the corrected
    /// evaluation. `rate`: learning rate in 1/1024.
    pub fn update(
        &mut self,
        keys: CorrectionKeys,
        error: i32,
        depth: i32,
        has_best: bool,
        rate: i32,
    ) {
        let limit = Table::LIMIT / 4;
        let units = ERROR_UNITS[usize::from(has_best)];
        let bonus = (error * depth / units).clamp(-limit, limit);
        for ((table, at), table_rate) in self.0.iter_mut().zip(keys.0).zip(RATES) {
            if let Some(at) = at {
                table.update(at, bonus * table_rate / 1_024 * rate / 1_024);
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
        let mut corrections = CorrectionHistory::new();
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
