//! Several threads on one transposition table (lazy SMP). Each thread searches the root
//! independently and differs through the shared table. At the end they vote.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use super::alpha_beta_root::search_root;
use super::alpha_beta_thread::{AlphaBetaState, AlphaBetaThread, SharedHistories, ThreadHistory};
use super::reduction::Reductions;
use super::sampling::Sampler;
use super::search_params::SearchParams;
use crate::engine::{Control, Info, Limits, Outcome, Query, Report, Settings};
use crate::eval::Evaluation;
use crate::search::root_search::RootResult;
use crate::search::search_thread::{report_missing_helpers, spawn_helper};
use crate::search::tt::TranspositionTable;
use crate::shogi::Move;

/// Stops the helper threads when it goes out of scope.
struct StopOnDrop<'a>(&'a Control);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Data shared by all threads of a search.
pub(super) struct ThreadPool<'a> {
    pub query: Query<'a>,
    pub settings: &'a Settings,
    pub evaluation: &'a Evaluation,
    pub table: &'a TranspositionTable,
    pub shared: &'a SharedHistories,
    pub params: &'a SearchParams,
    pub reductions: &'a Reductions,
}

impl ThreadPool<'_> {
    /// Searches with one thread for each history. The caller's thread is the main thread.
    pub fn search(
        &self,
        histories: &mut [ThreadHistory],
        report: &mut dyn FnMut(Report),
    ) -> Outcome {
        let Some((main, helpers)) = histories.split_first_mut() else {
            unreachable!("there is at least one thread")
        };
        // Only the main thread stops the helpers, also if it panics.
        let Query { pos, limits: all_limits, control } = self.query;
        let settings = self.settings;
        let helper_control = Control::new(control.started());
        let counts: Vec<AtomicU64> = helpers.iter().map(|_| AtomicU64::new(0)).collect();
        let others = || counts.iter().map(|count| count.load(Ordering::Relaxed)).sum();
        let share = all_limits.nodes.map(|nodes| nodes / (1 + counts.len() as u64));
        let limits = Limits { nodes: share, ..all_limits.clone() };
        let (found, nodes) = thread::scope(|scope| {
            let threads: Vec<_> = helpers
                .iter_mut()
                .zip(&counts)
                .enumerate()
                .map_while(|(at, (history, count))| {
                    let query = Query::new(pos, &limits, &helper_control);
                    spawn_helper(scope, move || {
                        let mut thread = self.thread(history, query);
                        thread.published = Some(count);
                        thread.state.number = 1 + at;
                        (search_root(&mut thread, None, &|| 0), thread.nodes)
                    })
                })
                .collect();
            let stop_helpers = StopOnDrop(&helper_control);
            report_missing_helpers(threads.len(), counts.len(), report);
            let limits = if threads.is_empty() { all_limits } else { &limits };
            let mut thread = self.thread(main, Query { limits, ..self.query });
            thread.state.sampler = settings.sampling.map(|s| Sampler::new(s, pos));
            let mine = search_root(&mut thread, Some(&mut *report), &others);
            drop(stop_helpers);
            if let Some(sampler) = thread.state.sampler.take() {
                report(Report::Samples(sampler.into_kept()));
            }
            let mut nodes = thread.nodes;
            let mut all = vec![mine];
            for thread in threads {
                match thread.join() {
                    Ok((found, searched)) => {
                        all.push(found);
                        nodes += searched;
                    }
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            (elect(all, settings.multi_pv), nodes)
        });
        let outcome = found.outcome(nodes, control);
        main.is_mating = outcome.info.as_ref().is_some_and(Info::is_mate);
        outcome
    }

    fn thread<'s>(
        &'s self,
        history: &'s mut ThreadHistory,
        query: Query<'s>,
    ) -> AlphaBetaThread<'s> {
        let state = AlphaBetaState::new(self.params, self.reductions, self.shared, history);
        AlphaBetaThread::new(query, self.settings, self.evaluation, self.table, state)
    }
}

/// Returns the result of the thread whose move has the most votes. Deeper iterations and better
/// scores have more weight. With MultiPV, the main thread's result is used. Moves that the main
/// thread knows to be lost get no votes.
fn elect(all: Vec<RootResult>, lines: usize) -> RootResult {
    let lost = all.first().map_or(&[][..], |main| &main.lost);
    let ballot = |found: &RootResult| {
        let info = found.info.as_ref()?;
        let mv = *info.pv.first()?;
        (info.score.is_mate() || !lost.contains(&mv)).then_some((mv, info.score, info.depth))
    };
    let votes: Vec<_> = all.iter().filter_map(ballot).collect();
    let worst = votes.iter().map(|vote| vote.1).min();
    let weight = |mv: Move| -> i64 {
        let for_it = votes.iter().filter(|vote| vote.0 == mv);
        for_it
            .map(|vote| {
                let ahead = worst.map_or(0, |worst| vote.1 - worst).min(1_000) + 30;
                i64::from(ahead) * i64::from(vote.2)
            })
            .sum()
    };
    let best = all
        .iter()
        .enumerate()
        .filter_map(|(at, found)| ballot(found).map(|vote| (at, vote)))
        .max_by_key(|&(at, (mv, score, depth))| {
            let mate = if score.is_mate() { score.to_cp() } else { 0 };
            (mate, weight(mv), depth, std::cmp::Reverse(at))
        })
        .map_or(0, |(at, _)| if lines > 1 { 0 } else { at });
    all.into_iter().nth(best).unwrap_or(RootResult { info: None, first: None, lost: Vec::new() })
}
