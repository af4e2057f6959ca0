//! The full-width searcher of Hoki 2006 (Bonanza): iterative deepening over a principal variation
//! search ([`full_width_root`], [`full_width_node`]) whose leaves are quiescence searches
//! ([`full_width_quiescence`]). All pruning conditions are in [`full_width_pruning`];
//! [`FullWidthParams`] holds the parameters.
//!
//! Source: Kunihito Hoki, "Full-width search in computer shogi", IPSJ Magazine 47-8 (2006).

mod full_width_node;
mod full_width_params;
mod full_width_pruning;
mod full_width_quiescence;
mod full_width_root;
mod full_width_thread;
mod quiet_history;

pub use full_width_params::{FullWidthParams, Rules};

use full_width_root::FullWidthRoot;
use full_width_thread::{FullWidthState, FullWidthThread};

use super::configured_table::ConfiguredTable;
use super::root_search::RootSearch;
use crate::engine::{Engine, Outcome, Query, Report, Settings};
use crate::eval::Evaluation;

/// The full-width searcher.
pub struct FullWidth {
    params: FullWidthParams,
    evaluation: Evaluation,
    table: ConfiguredTable,
}

impl FullWidth {
    /// A searcher with these parameters and this evaluation. The transposition table is allocated
    /// by the first [`configure`](Engine::configure) or search.
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

    fn search(&mut self, query: Query<'_>, report: &mut dyn FnMut(Report)) -> Outcome {
        let (settings, table) = self.table.begin();
        let state = FullWidthState::new(&self.params);
        let mut thread = FullWidthThread::new(query, settings, &self.evaluation, table, state);
        let found = RootSearch::new(FullWidthRoot, &mut thread, Some(report), &[]).run();
        found.outcome(thread.nodes, query.control)
    }
}
