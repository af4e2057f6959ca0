//! Several threads on one transposition table (lazy SMP). Each thread searches the root
//! independently and differs through the shared table. At the end they vote.

use std::cmp::Reverse;
use std::sync::Arc;

use super::params::SearchParams;
use super::reduction::Reductions;
use super::root_search::{RootResult, RootSearch};
use super::sampling::Sampler;
use super::thread::{AlphaBetaState, AlphaBetaThread, SharedHistories, ThreadHistory};
use super::thread_histories::ThreadHistories;
use crate::engine::{Control, Info, Limits, Outcome, Query, Report, Settings};
use crate::eval::{Evaluation, Score};
use crate::search::helpers::Progress;
use crate::search::tt::TranspositionTable;
use crate::shogi::{Move, Position};

/// Weight of a vote with the worst score of all, in centipawns.
const VOTE: i32 = 14;
/// Largest additional weight of a better score, in centipawns.
const MOST_AHEAD: i32 = 1_000;

/// Stops the helper threads when it goes out of scope.
struct StopOnDrop<'a>(&'a Control);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Data shared by all threads of a search.
pub(super) struct SharedSearch {
    pub pos: Position,
    /// Of each thread.
    pub limits: Limits,
    /// Stops the helpers.
    pub control: Control,
    pub settings: Settings,
    pub evaluation: Evaluation,
    pub table: Arc<TranspositionTable>,
    pub histories: Arc<SharedHistories>,
    pub params: SearchParams,
    pub reductions: Arc<Reductions>,
    /// One for each helper.
    pub progress: Vec<Progress>,
}

impl SharedSearch {
    fn thread<'s>(
        &'s self,
        history: &'s mut ThreadHistory,
        control: &'s Control,
    ) -> AlphaBetaThread<'s> {
        let state = AlphaBetaState::new(&self.params, &self.reductions, &self.histories, history);
        let query = Query::new(&self.pos, &self.limits, control);
        AlphaBetaThread::new(query, &self.settings, &self.evaluation, &self.table, state)
    }

    /// Searches as a helper until it is stopped. Returns the result and the number of nodes.
    fn help(&self, number: usize, history: &mut ThreadHistory) -> Option<(RootResult, u64)> {
        // The search may be over before the system runs this thread.
        let is_late = self.control.is_stopped();
        (!is_late).then(|| {
            let mut thread = self.thread(history, &self.control);
            thread.progress = Some(&self.progress[number - 1]);
            thread.state.number = number;
            (RootSearch::new(&mut thread, None, &[]).run(), thread.nodes)
        })
    }
}

/// Searches with all threads. The caller's thread is the main thread. It obeys `control`, and the
/// helpers search until it ends.
pub(super) fn search(
    shared: SharedSearch,
    control: &Control,
    threads: &mut ThreadHistories,
    report: &mut dyn FnMut(Report),
) -> Outcome {
    let shared = Arc::new(shared);
    let search = Arc::clone(&shared);
    let helpers = threads.start_helpers(move |number, history| search.help(number, history));
    // Only the main thread stops the helpers, also if it panics.
    let stop_helpers = StopOnDrop(&shared.control);
    let main = threads.main();
    let mut thread = shared.thread(main, control);
    thread.state.sampler = shared.settings.sample_interval.map(|n| Sampler::new(n, &shared.pos));
    let mine = RootSearch::new(&mut thread, Some(&mut *report), &shared.progress).run();
    drop(stop_helpers);
    if let Some(sampler) = thread.state.sampler.take() {
        report(Report::Samples(sampler.into_kept()));
    }
    let mut nodes = thread.nodes;
    let mut all = vec![mine];
    for (found, searched) in threads.join(helpers).into_iter().flatten() {
        all.push(found);
        nodes += searched;
    }
    let outcome = elect(all, shared.settings.multi_pv).outcome(nodes, control);
    threads.main().is_mating = outcome.info.as_ref().is_some_and(Info::is_mate);
    outcome
}

/// Returns the result of the thread whose move has the most votes. Better scores have more weight.
/// Longer lines break ties. With MultiPV, the main thread's result is used. Moves that the main
/// thread knows to be lost get no votes. `all`: the main thread's result first.
fn elect(mut all: Vec<RootResult>, lines: usize) -> RootResult {
    if lines > 1 {
        return all.swap_remove(0);
    }
    let lost = &all[0].lost;
    let ballot = |found: &RootResult| {
        let info = found.info.as_ref()?;
        let mv = *info.pv.first()?;
        (info.score.is_mate() || !lost.contains(&mv)).then_some((mv, info.score, info.pv.len()))
    };
    let ballots = all.iter().enumerate().filter_map(|(at, found)| Some((at, ballot(found)?)));
    let votes: Vec<(usize, (Move, Score, usize))> = ballots.collect();
    let worst = votes.iter().map(|(_, vote)| vote.1).min().unwrap_or(Score::ZERO);
    let weight = |mv: Move| -> i32 {
        let for_it = votes.iter().filter(|(_, vote)| vote.0 == mv);
        for_it.map(|(_, vote)| (vote.1 - worst).min(MOST_AHEAD) + VOTE).sum()
    };
    let best = votes.iter().max_by_key(|&&(at, (mv, score, plies))| {
        let mate = if score.is_mate() { score.to_cp() } else { 0 };
        (mate, weight(mv), plies, Reverse(at))
    });
    let best = best.map_or(0, |&(at, _)| at);
    all.swap_remove(best)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::engine::Pv;

    /// The result of a thread with this score and line.
    fn result(score: Score, line: &str) -> RootResult {
        let pv: Pv = line.split(' ').map(|mv| mv.parse().expect("a move")).collect();
        let info = Info::exact(1, score, pv, 0, Duration::ZERO);
        RootResult { info: Some(info), first: None, lost: Vec::new() }
    }

    fn elected_line(all: Vec<RootResult>, lines: usize) -> String {
        let found = elect(all, lines).info.expect("a line");
        found.pv.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    /// The elected line. `votes`: score in centipawns and line of each thread.
    fn elected(votes: &[(i32, &str)], lines: usize) -> String {
        let all = votes.iter().map(|&(cp, line)| result(Score::cp(cp), line));
        elected_line(all.collect(), lines)
    }

    #[test]
    fn votes_count_by_score_and_ties_go_to_the_longer_line() {
        assert_eq!(elected(&[(50, "7g7f"), (40, "2g2f"), (40, "2g2f")], 1), "2g2f");
        assert_eq!(elected(&[(90, "7g7f"), (40, "2g2f"), (40, "2g2f")], 1), "7g7f");
        assert_eq!(elected(&[(90, "7g7f"), (40, "2g2f"), (40, "2g2f")], 2), "7g7f");
        assert_eq!(elected(&[(50, "7g7f"), (50, "2g2f 8c8d"), (50, "2g2f")], 1), "2g2f 8c8d");
        assert_eq!(elected(&[(50, "7g7f"), (50, "7g7f 8c8d")], 1), "7g7f 8c8d");
    }

    #[test]
    fn a_mate_wins_against_the_majority_and_a_lost_move_gets_no_votes() {
        let quiet = |line| result(Score::cp(40), line);
        let all = vec![quiet("2g2f"), quiet("2g2f"), result(Score::mate_in(5), "7g7f")];
        assert_eq!(elected_line(all, 1), "7g7f");
        let lost = vec!["2g2f".parse().expect("a move")];
        let all = vec![RootResult { lost, ..quiet("7g7f") }, quiet("2g2f"), quiet("2g2f")];
        assert_eq!(elected_line(all, 1), "7g7f");
    }
}
