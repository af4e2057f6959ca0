//! The move picker. It yields moves in stages: TT move, good captures, killers, quiet moves by
//! history, bad captures, quiet moves with a bad history. Each stage generates its moves only when
//! the previous stage is exhausted. The searcher's [`MoveScorer`] defines the ordering values and
//! which captures are good.

use arrayvec::ArrayVec;

use super::ordering::{Killers, ScoredMove, ScoredMoves};
use crate::shogi::{Move, MoveList, Position, Scope, movegen};

/// A searcher's ordering values of moves.
pub(super) trait MoveScorer {
    /// Whether promotions that do not capture are generated and scored with the quiet moves instead
    /// of the captures.
    const PROMOTIONS_ARE_QUIET: bool;
    /// Quiet moves with at most this value come after the bad captures.
    fn bad_quiet(&self) -> i32;

    /// Value of a capture, and of a promotion if promotions are not quiet moves.
    fn capture(&self, pos: &Position, mv: Move) -> i32;

    /// Whether a capture is searched before the quiet moves.
    fn is_good_capture(&self, pos: &Position, capture: ScoredMove) -> bool;

    /// Returns the function that scores quiet moves of this position.
    fn quiets(&self, pos: &Position) -> impl Fn(Move) -> i32;

    /// Value of an evasion.
    fn evasion(&self, pos: &Position, mv: Move) -> i32;

    /// Quiet moves with a greater value are taken best first, before the others, which are taken in
    /// list order.
    fn promising_quiet(&self) -> i32;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Table,
    MakeCaptures,
    GoodCaptures,
    Killer(usize),
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
    killers: Killers,
    /// [`Scope::POINTLESS`] if useless non-promotions are included.
    extra: Scope,
    /// Skip the remaining quiet moves.
    no_quiets: bool,
    list: ScoredMoves,
    bad: ArrayVec<Move, 128>,
    next_bad: usize,
}

impl MovePicker {
    /// `tt_move` is tried first if it is legal; `killers` follow the good captures. `all`: include
    /// useless non-promotions.
    pub fn new(pos: &Position, tt_move: Option<Move>, killers: Killers, all: bool) -> MovePicker {
        MovePicker {
            stage: Stage::Table,
            tt_move: tt_move.filter(|&mv| pos.is_legal(mv)),
            killers,
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

    /// Number of legal evasions, including the TT move. Only valid in check, after the first move.
    pub fn evasion_count(&mut self, pos: &Position, scorer: &impl MoveScorer) -> usize {
        if self.stage == Stage::MakeEvasions {
            self.make_evasions(pos, scorer);
        }
        self.list.len() + usize::from(self.tt_move.is_some())
    }

    /// The next move.
    pub fn next<S: MoveScorer>(&mut self, pos: &Position, scorer: &S) -> Option<Move> {
        loop {
            let found = match self.stage {
                Stage::Table => {
                    self.stage =
                        if pos.in_check() { Stage::MakeEvasions } else { Stage::MakeCaptures };
                    self.tt_move
                }
                Stage::MakeCaptures => {
                    let promotions =
                        if S::PROMOTIONS_ARE_QUIET { Scope::empty() } else { Scope::PROMOTIONS };
                    self.fill(pos, Scope::CAPTURES | promotions, |mv| scorer.capture(pos, mv));
                    self.stage = Stage::GoodCaptures;
                    None
                }
                Stage::GoodCaptures => self.good_capture(pos, scorer),
                Stage::Killer(n) => {
                    self.stage = if n == 0 { Stage::Killer(1) } else { Stage::MakeQuiets };
                    let killer = self.killers.get()[n].filter(|_| !self.no_quiets);
                    killer.filter(|&mv| self.is_killer(pos, mv))
                }
                Stage::MakeQuiets => {
                    self.stage = Stage::Quiets;
                    if !self.no_quiets {
                        self.make_quiets(pos, scorer);
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
                Stage::MakeEvasions => {
                    self.make_evasions(pos, scorer);
                    None
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
    fn good_capture(&mut self, pos: &Position, scorer: &impl MoveScorer) -> Option<Move> {
        while let Some(capture) = self.list.take_best() {
            if scorer.is_good_capture(pos, capture) || self.bad.try_push(capture.mv).is_err() {
                return Some(capture.mv);
            }
        }
        self.enter(Stage::Killer(0))
    }

    /// Whether the move is a legal, quiet killer other than the TT move.
    fn is_killer(&self, pos: &Position, mv: Move) -> bool {
        Some(mv) != self.tt_move && pos.is_legal(mv) && pos.is_quiet(mv)
    }

    fn make_quiets<S: MoveScorer>(&mut self, pos: &Position, scorer: &S) {
        let tried = self.killers.get().map(|mv| mv.filter(|&mv| self.is_killer(pos, mv)));
        let scope = Scope::QUIETS | Scope::DROPS | self.extra;
        let generate = |moves: &mut MoveList| {
            movegen::generate(pos, scope, moves);
            if !S::PROMOTIONS_ARE_QUIET || tried != [None; 2] {
                moves.retain(|mv| {
                    (S::PROMOTIONS_ARE_QUIET || !mv.is_promotion()) && !tried.contains(&Some(*mv))
                });
            }
        };
        self.list.fill(generate, self.tt_move, scorer.quiets(pos));
    }

    /// Generates all evasions at once, because few exist.
    fn make_evasions(&mut self, pos: &Position, scorer: &impl MoveScorer) {
        self.stage = Stage::Evasions;
        self.fill(pos, Scope::USEFUL, |mv| scorer.evasion(pos, mv));
    }

    fn fill(&mut self, pos: &Position, scope: Scope, value: impl Fn(Move) -> i32) {
        let scope = scope | self.extra;
        self.list.fill(|moves| movegen::generate(pos, scope, moves), self.tt_move, value);
    }
}
