//! One searching thread: its position, evaluator and memory.

use std::time::Duration;

use smallvec::SmallVec;

use super::history::{History, Killers};
use super::pruning::ChangeBounds;
use super::tt::TranspositionTable;
use super::{MAX_PLY, SearchParams};
use crate::engine::{Control, Limits, Pv, Settings};
use crate::eval::{Evaluation, Evaluator, Score};
use crate::shogi::{Color, Move, Position};

/// How far a search may overrun its deadline to have looked at all moves once (U-16 allows 20 ms).
const FIRST_ANSWER: Duration = Duration::from_millis(8);
/// How often the clock is read, nodes. A node takes about a microsecond.
const CLOCK_INTERVAL: u64 = 512;

/// What belongs to one distance from the root.
#[derive(Clone, Debug, Default)]
pub(super) struct PlyState {
    pub killers: Killers,
    /// Best line from here, as far as known.
    pub pv: Pv,
    /// What the move made here promised; set just before it is made.
    pub promise: Option<Promise>,
}

/// The evaluation foreseen after a move: E(P) + Mcap(m) + Mpiece-king(m), mover's view.
#[derive(Clone, Copy, Debug)]
pub(super) struct Promise {
    pub foreseen: Score,
    pub king_move: bool,
}

/// What one search is told.
#[derive(Clone, Copy)]
pub(super) struct Instructions<'a> {
    pub params: &'a SearchParams,
    pub settings: &'a Settings,
    pub limits: &'a Limits,
    pub control: &'a Control,
}

/// Everything one search thread changes.
pub(super) struct Worker<'a> {
    pub pos: Position,
    pub evaluator: Evaluator,
    pub tt: &'a TranspositionTable,
    pub params: &'a SearchParams,
    pub settings: &'a Settings,
    pub limits: &'a Limits,
    pub control: &'a Control,
    pub root_side: Color,
    /// The game is drawn after this move; `None` without such a rule, or if it is past.
    pub last_move_number: Option<u32>,
    pub history: History,
    pub bounds: ChangeBounds,
    /// Shape [MAX_PLY + 2].
    pub stack: Vec<PlyState>,
    pub ply: usize,
    pub nodes: u64,
    pub seldepth: usize,
    /// Whether there is a move with a score: before that the deadline may be overrun a little.
    pub has_answer: bool,
    /// Set once the search must end; scores found after that mean nothing.
    pub stopped: bool,
}

impl<'a> Worker<'a> {
    pub fn new(
        pos: &Position,
        evaluation: &Evaluation,
        tt: &'a TranspositionTable,
        instructions: Instructions<'a>,
    ) -> Worker<'a> {
        let Instructions { params, settings, limits, control } = instructions;
        Worker {
            pos: pos.clone(),
            evaluator: Evaluator::new(evaluation, pos),
            tt,
            params,
            settings,
            limits,
            control,
            root_side: pos.side_to_move(),
            last_move_number: Some(settings.max_moves_to_draw)
                .filter(|&last| pos.move_number() <= last),
            history: History::new(),
            bounds: ChangeBounds::new(params),
            stack: vec![PlyState::default(); MAX_PLY + 2],
            ply: 0,
            nodes: 0,
            seldepth: 0,
            has_answer: false,
            stopped: false,
        }
    }

    /// Goes to another position; nothing learned in the old one stays but the move ordering.
    pub fn restart(&mut self, pos: &Position, evaluation: &Evaluation) {
        self.pos.clone_from(pos);
        self.evaluator = Evaluator::new(evaluation, pos);
        self.root_side = pos.side_to_move();
        self.bounds = ChangeBounds::new(self.params);
        self.ply = 0;
    }

    /// Makes a move, does `then`, takes the move back.
    #[inline]
    pub fn descend<T>(&mut self, mv: Move, then: impl FnOnce(&mut Self) -> T) -> T {
        self.nodes += 1;
        let delta = self.pos.do_move(mv);
        self.tt.prefetch(self.pos.key());
        self.evaluator.push(&delta);
        self.ply += 1;
        let result = then(self);
        self.ply -= 1;
        self.evaluator.pop();
        self.pos.undo_move();
        result
    }

    /// Passes, does `then`, takes the pass back.
    #[inline]
    pub fn descend_null<T>(&mut self, then: impl FnOnce(&mut Self) -> T) -> T {
        self.nodes += 1;
        self.pos.do_null_move();
        self.evaluator.push_null();
        self.stack[self.ply].promise = None;
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
        let grace = if self.has_answer { Duration::ZERO } else { FIRST_ANSWER };
        self.control.must_stop(grace)
    }

    /// The evaluation of the present position; the change bounds learn from it.
    #[inline]
    pub fn evaluate(&mut self) -> Score {
        let score = self.evaluator.evaluate(&self.pos);
        let side = self.pos.side_to_move();
        self.bounds.observe_relations(score.to_cp() - self.evaluator.material(side));
        if self.ply > 0
            && let Some(promise) = self.stack[self.ply - 1].promise
        {
            self.bounds.observe(promise.king_move, -score - promise.foreseen);
        }
        score
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

    /// Makes `mv` and the best line after it the best line from here.
    pub fn update_pv(&mut self, mv: Move) {
        let mut line: Pv = SmallVec::new();
        line.push(mv);
        line.extend_from_slice(&self.stack[self.ply + 1].pv);
        self.stack[self.ply].pv = line;
    }
}
