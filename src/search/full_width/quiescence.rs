//! Quiescence search: searches exchanges until the position is quiet.
//!
//! Source: Hoki 2006, figure 5 (b) and appendix. First stage (to ply 7): captures and promotions
//! that do not lose material, king moves out of check, and mating checks. Second stage: captures
//! that do not lose material, except captures of pawns without promotion. The transposition table
//! is not used.

use super::params::Rules;
use super::pruning::FutilityCase;
use super::thread::{FullWidthThread, futile, promise};
use crate::eval::Score;
use crate::search::capture_search::{ScoredMove, best_value};
use crate::search::depth::{Depth, MAX_PLY};
use crate::search::quiescence_leaf::quiescence_moves;
use crate::search::window::Window;

/// The quiescence score of the current position, fail-soft. `depth`: plies since quiescence search
/// started.
pub(super) fn search(thread: &mut FullWidthThread, window: Window, depth: u32) -> Score {
    thread.pv().clear();
    thread.seldepth = thread.seldepth.max(thread.ply);
    if thread.must_stop() {
        return Score::ZERO;
    }

    // Step 1. Stand pat: the side to move need not capture.
    let Window { alpha, beta } = window;
    let static_eval = thread.evaluate();
    if static_eval >= beta || thread.ply >= MAX_PLY {
        return static_eval;
    }

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
    let mut moves =
        quiescence_moves(&thread.pos, first_stage, rules.contains(Rules::QSEARCH_KING_MOVES));
    best_value(static_eval, [alpha, beta], &mut moves, |ScoredMove { mv, .. }, [alpha, beta]| {
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
            return Some(bound);
        }

        // Step 4. Search the move.
        thread.state.stack[thread.ply].promise = Some(promise(thread, static_eval, mv));
        let score = thread
            .descend(mv, |thread| -search(thread, Window { alpha, beta }.negated(), depth + 1));
        if score > alpha && !thread.stopped {
            thread.update_pv(mv);
        }
        (!thread.stopped).then_some(score)
    })
}
