//! The engine's searcher: a principal variation search that looks at promising moves deeper than at
//! others.
//!
//! [`root`] deepens and decides when to stop ([`time_manager`]), with the mate solver's help
//! ([`root_mate`]); [`node`] searches one position, [`quiescence`] its end; [`pruning`] holds the
//! conditions under which something is left out, [`reduction`] how much less deeply late moves are
//! searched; [`picker`] orders moves by what [`history`] remembers; [`correction`] corrects the
//! evaluation; [`history_updates`] feeds both. [`thread`] is what one thread keeps, [`sampling`]
//! draws positions to learn from, [`leaf`] serves the trees of another searcher, and [`thread_pool`] runs several threads on one transposition
//! table.

mod correction;
mod history;
mod history_updates;
mod leaf;
mod node;
mod node_info;
mod params;
mod picker;
mod pruning;
mod quiescence;
mod reduction;
mod root;
mod root_mate;
mod sampling;
mod thread;
mod thread_pool;
mod time_manager;

pub use params::{SearchParams, Techniques};

pub(super) use reduction::Reductions;
pub(super) use root_mate::RootMates;
pub(super) use thread::{AlphaBetaState, AlphaBetaThread, ThreadHistory};
use thread_pool::ThreadPool;

use super::configured_table::ConfiguredTable;
use super::thread::SearchSetup;
use crate::engine::{Control, Engine, Limits, Outcome, Report, Settings};
use crate::eval::Evaluation;
use crate::shogi::Position;

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
        let pool = ThreadPool {
            pos,
            evaluation: &self.evaluation,
            table,
            params: &self.params,
            reductions: &self.reductions,
            setup: SearchSetup { settings, limits, control },
        };
        pool.search(&mut self.histories, report)
    }
}
