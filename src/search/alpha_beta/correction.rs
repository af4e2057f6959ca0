//! Correction of the evaluation by experience: where searches of positions alike came out above or
//! below their evaluation, the next ones are expected to.
//!
//! Positions are alike if they share the pawns on the board, the hands, the last move, or the
//! last two.
//! Source: correction history as known in the field (Caissa and Stockfish, 2024).

use super::history::Arrival;
use crate::search::stat::{Stat, StatTable};
use crate::shogi::{Color, PieceKind, Position};

/// Entries of a table for each side to move.
const SIZE: usize = 1 << 14;
/// What a full sum of corrections stands for: entries reach +-16,384 each.
const UNIT: i32 = 1 << 10;

/// All tables of one thread.
pub(super) struct Corrections {
    pawns: StatTable,
    hands: StatTable,
    moves: StatTable,
    pairs: StatTable,
}

/// Where the corrections of one position are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pawns: Stat,
    hands: Stat,
    moves: Option<Stat>,
    pairs: Option<Stat>,
}

impl Place {
    /// `last`: the opponent's last move and the own one before, if they are known.
    pub fn new(pos: &Position, last: [Option<Arrival>; 2]) -> Place {
        let side = pos.side_to_move();
        let at = |hash: u64| Stat(side.index() * SIZE + (hash >> 50) as usize);
        let pawns = Color::ALL.into_iter().fold(0, |hash: u64, color| {
            let bits = pos.pieces(color, PieceKind::Pawn).to_bits();
            mix(hash ^ mix(bits as u64) ^ (bits >> 64) as u64)
        });
        let [row, before] = last.map(|arrival| arrival.map(|arrival| arrival.row(side)));
        Place {
            pawns: at(pawns),
            hands: at(mix(pos.key() ^ pos.board_key())),
            moves: row.map(Stat),
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

impl Corrections {
    /// Nothing learned.
    pub fn new() -> Corrections {
        Corrections {
            pawns: StatTable::new(2 * SIZE),
            hands: StatTable::new(2 * SIZE),
            moves: StatTable::new(4 * Arrival::COUNT),
            pairs: StatTable::new(2 * SIZE),
        }
    }

    /// The sum of the corrections, to be added to the evaluation, centipawns. `share`: of the sum,
    /// 1/1024.
    #[inline]
    pub fn get(&self, place: Place, share: i32) -> i32 {
        let sum = self.pawns.get(place.pawns)
            + self.hands.get(place.hands)
            + place.moves.map_or(0, |at| self.moves.get(at))
            + place.pairs.map_or(0, |at| self.pairs.get(at));
        sum * share / (UNIT * 64)
    }

    /// A search of `depth` plies came out `error` centipawns above the corrected evaluation.
    pub fn update(&mut self, place: Place, error: i32, depth: i32) {
        let limit = StatTable::LIMIT / 4;
        let bonus = (error * depth * 4).clamp(-limit, limit);
        self.pawns.update(place.pawns, bonus);
        self.hands.update(place.hands, bonus);
        if let Some(at) = place.moves {
            self.moves.update(at, bonus);
        }
        if let Some(at) = place.pairs {
            self.pairs.update(at, bonus);
        }
    }
}
