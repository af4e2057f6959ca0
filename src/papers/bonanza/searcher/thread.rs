//! One thread of the full-width searcher: its additional state, its evaluation, and the predicted
//! evaluation of moves.

use super::move_picker::Killers;
use super::params::FullWidthParams;
use super::pruning::{ChangeBounds, FutilityCase};
use super::quiet_history::QuietHistory;
use super::relation::piece_king_change;
use crate::eval::{Evaluation, Score, see_values};
use crate::search::MAX_PLY;
use crate::search::search_thread::SearchThread;
use crate::shogi::{Move, PieceKind};

pub(super) type FullWidthThread<'a> = SearchThread<'a, FullWidthState<'a>>;

/// State of the full-width searcher in addition to [`SearchThread`].
pub(super) struct FullWidthState<'a> {
    pub params: &'a FullWidthParams,
    pub evaluation: &'a Evaluation,
    pub history: QuietHistory,
    pub bounds: ChangeBounds,
    /// The search stack. Shape [MAX_PLY + 2].
    pub stack: Vec<FullWidthStackEntry>,
}

/// Search stack entry of one ply.
#[derive(Clone, Debug, Default)]
pub(super) struct FullWidthStackEntry {
    pub killers: Killers,
    /// The predicted evaluation of the move made here; set before the move is made.
    pub promise: Option<Promise>,
}

/// The predicted evaluation after a move: E(P) + Mcap(m) + Mpiece-king(m), from the mover's side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Promise {
    pub foreseen: Score,
    pub king_move: bool,
}

impl<'a> FullWidthState<'a> {
    pub fn new(params: &'a FullWidthParams, evaluation: &'a Evaluation) -> FullWidthState<'a> {
        FullWidthState {
            params,
            evaluation,
            history: QuietHistory::new(),
            bounds: ChangeBounds::new(params),
            stack: vec![FullWidthStackEntry::default(); MAX_PLY + 2],
        }
    }
}

impl FullWidthThread<'_> {
    /// The evaluation of the current position. Also updates the change bounds.
    #[inline]
    pub fn evaluate(&mut self) -> Score {
        let score = self.evaluator.evaluate(&self.pos);
        let side = self.pos.side_to_move();
        let bounds = &mut self.state.bounds;
        bounds.observe_relations(score.to_cp() - self.evaluator.material(side));
        if self.ply > 0
            && let Some(promise) = self.state.stack[self.ply - 1].promise
        {
            bounds.observe(promise.king_move, -score - promise.foreseen);
        }
        score
    }

    /// The score if the rules have decided the game, or the evaluation if the search stack is full.
    pub fn decided_or_full(&mut self) -> Option<Score> {
        self.decided(false).or_else(|| (self.ply >= MAX_PLY).then(|| self.evaluate()))
    }
}

/// The bound on the score after `mv` if the move is futile. `static_eval`: E(P) if it is known;
/// otherwise only the material rules apply.
#[inline]
pub(super) fn futile(
    thread: &FullWidthThread,
    static_eval: Option<Score>,
    mv: Move,
    case: FutilityCase,
) -> Option<Score> {
    let (params, bounds, pos) = (thread.state.params, &thread.state.bounds, &thread.pos);
    if !case.is_open(params) {
        return None;
    }
    let gain = pos.material_gain(mv, see_values());
    let material = Score::cp(thread.evaluator.material(pos.side_to_move()));
    case.by_material(params, bounds, material, gain).or_else(|| {
        let foreseen = gain + piece_king_change(thread.state.evaluation, pos, mv);
        let king_move = pos.moved_piece(mv) == PieceKind::King;
        case.by_change(params, bounds, static_eval?, foreseen, king_move)
    })
}

/// The predicted evaluation after `mv`, if only material and the moved piece's relations to the
/// kings changed.
#[inline]
pub(super) fn promise(thread: &FullWidthThread, static_eval: Score, mv: Move) -> Promise {
    let pos = &thread.pos;
    let relations = piece_king_change(thread.state.evaluation, pos, mv);
    Promise {
        foreseen: static_eval + (pos.material_gain(mv, see_values()) + relations),
        king_move: pos.moved_piece(mv) == PieceKind::King,
    }
}
