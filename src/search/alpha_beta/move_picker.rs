//! The move picker. It yields moves in stages: TT move, good captures, quiet moves by history, bad
//! captures, quiet moves with a bad history. Each stage generates its moves only when the previous
//! stage is exhausted. [`HistoryScorer`] defines the ordering values and which captures are good.

use arrayvec::ArrayVec;

use super::history_scorer::HistoryScorer;
use super::scored_moves::ScoredMoves;
use crate::shogi::{Move, Position, Scope, movegen};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Table,
    MakeCaptures,
    GoodCaptures,
    MakeQuiets,
    Quiets,
    BadCaptures,
    BadQuiets,
    MakeEvasions,
    Evasions,
    End,
}

/// Yields each legal move of a node once, most promising first.
pub(super) struct MovePicker {
    stage: Stage,
    tt_move: Option<Move>,
    /// [`Scope::POINTLESS`] if useless non-promotions are included.
    extra: Scope,
    /// Skip the remaining quiet moves.
    no_quiets: bool,
    list: ScoredMoves,
    bad: ArrayVec<Move, 128>,
    next_bad: usize,
}

impl MovePicker {
    /// `tt_move` is tried first if it is legal. `all`: include useless non-promotions.
    pub fn new(pos: &Position, tt_move: Option<Move>, all: bool) -> MovePicker {
        MovePicker {
            stage: Stage::Table,
            tt_move: tt_move.filter(|&mv| pos.is_legal(mv)),
            extra: if all { Scope::POINTLESS } else { Scope::empty() },
            no_quiets: false,
            list: ScoredMoves::new(),
            bad: ArrayVec::new(),
            next_bad: 0,
        }
    }

    /// Skips the remaining quiet moves. Evasions are never skipped.
    pub fn skip_quiets(&mut self) {
        self.no_quiets = true;
    }

    /// The next move.
    pub fn next(&mut self, pos: &Position, scorer: &HistoryScorer) -> Option<Move> {
        loop {
            let found = match self.stage {
                Stage::Table => {
                    self.stage =
                        if pos.in_check() { Stage::MakeEvasions } else { Stage::MakeCaptures };
                    self.tt_move
                }
                Stage::MakeCaptures => {
                    self.fill(pos, Scope::CAPTURES, |mv| scorer.capture(pos, mv));
                    self.stage = Stage::GoodCaptures;
                    None
                }
                Stage::GoodCaptures => self.good_capture(pos, scorer),
                Stage::MakeQuiets => {
                    self.stage = Stage::Quiets;
                    if !self.no_quiets {
                        // Promotions that do not capture are quiet moves.
                        self.fill(pos, Scope::QUIETS | Scope::DROPS, scorer.quiets(pos));
                    }
                    None
                }
                Stage::Quiets if self.no_quiets => self.enter(Stage::BadCaptures),
                // Most nodes search few quiet moves, so the best one is selected on demand.
                Stage::Quiets => {
                    let bad = scorer.bad_quiet();
                    let best = self.list.take_best_above(scorer.promising_quiet().max(bad));
                    match best.or_else(|| self.list.take_next_above(bad)) {
                        Some(scored) => Some(scored.mv),
                        None => {
                            self.list.restart();
                            self.enter(Stage::BadCaptures)
                        }
                    }
                }
                Stage::BadCaptures => {
                    self.next_bad += 1;
                    let bad = self.bad.get(self.next_bad - 1).copied();
                    bad.or_else(|| self.enter(Stage::BadQuiets))
                }
                Stage::BadQuiets if self.no_quiets => self.enter(Stage::End),
                Stage::BadQuiets => {
                    let best = self.list.take_best_above(scorer.promising_quiet());
                    match best.or_else(|| self.list.take_next_above(i32::MIN)) {
                        Some(scored) => Some(scored.mv),
                        None => self.enter(Stage::End),
                    }
                }
                // All evasions at once, because few exist.
                Stage::MakeEvasions => {
                    self.fill(pos, Scope::USEFUL, |mv| scorer.evasion(pos, mv));
                    self.enter(Stage::Evasions)
                }
                Stage::Evasions => match self.list.take_best() {
                    Some(scored) => Some(scored.mv),
                    None => self.enter(Stage::End),
                },
                Stage::End => return None,
            };
            if found.is_some() {
                return found;
            }
        }
    }

    /// Switches to another stage; yields no move.
    fn enter(&mut self, stage: Stage) -> Option<Move> {
        self.stage = stage;
        None
    }

    /// The next capture that does not lose material. The others are saved for later.
    fn good_capture(&mut self, pos: &Position, scorer: &HistoryScorer) -> Option<Move> {
        while let Some(capture) = self.list.take_best() {
            if scorer.is_good_capture(pos, capture) || self.bad.try_push(capture.mv).is_err() {
                return Some(capture.mv);
            }
        }
        self.enter(Stage::MakeQuiets)
    }

    fn fill(&mut self, pos: &Position, scope: Scope, value: impl Fn(Move) -> i32) {
        let scope = scope | self.extra;
        self.list.fill(|moves| movegen::generate(pos, scope, moves), self.tt_move, value);
    }
}
