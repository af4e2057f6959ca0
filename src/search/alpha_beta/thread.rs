//! One thread of the alpha-beta searcher: its additional state, the static evaluation, and queries
//! of a node.

use super::correction::{CorrectionHistory, CorrectionKeys};
use super::history::{
    Continuations, Histories, HistoryContext, LOW_PLIES, LargeHistories, OwnHistories, PieceTo,
};
use super::history_scorer::HistoryScorer;
use super::node_info::NodeFacts;
use super::params::{SearchParams, Techniques};
use super::reduction::Reductions;
use super::sampling::Sampler;
use super::time_manager::LastMove;
use crate::engine::Pv;
use crate::eval::Score;
use crate::search::depth::MAX_PLY;
use crate::search::mate::MateSolver;
use crate::search::search_thread::SearchThread;
use crate::search::tt::TtEntry;
use crate::shogi::{CheckSquares, Color, Declaration, Move};

/// The tables that all threads share during a game.
#[derive(Default)]
pub(crate) struct SharedHistories {
    histories: LargeHistories,
    corrections: CorrectionHistory,
}

impl SharedHistories {
    /// Empty tables for this number of threads.
    pub(super) fn new(threads: usize) -> SharedHistories {
        SharedHistories {
            histories: LargeHistories::new(threads),
            corrections: CorrectionHistory::new(threads),
        }
    }

    /// Memory of all tables for this number of threads in bytes.
    pub(super) fn bytes(threads: usize) -> usize {
        LargeHistories::bytes(threads) + CorrectionHistory::bytes(threads)
    }

    /// Clears all tables.
    pub(super) fn clear(&mut self) {
        self.histories.clear();
        self.corrections.clear();
    }
}

/// Thread history: the data that one thread keeps during a game.
pub(crate) struct ThreadHistory {
    histories: OwnHistories,
    solver: MateSolver,
    /// Whether the last search of the game found a mate.
    pub is_mating: bool,
    /// Time management data from the search of the last move.
    last_move: Option<LastMove>,
}

impl ThreadHistory {
    /// Initial memory of one thread history in bytes.
    pub const BYTES: usize = OwnHistories::BYTES + MateSolver::DEFAULT_BYTES;

    pub fn new() -> ThreadHistory {
        ThreadHistory {
            histories: OwnHistories::new(),
            solver: MateSolver::default(),
            is_mating: false,
            last_move: None,
        }
    }

    /// Clears all data of the game.
    pub(super) fn clear(&mut self) {
        self.histories.clear();
        self.solver.clear();
        (self.is_mating, self.last_move) = (false, None);
    }

    /// Starts a new search of the game.
    pub(super) fn begin(&mut self) {
        self.histories.begin();
    }
}

pub(crate) type AlphaBetaThread<'a> = SearchThread<'a, AlphaBetaState<'a>>;

/// State of the alpha-beta searcher in addition to [`SearchThread`].
pub(crate) struct AlphaBetaState<'a> {
    pub params: &'a SearchParams,
    pub reductions: &'a Reductions,
    pub(super) histories: Histories<'a>,
    pub(super) corrections: &'a CorrectionHistory,
    pub(super) solver: &'a mut MateSolver,
    /// Whether the last search of the game found a mate.
    pub(super) is_mating: bool,
    pub(super) last_move: &'a mut Option<LastMove>,
    pub(super) sampler: Option<Sampler>,
    /// Index of the thread; 0 is the main thread.
    pub(super) number: usize,
    /// The search stack. Shape [MAX_PLY + 3].
    pub(super) stack: Vec<StackEntry>,
    /// The correction keys of the position at each ply but the root. Shape [MAX_PLY + 3].
    keys: Vec<CorrectionKeys>,
    /// Depth of the iteration in plies.
    pub(super) root_depth: i32,
    /// Width of the root window in centipawns.
    pub(super) root_window: i32,
    /// The PV of the last iteration.
    pub(super) last_line: Pv,
    /// Null moves are disabled below this ply while a null-move cutoff is verified.
    pub(super) null_from: usize,
}

impl<'a> AlphaBetaState<'a> {
    pub fn new(
        params: &'a SearchParams,
        reductions: &'a Reductions,
        shared: &'a SharedHistories,
        history: &'a mut ThreadHistory,
    ) -> AlphaBetaState<'a> {
        AlphaBetaState {
            params,
            reductions,
            histories: Histories { own: &history.histories, large: &shared.histories },
            corrections: &shared.corrections,
            solver: &mut history.solver,
            is_mating: history.is_mating,
            last_move: &mut history.last_move,
            sampler: None,
            number: 0,
            stack: vec![StackEntry::default(); MAX_PLY + 3],
            keys: vec![CorrectionKeys::default(); MAX_PLY + 3],
            root_depth: MAX_PLY as i32,
            root_window: 2 * Score::INFINITE.to_cp(),
            last_line: Pv::new(),
            null_from: 0,
        }
    }
}

