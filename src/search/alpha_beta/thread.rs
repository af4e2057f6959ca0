//! One thread of the selective searcher: what it keeps beside what all searchers keep, the
//! evaluation, and what a node asks it.

use super::correction::{CorrectionHistory, CorrectionKeys};
use super::history::{ContinuationTables, DISTANCES, Histories, PieceTo};
use super::params::{SearchParams, Techniques};
use super::picker::{HistoryScorer, PickerContext};
use super::reduction::Reductions;
use super::sampling::Sampler;
use crate::eval::Score;
use crate::search::depth::MAX_PLY;
use crate::search::mate::MateSolver;
use crate::search::ordering::Killers;
use crate::search::thread::SearchThread;
use crate::search::tt::TtEntry;
use crate::shogi::{CheckSquares, Color, Declaration, Move};

/// Thread history: what a thread learns in a game.
pub(in crate::search) struct ThreadHistory {
    pub(super) histories: Histories,
    pub(super) corrections: CorrectionHistory,
    pub solver: MateSolver,
    /// The last search of the game ended with a mate found.
    pub is_mating: bool,
}

impl ThreadHistory {
    /// Memory for one, as it begins.
    pub const BYTES: usize =
        Histories::BYTES + CorrectionHistory::BYTES + MateSolver::DEFAULT_BYTES;

    pub fn new() -> ThreadHistory {
        ThreadHistory {
            histories: Histories::new(),
            corrections: CorrectionHistory::new(),
            solver: MateSolver::default(),
            is_mating: false,
        }
    }
}

pub(in crate::search) type AlphaBetaThread<'a> = SearchThread<'a, AlphaBetaState<'a>>;

/// What the searcher keeps beside the common things.
pub(in crate::search) struct AlphaBetaState<'a> {
    pub params: &'a SearchParams,
    pub reductions: &'a Reductions,
    pub history: &'a mut ThreadHistory,
    pub(super) sampler: Option<Sampler>,
    /// The search stack. Shape [MAX_PLY + 2].
    pub(super) stack: Vec<StackEntry>,
}

impl<'a> AlphaBetaState<'a> {
    pub fn new(
        params: &'a SearchParams,
        reductions: &'a Reductions,
        history: &'a mut ThreadHistory,
    ) -> AlphaBetaState<'a> {
        let stack = vec![StackEntry::default(); MAX_PLY + 2];
        AlphaBetaState { params, reductions, history, sampler: None, stack }
    }
}

/// What belongs to one distance from the root.
#[derive(Clone, Debug, Default)]
pub(super) struct StackEntry {
    pub killers: Killers,
    /// The corrected evaluation; `None` in check.
    pub static_eval: Option<Score>,
    /// The move made here, while its subtree is searched; `None` for a null move.
    pub made: Option<PieceTo>,
    /// The move left out while it is tested for being singular.
    pub excluded: Option<Move>,
    /// Cut-offs among the children of this node so far.
    pub child_cutoffs: u8,
}

