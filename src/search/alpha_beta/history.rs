//! Move histories: statistics of moves from earlier searches of a game. Move ordering, late move
//! reductions and the pruning of moves read them.
//!
//! Sources: Schaeffer 1989 (history heuristic). Continuation, pawn and capture histories and the
//! decay of old values as known in the field (Stockfish, 2016 to 2025).

use std::sync::atomic::{AtomicI16, Ordering::Relaxed};

use super::params::SearchParams;
use crate::search::history_table::{HistoryIndex, HistoryTable, table_bytes};
use crate::search::ordering::{FROM_TO_COUNT, from_to};
use crate::shogi::{Color, Move, PieceKind, Position};

/// Number of piece-to indices; see [`piece_to`].
const PIECE_TO_COUNT: usize = PieceKind::COUNT * 81;
/// Rows of the pawn history for each color. Pawn structures with the same hash share a row.
const PAWN_STRUCTURES: usize = 1 << 13;
/// Plies below this value have their own history of quiet moves.
pub(super) const LOW_PLIES: usize = 5;
/// Share of a bonus that the continuation history receives for each distance back, in 1/1024.
const WEIGHTS: [i32; DISTANCES] = [1_157, 645, 287, 573, 143, 440];
/// Extra bonus of the continuation history at distance 1.
const LAST_MOVE_BONUS: i32 = 88;
/// In check, only the last two moves are updated.
const DISTANCES_IN_CHECK: usize = 2;

/// Maximum distance back of the continuation history, in plies.
pub(super) const DISTANCES: usize = 6;

/// Index of the piece kind after the move and its destination; drops count like board moves. Below
/// [`PIECE_TO_COUNT`].
#[inline]
fn piece_to(pos: &Position, mv: Move) -> usize {
    pos.piece_after(mv).index() * 81 + mv.to().index()
}

/// A move in the form that the histories use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PieceTo {
    pub color: Color,
    pub mv: Move,
    /// Kind of the moved piece after the move.
    pub kind: PieceKind,
    /// Whether it captures.
    pub is_capture: bool,
    /// Whether its side was in check.
    pub in_check: bool,
}

impl PieceTo {
    /// A move of the side to move.
    #[inline]
    pub fn of(pos: &Position, mv: Move) -> PieceTo {
        PieceTo {
            color: pos.side_to_move(),
            mv,
            kind: pos.piece_after(mv),
            is_capture: pos.is_capture(mv),
            in_check: pos.in_check(),
        }
    }

    #[inline]
    fn index(self) -> usize {
        self.kind.index() * 81 + self.mv.to().index()
    }

    /// Color, kind and destination as one number.
    #[inline]
    pub fn identity(self) -> usize {
        self.color.index() * PIECE_TO_COUNT + self.index()
    }

    /// Row of the continuation history for moves of `side` after this move. Shape
    /// `[in check][capture][side][color][piece-to]`.
    #[inline]
    fn row(self, side: Color) -> usize {
        let flags = usize::from(self.in_check) * 2 + usize::from(self.is_capture);
        (flags * 2 + side.index()) * 2 * PIECE_TO_COUNT + self.identity()
    }
}

/// The continuation history rows of a node, one for each earlier move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Continuations {
    rows: [Option<usize>; DISTANCES],
    in_check: bool,
}

impl Continuations {
    /// Rows of a node with `side` to move. `made`: the move made this many plies ago; `None` if it
    /// is unknown or a null move.
    #[inline]
    pub fn new(
        side: Color,
        in_check: bool,
        made: impl Fn(usize) -> Option<PieceTo>,
    ) -> Continuations {
        let rows = std::array::from_fn(|at| made(at + 1).map(|piece_to| piece_to.row(side)));
        Continuations { rows, in_check }
    }
}

/// Indices into the histories for the quiet moves of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct HistoryContext {
    pub side: Color,
    pub continuations: Continuations,
    /// Row of the pawn history; `None` if the technique is off.
    pub pawns: Option<usize>,
    /// Distance from the root. Unused from [`LOW_PLIES`] on.
    pub ply: usize,
}

