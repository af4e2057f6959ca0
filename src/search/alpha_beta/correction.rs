//! Correction of the evaluation by experience: where searches of positions alike came out above or
//! below their evaluation, the next ones are expected to.
//!
//! Positions are alike if they share the pawns on the board, the hands, the last move, or the
//! last two.
//! Source: correction history as known in the field (Caissa and Stockfish, 2024).

use super::history::PieceTo;
use crate::search::history_table::{HistoryIndex, HistoryTable};
use crate::shogi::{Color, PieceKind, Position};

/// Entries of a table for each side to move.
const SIZE: usize = 1 << 14;
/// What a full sum of corrections stands for: entries reach +-16,384 each.
const UNIT: i32 = 1 << 10;

/// All tables of one thread: by the pawns, by the hands, by the last move, by the last two.
pub(super) struct CorrectionHistory([HistoryTable; 4]);

/// Correction keys: where the corrections of one position are in each table, if it has any.
#[derive(Clone, Copy, Debug)]
pub(super) struct CorrectionKeys([Option<HistoryIndex>; 4]);

impl CorrectionKeys {
    /// `last`: the opponent's last move and the own one before, if they are known.
    pub fn new(pos: &Position, last: [Option<PieceTo>; 2]) -> CorrectionKeys {
        let side = pos.side_to_move();
        let at = |hash: u64| HistoryIndex(side.index() * SIZE + (hash >> 50) as usize);
        let pawns = Color::ALL.into_iter().fold(0, |hash: u64, color| {
            let bits = pos.pieces(color, PieceKind::Pawn).to_bits();
            mix(hash ^ mix(bits as u64) ^ (bits >> 64) as u64)
        });
        let [row, before] = last.map(|piece_to| piece_to.map(|piece_to| piece_to.row(side)));
        CorrectionKeys([
            Some(at(pawns)),
            Some(at(mix(pos.key() ^ pos.board_key()))),
            row.map(HistoryIndex),
            row.zip(before).map(|(row, before)| at(mix(mix(row as u64) ^ before as u64))),
        ])
    }
}

/// Spreads the bits of a word into its upper ones.
#[inline]
fn mix(word: u64) -> u64 {
    let product = word.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    product ^ product >> 29
}

impl CorrectionHistory {
    /// Entries of the tables in their order.
    const LENGTHS: [usize; 4] = [2 * SIZE, 2 * SIZE, 4 * PieceTo::COUNT, 2 * SIZE];
    /// Memory for all tables.
    pub const BYTES: usize = HistoryTable::bytes(&CorrectionHistory::LENGTHS);

    /// Nothing learned.
    pub fn new() -> CorrectionHistory {
        CorrectionHistory(CorrectionHistory::LENGTHS.map(HistoryTable::new))
    }

    /// The sum of the corrections, to be added to the evaluation, centipawns. `share`: of the sum,
    /// 1/1024.
    #[inline]
    pub fn get(&self, keys: CorrectionKeys, share: i32) -> i32 {
        let tables = self.0.iter().zip(keys.0);
        let sum: i32 = tables.map(|(table, at)| at.map_or(0, |at| table.get(at))).sum();
        sum * share / (UNIT * 64)
    }

    /// A search of `depth` plies came out `error` centipawns above the corrected evaluation.
    pub fn update(&mut self, keys: CorrectionKeys, error: i32, depth: i32) {
        let limit = HistoryTable::LIMIT / 4;
        let bonus = (error * depth * 4).clamp(-limit, limit);
        for (table, at) in self.0.iter_mut().zip(keys.0) {
            if let Some(at) = at {
                table.update(at, bonus);
            }
        }
    }
}
