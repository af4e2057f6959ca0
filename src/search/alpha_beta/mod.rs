//! The engine's searcher: a principal variation search that looks at promising moves deeper than at
//! others.
//!
//! [`Root`](root::Root) deepens and decides when to stop ([`time_manager`]); [`node`] searches one position,
//! [`quiescence`] its end, [`settled`] what needs no look at the moves; [`pruning`] holds the
//! conditions under which something is left out, [`reduction`] how much less deeply late moves are
//! searched; [`picker`] orders moves by what [`history`] remembers; [`correction`] mends
//! the evaluation; [`history_updates`] feeds both memories; [`root_mate`] asks the mate solver at the root;
//! [`sampling`] keeps positions to learn from. [`thread_pool`] runs several of these on one
//! transposition table.

mod correction;
mod history;
mod history_updates;
mod node;
mod params;
mod picker;
mod pruning;
mod quiescence;
mod reduction;
mod root;
mod root_mate;
mod sampling;
mod settled;
mod thread_pool;
mod time_manager;

pub use params::{SearchParams, Techniques};

use correction::{CorrectionHistory, CorrectionKeys};
use history::{ContinuationTables, DISTANCES, Histories, PieceTo};
use reduction::Reductions;
use sampling::Sampler;

use super::configured_table::ConfiguredTable;
use super::ordering::Killers;
use super::thread;
use super::{Depth, MAX_PLY, MateSolver};
use crate::engine::{Control, Engine, Limits, Outcome, Report, Settings};
use crate::eval::{Evaluation, Score};
use crate::shogi::{Color, Move, Position};

/// The selective alpha-beta searcher.
pub struct AlphaBeta {
    params: SearchParams,
    reductions: Reductions,
    evaluation: Evaluation,
    table: ConfiguredTable,
    /// One for each thread, the main thread's first.
    histories: Vec<ThreadHistory>,
}

impl AlphaBeta {
    /// A searcher with these numbers and this evaluation. The transposition table comes with the
    /// first [`configure`](Engine::configure) or search.
    pub fn new(params: SearchParams, evaluation: Evaluation) -> AlphaBeta {
        AlphaBeta {
            reductions: Reductions::new(&params),
            params,
            evaluation,
            table: ConfiguredTable::default(),
            histories: Vec::new(),
        }
    }
}

impl Default for AlphaBeta {
    fn default() -> AlphaBeta {
        AlphaBeta::new(SearchParams::DEFAULT, Evaluation::embedded())
    }
}

impl Engine for AlphaBeta {
    fn configure(&mut self, settings: &Settings) -> Vec<String> {
        self.table.configure(settings).into_iter().collect()
    }

    fn new_game(&mut self) {
        self.table.clear();
        self.histories.clear();
    }

    fn search(
        &mut self,
        pos: &Position,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report<'_>),
    ) -> Outcome {
        let (settings, table) = self.table.begin();
        self.histories.resize_with(settings.threads.max(1), ThreadHistory::new);
        self.histories.iter_mut().for_each(|history| history.histories.begin());
        let pool = thread_pool::ThreadPool {
            pos,
            evaluation: &self.evaluation,
            table,
            params: &self.params,
            reductions: &self.reductions,
            settings,
            limits,
            control,
        };
        pool.search(&mut self.histories, report)
    }
}

/// Thread history: what a thread learns in a game.
struct ThreadHistory {
    histories: Histories,
    corrections: CorrectionHistory,
    solver: MateSolver,
}

impl ThreadHistory {
    fn new() -> ThreadHistory {
        ThreadHistory {
            histories: Histories::new(),
            corrections: CorrectionHistory::new(),
            solver: MateSolver::default(),
        }
    }
}

type AlphaBetaThread<'a> = thread::SearchThread<'a, AlphaBetaState<'a>>;

/// What the searcher remembers beside the common things.
struct AlphaBetaState<'a> {
    params: &'a SearchParams,
    reductions: &'a Reductions,
    histories: &'a mut Histories,
    corrections: &'a mut CorrectionHistory,
    solver: &'a mut MateSolver,
    sampler: Option<Sampler>,
    /// Shape [MAX_PLY + 2].
    stack: Vec<StackEntry>,
}

/// What belongs to one distance from the root.
#[derive(Clone, Debug, Default)]
struct StackEntry {
    killers: Killers,
    /// The corrected evaluation; `None` in check.
    static_eval: Option<Score>,
    /// The move made here, while its subtree is searched; `None` for a null move.
    made: Option<PieceTo>,
    /// The move left out while it is tested for being singular.
    excluded: Option<Move>,
    /// Cut-offs among the children of this node so far.
    child_cutoffs: u8,
}

impl<'a> AlphaBetaState<'a> {
    fn new(
        params: &'a SearchParams,
        reductions: &'a Reductions,
        history: &'a mut ThreadHistory,
    ) -> AlphaBetaState<'a> {
        AlphaBetaState {
            params,
            reductions,
            histories: &mut history.histories,
            corrections: &mut history.corrections,
            solver: &mut history.solver,
            sampler: None,
            stack: vec![StackEntry::default(); MAX_PLY + 2],
        }
    }
}

impl AlphaBetaThread<'_> {
    /// State of the present node.
    #[inline]
    fn stack_entry(&mut self) -> &mut StackEntry {
        &mut self.state.stack[self.ply]
    }

    /// The move made `distance` moves before the node `ply` moves from the root, if it was made in
    /// this search.
    #[inline]
    fn made(&self, ply: usize, distance: usize) -> Option<PieceTo> {
        ply.checked_sub(distance).and_then(|ply| self.state.stack[ply].made)
    }

    /// The continuation tables of the present node.
    #[inline]
    fn continuations(&self) -> ContinuationTables {
        self.continuations_at(self.ply, self.pos.side_to_move())
    }

    /// The continuation tables of the node `ply` moves from the root, with `side` to move.
    #[inline]
    fn continuations_at(&self, ply: usize, side: Color) -> ContinuationTables {
        if !self.state.params.uses(Techniques::CONTINUATION_HISTORY) {
            return ContinuationTables::default();
        }
        DISTANCES.map(|distance| self.made(ply, distance).map(|piece_to| piece_to.row(side)))
    }

    /// Makes `mv` as [`descend`](thread::SearchThread::descend), known to those below.
    #[inline]
    fn follow<T>(&mut self, mv: Move, then: impl FnOnce(&mut Self) -> T) -> T {
        self.stack_entry().made = Some(PieceTo::of(&self.pos, mv));
        self.descend(mv, then)
    }

    /// Where the corrections of the present node are.
    #[inline]
    fn correction_keys(&self) -> CorrectionKeys {
        CorrectionKeys::new(&self.pos, [1, 2].map(|distance| self.made(self.ply, distance)))
    }

    /// The evaluation as the correction history corrects it.
    #[inline]
    fn corrected(&self, evaluation: Score, keys: CorrectionKeys) -> Score {
        if !self.state.params.uses(Techniques::CORRECTION) {
            return evaluation;
        }
        let share = self.state.params.correction_share;
        Score::cp(evaluation.to_cp() + self.state.corrections.get(keys, share))
    }
}