/// The history rows of a node's quiet moves, looked up once for all of them.
pub(super) struct QuietHistories<'a> {
    butterfly: &'a [AtomicI16; FROM_TO_COUNT],
    /// The low-ply history and its divisor.
    near_root: Option<(&'a [AtomicI16; FROM_TO_COUNT], i32)>,
    continuations: [&'a [AtomicI16; PIECE_TO_COUNT]; 5],
    pawns: &'a [AtomicI16; PIECE_TO_COUNT],
}

/// Rows with value zero that replace missing rows.
struct NothingLearned {
    after: [AtomicI16; PIECE_TO_COUNT],
    with_pawns: [AtomicI16; PIECE_TO_COUNT],
}

static NOTHING_LEARNED: NothingLearned = NothingLearned {
    after: [const { AtomicI16::new(-Continuation::START as i16) }; PIECE_TO_COUNT],
    with_pawns: [const { AtomicI16::new(-PawnHistory::START as i16) }; PIECE_TO_COUNT],
};

impl QuietHistories<'_> {
    /// Ordering value of a quiet move: the weighted sum of its histories.
    #[inline]
    pub fn value(&self, params: &SearchParams, pos: &Position, mv: Move) -> i32 {
        let (index, from_to) = (piece_to(pos, mv), from_to(mv));
        let entry = |entry: &AtomicI16| i32::from(entry.load(Relaxed));
        let [one, two, three, four, six] =
            self.continuations.map(|row| entry(&row[index]) + Continuation::START);
        let with_pawns = entry(&self.pawns[index]) + PawnHistory::START;
        let mut value = (params.order_butterfly * entry(&self.butterfly[from_to])
            + params.order_pawn * with_pawns
            + params.order_far * (three + four + six))
            / 1_024
            + one
            + two;
        if let Some((near_root, divisor)) = self.near_root {
            value += params.order_low_ply * (entry(&near_root[from_to]) + LowPlies::START)
                / 1_024
                / divisor;
        }
        value
    }
}

/// Changes of the histories of one quiet move.
#[derive(Clone, Copy, Debug)]
pub(super) struct QuietUpdate {
    pub butterfly: i32,
    pub low_ply: i32,
    pub continuation: i32,
    pub pawn: i32,
}

type LowPlies = HistoryTable<7_183, 98>;
type Continuation = HistoryTable<30_000, -523>;
type PawnHistory = HistoryTable<8_192, -1_238>;

/// The histories that all threads of a game share. They have many entries, which one thread alone
/// learns slowly, and a copy for each thread would not fit in the cache.
#[derive(Default)]
pub(super) struct LargeHistories {
    /// Quiet moves after an earlier move. Shape `[row of that move][piece-to]`.
    continuation: Continuation,
    /// Quiet moves by pawn structure. Shape `[structure][color][piece-to]`.
    pawn: PawnHistory,
    /// Number of pawn structures, a power of two.
    structures: usize,
}

impl LargeHistories {
    /// Empty tables for this number of threads.
    pub fn new(threads: usize) -> LargeHistories {
        let structures = PAWN_STRUCTURES * threads.next_power_of_two();
        let [continuation, pawn] = LargeHistories::lengths(structures);
        LargeHistories {
            continuation: HistoryTable::new(continuation),
            pawn: HistoryTable::new(pawn),
            structures,
        }
    }

    /// Number of entries of the continuation and the pawn history.
    fn lengths(structures: usize) -> [usize; 2] {
        [16 * PIECE_TO_COUNT * PIECE_TO_COUNT, 2 * structures * PIECE_TO_COUNT]
    }

    /// Memory of both tables for this number of threads in bytes.
    pub fn bytes(threads: usize) -> usize {
        table_bytes(&LargeHistories::lengths(PAWN_STRUCTURES * threads.next_power_of_two()))
    }

