//! The full-width searcher of Hoki 2006 (Bonanza): iterative deepening over a principal variation
//! search ([`root`], [`node`]) whose leaves are quiescence searches ([`quiescence`]). All pruning
//! conditions are in [`pruning`]; [`FullWidthParams`] holds the parameters. The table, the window
//! and the rules of a search thread are those of [`search`](crate::search).
//!
//! Source: Kunihito Hoki, "Full-width search in computer shogi", IPSJ Magazine 47-8 (2006).

mod half_plies;
mod move_picker;
mod node;
mod params;
mod pruning;
mod quiescence;
mod quiet_history;
mod relation;
mod root;
mod thread;

pub use half_plies::HalfPlies;
pub use params::{FullWidthParams, Rules};
pub use relation::piece_king_change;

use std::sync::Arc;

use root::RootSearch;
use thread::{FullWidthState, FullWidthThread};

use crate::engine::{Engine, Outcome, Query, Report, Settings};
use crate::engines::{Changes, Searcher, SearcherParams, SpecError};
use crate::eval::Evaluation;
use crate::search::configured_table::ConfiguredTable;

/// The full-width searcher.
pub struct FullWidth {
    params: FullWidthParams,
    evaluation: Evaluation,
    table: ConfiguredTable,
}

impl FullWidth {
    /// The searcher as users choose it.
    pub const SEARCHER: Searcher = Searcher {
        name: "FullWidth",
        description: "full-width after Hoki 2006",
        bench_depths: [8, 6, 5],
        parse,
    };

    /// A searcher with these parameters and this evaluation. The transposition table is allocated
    /// by the first [`configure`](Engine::configure) or search.
    pub fn new(params: FullWidthParams, evaluation: Evaluation) -> FullWidth {
        FullWidth { params, evaluation, table: ConfiguredTable::default() }
    }
}

/// The searcher cannot be changed.
fn parse(changes: &Changes) -> Result<Arc<dyn SearcherParams>, SpecError> {
    if *changes != Changes::default() {
        let searcher = FullWidth::SEARCHER.name;
        return Err(SpecError::Unchangeable { searcher, changes: changes.to_string() });
    }
    Ok(Arc::new(FullWidthParams::DEFAULT))
}

impl SearcherParams for FullWidthParams {
    fn changes(&self) -> Vec<String> {
        Vec::new()
    }

    fn build(&self, evaluation: Evaluation) -> Box<dyn Engine> {
        Box::new(FullWidth::new(*self, evaluation))
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
        let state = FullWidthState::new(&self.params, &self.evaluation);
        let mut thread = FullWidthThread::new(query, settings, &self.evaluation, table, state);
        RootSearch::new(&mut thread, report).run()
    }
}
