//! The main searcher: a principal variation search that searches promising moves deeper than
//! others.
//!
//! - [`root_search`] deepens iteratively, with [`time_manager`] and the mate solver
//!   ([`root_mate`]); [`root`] searches the root moves.
//! - [`node`] searches one position, [`moves`] its moves, and [`quiescence`]
//!   the horizon.
//! - [`pruning`] holds the pruning conditions, [`prob_cut`] the search of captures that may prune a
//!   node, [`reduction`] the late move reductions, and [`extension`] the extensions of the TT move.
//! - [`move_picker`] yields the moves of a node in stages; [`history_scorer`] orders them by
//!   [`history`]; [`correction`] corrects the static evaluation; [`history_updates`] updates both.
//! - [`thread`] is the state of one thread, [`thread_histories`] what all threads learn
//!   in a game, and [`thread_pool`] runs several threads on one transposition table.
//! - [`sampling`] draws training positions.

mod correction;
mod extension;
mod history;
mod history_scorer;
mod history_updates;
mod move_picker;
mod moves;
mod node;
mod node_info;
mod params;
mod prob_cut;
mod pruning;
mod quiescence;
mod reduction;
mod root;
mod root_mate;
mod root_search;
mod sampling;
#[cfg(test)]
mod testing;
mod thread;
mod thread_histories;
mod thread_pool;
mod time_manager;

pub use params::{SearchParams, Techniques};

pub(crate) use reduction::Reductions;
pub(crate) use root_mate::{RootMates, line_of};
pub(crate) use thread::{AlphaBetaState, AlphaBetaThread, SharedHistories, ThreadHistory};
pub(crate) use thread_histories::ThreadHistories;
use thread_pool::SharedSearch;

use std::iter::repeat_with;
use std::sync::Arc;

use super::configured_table::ConfiguredTable;
use super::helpers::Progress;
use crate::engine::{Control, Engine, Limits, Outcome, Query, Report, Settings};
use crate::eval::Evaluation;

/// The selective alpha-beta searcher.
pub struct AlphaBeta {
    params: SearchParams,
    reductions: Arc<Reductions>,
    evaluation: Evaluation,
    table: ConfiguredTable,
    histories: ThreadHistories,
}

impl AlphaBeta {
    /// A searcher with these parameters and this evaluation. The transposition table is allocated
    /// by the first [`configure`](Engine::configure) or search.
    pub fn new(params: SearchParams, evaluation: Evaluation) -> AlphaBeta {
        AlphaBeta {
            reductions: Arc::new(Reductions::new(&params)),
            params,
            evaluation,
            table: ConfiguredTable::default(),
            histories: ThreadHistories::default(),
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
        let table = self.table.configure(settings);
        table.into_iter().chain(self.histories.configure(settings.threads)).collect()
    }

    fn new_game(&mut self) {
        self.table.clear();
        self.histories.clear();
    }

    fn search(&mut self, query: Query<'_>, report: &mut dyn FnMut(Report)) -> Outcome {
        let (settings, table) = self.table.begin();
        let (shared, threads) = self.histories.begin(settings.threads);
        let share = query.limits.nodes.map(|nodes| nodes / threads.len() as u64);
        let search = SharedSearch {
            pos: query.pos.clone(),
            limits: Limits { nodes: share, ..query.limits.clone() },
            control: Control::new(query.control.started()),
            settings: settings.clone(),
            evaluation: self.evaluation.clone(),
            table: Arc::clone(table),
            histories: Arc::clone(shared),
            params: self.params,
            reductions: Arc::clone(&self.reductions),
            progress: repeat_with(Progress::default).take(threads.len() - 1).collect(),
        };
        thread_pool::search(search, query.control, &mut self.histories, report)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::{Duration, Instant};

    use super::*;
    use crate::engine::BestMove;
    use crate::shogi::Position;

    #[test]
    fn more_threads_than_processors_start_search_and_stop() {
        let mut engine = AlphaBeta::new(SearchParams::DEFAULT, Evaluation::HandMade);
        engine.configure(&Settings { hash_mib: 16, ..Settings::default() });
        let pos = Position::startpos();
        for (threads, count) in [(64, 50), (3, 2), (64, 4)] {
            engine.histories.allocate(threads, usize::MAX);
            // The last two searches end by a stop.
            for nodes in (0..count).map(|search| (search + 2 < count).then_some(1)) {
                let limits = Limits { nodes, ..Limits::default() };
                let control = Control::new(Instant::now());
                let outcome = thread::scope(|scope| {
                    if nodes.is_none() {
                        scope.spawn(|| {
                            thread::sleep(Duration::from_millis(20));
                            control.stop();
                        });
                    }
                    engine.search(Query::new(&pos, &limits, &control), &mut |_| ())
                });
                println!("{threads} threads, {nodes:?} nodes: {:?}", control.elapsed());
                assert!(matches!(outcome.best, BestMove::Play(mv, _) if pos.is_legal(mv)));
                assert_eq!(engine.histories.begin(1).1.len(), threads);
            }
        }
    }
}
