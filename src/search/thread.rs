//! One searching thread: its position, evaluator and what both searchers keep alike.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, Scope, ScopedJoinHandle};
use std::time::Duration;

use smallvec::SmallVec;

use super::depth::MAX_PLY;
use super::tt::TranspositionTable;
use crate::engine::{Control, Limits, Pv, Report, Settings};
use crate::eval::{Evaluation, Evaluator, Score};
use crate::shogi::{Color, Move, Position, Repetition, movegen};

/// How far a search may overrun its deadline to have looked at all moves once (U-16 allows 20 ms).
pub(super) const FIRST_ANSWER: Duration = Duration::from_millis(8);
/// How often the clock is read, nodes. A node takes about a microsecond.
const CLOCK_INTERVAL: u64 = 512;

/// Starts a helper; `None` if the system gives no more threads.
pub(super) fn spawn_helper<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    thread::Builder::new().name("search".to_owned()).spawn_scoped(scope, work).ok()
}

/// Tells if there are fewer helpers than wanted.
pub(super) fn tell_of_missing_helpers(
    count: usize,
    wanted: usize,
    report: &mut dyn FnMut(Report<'_>),
) {
    if count < wanted {
        let text = format!("{} search threads cannot be had, using {}", wanted + 1, count + 1);
        report(Report::Remark(&text));
    }
}

/// Search setup: what one search is told.
#[derive(Clone, Copy)]
pub(super) struct SearchSetup<'a> {
    pub settings: &'a Settings,
    pub limits: &'a Limits,
    pub control: &'a Control,
}

/// Everything one search thread changes. `S`: the state of its searcher beside.
pub(super) struct SearchThread<'a, S> {
    pub pos: Position,
    pub evaluator: Evaluator,
    pub tt: &'a TranspositionTable,
    pub settings: &'a Settings,
    pub limits: &'a Limits,
    pub control: &'a Control,
    pub root_side: Color,
    /// The game is drawn after this move; `None` without such a rule, or if it is past.
    pub last_move_number: Option<u32>,
    pub state: S,
    /// Best line from each distance from the root, as far as known. Shape [MAX_PLY + 2].
    pub pv_table: Vec<Pv>,
    pub ply: usize,
    pub nodes: u64,
    /// Where the nodes are shown to other threads now and then.
    pub published: Option<&'a AtomicU64>,
    pub seldepth: usize,
    /// Whether there is a move with a score: before that the deadline may be overrun a little.
    pub has_answer: bool,
    /// Set once the search must end; scores found after that mean nothing.
    pub stopped: bool,
}