    /// Clears both tables.
    pub fn clear(&mut self) {
        self.continuation.clear();
        self.pawn.clear();
    }

    /// Row of the pawn history for the side to move.
    #[inline]
    pub fn pawn_row(&self, pos: &Position) -> usize {
        let structure = pos.part_keys().pawns as usize & (self.structures - 1);
        structure * Color::COUNT + pos.side_to_move().index()
    }
}

/// The tables that one thread has for itself. They change quickly with the part of the tree that
/// the thread searches.
pub(super) struct OwnHistories {
    /// Butterfly history of quiet moves. Shape `[color][from-to]`.
    butterfly: HistoryTable<7_183>,
    /// Quiet moves near the root. Shape `[ply][from-to]`.
    low_ply: LowPlies,
    /// Captures. Shape `[color][piece-to][captured kind]`.
    captures: HistoryTable<10_692, -678>,
    /// How often the TT move proves best. One value.
    table_move: HistoryTable<8_192>,
}

impl OwnHistories {
    /// Number of entries of each table, in field order.
    const LENGTHS: [usize; 4] =
        [2 * FROM_TO_COUNT, LOW_PLIES * FROM_TO_COUNT, 2 * PIECE_TO_COUNT * PieceKind::COUNT, 1];
    /// Memory of all tables in bytes.
    pub const BYTES: usize = table_bytes(&OwnHistories::LENGTHS);

    /// Empty tables.
    pub fn new() -> OwnHistories {
        let [butterfly, low_ply, captures, table_move] = OwnHistories::LENGTHS;
        OwnHistories {
            butterfly: HistoryTable::new(butterfly),
            low_ply: HistoryTable::new(low_ply),
            captures: HistoryTable::new(captures),
            table_move: HistoryTable::new(table_move),
        }
    }

    /// Clears all tables.
    pub fn clear(&mut self) {
        let OwnHistories { butterfly, low_ply, captures, table_move } = self;
        butterfly.clear();
        low_ply.clear();
        captures.clear();
        table_move.clear();
    }

    /// Starts a new search. The low-ply history belongs to the old root.
    pub fn begin(&mut self) {
        self.low_ply.clear();
    }
}

/// All history tables that one thread reads and updates. They persist from search to search and are
/// cleared for a new game.
///
/// Limits and start values differ. A table with many entries learns slowly and keeps its values for
/// many searches.
#[derive(Clone, Copy)]
pub(super) struct Histories<'a> {
    pub own: &'a OwnHistories,
    pub large: &'a LargeHistories,
}

impl<'a> Histories<'a> {
    /// Butterfly history of a quiet move.
    #[inline]
    pub fn butterfly(&self, side: Color, mv: Move) -> i32 {
        self.own.butterfly.get(HistoryIndex::from_to(side.index(), mv))
    }

    /// Histories for the pruning of quiet moves: the continuation histories after the last move and
    /// after the own previous move, and the pawn history.
    #[inline]
    pub fn followers(&self, context: &HistoryContext, pos: &Position, mv: Move) -> [i32; 3] {
        let index = piece_to(pos, mv);
        let [last, own, ..] = context.continuations.rows;
        [self.after(last, index), self.after(own, index), self.with_pawns(context, index)]
    }

