//! The order in which moves are searched, one stage after the other: the table move, captures that
//! do not lose material, killers, quiet moves by their histories, losing captures. A stage makes
//! its moves only when the one before is used up.

use arrayvec::ArrayVec;

use super::history::{ContinuationTables, Histories, LOW_PLIES, PieceTo};
use crate::eval::see_values;
use crate::search::ordering::{Killers, ScoredMove, ScoredMoves};
use crate::shogi::{CheckSquares, Move, MoveList, PieceKind, Position, Scope, movegen};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Table,
    MakeCaptures,
    GoodCaptures,
    Killer(usize),
    MakeQuiets,
    Quiets,
    BadCaptures,
    MakeEvasions,
    Evasions,
    End,
}

/// Picker context: what orders the quiet moves of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct PickerContext {
    pub killers: Killers,
    pub continuations: ContinuationTables,
    /// What a quiet check that loses nothing is worth beside its history.
    pub check: i32,
    /// Distance from the root; beyond [`LOW_PLIES`] it does not matter.
    pub ply: usize,
}

/// Value of a quiet move: all histories that know it.
#[inline]
pub(super) fn quiet_value(
    histories: &Histories,
    pos: &Position,
    context: &PickerContext,
    mv: Move,
) -> i32 {
    let [last, own, earlier] = histories.after(&context.continuations, PieceTo::of(pos, mv));
    2 * histories.quiet(pos, mv)
        + 2 * last
        + own
        + earlier / 2
        + 4 * histories.near_root(context.ply, mv) / (1 + context.ply.min(LOW_PLIES) as i32)
}

/// What it adds to the value of a quiet move that it is a check that loses nothing.
#[inline]
fn check_value(pos: &Position, checks: &CheckSquares, context: &PickerContext, mv: Move) -> i32 {
    let good = context.check > 0 && pos.gives_check(mv, checks) && pos.see_ge(mv, see_values(), 0);
    if good { context.check } else { 0 }
}

/// Value of any move, for lists that have no stages.
pub(super) fn value(
    pos: &Position,
    checks: &CheckSquares,
    histories: &Histories,
    context: &PickerContext,
    mv: Move,
) -> i32 {
    if pos.is_quiet(mv) {
        return quiet_value(histories, pos, context, mv) + check_value(pos, checks, context, mv);
    }
    let stage = if pos.see_ge(mv, see_values(), 0) { CAPTURE } else { -CAPTURE };
    stage + capture_value(pos, histories, mv)
}

/// Yields the legal moves of one node, most promising first, each once.
pub(super) struct MovePicker {
    stage: Stage,
    tt_move: Option<Move>,
    context: PickerContext,
    /// Adds the pointless non-promotions.
    extra: Scope,
    /// Leave the remaining quiet moves out.
    no_quiets: bool,
    list: ScoredMoves,
    /// So many quiet moves at the head of the list come in order.
    promising: usize,
    bad: ArrayVec<Move, 128>,
    next_bad: usize,
}

impl MovePicker {
    /// `tt_move` is tried first if it is legal. `all`: the pointless non-promotions too.
    pub fn new(
        pos: &Position,
        tt_move: Option<Move>,
        context: PickerContext,
        all: bool,
    ) -> MovePicker {
        MovePicker {
            stage: Stage::Table,
            tt_move: tt_move.filter(|&mv| pos.is_legal(mv)),
            context,
            extra: if all { Scope::POINTLESS } else { Scope::empty() },
            no_quiets: false,
            list: ScoredMoves::new(),
            promising: 0,
            bad: ArrayVec::new(),
            next_bad: 0,
        }
    }

    /// The quiet moves still to come are left out; not in check.
    pub fn skip_quiets(&mut self) {
        self.no_quiets = true;
    }

