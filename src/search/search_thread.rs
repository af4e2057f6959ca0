//! One search thread: its position, its evaluator, and the rules that end a game or a search.

use std::sync::atomic::Ordering;
use std::time::Duration;

use smallvec::SmallVec;

use super::depth::MAX_PLY;
use super::helpers::Progress;
use super::tt::TranspositionTable;
use crate::engine::{Control, Limits, Pv, Query, Settings};
use crate::eval::{Evaluation, Evaluator, Score};
use crate::shogi::{Color, Move, Position, Repetition, movegen};

/// How long a search may overrun its deadline to search every root move once (U-16 allows 20 ms).
pub(crate) const FIRST_ANSWER: Duration = Duration::from_millis(8);
/// Interval of clock checks in nodes. A node takes about one microsecond.
const CLOCK_INTERVAL: u64 = 512;

/// Mutable state of one search thread. `S`: additional state of its searcher.
pub(crate) struct SearchThread<'a, S> {
    pub pos: Position,
    pub evaluator: Evaluator,
    pub tt: &'a TranspositionTable,
    pub settings: &'a Settings,
    pub limits: &'a Limits,
    pub control: &'a Control,
    pub root_side: Color,
    /// The game is a draw after this move number. `None` without this rule, or if the number has
    /// passed.
    pub last_move_number: Option<u32>,
    pub state: S,
    /// The principal variation from each ply. Shape [MAX_PLY + 2].
    pub pv_table: Vec<Pv>,
    pub ply: usize,
    pub nodes: u64,
    /// Of a helper; updated when the clock is checked.
    pub progress: Option<&'a Progress>,
    pub seldepth: usize,
    /// Whether a move has a score. Until then the search may overrun the deadline by
    /// [`FIRST_ANSWER`].
    pub has_answer: bool,
    /// Whether the search must end. Scores returned after that are invalid.
    pub stopped: bool,
}

impl<'a, S> SearchThread<'a, S> {
    pub fn new(
        query: Query<'a>,
        settings: &'a Settings,
        evaluation: &Evaluation,
        tt: &'a TranspositionTable,
        state: S,
    ) -> SearchThread<'a, S> {
        let Query { pos, limits, control } = query;
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
            progress: None,
            seldepth: 0,
            has_answer: false,
            stopped: false,
        }
    }

    /// Makes a move, calls `then`, and takes the move back.
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
        let tt = self.tt;
        let delta = self.pos.do_move_announced(mv, |key| tt.prefetch(key));
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

    /// Makes a null move, calls `then`, and takes it back. The caller decides whether it counts as
    /// a node.
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

    /// Whether the search must end now. Node limits are exact; the clock is checked every 512
    /// nodes.
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
        if let Some(progress) = self.progress {
            progress.nodes.store(self.nodes, Ordering::Relaxed);
        }
        let grace = if self.has_answer { Duration::ZERO } else { FIRST_ANSWER };
        self.control.must_stop(grace)
    }

    /// The score if the rules have decided the game at this node. With `superior_repetition`, the
    /// same board with more or less in hand also counts, because the cycle could continue forever.
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
            // Only the board recurs, which does not end the game.
            Some(Repetition::Superior | Repetition::Inferior) | None => {}
        }
        if self.last_move_number.is_some_and(|last| self.pos.move_number() > last) {
            let mated = self.pos.in_check() && !movegen::has_legal_move(&self.pos);
            return Some(if mated { self.mated_here() } else { self.draw_score() });
        }
        None
    }

    /// The score of a draw, from the side to move.
    #[inline]
    pub fn draw_score(&self) -> Score {
        let score = self.settings.draw_score(self.root_side);
        if self.pos.side_to_move() == self.root_side { score } else { -score }
    }

    /// The score of being mated at this node.
    #[inline]
    pub fn mated_here(&self) -> Score {
        Score::mated_in(self.ply as u32)
    }

    /// The principal variation from this node.
    #[inline]
    pub fn pv(&mut self) -> &mut Pv {
        &mut self.pv_table[self.ply]
    }

    /// Sets the principal variation from this node to `mv` followed by the child's.
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

    /// Rook moves after which the start position recurs every four plies.
    const CYCLE: [&str; 4] = ["2h5h", "8b5b", "5h2h", "5b8b"];

    /// Whether the game is decided after each of twelve moves. The first `played` moves precede the
    /// root.
    fn decided(played: usize, consideration: bool) -> Vec<bool> {
        let moves = || CYCLE.iter().cycle().map(|mv| mv.parse().expect("a move"));
        let mut pos = Position::startpos();
        for mv in moves().take(played) {
            pos.do_move(mv);
        }
        let settings = Settings { consideration, ..Settings::default() };
        let (limits, control) = (Limits::default(), Control::new(Instant::now()));
        let query = Query::new(&pos, &limits, &control);
        let tt = TranspositionTable::new(1);
        let mut thread = SearchThread::new(query, &settings, &Evaluation::HandMade, &tt, ());
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
        // Six moves precede the root: positions before the root count only at the fourth
        // occurrence.
        assert_eq!(counts_at(6, false), [10, 11, 12]);
        assert_eq!(counts_at(9, false), [12]);
        assert_eq!(counts_at(11, true), [12]);
    }
}