impl AlphaBetaThread<'_> {
    /// The entry of the present node on the search stack.
    #[inline]
    pub(super) fn stack_entry(&mut self) -> &mut StackEntry {
        &mut self.state.stack[self.ply]
    }

    /// Forgets what nodes below learned of other positions at the distance `ply` from the root.
    #[inline]
    pub fn clear_stack_entry(&mut self, ply: usize) {
        if let Some(entry) = self.state.stack.get_mut(ply) {
            entry.killers = Killers::default();
            entry.child_cutoffs = 0;
        }
    }

    /// Makes `mv` as [`descend`](SearchThread::descend), known to those below.
    #[inline]
    pub fn follow<T>(&mut self, mv: Move, then: impl FnOnce(&mut Self) -> T) -> T {
        self.stack_entry().made = Some(PieceTo::of(&self.pos, mv));
        self.descend(mv, then)
    }

    /// The move made `distance` moves before the node `ply` moves from the root, if it was made in
    /// this search.
    #[inline]
    fn made(&self, ply: usize, distance: usize) -> Option<PieceTo> {
        ply.checked_sub(distance).and_then(|ply| self.state.stack[ply].made)
    }

    /// The continuation tables of the present node.
    #[inline]
    pub fn continuations(&self) -> ContinuationTables {
        self.continuations_at(self.ply, self.pos.side_to_move())
    }

    /// The continuation tables of the node `ply` moves from the root, with `side` to move.
    #[inline]
    pub fn continuations_at(&self, ply: usize, side: Color) -> ContinuationTables {
        if !self.state.params.uses(Techniques::CONTINUATION_HISTORY) {
            return ContinuationTables::default();
        }
        DISTANCES.map(|distance| self.made(ply, distance).map(|piece_to| piece_to.row(side)))
    }

    /// What orders the quiet moves of the present node.
    pub(super) fn picker_context(&self) -> PickerContext {
        let params = self.state.params;
        let killers = self.state.stack[self.ply].killers;
        let near_root = params.uses(Techniques::LOW_PLY_HISTORY);
        PickerContext {
            killers: if params.uses(Techniques::KILLERS) { killers } else { Killers::default() },
            continuations: self.continuations(),
            check: if params.uses(Techniques::QUIET_CHECKS) { params.quiet_check } else { 0 },
            ply: if near_root { self.ply } else { usize::MAX },
        }
    }

    /// What scores the moves of the present node.
    #[inline]
    pub(super) fn scorer<'s>(
        &'s self,
        context: &'s PickerContext,
        checks: &'s CheckSquares,
    ) -> HistoryScorer<'s> {
        HistoryScorer { context, checks, histories: &self.state.history.histories }
    }

    /// The histories that speak of a move, together; 0 for captures.
    #[inline]
    pub(super) fn history(&self, context: &PickerContext, mv: Move) -> i32 {
        if !self.pos.is_quiet(mv) {
            return 0;
        }
        let histories = &self.state.history.histories;
        let [last, own, _] = histories.after(&context.continuations, PieceTo::of(&self.pos, mv));
        histories.quiet(&self.pos, mv) + last + own
    }

    /// The evaluation of the present position, uncorrected.
    #[inline]
    pub fn evaluate(&mut self) -> Score {
        let raw_eval = self.evaluator.evaluate(&self.pos);
        if let Some(sampler) = &mut self.state.sampler {
            sampler.evaluated(&self.pos, raw_eval);
        }
        raw_eval
    }

    /// The evaluation, which the table may have, and the same corrected by the correction history;
    /// none in check.
    #[inline]
    pub fn static_eval(&mut self, tt_entry: Option<TtEntry>) -> (Option<Score>, Option<Score>) {
        if self.pos.in_check() {
            return (None, None);
        }
        let raw = tt_entry.and_then(|entry| entry.raw_eval).unwrap_or_else(|| self.evaluate());
        let params = self.state.params;
        if !params.uses(Techniques::CORRECTION) {
            return (Some(raw), Some(raw));
        }
        let corrections = &self.state.history.corrections;
        let correction = corrections.get(self.correction_keys(), params.correction_share);
        (Some(raw), Some(Score::cp(raw.to_cp() + correction)))
    }

    /// Where the corrections of the present node are.
    #[inline]
    pub(super) fn correction_keys(&self) -> CorrectionKeys {
        CorrectionKeys::new(&self.pos, [1, 2].map(|distance| self.made(self.ply, distance)))
    }

    /// Whether the evaluation is better than at this side's last turn out of check.
    pub fn is_improving(&self, static_eval: Option<Score>) -> bool {
        let before = |distance| {
            self.ply.checked_sub(distance).and_then(|ply| self.state.stack[ply].static_eval)
        };
        match (static_eval, before(2).or_else(|| before(4))) {
            (Some(now), Some(then)) => now > then,
            (now, None) => now.is_some(),
            (None, _) => false,
        }
    }

    /// The score if the rules have decided the game here, or the stack is full.
    pub fn decided_or_full(&mut self) -> Option<Score> {
        let superior_repetition = self.state.params.uses(Techniques::SUPERIOR_REPETITION);
        self.decided(superior_repetition).or_else(|| (self.ply >= MAX_PLY).then(|| self.evaluate()))
    }

    /// A win of the side to move by declaration or, if `seeks_mate`, by a mating move; and the move
    /// that brings it.
    pub fn win_at_once(&mut self, seeks_mate: bool) -> Option<Option<Move>> {
        let params = self.state.params;
        if params.uses(Techniques::DECLARATION) {
            match self.pos.declaration(self.settings.declaration) {
                Some(Declaration::Declare) => return Some(None),
                Some(Declaration::Try(mv)) => return Some(Some(mv)),
                None => {}
            }
        }
        let seeks_mate = seeks_mate && params.uses(Techniques::MATE_IN_ONE);
        if seeks_mate { self.pos.mate_in_one().map(Some) } else { None }
    }
}
