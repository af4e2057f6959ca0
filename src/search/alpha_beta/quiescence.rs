//! Quiescence: captures are played out before a position is evaluated; checks are answered.

use super::history::PieceTo;
use super::params::Techniques;
use super::thread::AlphaBetaThread;
use crate::engine::Bound;
use crate::eval::{Score, see_values};
use crate::search::depth::Depth;
use crate::search::ordering::{Candidates, ScoredMove, take_best};
use crate::search::tt::TtEntry;
use crate::search::window::{NodeType, Window};
use crate::shogi::{Move, MoveList, Scope, movegen};

/// Puts captures before quiet moves.
const CAPTURE: i32 = 1 << 20;
/// Dearer pieces are risked like this one, centipawns.
const GREATEST_RISK: i32 = 1_000;

/// The quiescence score of the present position, fail-soft. `depth`: plies since quiescence began.
pub(super) fn search<N: NodeType>(
    thread: &mut AlphaBetaThread,
    window: Window,
    depth: i32,
) -> Score {
    let Window { mut alpha, beta } = window;
    let params = thread.state.params;
    thread.pv().clear();
    thread.seldepth = thread.seldepth.max(thread.ply);

    // Step 1. The end of the search, of the game, or of the stack.
    if thread.must_stop() {
        return Score::ZERO;
    }
    if let Some(score) = thread.decided_or_full() {
        return score;
    }

    // Step 2. Transposition table.
    let key = thread.pos.key();
    let tt_entry = if params.uses(Techniques::QSEARCH_TT) {
        thread.tt.probe(key, thread.ply as u32)
    } else {
        None
    };
    if !N::PV
        && let Some(entry) = tt_entry
        && entry.cuts(window)
    {
        return entry.score;
    }

    let in_check = thread.pos.in_check();
    let mut best = -Score::INFINITE;
    let mut raw_eval = None;
    let mut futility_base = -Score::INFINITE;
    if !in_check {
        // Step 3. Standing pat: out of check the side to move need not take.
        let raw = tt_entry.and_then(|entry| entry.raw_eval).unwrap_or_else(|| thread.evaluate());
        raw_eval = Some(raw);
        let static_eval = thread.corrected(raw, thread.correction_keys());
        best = match tt_entry {
            Some(entry) if entry.improves(static_eval) => entry.score,
            _ => static_eval,
        };
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        futility_base = static_eval + params.qsearch_margin;

        // Step 4. Mate in one.
        if params.uses(Techniques::QSEARCH_MATE1)
            && depth < params.qsearch_mate1_depth
            && tt_entry.is_none()
            && let Some(mv) = thread.pos.mate_in_one()
        {
            let score = Score::mate_in(thread.ply as u32 + 1);
            thread.pv().push(mv);
            store(thread, key, Some(mv), (score, Bound::Exact), raw_eval);
            return score;
        }
    }

    // Step 5. The moves: captures and promotions; in check all evasions.
    let before = alpha;
    let checks = thread.pos.check_squares();
    let tt_move = tt_entry.and_then(|entry| entry.mv);
    let mut moves = if in_check { evasions(thread, tt_move) } else { captures(thread, tt_move) };
    let mated = in_check && moves.is_empty();
    let mut best_move = None;
    while let Some(mv) = take_best(&mut moves) {
        if best > -Score::MAX_EVAL {
            // Step 6. One quiet answer to a check is enough if it holds.
            if thread.pos.is_quiet(mv) {
                continue;
            }
            // Step 7. Futility pruning (delta pruning): a capture that cannot reach alpha.
            if !in_check
                && params.uses(Techniques::QSEARCH_FUTILITY)
                && !thread.pos.gives_check(mv, &checks)
            {
                let bound = futility_base + thread.pos.material_gain(mv, see_values());
                if bound <= alpha {
                    best = best.max(bound);
                    continue;
                }
            }
            // Step 8. SEE pruning: an exchange that brings too little.
            if !thread.pos.see_ge(mv, see_values(), params.qsearch_see) {
                continue;
            }
        }
        // Step 9. The exchange goes on.
        let child = Window { alpha, beta }.negated();
        let score = thread.follow(mv, |thread| -search::<N>(thread, child, depth + 1));
        if thread.stopped {
            return Score::ZERO;
        }
        best = best.max(score);
        if score > alpha {
            best_move = Some(mv);
            alpha = score;
            if N::PV {
                thread.update_pv(mv);
            }
            if score >= beta {
                break;
            }
        }
    }
    if mated {
        return thread.mated_here();
    }
    let bound = Window { alpha: before, beta }.bound(best);
    store(thread, key, best_move, (best, bound), raw_eval);
    best
}

/// Remembers what quiescence found out about the present position.
fn store(
    thread: &AlphaBetaThread,
    key: u64,
    mv: Option<Move>,
    (score, bound): (Score, Bound),
    raw_eval: Option<Score>,
) {
    if thread.state.params.uses(Techniques::QSEARCH_TT) {
        let entry = TtEntry { mv, score, depth: Depth::ZERO, bound, raw_eval, pv: false };
        thread.tt.store(key, thread.ply as u32, &entry);
    }
}

/// All evasions: captures first, then quiet moves by their histories.
fn evasions(thread: &AlphaBetaThread, tt_move: Option<Move>) -> Candidates {
    let (pos, histories) = (&thread.pos, &thread.state.history.histories);
    let continuations = thread.continuations();
    candidates(thread, Scope::USEFUL, tt_move, |mv| {
        if pos.is_quiet(mv) {
            let [last, ..] = histories.after(&continuations, PieceTo::of(pos, mv));
            histories.quiet(pos, mv) + last
        } else {
            CAPTURE + pos.material_gain(mv, see_values())
        }
    })
}

/// Captures and promotions: most valuable victim, then least valuable attacker.
fn captures(thread: &AlphaBetaThread, tt_move: Option<Move>) -> Candidates {
    let (pos, values) = (&thread.pos, see_values());
    candidates(thread, Scope::CAPTURES | Scope::PROMOTIONS, tt_move, |mv| {
        let risk = values.capture[pos.moved_piece(mv).index()].min(GREATEST_RISK);
        16 * pos.material_gain(mv, values) - risk
    })
}

/// The table move counts most.
#[inline]
fn candidates(
    thread: &AlphaBetaThread,
    scope: Scope,
    tt_move: Option<Move>,
    value: impl Fn(Move) -> i32,
) -> Candidates {
    let mut moves = MoveList::new();
    movegen::generate(&thread.pos, scope, &mut moves);
    let value = |mv| if Some(mv) == tt_move { i32::MAX } else { value(mv) };
    moves.iter().map(|&mv| ScoredMove { mv, value: value(mv) }).collect()
}
