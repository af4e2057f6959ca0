//! Quiescence search: searches exchanges until the position is quiet.
//!
//! Source: Hoki 2006, figure 5 (b) and appendix. First stage (to ply 7): captures and promotions
//! that do not lose material, king moves out of check, and mating checks. The paper gives no
//! condition for king moves. Here they are limited to evasions: quiet moves of a king not in check
//! lost 54 +- 48 Elo in 200 games at 20,000 nodes. Second stage: captures that do not lose
//! material, except captures of pawns without promotion. The transposition table is not used.

use super::params::Rules;
use super::pruning::FutilityCase;
use super::thread::{FullWidthThread, futile, promise};
use crate::eval::{Score, see_values};
use crate::search::depth::{Depth, MAX_PLY};
use crate::search::ordering::{Candidates, ScoredMove, take_best};
use crate::search::window::Window;
use crate::shogi::{HandPiece, Move, MoveList, Position, Scope, movegen};

/// The quiescence score of the current position, fail-soft. `depth`: plies since quiescence search
/// started.
pub(super) fn search(thread: &mut FullWidthThread, window: Window, depth: u32) -> Score {
    thread.pv().clear();
    thread.seldepth = thread.seldepth.max(thread.ply);
    if thread.must_stop() {
        return Score::ZERO;
    }

    // Step 1. Stand pat: the side to move need not capture.
    let Window { mut alpha, beta } = window;
    let static_eval = thread.evaluate();
    if static_eval >= beta || thread.ply >= MAX_PLY {
        return static_eval;
    }
    let mut best = static_eval;
    alpha = alpha.max(static_eval);

    // Step 2. Mate in one.
    let rules = thread.state.params.rules;
    let first_stage = depth < thread.state.params.qsearch_first_stage;
    if first_stage
        && rules.contains(Rules::QSEARCH_MATE1)
        && let Some(mv) = thread.pos.mate_in_one()
    {
        let score = Score::mate_in(thread.ply as u32 + 1);
        if score > alpha {
            thread.pv().push(mv);
        }
        return score;
    }

    let checks = thread.pos.check_squares();
    let mut moves = candidates(&thread.pos, first_stage, rules);
    while let Some(mv) = take_best(&mut moves) {
        // Step 3. Futility pruning, eq. (4) and (6). Applies in check as well, because this search
        // also stands pat there.
        let case = FutilityCase {
            alpha,
            in_check: false,
            gives_check: thread.pos.gives_check(mv, &checks),
            extended_depth: Depth::ONE,
            rule: Rules::QSEARCH_FUTILITY,
        };
        if rules.contains(Rules::QSEARCH_FUTILITY)
            && let Some(bound) = futile(thread, Some(static_eval), mv, case)
        {
            best = best.max(bound);
            continue;
        }

        // Step 4. Search the move.
        thread.state.stack[thread.ply].promise = Some(promise(thread, static_eval, mv));
        let score = thread
            .descend(mv, |thread| -search(thread, Window { alpha, beta }.negated(), depth + 1));
        if thread.stopped {
            return Score::ZERO;
        }
        best = best.max(score);
        if score > alpha {
            alpha = score;
            thread.update_pv(mv);
            if score >= beta {
                break;
            }
        }
    }
    best
}

/// The moves of the stage that do not lose material, with their SEE values.
fn candidates(pos: &Position, first_stage: bool, rules: Rules) -> Candidates {
    let mut scope = Scope::CAPTURES;
    if first_stage {
        scope |= Scope::PROMOTIONS;
        if rules.contains(Rules::QSEARCH_KING_MOVES) && pos.in_check() {
            scope |= Scope::KING;
        }
    }
    let mut moves = MoveList::new();
    movegen::generate(pos, scope, &mut moves);
    let wanted = |mv: Move| first_stage || mv.is_promotion() || !takes_pawn(pos, mv);
    let scored = moves.iter().filter(|&&mv| wanted(mv)).map(|&mv| {
        let value = pos.see(mv, see_values());
        ScoredMove { mv, value }
    });
    scored.filter(|scored| scored.value >= 0).collect()
}

fn takes_pawn(pos: &Position, mv: Move) -> bool {
    pos.piece_on(mv.to()).is_some_and(|piece| piece.kind == HandPiece::Pawn.kind())
}