    /// The next move.
    pub fn next(
        &mut self,
        pos: &Position,
        checks: &CheckSquares,
        histories: &Histories,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage =
                        if pos.in_check() { Stage::MakeEvasions } else { Stage::MakeCaptures };
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Stage::MakeCaptures => {
                    self.score_captures(pos, histories);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.list.take_best() {
                    Some(ScoredMove { mv, .. }) => {
                        if pos.see_ge(mv, see_values(), 0) || self.bad.try_push(mv).is_err() {
                            return Some(mv);
                        }
                    }
                    None => self.stage = Stage::Killer(0),
                },
                Stage::Killer(n) => {
                    self.stage = if n == 0 { Stage::Killer(1) } else { Stage::MakeQuiets };
                    if !self.no_quiets
                        && let Some(mv) = self.context.killers.get()[n]
                        && self.is_killer(pos, mv)
                    {
                        return Some(mv);
                    }
                }
                Stage::MakeQuiets => {
                    self.stage = Stage::Quiets;
                    if !self.no_quiets {
                        self.score_quiets(pos, checks, histories);
                    }
                }
                Stage::Quiets => match self.take_quiet() {
                    Some(scored) => return Some(scored.mv),
                    None => self.stage = Stage::BadCaptures,
                },
                Stage::BadCaptures => {
                    let mv = self.bad.get(self.next_bad).copied();
                    self.next_bad += 1;
                    if mv.is_none() {
                        self.stage = Stage::End;
                    }
                    return mv;
                }
                Stage::MakeEvasions => {
                    self.score_evasions(pos, histories);
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => match self.list.take_best() {
                    Some(scored) => return Some(scored.mv),
                    None => self.stage = Stage::End,
                },
                Stage::End => return None,
            }
        }
    }

    /// Whether the move is a quiet, legal killer that was not the table move.
    fn is_killer(&self, pos: &Position, mv: Move) -> bool {
        Some(mv) != self.tt_move && pos.is_legal(mv) && pos.is_quiet(mv)
    }

    fn score_captures(&mut self, pos: &Position, histories: &Histories) {
        let mut moves = MoveList::new();
        movegen::generate(pos, Scope::CAPTURES | Scope::PROMOTIONS | self.extra, &mut moves);
        self.fill(&moves, |mv| capture_value(pos, histories, mv));
    }

    fn score_quiets(&mut self, pos: &Position, checks: &CheckSquares, histories: &Histories) {
        let mut moves = MoveList::new();
        movegen::generate(pos, Scope::QUIETS | Scope::DROPS | self.extra, &mut moves);
        let tried = self.context.killers.get().map(|mv| mv.filter(|&mv| self.is_killer(pos, mv)));
        moves.retain(|mv| !mv.is_promotion() && !tried.contains(&Some(*mv)));
        let context = self.context;
        self.fill(&moves, |mv| {
            quiet_value(histories, pos, &context, mv) + check_value(pos, checks, &context, mv)
        });
        // Moves that have served before come in order, the rest as generated: sorting them all
        // costs more than it gains.
        self.promising = self.list.gather(UNPROMISING).len();
    }

    fn score_evasions(&mut self, pos: &Position, histories: &Histories) {
        let mut moves = MoveList::new();
        movegen::generate(pos, Scope::USEFUL | self.extra, &mut moves);
        let context = self.context;
        self.fill(&moves, |mv| {
            if pos.is_quiet(mv) {
                quiet_value(histories, pos, &context, mv)
            } else {
                CAPTURE + capture_value(pos, histories, mv)
            }
        });
    }

    fn fill(&mut self, moves: &[Move], value: impl Fn(Move) -> i32) {
        self.list.fill(moves, self.tt_move, value);
    }

    /// Few quiet moves are looked at in most nodes: the best is sought when it is wanted.
    fn take_quiet(&mut self) -> Option<ScoredMove> {
        if self.no_quiets { None } else { self.list.take_best_before(self.promising) }
    }
}

/// Quiet moves of less value are not sorted.
const UNPROMISING: i32 = -8_000;
/// Puts captures before quiet moves.
const CAPTURE: i32 = 1 << 20;

/// Captures: most valuable victim, then history, then least valuable attacker.
#[inline]
fn capture_value(pos: &Position, histories: &Histories, mv: Move) -> i32 {
    let values = see_values();
    let taken = pos.piece_on(mv.to()).map_or(0, |piece| values.capture[piece.kind.index()]);
    let moved = pos.moved_piece(mv);
    let gain = taken + if mv.is_promotion() { values.promotion[moved.index()] } else { 0 };
    let risk = if moved == PieceKind::King { 0 } else { values.capture[moved.index()] };
    16 * gain + histories.capture(pos, mv) - risk
}
