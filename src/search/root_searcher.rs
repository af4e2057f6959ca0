//! What the root search and a searcher exchange: root moves, windows, iterations, and the
//! parts of the root search that differ between searchers.

use super::depth::Depth;
use super::search_thread::SearchThread;
use super::window::Window;
use crate::engine::{Limits, Pv, Settings};
use crate::eval::Score;
use crate::shogi::{Move, Position, Scope, movegen};

/// A root move and its search results.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub mv: Move,
    /// Score of the latest completed search of this move. A bound unless the move was best.
    pub score: Score,
    /// Running means of the scores and of the signed squared scores, including bounds. Centipawns
    /// and squared centipawns.
    pub mean: Option<(i32, i64)>,
    /// Nodes searched below this move in the current iteration, over all its searches.
    pub nodes: u64,
    pub pv: Pv,
    /// The score if the mate solver has proved it. `pv` is then the line of the solver.
    pub decided: Option<Score>,
}

impl RootMove {
    /// Records the score of a search. The latest score has weight one half in the means.
    pub fn note(&mut self, score: Score) {
        self.score = score;
        if score.is_mate() {
            return;
        }
        let cp = score.to_cp();
        let square = i64::from(cp) * i64::from(cp.abs());
        self.mean = Some(self.mean.map_or((cp, square), |(mean, mean_square)| {
            ((cp + mean) / 2, (square + mean_square) / 2)
        }));
    }

    /// Whether the mate solver has proved that the opponent mates after this move.
    pub fn is_lost(&self) -> bool {
        self.decided.is_some_and(|score| score < Score::ZERO)
    }
}

/// The root moves to search, in generation order.
pub(crate) fn root_moves(pos: &Position, settings: &Settings, limits: &Limits) -> Vec<RootMove> {
    let wanted = &limits.search_moves;
    // Moves requested by name may be useless non-promotions; otherwise the setting decides.
    let all = settings.all_legal_moves || !wanted.is_empty();
    let scope = if all { Scope::LEGAL } else { Scope::USEFUL };
    let mut legal = movegen::legal_moves(pos, scope);
    if legal.is_empty() {
        legal = movegen::legal_moves(pos, Scope::LEGAL);
    }
    if legal.iter().any(|mv| wanted.contains(mv)) {
        legal.retain(|mv| wanted.contains(mv));
    }
    legal
        .into_iter()
        .map(|mv| RootMove {
            mv,
            score: -Score::INFINITE,
            mean: None,
            nodes: 0,
            pv: Pv::from_slice(&[mv]),
            decided: None,
        })
        .collect()
}

/// The first aspiration window of an iteration, and how it widens after a failure.
pub(crate) struct Aspiration {
    /// Center of the first window.
    pub center: Score,
    /// Half width of the first window in centipawns.
    pub reach: i32,
    /// Factor by which the half width grows, in hundredths.
    pub growth: i32,
    /// If the half width exceeds this, the window is opened fully. Centipawns.
    pub widest: i32,
    /// Whether the other bound moves as well after a failure, and each fail high reduces the next
    /// search by one ply.
    pub follows: bool,
}

/// A root move about to be searched.
pub(crate) struct RootChild {
    pub mv: Move,
    /// Position in the search order; 1 is the first move.
    pub number: usize,
    /// The move searched first: the best one of the line of MultiPV so far.
    pub first: Move,
    pub window: Window,
    /// Depth of the root.
    pub depth: Depth,
    /// Number of earlier moves that raised alpha.
    pub raises: u32,
}

/// Data of a completed iteration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Iteration {
    pub depth: u32,
    pub best: Move,
    pub score: Score,
    /// Share of the iteration's nodes searched below the best move, 0 to 1.
    pub share: f64,
    /// Number of changes of the best move in the iteration, the mean of all threads.
    pub changes: f64,
}

/// The parts of the root search that differ between searchers. The [root
/// search](super::root_search) calls them; they do not call it.
pub(crate) trait RootSearcher<'a>: Sized {
    /// Whether a move that fails high becomes the answer if the search stops before its exact score
    /// is known.
    const FAIL_HIGH_ANSWERS: bool;
    /// State of the searcher's threads.
    type State;

    /// Static evaluation of the current position.
    fn evaluate(thread: &mut SearchThread<'a, Self::State>) -> Score;

    /// The aspiration window around the previous best move; `None` for an open window. `depth`: the
    /// iteration.
    fn aspiration(
        &self,
        thread: &SearchThread<'a, Self::State>,
        last: &RootMove,
        depth: u32,
    ) -> Option<Aspiration>;

    /// Sorts the moves after the `lines` best ones before an iteration.
    fn order(&self, _thread: &SearchThread<'a, Self::State>, _moves: &mut [RootMove]) {}

    /// Called before the root moves are searched with this window to this depth. `line`: the
    /// line's principal variation in the last iteration.
    fn begin(
        &self,
        _thread: &mut SearchThread<'a, Self::State>,
        _window: Window,
        _depth: Depth,
        _line: &[Move],
    ) {
    }

    /// Searches one root move and returns its score.
    fn search_move(&self, thread: &mut SearchThread<'a, Self::State>, child: &RootChild) -> Score;

    /// Called after the root moves were searched. `searched`: in search order. `best`: the move
    /// that raised alpha last.
    fn end(
        &self,
        _thread: &mut SearchThread<'a, Self::State>,
        _searched: &[Move],
        _best: Option<Move>,
    ) {
    }

    /// The line of a proved mate by the root's side, sought before each iteration.
    fn mate(&mut self, _thread: &mut SearchThread<'a, Self::State>) -> Option<Pv> {
        None
    }

    /// The line of a proved mate by the opponent after `best`, sought after each iteration.
    fn refutation(
        &mut self,
        _thread: &mut SearchThread<'a, Self::State>,
        _best: Move,
    ) -> Option<Pv> {
        None
    }

    /// Called after each completed iteration.
    fn note(&mut self, _iteration: &Iteration) {}

    /// Factor of the planned time after the iterations so far.
    fn stretch(&self) -> f64 {
        1.0
    }

    /// Called at the end. `best`: the best root move, if any is legal.
    fn finish(self, _thread: &mut SearchThread<'a, Self::State>, _best: Option<&RootMove>) {}
}
