//! History updates: how the result of a node changes the histories and corrections.
//!
//! Source: bonus and malus curves as known in the field (Stockfish, 2024 and 2025). A bonus moves a
//! continuation entry by one or two hundredths of its range, a malus by up to a tenth. The tables
//! therefore keep information over many searches.

use arrayvec::ArrayVec;

use super::history::{HistoryContext, PieceTo, QuietUpdate, taken_kind};
use super::node_info::AlphaBetaNode;
use super::params::{SearchParams, Techniques};
use super::thread::AlphaBetaThread;
use crate::engine::Bound;
use crate::eval::Score;
use crate::search::tt::TtEntry;
use crate::shogi::{Move, PieceKind};

/// Number of moves before the best one that can get a malus. Later moves get none.
const REMEMBERED: usize = 32;

/// The moves of a node that were searched and were not best, in search order.
#[derive(Default)]
pub(super) struct TriedMoves {
    quiets: ArrayVec<Move, REMEMBERED>,
    captures: ArrayVec<Move, REMEMBERED>,
}

impl TriedMoves {
    /// Adds a move if there is room.
    #[inline]
    pub fn push(&mut self, mv: Move, is_capture: bool) {
        let _ = if is_capture { self.captures.try_push(mv) } else { self.quiets.try_push(mv) };
    }
}

/// `share` of `value` in 1/1024.
#[inline]
fn part(value: i32, share: i32) -> i32 {
    value * share / 1_024
}

/// The updates of a quiet move's histories for a bonus, or for a malus if negative.
#[inline]
fn quiet_bonus(params: &SearchParams, bonus: i32) -> QuietUpdate {
    QuietUpdate {
        butterfly: bonus,
        low_ply: part(bonus, params.low_ply_share),
        continuation: part(bonus, params.continuation_share),
        pawn: part(bonus, if bonus > 0 { params.pawn_bonus } else { params.pawn_malus }),
    }
}

/// Updates after a beta cutoff or an exact score at a node of `depth` plies. The best move gets a
/// bonus and the `tried` moves before it get a malus. So does a quiet move that led to the node, if it
/// was the parent's first after the TT move.
pub(super) fn on_best_move(
    thread: &mut AlphaBetaThread,
    context: &HistoryContext,
    depth: i32,
    best: Move,
    tt_move: Option<Move>,
    tried: &TriedMoves,
) {
    let params = thread.state.params;
    let above = thread.above().copied();
    let mut bonus = (params.bonus_slope * depth + params.bonus_base).min(params.bonus_limit);
    bonus += if Some(best) == tt_move { params.bonus_table_move } else { 0 };
    bonus += part(above.as_ref().map_or(0, |above| above.history), params.bonus_above);
    let malus = (params.malus_slope * depth + params.malus_base).clamp(0, params.malus_limit);

    let (pos, histories) = (&thread.pos, thread.state.histories);
    let knows_captures = params.uses(Techniques::CAPTURE_HISTORY);
    if pos.is_capture(best) {
        if knows_captures {
            let bonus = part(bonus, params.capture_bonus);
            histories.update_capture(PieceTo::of(pos, best), taken_kind(pos, best), bonus);
        }
    } else {
        let update = quiet_bonus(params, part(bonus, params.quiet_bonus));
        histories.update_quiet(context, PieceTo::of(pos, best), &update);
        let mut malus = part(malus, params.quiet_malus);
        for &quiet in &tried.quiets {
            let update = quiet_bonus(params, -malus);
            histories.update_quiet(context, PieceTo::of(pos, quiet), &update);
            malus = part(malus, 1_024 - params.malus_fade);
        }
    }
    if knows_captures {
        let malus = -part(malus, params.capture_malus);
        for &capture in &tried.captures {
            histories.update_capture(PieceTo::of(pos, capture), taken_kind(pos, capture), malus);
        }
    }
    if let Some(above) = above
        && let Some(last) = above.made
        && !last.is_capture
        && above.number == 1 + usize::from(above.has_tt_entry)
        && params.uses(Techniques::REFUTED_HISTORY)
    {
        follow_last(thread, last, -part(malus, params.refuted_malus));
    }
}

/// Updates the continuation histories of the move that led to the node.
fn follow_last(thread: &mut AlphaBetaThread, last: PieceTo, bonus: i32) {
    let continuations = thread.continuations_at(thread.ply - 1, last.color, last.in_check);
    thread.state.histories.update_continuations(&continuations, last, bonus);
}