/// Search stack entry of one ply.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StackEntry {
    pub facts: NodeFacts,
    /// The static evaluation; in check, the value from two plies earlier if there is one.
    pub expected_eval: Option<Score>,
    /// Row of the pawn history; `None` if the technique is off.
    pub pawn_row: Option<usize>,
    /// Whether the node had a TT entry.
    pub has_tt_entry: bool,
    /// Beta cutoffs at this ply since the node two plies above was entered.
    pub child_cutoffs: u8,
    /// The move made here while its subtree is searched; `None` for a null move.
    pub made: Option<PieceTo>,
    /// Position of that move in the search order; 1 is the first move.
    pub number: usize,
    /// History of that move when it was made.
    pub history: i32,
    /// Reduction of the search of its subtree in plies.
    pub reduction: i32,
}

/// How the side to move wins at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ImmediateWin {
    /// By declaration, without a move.
    Declaration,
    /// By a mate or a move to the try square.
    Move(Move),
}

impl ImmediateWin {
    /// The winning move, if it is one.
    pub fn mv(self) -> Option<Move> {
        if let ImmediateWin::Move(mv) = self { Some(mv) } else { None }
    }
}

impl AlphaBetaThread<'_> {
    /// The search stack entry of the current node.
    #[inline]
    pub(super) fn stack_entry(&mut self) -> &mut StackEntry {
        &mut self.state.stack[self.ply]
    }

    /// The search stack entry of the parent; `None` at the root.
    #[inline]
    pub(super) fn above(&self) -> Option<&StackEntry> {
        self.ply.checked_sub(1).map(|ply| &self.state.stack[ply])
    }

    /// A copy of the parent's search stack entry; the default at the root. The parent then counts
    /// as not reduced: a second search of the node, which verifies a null move or a singular move,
    /// must not judge the same reduction again.
    #[inline]
    pub(super) fn take_above(&mut self) -> StackEntry {
        let Some(ply) = self.ply.checked_sub(1) else { return StackEntry::default() };
        let above = &mut self.state.stack[ply];
        let copy = *above;
        above.reduction = 0;
        copy
    }

    /// Whether the moves from the root to the current node follow the PV of the last iteration.
    #[inline]
    pub(super) fn is_on_last_line(&self) -> bool {
        self.above().is_some_and(|above| {
            above.facts.on_last_line
                && above.made.map(|made| made.mv) == self.state.last_line.get(self.ply - 1).copied()
        })
    }

    /// Makes `mv` like [`descend`](SearchThread::descend) and records it in the search stack.
    #[inline]
    pub fn follow<T>(&mut self, mv: Move, then: impl FnOnce(&mut Self) -> T) -> T {
        self.stack_entry().made = Some(PieceTo::of(&self.pos, mv));
        self.descend(mv, |thread| {
            thread.find_corrections();
            then(thread)
        })
    }

    /// Makes a null move like [`descend_null`](SearchThread::descend_null).
    #[inline]
    pub(super) fn pass<T>(&mut self, then: impl FnOnce(&mut Self) -> T) -> T {
        self.descend_null(|thread| {
            thread.find_corrections();
            then(thread)
        })
    }

    /// Notes the correction keys of the current position and prefetches their entries.
    #[inline]
    fn find_corrections(&mut self) {
        let keys = self.keys_of_position();
        self.state.corrections.prefetch(keys);
        self.state.keys[self.ply] = keys;
    }

    #[inline]
    fn keys_of_position(&self) -> CorrectionKeys {
        self.state.corrections.keys(&self.pos, |distance| self.made(self.ply, distance))
    }

    /// The correction keys of the current position.
    #[inline]
    pub(super) fn correction_keys(&self) -> CorrectionKeys {
        if self.ply == 0 {
            return self.keys_of_position();
        }
        let keys = self.state.keys[self.ply];
        debug_assert_eq!(keys, self.keys_of_position());
        keys
    }

    /// The move made `distance` plies before `ply`, if it was made in this search.
    #[inline]
    pub(super) fn made(&self, ply: usize, distance: usize) -> Option<PieceTo> {
        ply.checked_sub(distance).and_then(|ply| self.state.stack[ply].made)
    }

    /// The continuation history rows of the node at `ply` with `side` to move.
    #[inline]
    pub(super) fn continuations_at(
        &self,
        ply: usize,
        side: Color,
        in_check: bool,
    ) -> Continuations {
        if !self.state.params.uses(Techniques::CONTINUATION_HISTORY) {
            return Continuations::default();
        }
        Continuations::new(side, in_check, |distance| self.made(ply, distance))
    }

    /// The history indices of the current node.
    #[inline]
    pub(super) fn history_context(&self) -> HistoryContext {
        let params = self.state.params;
        let side = self.pos.side_to_move();
        let near_root = params.uses(Techniques::LOW_PLY_HISTORY);
        HistoryContext {
            side,
            continuations: self.continuations_at(self.ply, side, self.pos.in_check()),
            pawns: self.pawn_row(),
            ply: if near_root { self.ply } else { LOW_PLIES },
        }
    }

    /// Pawn history row of the current node; `None` if the technique is off.
    #[inline]
    pub(super) fn pawn_row(&self) -> Option<usize> {
        let is_used = self.state.params.uses(Techniques::PAWN_HISTORY);
        is_used.then(|| self.state.histories.large.pawn_row(&self.pos))
    }

    /// The move scorer of the current node. `depth`: remaining depth in plies.
    #[inline]
    pub(super) fn scorer<'s>(
        &'s self,
        context: &'s HistoryContext,
        checks: &'s CheckSquares,
        depth: i32,
    ) -> HistoryScorer<'s> {
        let params = self.state.params;
        HistoryScorer {
            context,
            checks,
            histories: self.state.histories,
            params,
            check: if params.uses(Techniques::QUIET_CHECKS) { params.quiet_check } else { 0 },
            depth,
        }
    }

    /// The static evaluation of the current position before correction.
    #[inline]
    pub fn evaluate(&mut self) -> Score {
        let raw_eval = self.evaluator.evaluate(&self.pos);
        if let Some(sampler) = &mut self.state.sampler {
            sampler.evaluated(&self.pos, raw_eval);
        }
        raw_eval
    }

    /// The static evaluation, taken from the TT entry if it has one, before and after correction.
    /// `None` in check.
    #[inline]
    pub fn static_eval(&mut self, tt_entry: Option<TtEntry>) -> (Option<Score>, Option<Score>) {
        if self.pos.in_check() {
            return (None, None);
        }
        let raw = tt_entry.and_then(|entry| entry.raw_eval).unwrap_or_else(|| self.evaluate());
        let corrected = Score::cp(raw.to_cp() + self.correction()).as_estimate();
        (Some(raw), Some(corrected))
    }

    /// The correction of the current position in centipawns.
    #[inline]
    fn correction(&self) -> i32 {
        let params = self.state.params;
        if !params.uses(Techniques::CORRECTION) {
            return 0;
        }
        self.state.corrections.get(self.correction_keys(), params.correction_share)
    }

    /// The evaluation two plies earlier; if that node was in check, four plies earlier. `None` at
    /// the first two plies.
    #[inline]
    pub fn eval_before(&self) -> Option<Score> {
        self.ply.checked_sub(2).and_then(|ply| self.state.stack[ply].expected_eval)
    }

    /// Whether the static evaluation is better than two plies earlier.
    pub fn is_improving(&self, static_eval: Option<Score>) -> bool {
        static_eval.zip(self.eval_before()).is_some_and(|(now, before)| now > before)
    }

    /// The score if the rules have decided the game, or the evaluation if the search stack is full.
    pub fn decided_or_full(&mut self) -> Option<Score> {
        let superior_repetition = self.state.params.uses(Techniques::SUPERIOR_REPETITION);
        self.decided(superior_repetition).or_else(|| (self.ply >= MAX_PLY).then(|| self.evaluate()))
    }

    /// An immediate win, if there is one. A mate in one is tested only if `checks` is given.
    pub fn win_at_once(&mut self, checks: Option<&CheckSquares>) -> Option<ImmediateWin> {
        match self.declaration() {
            Some(Declaration::Declare) => return Some(ImmediateWin::Declaration),
            Some(Declaration::Try(mv)) => return Some(ImmediateWin::Move(mv)),
            None => {}
        }
        let checks = checks.filter(|_| self.state.params.uses(Techniques::MATE_IN_ONE))?;
        self.pos.mate_in_one_by(checks).map(ImmediateWin::Move)
    }

    /// How the side to move can win at once by the rule for entered kings.
    #[inline]
    pub fn declaration(&self) -> Option<Declaration> {
        let is_used = self.state.params.uses(Techniques::DECLARATION);
        is_used.then(|| self.pos.declaration(self.settings.declaration)).flatten()
    }
}