    /// The histories of a node's quiet moves.
    #[inline]
    pub fn quiets(&self, context: &HistoryContext) -> QuietHistories<'a> {
        let HistoryContext { side, pawns, ply, .. } = *context;
        let after = |row: Option<usize>| {
            row.map_or(&NOTHING_LEARNED.after, |row| self.large.continuation.row(row))
        };
        let [one, two, three, four, _, six] = context.continuations.rows;
        QuietHistories {
            butterfly: self.own.butterfly.row(side.index()),
            near_root: (ply < LOW_PLIES).then(|| (self.own.low_ply.row(ply), 1 + ply as i32)),
            continuations: [one, two, three, four, six].map(after),
            pawns: pawns.map_or(&NOTHING_LEARNED.with_pawns, |row| self.large.pawn.row(row)),
        }
    }

    /// Value of a quiet evasion.
    #[inline]
    pub fn evasion_value(&self, context: &HistoryContext, pos: &Position, mv: Move) -> i32 {
        self.butterfly(context.side, mv)
            + self.after(context.continuations.rows[0], piece_to(pos, mv))
    }

    #[inline]
    fn after(&self, row: Option<usize>, index: usize) -> i32 {
        row.map_or(0, |row| self.large.continuation.get(HistoryIndex(row * PIECE_TO_COUNT + index)))
    }

    #[inline]
    fn with_pawns(&self, context: &HistoryContext, index: usize) -> i32 {
        context
            .pawns
            .map_or(0, |row| self.large.pawn.get(HistoryIndex(row * PIECE_TO_COUNT + index)))
    }

    /// Value of a capture.
    #[inline]
    pub fn capture(&self, pos: &Position, mv: Move) -> i32 {
        self.own.captures.get(capture_index(PieceTo::of(pos, mv), taken_kind(pos, mv)))
    }

    /// How often the TT move proves best, within +-8,192.
    #[inline]
    pub fn table_move(&self) -> i32 {
        self.own.table_move.get(HistoryIndex(0))
    }

    /// Updates all histories of a quiet move.
    pub fn update_quiet(&self, context: &HistoryContext, piece_to: PieceTo, update: &QuietUpdate) {
        self.update_butterfly(piece_to, update.butterfly);
        if context.ply < LOW_PLIES {
            let at = HistoryIndex::from_to(context.ply, piece_to.mv);
            self.own.low_ply.update(at, update.low_ply);
        }
        self.update_continuations(&context.continuations, piece_to, update.continuation);
        if let Some(row) = context.pawns {
            self.update_pawn(row, piece_to, update.pawn);
        }
    }

    /// Updates the butterfly history only.
    pub fn update_butterfly(&self, piece_to: PieceTo, bonus: i32) {
        let at = HistoryIndex::from_to(piece_to.color.index(), piece_to.mv);
        self.own.butterfly.update(at, bonus);
    }

    /// Updates one row of the pawn history only.
    pub fn update_pawn(&self, row: usize, piece_to: PieceTo, bonus: i32) {
        self.large.pawn.update(HistoryIndex(row * PIECE_TO_COUNT + piece_to.index()), bonus);
    }

    /// Updates the continuation histories only.
    pub fn update_continuations(
        &self,
        continuations: &Continuations,
        piece_to: PieceTo,
        bonus: i32,
    ) {
        let count = if continuations.in_check { DISTANCES_IN_CHECK } else { DISTANCES };
        for (at, row) in continuations.rows.iter().enumerate().take(count) {
            let Some(row) = row else { continue };
            let last = if at == 0 { LAST_MOVE_BONUS } else { 0 };
            let index = HistoryIndex(row * PIECE_TO_COUNT + piece_to.index());
            self.large.continuation.update(index, bonus * WEIGHTS[at] / 1_024 + last);
        }
    }

    /// Updates the history of a capture of a piece of kind `taken`.
    pub fn update_capture(&self, piece_to: PieceTo, taken: PieceKind, bonus: i32) {
        self.own.captures.update(capture_index(piece_to, taken), bonus);
    }

    /// Updates the statistic of TT moves.
    pub fn update_table_move(&self, bonus: i32) {
        self.own.table_move.update(HistoryIndex(0), bonus);
    }
}

/// The piece kind that a capture takes.
#[inline]
pub(super) fn taken_kind(pos: &Position, mv: Move) -> PieceKind {
    // No capture takes a king, so a move without capture shares no entry with a capture.
    pos.piece_on(mv.to()).map_or(PieceKind::King, |piece| piece.kind)
}

#[inline]
fn capture_index(piece_to: PieceTo, taken: PieceKind) -> HistoryIndex {
    HistoryIndex(piece_to.identity() * PieceKind::COUNT + taken.index())
}
