//! The full-width searcher of Hoki 2006 (Bonanza): iterative deepening ([`iterative`]) over a
//! principal variation search ([`negamax`]) whose leaves are quiescence searches ([`quiescence`]);
//! what it leaves out is decided in [`pruning`] alone, with the numbers of [`FullWidthParams`].
//!
//! Source: Kunihito Hoki, "Full-width search in computer shogi", IPSJ Magazine 47-8 (2006).

mod history;
mod iterative;
mod leaf;
mod negamax;
mod params;
mod picker;
pub mod pruning;
mod quiescence;

pub use leaf::{LeafResources, QuiescenceLeaf};
pub use params::{FullWidthParams, Rules};

use history::History;
use pruning::ChangeBounds;

use super::configured_table::ConfiguredTable;
use super::ordering::Killers;
use super::thread::{self, SearchSetup};
use super::{Depth, MAX_PLY};
use crate::engine::{Control, Engine, Limits, Outcome, Report, Settings};
use crate::eval::{Evaluation, Evaluator, Score};
use crate::shogi::Position;

/// The full-width searcher.
pub struct FullWidth {
    params: FullWidthParams,
    evaluation: Evaluation,
    table: ConfiguredTable,
}

impl FullWidth {
    /// A searcher with these numbers and this evaluation. The transposition table comes with the first
    /// [`configure`](Engine::configure) or search.
    pub fn new(params: FullWidthParams, evaluation: Evaluation) -> FullWidth {
        FullWidth { params, evaluation, table: ConfiguredTable::default() }
    }
}

impl Default for FullWidth {
    fn default() -> FullWidth {
        FullWidth::new(FullWidthParams::DEFAULT, Evaluation::embedded())
    }
}

impl Engine for FullWidth {
    fn configure(&mut self, settings: &Settings) -> Vec<String> {
        self.table.configure(settings).into_iter().collect()
    }

    fn new_game(&mut self) {
        self.table.clear();
    }

    fn search(
        &mut self,
        pos: &Position,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report<'_>),
    ) -> Outcome {
        let (settings, table) = self.table.begin();
        let setup = SearchSetup { settings, limits, control };
        let state = FullWidthState::new(&self.params);
        let mut thread = FullWidthThread::new(pos, &self.evaluation, table, setup, state);
        iterative::Root::new(&mut thread, report).run()
    }
}

type FullWidthThread<'a> = thread::SearchThread<'a, FullWidthState<'a>>;

/// What the searcher remembers beside the common things.
struct FullWidthState<'a> {
    params: &'a FullWidthParams,
    history: History,
    bounds: ChangeBounds,
    /// Shape [MAX_PLY + 2].
    stack: Vec<StackEntry>,
}

/// What belongs to one distance from the root.
#[derive(Clone, Debug, Default)]
struct StackEntry {
    killers: Killers,
    /// What the move made here promised; set just before it is made.
    promise: Option<Promise>,
}

/// The evaluation foreseen after a move: E(P) + Mcap(m) + Mpiece-king(m), mover's view.
#[derive(Clone, Copy, Debug)]
struct Promise {
    foreseen: Score,
    king_move: bool,
}

impl<'a> FullWidthState<'a> {
    fn new(params: &'a FullWidthParams) -> FullWidthState<'a> {
        FullWidthState {
            params,
            history: History::new(),
            bounds: ChangeBounds::new(params),
            stack: vec![StackEntry::default(); MAX_PLY + 2],
        }
    }
}

impl FullWidthThread<'_> {
    /// Goes to another position; nothing learned in the old one stays but the move ordering.
    fn restart(&mut self, pos: &Position, evaluation: &Evaluation) {
        self.pos.clone_from(pos);
        self.evaluator = Evaluator::new(evaluation, pos);
        self.root_side = pos.side_to_move();
        self.state.bounds = ChangeBounds::new(self.state.params);
        self.ply = 0;
    }

    /// The evaluation of the present position; the change bounds learn from it.
    #[inline]
    fn evaluate(&mut self) -> Score {
        let score = self.evaluator.evaluate(&self.pos);
        let side = self.pos.side_to_move();
        let bounds = &mut self.state.bounds;
        bounds.observe_relations(score.to_cp() - self.evaluator.material(side));
        if self.ply > 0
            && let Some(promise) = self.state.stack[self.ply - 1].promise
        {
            bounds.observe(promise.king_move, -score - promise.foreseen);
        }
        score
    }
}