/// Updates after a fail low: the move that led to the node gets a bonus. For a quiet move, the
/// bonus is larger if its success was unexpected.
pub(super) fn on_fail_low(
    thread: &mut AlphaBetaThread,
    depth: i32,
    static_eval: Option<Score>,
    score: Score,
) {
    let params = thread.state.params;
    let Some(above) = thread.above().copied() else { return };
    let Some(last) = above.made.filter(|_| params.uses(Techniques::FAIL_LOW_HISTORY)) else {
        return;
    };
    if last.is_capture {
        let taken = thread.pos.last_captured().map_or(PieceKind::King, |piece| piece.kind);
        let bonus = params.fail_low_capture;
        thread.state.histories.update_capture(last, taken, bonus);
        return;
    }
    let below = |eval: Option<Score>, margin: i32| eval.is_some_and(|eval| score <= eval - margin);
    let part_if = |holds: bool, weight: i32| if holds { weight } else { 0 };
    let weight = params.fail_low_weight - above.history / params.fail_low_history
        + (params.fail_low_depth * depth).min(params.fail_low_depth_limit)
        + part_if(above.number > 8, params.fail_low_late)
        + part_if(below(static_eval, params.fail_low_margin), params.fail_low_surprise)
        + part_if(
            below(above.facts.static_eval.map(|eval| -eval), params.fail_low_gain_margin),
            params.fail_low_gain,
        );
    let bonus = params.fail_low_slope * depth + params.fail_low_base;
    let bonus = bonus.min(params.fail_low_limit) * part(weight.max(0), params.fail_low_share);
    follow_last(thread, last, bonus / params.fail_low_continuation);
    let histories = thread.state.histories;
    histories.update_butterfly(last, bonus / params.fail_low_butterfly);
    if let Some(row) = above.pawn_row.filter(|_| counts_for_pawns(last)) {
        histories.update_pawn(row, last, bonus / params.fail_low_pawn);
    }
}

/// The pawn history is for moves of pieces to good squares, so pawn moves and promotions are
/// excluded.
fn counts_for_pawns(last: PieceTo) -> bool {
    last.kind != PieceKind::Pawn && !last.mv.is_promotion()
}

/// Gives the quiet move that led here a bonus or malus for the change of its side's evaluation.
pub(super) fn on_trend(thread: &mut AlphaBetaThread, static_eval: Score, has_tt_entry: bool) {
    let params = thread.state.params;
    let Some(above) = thread.above() else { return };
    let (Some(last), Some(before)) = (above.made, above.facts.static_eval) else { return };
    if last.is_capture || last.in_check || !params.uses(Techniques::TREND_HISTORY) {
        return;
    }
    let rise = (-static_eval - before).clamp(-params.trend_loss, params.trend_gain)
        - params.trend_expected;
    let pawn_row = above.pawn_row.filter(|_| !has_tt_entry && counts_for_pawns(last));
    let histories = thread.state.histories;
    histories.update_butterfly(last, part(rise, params.trend_slope));
    if let Some(row) = pawn_row {
        histories.update_pawn(row, last, part(rise, params.trend_pawn_slope));
    }
}

/// Updates after a TT cutoff by `mv`: a quiet `mv` gets a bonus, and an early quiet move that led
/// to the node gets a malus.
pub(super) fn on_table_cutoff(thread: &mut AlphaBetaThread, depth: i32, mv: Move) {
    let params = thread.state.params;
    if !params.uses(Techniques::TABLE_HISTORY) || !thread.pos.is_legal(mv) {
        return;
    }
    if !thread.pos.is_capture(mv) {
        let bonus = (params.table_slope * depth + params.table_base).min(params.table_bonus);
        let update = quiet_bonus(params, bonus);
        let (context, piece_to) = (thread.history_context(), PieceTo::of(&thread.pos, mv));
        thread.state.histories.update_quiet(&context, piece_to, &update);
    }
    if let Some(above) = thread.above()
        && let Some(last) = above.made
        && !last.is_capture
        && above.number <= 4
    {
        follow_last(thread, last, -params.table_malus);
    }
}

