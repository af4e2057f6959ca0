//! Alpha-beta search.
//!
//! [`FullWidth`] is the full-width searcher of Hoki 2006 (Bonanza): iterative deepening
//! ([`iterative`]) over a principal variation search ([`negamax`]) whose leaves are quiescence
//! searches ([`quiescence`]); what it leaves out is decided in [`pruning`] alone, with the numbers
//! of [`SearchParams`]. In: a position and limits. Out: reports and a best move. Knows no text.
//!
//! Source: Kunihito Hoki, "Full-width search in computer shogi", IPSJ Magazine 47-8 (2006).

mod depth;
mod history;
mod iterative;
mod leaf;
mod negamax;
mod params;
mod picker;
mod prefetch;
pub mod pruning;
mod quiescence;
mod tt;
mod worker;

pub use depth::Depth;
pub use history::{History, Killers};
pub use leaf::{LeafResources, QuiescenceLeaf};
pub use params::{Rules, SearchParams};
pub use picker::MovePicker;
pub use tt::{Entry, TranspositionTable};

use crate::engine::{Control, Engine, Limits, Outcome, Report, Settings};
use crate::eval::Evaluation;
use crate::shogi::Position;

/// Greatest distance from the root, quiescence included.
pub const MAX_PLY: usize = 192;
/// Greatest iteration.
pub const MAX_DEPTH: u32 = 100;

/// The full-width searcher.
pub struct FullWidth {
    params: SearchParams,
    evaluation: Evaluation,
    settings: Settings,
    table: Option<TranspositionTable>,
}

impl FullWidth {
    /// A searcher with these numbers and this evaluation. The transposition table comes with the first
    /// [`configure`](Engine::configure) or search.
    pub fn new(params: SearchParams, evaluation: Evaluation) -> FullWidth {
        FullWidth { params, evaluation, settings: Settings::default(), table: None }
    }
}

impl Default for FullWidth {
    fn default() -> FullWidth {
        FullWidth::new(SearchParams::DEFAULT, Evaluation::embedded())
    }
}

impl Engine for FullWidth {
    fn configure(&mut self, settings: &Settings) -> Vec<String> {
        let mut remarks = Vec::new();
        let wished = settings.hash_mib.max(1);
        if self.table.is_none() || wished != self.settings.hash_mib {
            // The old table goes first: both need not fit.
            self.table = None;
            let table = TranspositionTable::new(wished);
            if table.size_mib() != wished {
                remarks.push(format!(
                    "USI_Hash {wished} MiB cannot be had, using {} MiB",
                    table.size_mib()
                ));
            }
            self.table = Some(table);
        }
        // Scores of draws are in the table too.
        let same_draws = settings.draw_value == self.settings.draw_value
            && settings.max_moves_to_draw == self.settings.max_moves_to_draw
            && settings.consideration == self.settings.consideration;
        if let Some(table) = self.table.as_mut().filter(|_| !same_draws) {
            table.clear();
        }
        self.settings = settings.clone();
        remarks
    }

    fn new_game(&mut self) {
        if let Some(table) = &mut self.table {
            table.clear();
        }
    }

    fn search(
        &mut self,
        pos: &Position,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(Report<'_>),
    ) -> Outcome {
        let hash_mib = self.settings.hash_mib;
        let table = self.table.get_or_insert_with(|| TranspositionTable::new(hash_mib));
        table.new_search();
        let rules = worker::Instructions {
            params: &self.params,
            settings: &self.settings,
            limits,
            control,
        };
        let mut worker = worker::Worker::new(pos, &self.evaluation, table, rules);
        iterative::Root::new(&mut worker, report).run()
    }
}
