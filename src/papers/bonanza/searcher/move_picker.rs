//! The order of the moves of a node: TT move, captures and promotions that lose no material,
//! killers, quiet moves by history, the other captures and promotions.

use std::{mem, vec};

use super::quiet_history::QuietHistory;
use crate::eval::see_values;
use crate::lab::capture_search::{ScoredMove, ordered};
use crate::shogi::{Move, Position, Scope};

/// The last two quiet moves that caused a beta cutoff at one ply (Akl and Newborn 1977), most
/// recent first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Killers([Option<Move>; 2]);

impl Killers {
    /// Adds a quiet move that caused a beta cutoff.
    pub fn add(&mut self, mv: Move) {
        if self.0[0] != Some(mv) {
            self.0 = [Some(mv), self.0[0]];
        }
    }
}

/// The moves that are generated next.
enum Stage {
    Captures,
    Killers,
    Quiets,
    BadCaptures,
    End,
}

/// Yields each legal move of a node once, most promising first. The moves of a stage are generated
/// when the previous stage is exhausted.
pub(super) struct MovePicker {
    stage: Stage,
    queue: vec::IntoIter<ScoredMove>,
    tt_move: Option<Move>,
    killers: [Option<Move>; 2],
    /// [`Scope::POINTLESS`] if useless non-promotions are included.
    extra: Scope,
    bad_captures: Vec<ScoredMove>,
}

impl MovePicker {
    /// `tt_move` is tried first if it is legal. `all`: include useless non-promotions.
    pub fn new(
        pos: &Position,
        history: &QuietHistory,
        tt_move: Option<Move>,
        killers: Killers,
        all: bool,
    ) -> MovePicker {
        let tt_move = tt_move.filter(|&mv| pos.is_legal(mv));
        let extra = if all { Scope::POINTLESS } else { Scope::empty() };
        let is_killer = |mv: &Move| Some(*mv) != tt_move && pos.is_legal(*mv) && pos.is_quiet(*mv);
        let mut moves = unordered(tt_move);
        if pos.in_check() {
            // Evasions are few.
            let value = |mv| (Some(mv) != tt_move).then(|| history.evasion(pos, mv));
            moves.extend(ordered(pos, Scope::USEFUL | extra, value));
        }
        MovePicker {
            stage: if pos.in_check() { Stage::End } else { Stage::Captures },
            queue: moves.into_iter(),
            tt_move,
            killers: killers.0.map(|killer| killer.filter(is_killer)),
            extra,
            bad_captures: Vec::new(),
        }
    }

    /// Number of generated moves that are not taken yet. In check, all moves are generated at once.
    pub fn len(&self) -> usize {
        self.queue.len()
    }

    /// The next move.
    pub fn next(&mut self, pos: &Position, history: &QuietHistory) -> Option<Move> {
        loop {
            if let Some(ScoredMove { mv, .. }) = self.queue.next() {
                return Some(mv);
            }
            let is_new = |mv| Some(mv) != self.tt_move;
            let (moves, next) = match self.stage {
                Stage::Captures => {
                    let scope = Scope::CAPTURES | Scope::PROMOTIONS | self.extra;
                    let see = |mv| is_new(mv).then(|| pos.see(mv, see_values()));
                    let mut moves = ordered(pos, scope, see);
                    let first_bad = moves.partition_point(|scored| scored.value >= 0);
                    self.bad_captures = moves.split_off(first_bad);
                    (moves, Stage::Killers)
                }
                Stage::Killers => (unordered(self.killers.into_iter().flatten()), Stage::Quiets),
                Stage::Quiets => {
                    let scope = Scope::QUIETS | Scope::DROPS | self.extra;
                    let is_new = |mv: Move| {
                        is_new(mv) && !mv.is_promotion() && !self.killers.contains(&Some(mv))
                    };
                    // Only the moves with a positive history are sorted.
                    let value = |mv| history.get(pos.side_to_move(), mv).max(0);
                    let value = |mv| is_new(mv).then(|| value(mv));
                    (ordered(pos, scope, value), Stage::BadCaptures)
                }
                Stage::BadCaptures => (mem::take(&mut self.bad_captures), Stage::End),
                Stage::End => return None,
            };
            (self.queue, self.stage) = (moves.into_iter(), next);
        }
    }
}

/// Moves that are taken in this order.
fn unordered(moves: impl IntoIterator<Item = Move>) -> Vec<ScoredMove> {
    moves.into_iter().map(|mv| ScoredMove { mv, value: 0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn killers_keep_the_last_two() {
        let mut killers = Killers::default();
        let moves = ["7g7f", "2g2f", "P*5e"].map(|text| text.parse().expect("a move"));
        [0, 1, 1, 2].into_iter().for_each(|at| killers.add(moves[at]));
        assert_eq!(killers.0, [Some(moves[2]), Some(moves[1])]);
    }
}