/// Updates the corrections with the error of the static evaluation, if the score depends on quiet
/// play.
pub(super) fn correct(thread: &mut AlphaBetaThread, node: &AlphaBetaNode, found: &TtEntry) {
    let Some(static_eval) = node.facts.static_eval else { return };
    let params = thread.state.params;
    let error = found.score - static_eval;
    let agrees = if found.mv.is_some() { error > 0 } else { error < 0 };
    if params.uses(Techniques::CORRECTION)
        && agrees
        && found.mv.is_none_or(|mv| !thread.pos.is_capture(mv))
        && !found.score.is_decisive()
    {
        let keys = thread.correction_keys();
        let (has_best, rate) = (found.bound != Bound::Upper, params.correction_rate);
        let depth = found.depth.to_plies();
        thread.state.corrections.update(keys, error, depth, has_best, rate);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::alpha_beta::history::Continuations;
    use crate::search::alpha_beta::testing::{QUIET, with_thread};

    const PARAMS: SearchParams = SearchParams::DEFAULT;
    const MOVES: [&str; 4] = ["9f9e", "1f1e", "4f4e", "7f7e"];

    #[test]
    fn the_best_move_gets_a_bonus_and_earlier_moves_get_decreasing_maluses() {
        with_thread(&PARAMS, QUIET, |thread| {
            let [best, tried @ ..] = MOVES.map(|mv| mv.parse().expect("a move"));
            let mut others = TriedMoves::default();
            tried.iter().for_each(|&mv| others.push(mv, false));
            let context = thread.history_context();
            on_best_move(thread, &context, 5, best, None, &others);
            let (side, histories) = (context.side, thread.state.histories);
            assert!(histories.butterfly(side, best) > 0);
            let losses = tried.map(|mv| histories.butterfly(side, mv));
            assert!(losses.is_sorted() && losses[2] < 0, "{losses:?}");
        });
    }

    /// One update changes a continuation entry only slightly, so that the entry keeps its value
    /// over later searches of the game.
    #[test]
    fn a_few_maluses_keep_most_of_a_continuation_history() {
        with_thread(&PARAMS, QUIET, |thread| {
            let [mv, before, ..] = MOVES.map(|mv| mv.parse().expect("a move"));
            let before = PieceTo::of(&thread.pos, before);
            let context = HistoryContext {
                continuations: Continuations::new(before.color, false, |distance| {
                    (distance == 1).then_some(before)
                }),
                ..thread.history_context()
            };
            let value = |thread: &AlphaBetaThread| {
                thread.state.histories.followers(&context, &thread.pos, mv)[0]
            };
            let learn = |count: usize, bonus: i32| {
                let update = quiet_bonus(&PARAMS, part(bonus, PARAMS.quiet_bonus));
                for _ in 0..count {
                    let piece_to = PieceTo::of(&thread.pos, mv);
                    let histories = thread.state.histories;
                    histories.update_quiet(&context, piece_to, &update);
                }
                value(thread)
            };
            let learned = learn(400, PARAMS.bonus_limit);
            let kept = learn(4, -PARAMS.bonus_limit);
            assert!(learned > 20_000 && kept > learned / 2, "{learned} {kept}");
        });
    }

    #[test]
    fn a_quiet_move_that_improved_the_evaluation_gets_a_bonus() {
        for (now, gains) in [(-400, true), (400, false)] {
            with_thread(&PARAMS, QUIET, |thread| {
                let mv: Move = MOVES[0].parse().expect("a move");
                let side = thread.pos.side_to_move();
                thread.stack_entry().facts.static_eval = Some(Score::ZERO);
                thread.follow(mv, |thread| on_trend(thread, Score::cp(now), false));
                let value = thread.state.histories.butterfly(side, mv);
                assert_eq!(value > 0, gains, "{value}");
            });
        }
    }

    /// A fail low means that no reply was good enough.
    #[test]
    fn a_move_that_causes_a_fail_low_gets_a_bonus() {
        with_thread(&PARAMS, QUIET, |thread| {
            let mv: Move = MOVES[0].parse().expect("a move");
            let side = thread.pos.side_to_move();
            thread.stack_entry().number = 12;
            thread.follow(mv, |thread| {
                on_fail_low(thread, 8, Some(Score::ZERO), Score::cp(-300));
            });
            assert!(thread.state.histories.butterfly(side, mv) > 0);
        });
    }
}
