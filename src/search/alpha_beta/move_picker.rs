//! The move picker. It yields moves in stages: TT move, good captures, quiet moves by history, bad
//! captures, quiet moves with a bad history. Each stage generates its moves only when the previous
//! stage is exhausted. [`HistoryScorer`] defines the ordering values and which captures are good.

use std::mem;

use arrayvec::ArrayVec;

use super::history_scorer::HistoryScorer;
use crate::search::ordering::ScoredMove;
use crate::shogi::{MAX_MOVES, Move, MoveList, Position, Scope, movegen};

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

    /// The next capture that loses little material for its value. The others are saved for later.
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

/// Scored moves that are taken one by one, the best first, or in list order.
struct ScoredMoves {
    moves: MoveList,
    /// Value and place of each move as one number, see [`key`], or [`TAKEN`]. The largest is that
    /// of the best move, so that one pass over numbers, which the compiler vectorizes, finds it.
    keys: ArrayVec<i32, MAX_MOVES>,
    /// The moves before this place are passed in list order.
    next: usize,
}

/// Number of bits for the place of a move in the list.
const PLACE_BITS: u32 = 10;
/// The largest place.
const LAST_PLACE: usize = (1 << PLACE_BITS) - 1;
/// Smaller than every key.
const TAKEN: i32 = i32::MIN;

/// The key of a move. A greater value has the greater key, and of equal values the first place.
#[inline]
fn key(value: i32, place: usize) -> i32 {
    const { assert!(MAX_MOVES <= LAST_PLACE) };
    debug_assert!(value.abs() < 1 << (i32::BITS - 1 - PLACE_BITS), "too large a value: {value}");
    (value << PLACE_BITS) + (LAST_PLACE - place) as i32
}

impl ScoredMoves {
    /// An empty list.
    pub fn new() -> ScoredMoves {
        ScoredMoves { moves: MoveList::new(), keys: ArrayVec::new(), next: 0 }
    }

    /// Refills the list with the moves that `generate` appends, except `left_out`. Absolute values
    /// must be below 2^21.
    #[inline]
    pub fn fill(
        &mut self,
        generate: impl FnOnce(&mut MoveList),
        left_out: Option<Move>,
        value: impl Fn(Move) -> i32,
    ) {
        self.moves.clear();
        generate(&mut self.moves);
        self.keys.clear();
        self.next = 0;
        self.keys.extend(
            self.moves.iter().enumerate().map(|(place, &mv)| {
                if Some(mv) == left_out { TAKEN } else { key(value(mv), place) }
            }),
        );
    }

    /// Takes the best remaining move; the first of equal ones.
    pub fn take_best(&mut self) -> Option<ScoredMove> {
        self.take_best_above(i32::MIN)
    }

    /// Takes the best remaining move, if its value is greater.
    pub fn take_best_above(&mut self, value: i32) -> Option<ScoredMove> {
        let best = self.keys.iter().fold(TAKEN, |best, &key| best.max(key));
        (best != TAKEN && best >> PLACE_BITS > value)
            .then(|| self.take(LAST_PLACE - (best as usize & LAST_PLACE)))
    }

    /// Takes the next move in list order with a greater value. Passes the others until
    /// [`restart`](ScoredMoves::restart).
    pub fn take_next_above(&mut self, value: i32) -> Option<ScoredMove> {
        let left = self.keys.get(self.next..).unwrap_or_default();
        let found = left.iter().position(|&key| key != TAKEN && key >> PLACE_BITS > value);
        self.next = found.map_or(self.keys.len(), |ahead| self.next + ahead + 1);
        found.map(|_| self.take(self.next - 1))
    }

    /// Lets the list order start with the first remaining move again.
    pub fn restart(&mut self) {
        self.next = 0;
    }

    #[inline]
    fn take(&mut self, place: usize) -> ScoredMove {
        let key = mem::replace(&mut self.keys[place], TAKEN);
        ScoredMove { mv: self.moves[place], value: key >> PLACE_BITS }
    }
}

#[cfg(test)]
mod tests {
    use std::iter;

    use super::*;
    use crate::search::alpha_beta::params::SearchParams;
    use crate::search::alpha_beta::testing::with_thread;

    #[test]
    fn moves_are_taken_best_first_or_in_list_order() {
        let moves = ["7g7f", "2g2f", "5g5f", "9g9f", "1g1f", "3g3f"];
        let moves = moves.map(|text| text.parse::<Move>().expect("a move"));
        let value = |mv: Move| {
            moves.iter().position(|&other| other == mv).map_or(0, |n| [3, 9, -7, 9, 5, -2][n])
        };
        let filled = || {
            let mut scored = ScoredMoves::new();
            scored.fill(|list| list.extend(moves), Some(moves[4]), value);
            scored
        };
        let mut scored = filled();
        let best: Vec<Move> = iter::from_fn(|| scored.take_best()).map(|best| best.mv).collect();
        assert_eq!(best, [1, 3, 0, 5, 2].map(|place| moves[place]));

        let mut scored = filled();
        assert_eq!(scored.take_best_above(8).map(|best| best.value), Some(9));
        assert_eq!(scored.take_best_above(8).map(|best| best.mv), Some(moves[3]));
        assert!(scored.take_best_above(8).is_none());
        let passed = iter::from_fn(|| scored.take_next_above(-5)).map(|next| next.value);
        assert_eq!(passed.collect::<Vec<_>>(), [3, -2]);
        assert!(scored.take_next_above(i32::MIN).is_none());
        scored.restart();
        assert_eq!(scored.take_next_above(i32::MIN).map(|next| next.value), Some(-7));
        assert!(scored.take_best().is_none());
    }

    /// If a capture reaches the move count limit, no quiet move is searched.
    #[test]
    fn skipped_quiet_moves_are_not_yielded() {
        // A gold can capture a pawn or make quiet moves.
        let sfen = "4k4/9/9/9/4p4/4G4/9/9/4K4 b 2r2b3g4s4n4l17p 1";
        with_thread(&SearchParams::DEFAULT, sfen, |thread| {
            let (context, checks) = (thread.history_context(), thread.pos.check_squares());
            let scorer = thread.scorer(&context, &checks, 3);
            let moves = |skip: bool| {
                let mut picker = MovePicker::new(&thread.pos, None, false);
                let mut count = 0;
                while let Some(mv) = picker.next(&thread.pos, &scorer) {
                    assert_eq!(thread.pos.is_capture(mv), count == 0, "{mv}");
                    count += 1;
                    if skip {
                        picker.skip_quiets();
                    }
                }
                count
            };
            assert_eq!(moves(true), 1);
            assert!(moves(false) > 5);
        });
    }
}
