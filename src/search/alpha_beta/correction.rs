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

/// All tables of one thread.
pub(super) struct CorrectionHistory {
    pawns: HistoryTable,
    hands: HistoryTable,
    moves: HistoryTable,
    pairs: HistoryTable,
}

/// Correction keys: where the corrections of one position are.
#[derive(Clone, Copy, Debug)]
pub(super) struct CorrectionKeys {
    pawns: HistoryIndex,
    hands: HistoryIndex,
    moves: Option<HistoryIndex>,
    pairs: Option<HistoryIndex>,
}

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
        CorrectionKeys {
            pawns: at(pawns),
            hands: at(mix(pos.key() ^ pos.board_key())),
            moves: row.map(HistoryIndex),
            pairs: row.zip(before).map(|(row, before)| at(mix(mix(row as u64) ^ before as u64))),
        }
    }
}

/// Spreads the bits of a word into its upper ones.
#[inline]
fn mix(word: u64) -> u64 {
    let product = word.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    product ^ product >> 29
}

impl CorrectionHistory {
    /// Nothing learned.
    pub fn new() -> CorrectionHistory {
        CorrectionHistory {
            pawns: HistoryTable::new(2 * SIZE),
            hands: HistoryTable::new(2 * SIZE),
            moves: HistoryTable::new(4 * PieceTo::COUNT),
            pairs: HistoryTable::new(2 * SIZE),
        }
    }

    /// The sum of the corrections, to be added to the evaluation, centipawns. `share`: of the sum,
    /// 1/1024.
    #[inline]
    pub fn get(&self, keys: CorrectionKeys, share: i32) -> i32 {
        let sum = self.pawns.get(keys.pawns)
            + self.hands.get(keys.hands)
            + keys.moves.map_or(0, |at| self.moves.get(at))
            + keys.pairs.map_or(0, |at| self.pairs.get(at));
        sum * share / (UNIT * 64)
    }

    /// A search of `depth` plies came out `error` centipawns above the corrected evaluation.
    pub fn update(&mut self, keys: CorrectionKeys, error: i32, depth: i32) {
        let limit = HistoryTable::LIMIT / 4;
        let bonus = (error * depth * 4).clamp(-limit, limit);
        self.pawns.update(keys.pawns, bonus);
        self.hands.update(keys.hands, bonus);
        if let Some(at) = keys.moves {
            self.moves.update(at, bonus);
        }
        if let Some(at) = keys.pairs {
            self.pairs.update(at, bonus);
        }
    }
}
