//! The order in which moves are searched.
//!
//! Table move, captures and promotions that do not lose (static exchange value, best first),
//! killers, quiet moves (history, best first), losing captures. A stage generates its moves only
//! when the one before is used up.

use arrayvec::ArrayVec;

use super::history::History;
use crate::eval::see_values;
use crate::search::ordering::{Killers, ScoredMoves};
use crate::shogi::{Move, MoveList, Position, Scope, movegen};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Table,
    MakeCaptures,
    GoodCaptures,
    Killer(usize),
    MakeQuiets,
    Quiets,
    BadCaptures,
    Evasions,
    End,
}

/// Yields the legal moves of one node, most promising first, each once.
pub(super) struct MovePicker {
    stage: Stage,
    tt_move: Option<Move>,
    killers: Killers,
    /// Adds the pointless non-promotions.
    extra: Scope,
    list: ScoredMoves,
    bad: ArrayVec<Move, 128>,
    next_bad: usize,
}

impl MovePicker {
    /// `tt_move` is tried first if it is legal; `killers` after the good captures. `all`: the
    /// pointless non-promotions too.
    pub fn new(pos: &Position, tt_move: Option<Move>, killers: Killers, all: bool) -> MovePicker {
        MovePicker {
            stage: Stage::Table,
            tt_move: tt_move.filter(|&mv| pos.is_legal(mv)),
            killers,
            extra: if all { Scope::POINTLESS } else { Scope::empty() },
            list: ScoredMoves::new(),
            bad: ArrayVec::new(),
            next_bad: 0,
        }
    }

    /// The next move.
    pub fn next(&mut self, pos: &Position, history: &History) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = if pos.in_check() { Stage::Evasions } else { Stage::MakeCaptures };
                    if pos.in_check() {
                        self.score_evasions(pos, history);
                    }
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Stage::MakeCaptures => {
                    self.score_captures(pos);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.list.take_best() {
                    Some(scored) if scored.value < 0 => {
                        if self.bad.try_push(scored.mv).is_err() {
                            return Some(scored.mv);
                        }
                    }
                    Some(scored) => return Some(scored.mv),
                    None => self.stage = Stage::Killer(0),
                },
                Stage::Killer(n) => {
                    self.stage = if n == 0 { Stage::Killer(1) } else { Stage::MakeQuiets };
                    if let Some(mv) = self.killers.get()[n]
                        && self.is_killer(pos, mv)
                    {
                        return Some(mv);
                    }
                }
                Stage::MakeQuiets => {
                    self.score_quiets(pos, history);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => match self.list.take_next() {
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

    fn score_captures(&mut self, pos: &Position) {
        let mut moves = MoveList::new();
        movegen::generate(pos, Scope::CAPTURES | Scope::PROMOTIONS | self.extra, &mut moves);
        self.fill(&moves, |mv| pos.see(mv, see_values()));
    }

    fn score_quiets(&mut self, pos: &Position, history: &History) {
        let mut moves = MoveList::new();
        movegen::generate(pos, Scope::QUIETS | Scope::DROPS | self.extra, &mut moves);
        let us = pos.side_to_move();
        let tried = self.killers.get().map(|mv| mv.filter(|&mv| self.is_killer(pos, mv)));
        moves.retain(|mv| !mv.is_promotion() && !tried.contains(&Some(*mv)));
        self.fill(&moves, |mv| history.get(us, mv));
        // Moves that have served before come in order, the rest as generated: sorting them all
        // costs more than it gains.
        self.list.gather(0).sort_unstable_by_key(|scored| -scored.value);
    }

    /// In check all evasions are scored at once: there are few.
    fn score_evasions(&mut self, pos: &Position, history: &History) {
        let mut moves = MoveList::new();
        movegen::generate(pos, Scope::USEFUL | self.extra, &mut moves);
        let us = pos.side_to_move();
        self.fill(&moves, |mv| {
            if pos.is_quiet(mv) {
                history.get(us, mv)
            } else {
                // Winning captures before, losing ones after all quiet moves.
                let gain = pos.see(mv, see_values());
                if gain >= 0 { 2 * History::MAX + gain } else { -2 * History::MAX + gain }
            }
        });
    }

    fn fill(&mut self, moves: &[Move], value: impl Fn(Move) -> i32) {
        self.list.fill(moves, self.tt_move, value);
    }

    /// Number of legal evasions, the table move included; only in check, after the first move.
    pub fn evasion_count(&self) -> usize {
        self.list.len() + usize::from(self.tt_move.is_some())
    }
}
