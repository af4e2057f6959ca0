//! Quiescence: captures are played out before a position is evaluated; checks are answered.

use super::history::PieceTo;
use super::params::Techniques;
use super::thread::AlphaBetaThread;
use crate::engine::Bound;
use crate::eval::{Score, see_values};
use crate::search::depth::Depth;
use crate::search::ordering::{Candidates, ScoredMove, take_best};
use crate::search::tt::TtEntry;
use crate::search::window::{NodeType, Searched, Window};
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
    let Window { alpha, beta } = window;
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

    // Step 3. Standing pat: out of check the side to move need not take.
    let (raw_eval, static_eval) = thread.static_eval(tt_entry);
    let stand_pat = static_eval.map_or(-Score::INFINITE, |static_eval| match tt_entry {
        Some(entry) if entry.improves(static_eval) => entry.score,
        _ => static_eval,
    });
    if stand_pat >= beta {
        return stand_pat;
    }
    let window = Window { alpha: alpha.max(stand_pat), beta };

    // Step 4. Mate in one.
    if params.uses(Techniques::QSEARCH_MATE1)
        && depth < params.qsearch_mate1_depth
        && static_eval.is_some()
        && tt_entry.is_none()
        && let Some(mv) = thread.pos.mate_in_one()
    {
        let score = Score::mate_in(thread.ply as u32 + 1);
        thread.pv().push(mv);
        store(thread, key, Some(mv), (score, Bound::Exact), raw_eval);
        return score;
    }

    // Steps 5 to 9. The moves.
    let tt_move = tt_entry.and_then(|entry| entry.mv);
    let node = QuiescenceNode { depth, window, static_eval, tt_move };
    let Some(Searched { score, best }) = search_moves::<N>(thread, &node, stand_pat) else {
        return thread.mated_here();
    };
    if thread.stopped {
        return Score::ZERO;
    }
    store(thread, key, best, (score, window.bound(score)), raw_eval);
    score
}

/// What a node of quiescence knows before it looks at its moves.
struct QuiescenceNode {
    depth: i32,
    /// Above standing pat.
    window: Window,
    /// `None` in check.
    static_eval: Option<Score>,
    tt_move: Option<Move>,
}

/// What comes of the moves; `None` if the side to move is mated.
fn search_moves<N: NodeType>(
    thread: &mut AlphaBetaThread,
    node: &QuiescenceNode,
    stand_pat: Score,
) -> Option<Searched> {
    let params = thread.state.params;
    let Window { mut alpha, beta } = node.window;
    let mut result = Searched { score: stand_pat, best: None };

    // Step 5. The moves: captures and promotions; in check all evasions.
    let checks = thread.pos.check_squares();
    let in_check = node.static_eval.is_none();
    let mut moves =
        if in_check { evasions(thread, node.tt_move) } else { captures(thread, node.tt_move) };
    if in_check && moves.is_empty() {
        return None;
    }
    while let Some(mv) = take_best(&mut moves) {
        if result.score > -Score::MAX_EVAL {
            // Step 6. One quiet answer to a check is enough if it holds.
            if thread.pos.is_quiet(mv) {
                continue;
            }
            // Step 7. Futility pruning (delta pruning): a capture that cannot reach alpha.
            if let Some(static_eval) = node.static_eval
                && params.uses(Techniques::QSEARCH_FUTILITY)
                && !thread.pos.gives_check(mv, &checks)
            {
                let gain = thread.pos.material_gain(mv, see_values());
                let bound = static_eval + params.qsearch_margin + gain;
                if bound <= alpha {
                    result.score = result.score.max(bound);
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
        let score = thread.follow(mv, |thread| -search::<N>(thread, child, node.depth + 1));
        if thread.stopped {
            break;
        }
        result.score = result.score.max(score);
        if score > alpha {
            alpha = score;
            result.best = Some(mv);
            if N::PV {
                thread.update_pv(mv);
            }
            if score >= beta {
                break;
            }
        }
    }
    Some(result)
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