impl<'a, S> SearchThread<'a, S> {
    pub fn new(
        pos: &Position,
        evaluation: &Evaluation,
        tt: &'a TranspositionTable,
        setup: SearchSetup<'a>,
        state: S,
    ) -> SearchThread<'a, S> {
        let SearchSetup { settings, limits, control } = setup;
        SearchThread {
            pos: pos.clone(),
            evaluator: Evaluator::new(evaluation, pos),
            tt,
            settings,
            limits,
            control,
            root_side: pos.side_to_move(),
            last_move_number: Some(settings.max_moves_to_draw)
                .filter(|&last| pos.move_number() <= last),
            state,
            pv_table: vec![Pv::new(); MAX_PLY + 2],
            ply: 0,
            nodes: 0,
            published: None,
            seldepth: 0,
            has_answer: false,
            stopped: false,
        }
    }

    /// Makes a move, does `then`, takes the move back.
    #[inline]
    pub fn descend<T>(&mut self, mv: Move, then: impl FnOnce(&mut Self) -> T) -> T {
        self.make(mv);
        let result = then(self);
        self.unmake();
        result
    }

    /// Makes a move.
    #[inline]
    pub fn make(&mut self, mv: Move) {
        self.nodes += 1;
        // As early as possible: the table is far away.
        self.tt.prefetch(self.pos.key_after(mv));
        let delta = self.pos.do_move(mv);
        self.evaluator.push(&delta);
        self.ply += 1;
    }

    /// Takes the last move back.
    #[inline]
    pub fn unmake(&mut self) {
        self.ply -= 1;
        self.evaluator.pop();
        self.pos.undo_move();
    }

    /// Passes, does `then`, takes the pass back. A pass is no move, so the caller decides whether it
    /// counts as a node.
    #[inline]
    pub fn descend_null<T>(&mut self, then: impl FnOnce(&mut Self) -> T) -> T {
        self.pos.do_null_move();
        self.tt.prefetch(self.pos.key());
        self.evaluator.push_null();
        self.ply += 1;
        let result = then(self);
        self.ply -= 1;
        self.evaluator.pop();
        self.pos.undo_null_move();
        result
    }

    /// Whether the search must end now. Exact in nodes; the clock is read now and then.
    #[inline]
    pub fn must_stop(&mut self) -> bool {
        if !self.stopped {
            let out_of_nodes = self.limits.nodes.is_some_and(|limit| self.nodes >= limit);
            self.stopped = out_of_nodes
                || self.nodes.is_multiple_of(CLOCK_INTERVAL) && self.is_stopped_from_outside();
        }
        self.stopped
    }

    fn is_stopped_from_outside(&self) -> bool {
        if let Some(published) = self.published {
            published.store(self.nodes, Ordering::Relaxed);
        }
        let grace = if self.has_answer { Duration::ZERO } else { FIRST_ANSWER };
        self.control.must_stop(grace)
    }

    /// The score if the rules have decided the game here. `superior_repetition`: so has a return to
    /// the same board with more or less in hand, as it could go on for ever.
    #[inline]
    pub fn decided(&self, superior_repetition: bool) -> Option<Score> {
        let repetition = if self.settings.consideration {
            self.pos.repetition().and_then(|_| self.pos.fourfold())
        } else {
            self.pos.repetition_in_search(self.ply)
        };
        match repetition {
            Some(Repetition::Draw) => return Some(self.draw_score()),
            Some(Repetition::Win) => return Some(Score::WON_BY_RULE),
            Some(Repetition::Loss) => return Some(-Score::WON_BY_RULE),
            Some(Repetition::Superior) if superior_repetition => return Some(Score::WON_BY_RULE),
            Some(Repetition::Inferior) if superior_repetition => return Some(-Score::WON_BY_RULE),
            // The board alone recurs: not the end of a game.
            Some(Repetition::Superior | Repetition::Inferior) | None => {}
        }
        if self.last_move_number.is_some_and(|last| self.pos.move_number() > last) {
            let mated = self.pos.in_check() && !movegen::has_legal_move(&self.pos);
            return Some(if mated { self.mated_here() } else { self.draw_score() });
        }
        None
    }

    /// The score of a draw for the side to move.
    #[inline]
    pub fn draw_score(&self) -> Score {
        let score = self.settings.draw_score(self.root_side);
        if self.pos.side_to_move() == self.root_side { score } else { -score }
    }

    /// The score of being mated here.
    #[inline]
    pub fn mated_here(&self) -> Score {
        Score::mated_in(self.ply as u32)
    }

    /// The best line from here.
    #[inline]
    pub fn pv(&mut self) -> &mut Pv {
        &mut self.pv_table[self.ply]
    }

    /// Makes `mv` and the best line after it the best line from here.
    pub fn update_pv(&mut self, mv: Move) {
        let mut line: Pv = SmallVec::new();
        line.push(mv);
        line.extend_from_slice(&self.pv_table[self.ply + 1]);
        self.pv_table[self.ply] = line;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::search::tt::TranspositionTable;

    /// Rooks that go to and fro: the start position recurs every four moves.
    const CYCLE: [&str; 4] = ["2h5h", "8b5b", "5h2h", "5b8b"];

    /// Whether the game is decided after each of twelve moves, the first `played` of them before the
    /// root.
    fn decided(played: usize, consideration: bool) -> Vec<bool> {
        let moves = || CYCLE.iter().cycle().map(|mv| mv.parse().expect("a move"));
        let mut pos = Position::startpos();
        for mv in moves().take(played) {
            pos.do_move(mv);
        }
        let settings = Settings { consideration, ..Settings::default() };
        let (limits, control) = (Limits::default(), Control::new(Instant::now()));
        let setup = SearchSetup { settings: &settings, limits: &limits, control: &control };
        let tt = TranspositionTable::new(1);
        let mut thread = SearchThread::new(&pos, &Evaluation::HandMade, &tt, setup, ());
        let inside = moves().skip(played).take(12 - played).map(|mv| {
            thread.make(mv);
            thread.decided(false).is_some()
        });
        inside.collect()
    }

    #[test]
    fn a_second_occurrence_counts_in_the_tree_and_a_fourth_everywhere() {
        let counts_at = |played, consideration| -> Vec<usize> {
            let decided = decided(played, consideration);
            (0..decided.len()).filter(|&at| decided[at]).map(|at| at + 1 + played).collect()
        };
        // From the root on, every position after the fourth move is a second occurrence.
        assert_eq!(counts_at(0, false), (4..=12).collect::<Vec<_>>());
        assert_eq!(counts_at(0, true), [12]);
        // Six moves before the root: what was played there may be repeated twice more.
        assert_eq!(counts_at(6, false), [10, 11, 12]);
        assert_eq!(counts_at(9, false), [12]);
        assert_eq!(counts_at(11, true), [12]);
    }
}
