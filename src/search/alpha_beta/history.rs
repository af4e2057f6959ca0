//! What earlier cut-offs say about moves: the tables behind the ordering, the reductions and the
//! pruning of late moves.
//!
//! Sources: Schaeffer 1989 (history heuristic); continuation and capture histories and the decay of
//! old experience as known in the field.

use crate::search::history_table::{HistoryIndex, HistoryTable};
use crate::search::ordering::FROM_TO_COUNT;
use crate::shogi::{Color, Move, Origin, PieceKind, Position};

/// Piece-to key: what arrives where, dropped or moved, as the continuation history knows a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PieceTo {
    pub color: Color,
    pub mv: Move,
    /// It neither took something nor promoted.
    pub is_quiet: bool,
    /// Below [`PieceTo::COUNT`].
    index: usize,
}

impl PieceTo {
    /// Kinds on the board, then the kinds that can be dropped.
    const KINDS: usize = PieceKind::COUNT + 7;
    /// Number of piece-to keys of a colour.
    pub const COUNT: usize = PieceTo::KINDS * 81;

    /// The key of a move of the side to move.
    #[inline]
    pub fn of(pos: &Position, mv: Move) -> PieceTo {
        let kind = match mv.origin() {
            Origin::Board(_) => pos.piece_after(mv).index(),
            Origin::Hand(held) => PieceKind::COUNT + held.index(),
        };
        PieceTo {
            color: pos.side_to_move(),
            mv,
            is_quiet: pos.is_quiet(mv),
            index: kind * 81 + mv.to().index(),
        }
    }

    /// Row of a table with a row for each key that went before and each side to move.
    #[inline]
    pub fn row(self, side: Color) -> usize {
        (side.index() * 2 + self.color.index()) * PieceTo::COUNT + self.index
    }
}

/// How many moves near the root have a history of their own.
pub(super) const LOW_PLIES: usize = 4;
/// Distances in moves at which the continuation history looks.
pub(super) const DISTANCES: [usize; 3] = [1, 2, 4];

/// The tables of the continuation history that count at one node, one for each of [`DISTANCES`].
pub(super) type ContinuationTables = [Option<usize>; DISTANCES.len()];

/// All tables of one thread. They live from search to search and end with the game.
pub(super) struct Histories {
    /// Quiet moves. Shape `[colour][from-to]`.
    butterfly: HistoryTable,
    /// Quiet moves near the root. Shape `[ply][from-to]`.
    low_ply: HistoryTable,
    /// Quiet moves after a piece-to key. Shape `[row of the key][piece-to key]`.
    continuation: HistoryTable,
    /// Captures. Shape `[colour][moved kind][destination][taken kind]`.
    captures: HistoryTable,
}

impl Histories {
    /// Entries of the tables in their order.
    const LENGTHS: [usize; 4] = [
        2 * FROM_TO_COUNT,
        LOW_PLIES * FROM_TO_COUNT,
        4 * PieceTo::COUNT * PieceTo::COUNT,
        2 * PieceKind::COUNT * 81 * PieceKind::COUNT,
    ];
    /// Memory for all tables.
    pub const BYTES: usize = HistoryTable::bytes(&Histories::LENGTHS);

    /// Nothing learned.
    pub fn new() -> Histories {
        let [butterfly, low_ply, continuation, captures] =
            Histories::LENGTHS.map(HistoryTable::new);
        Histories { butterfly, low_ply, continuation, captures }
    }

    /// A new search begins: what was learned near the root belongs to another one.
    pub fn begin(&mut self) {
        self.low_ply.clear();
    }

    /// Value of a quiet move of the side to move.
    #[inline]
    pub fn quiet(&self, pos: &Position, mv: Move) -> i32 {
        self.butterfly.get(HistoryIndex::from_to(pos.side_to_move().index(), mv))
    }

    /// Value of a quiet move at a distance from the root, 0 beyond [`LOW_PLIES`].
    #[inline]
    pub fn near_root(&self, ply: usize, mv: Move) -> i32 {
        if ply < LOW_PLIES { self.low_ply.get(HistoryIndex::from_to(ply, mv)) } else { 0 }
    }

    /// Values of a quiet move after the moves before it, by [`DISTANCES`].
    #[inline]
    pub fn after(
        &self,
        continuations: &ContinuationTables,
        piece_to: PieceTo,
    ) -> [i32; DISTANCES.len()] {
        continuations.map(|row| row.map_or(0, |row| self.continuation.get(cell(row, piece_to))))
    }

    /// Value of a capture or promotion.
    #[inline]
    pub fn capture(&self, pos: &Position, mv: Move) -> i32 {
        self.captures.get(capture(pos, mv))
    }

    /// A quiet move did well (`bonus` > 0) or badly at a node `ply` moves from the root.
    pub fn update_quiet(
        &mut self,
        ply: usize,
        continuations: &ContinuationTables,
        piece_to: PieceTo,
        bonus: i32,
    ) {
        let PieceTo { color, mv, .. } = piece_to;
        self.butterfly.update(HistoryIndex::from_to(color.index(), mv), bonus);
        if ply < LOW_PLIES {
            self.low_ply.update(HistoryIndex::from_to(ply, mv), bonus);
        }
        for row in continuations.iter().flatten() {
            self.continuation.update(cell(*row, piece_to), bonus);
        }
    }

    /// A capture or promotion did well or badly.
    pub fn update_capture(&mut self, pos: &Position, mv: Move, bonus: i32) {
        self.captures.update(capture(pos, mv), bonus);
    }
}

#[inline]
fn cell(row: usize, piece_to: PieceTo) -> HistoryIndex {
    HistoryIndex(row * PieceTo::COUNT + piece_to.index)
}

/// Promotions without a capture count as captures of a king: no real capture is one.
#[inline]
fn capture(pos: &Position, mv: Move) -> HistoryIndex {
    let taken = pos.piece_on(mv.to()).map_or(PieceKind::King, |piece| piece.kind).index();
    let moved = pos.side_to_move().index() * PieceKind::COUNT + pos.piece_after(mv).index();
    HistoryIndex((moved * 81 + mv.to().index()) * PieceKind::COUNT + taken)
}
