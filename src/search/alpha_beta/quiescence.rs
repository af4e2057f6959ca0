//! Quiescence search: searches captures until the position is quiet, and evasions in check.
//!
//! It does not share the loop of [`capture_search`](crate::lab::capture_search): in check it
//! cannot stand pat, it skips moves by their number and by the best score so far, and its best move
//! and bound go to the transposition table.

use super::history_scorer::{capture_value, evasion_value};
use super::params::Techniques;
use super::pruning;
use super::thread::{AlphaBetaThread, StackEntry};
use crate::engine::Bound;
use crate::eval::{Score, see_values};
use crate::search::depth::Depth;
use crate::search::ordering::{Candidates, ScoredMove, take_best};
use crate::search::tt::TtEntry;
use crate::search::window::{NodeType, Searched, Window};
use crate::shogi::{CheckSquares, Move, MoveList, Scope, movegen};

/// A fail-high score is returned halfway between beta and the score.
const HALF: (i32, i32) = (1, 2);

impl AlphaBetaThread<'_> {
    /// The quiescence score of the current position, fail-soft. `depth`: plies since quiescence
    /// search started.
    pub(crate) fn search_quiescence<N: NodeType>(&mut self, window: Window, depth: i32) -> Score {
        let Window { alpha, beta } = window;
        let params = self.state.params;
        self.pv().clear();
        self.seldepth = self.seldepth.max(self.ply);

        // Step 1. End of the search, of the game, or of the search stack.
        if self.must_stop() {
            return Score::ZERO;
        }
        if let Some(score) = self.decided_or_full() {
            return score;
        }

        // Step 2. Transposition table.
        let key = self.pos.key();
        let tt_entry = if params.uses(Techniques::QSEARCH_TT) {
            self.tt.probe(key, self.ply as u32)
        } else {
            None
        };
        if !N::PV
            && let Some(entry) = tt_entry
            && entry.cuts(window)
        {
            return entry.score;
        }

        // Step 3. Stand pat: out of check, the side to move need not capture.
        let (raw_eval, static_eval) = self.static_eval(tt_entry);
        let stand_pat = static_eval.map_or(-Score::INFINITE, |static_eval| match tt_entry {
            Some(entry) if entry.improves(static_eval) && !entry.score.is_decisive() => entry.score,
            _ => static_eval,
        });
        let pv = tt_entry.is_some_and(|entry| entry.pv);
        if stand_pat >= beta {
            let score = pruning::soften(params, stand_pat, beta, HALF);
            if tt_entry.is_none() {
                store(self, key, (None, score, Bound::Lower), raw_eval, pv);
            }
            return score;
        }
        let window = Window { alpha: alpha.max(stand_pat), beta };

        // Step 4. Mate in one.
        let checks = self.pos.check_squares();
        if params.uses(Techniques::QSEARCH_MATE1)
            && depth < params.qsearch_mate1_depth
            && static_eval.is_some()
            && tt_entry.is_none()
            && let Some(mv) = self.pos.mate_in_one_by(&checks)
        {
            let score = Score::mate_in(self.ply as u32 + 1);
            self.pv().push(mv);
            store(self, key, (Some(mv), score, Bound::Lower), raw_eval, pv);
            return score;
        }

        // Steps 5 to 9. Search the moves.
        let tt_move = tt_entry.and_then(|entry| entry.mv);
        let node = QuiescenceNode { depth, window, static_eval, tt_move, checks: &checks };
        let Some(Searched { score, best }) = search_moves::<N>(self, &node, stand_pat) else {
            return self.mated_here();
        };
        if self.stopped {
            return Score::ZERO;
        }
        let score = pruning::soften(params, score, beta, HALF);
        // The score depends on pruned moves, so it is a bound even within the window.
        let bound = if score >= beta { Bound::Lower } else { Bound::Upper };
        store(self, key, (best, score, bound), raw_eval, pv);
        score
    }
}

/// Data of a quiescence node before its moves are searched.
struct QuiescenceNode<'a> {
    depth: i32,
    /// The window with alpha raised to the stand-pat score.
    window: Window,
    /// `None` in check.
    static_eval: Option<Score>,
    tt_move: Option<Move>,
    checks: &'a CheckSquares,
}

/// The result of the moves; `None` if the side to move is mated.
fn search_moves<N: NodeType>(
    thread: &mut AlphaBetaThread,
    node: &QuiescenceNode<'_>,
    stand_pat: Score,
) -> Option<Searched> {
    let params = thread.state.params;
    let Window { mut alpha, beta } = node.window;
    let mut result = Searched { score: stand_pat, best: None };

    // Step 5. Generate the moves: captures, or all evasions in check.
    let in_check = node.static_eval.is_none();
    let last_square = thread.pos.last_move().map(Move::to);
    let entry = thread.stack_entry();
    *entry = StackEntry { child_cutoffs: entry.child_cutoffs, ..StackEntry::default() };
    let mut moves = Candidates::new();
    if in_check {
        evasions(thread, node.tt_move, &mut moves);
    } else {
        captures(thread, node.tt_move, &mut moves);
    }
    if in_check && moves.is_empty() {
        return None;
    }
    let mut number = 0;
    while let Some(ScoredMove { mv, .. }) = take_best(&mut moves) {
        number += 1;
        if !result.score.is_loss() {
            // Step 6. Out of check, except for checks and recaptures:
            if let Some(static_eval) = node.static_eval
                && Some(mv.to()) != last_square
                && !thread.pos.gives_check(mv, node.checks)
            {
                // Step 6a. The third capture and later ones are rarely best.
                if number > params.qsearch_count && params.uses(Techniques::QSEARCH_COUNT) {
                    continue;
                }
                // Step 6b. Futility pruning (delta pruning): a capture that cannot reach alpha by
                // the captured material or by SEE.
                let base = static_eval + params.qsearch_margin;
                let bound = base + thread.pos.material_gain(mv, see_values()) / 2;
                if params.uses(Techniques::QSEARCH_FUTILITY) {
                    if bound <= alpha {
                        result.score = result.score.max(bound);
                        continue;
                    }
                    if !thread.pos.see_ge(mv, see_values(), 2 * (alpha - base)) {
                        result.score = result.score.max(alpha.min(base));
                        continue;
                    }
                }
            }
            // Step 7. In check, one quiet evasion that does not lose is enough.
            if !thread.pos.is_capture(mv) {
                continue;
            }
            // Step 8. SEE pruning: the capture loses too much material.
            if !thread.pos.see_ge(mv, see_values(), params.qsearch_see) {
                continue;
            }
        }
        // Step 9. Search the move.
        let child = Window { alpha, beta }.negated();
        let score =
            thread.follow(mv, |thread| -thread.search_quiescence::<N>(child, node.depth + 1));
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

/// Stores a quiescence result: move, score and bound. `pv`: the position was searched with an open
/// window before.
fn store(
    thread: &AlphaBetaThread,
    key: u64,
    (mv, score, bound): (Option<Move>, Score, Bound),
    raw_eval: Option<Score>,
    pv: bool,
) {
    if thread.state.params.uses(Techniques::QSEARCH_TT) {
        let entry = TtEntry { mv, score, depth: Depth::ZERO, bound, raw_eval, pv };
        thread.tt.store(key, thread.ply as u32, &entry);
    }
}

/// Adds all evasions.
fn evasions(thread: &AlphaBetaThread, tt_move: Option<Move>, moves: &mut Candidates) {
    let (pos, histories) = (&thread.pos, thread.state.histories);
    let context = thread.history_context();
    fill(thread, moves, Scope::USEFUL, tt_move, |mv| evasion_value(histories, &context, pos, mv));
}

/// Adds the captures.
pub(super) fn captures(thread: &AlphaBetaThread, tt_move: Option<Move>, moves: &mut Candidates) {
    let (pos, histories) = (&thread.pos, thread.state.histories);
    fill(thread, moves, Scope::CAPTURES, tt_move, |mv| {
        capture_value(thread.state.params, histories, pos, mv)
    });
}

/// Generates moves and scores them; the TT move comes first.
#[inline]
fn fill(
    thread: &AlphaBetaThread,
    moves: &mut Candidates,
    scope: Scope,
    tt_move: Option<Move>,
    value: impl Fn(Move) -> i32,
) {
    let mut list = MoveList::new();
    movegen::generate(&thread.pos, scope, &mut list);
    for &mv in &list {
        moves
            .push(ScoredMove { mv, value: if Some(mv) == tt_move { i32::MAX } else { value(mv) } });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::alpha_beta::params::SearchParams;
    use crate::search::alpha_beta::testing::{HANGING, QUIET, entry, with_thread};
    use crate::search::window::{NonPvNode, PvNode};

    const PARAMS: SearchParams = SearchParams::DEFAULT;

    /// Even a score within the window depends on pruned moves.
    #[test]
    fn entries_are_never_exact() {
        with_thread(&PARAMS, HANGING, |thread| {
            let score = thread.search_quiescence::<PvNode>(Window::open(), 0);
            let found = thread.tt.probe(thread.pos.key(), 0).expect("an entry");
            assert_eq!((found.mv, found.score), ("5f5e".parse().ok(), score));
            assert_eq!((found.bound, found.pv), (Bound::Upper, false));
        });
    }

    #[test]
    fn the_pv_flag_of_an_entry_is_kept() {
        for pv in [true, false] {
            with_thread(&PARAMS, QUIET, |thread| {
                let key = thread.pos.key();
                thread.tt.store(key, 0, &TtEntry { pv, ..entry("9f9e", -900, 0, Bound::Lower) });
                thread.search_quiescence::<NonPvNode>(Window::null(Score::cp(2_000)), 0);
                let found = thread.tt.probe(key, 0).expect("an entry");
                assert_eq!((found.bound, found.pv), (Bound::Upper, pv), "the entry was rewritten");
            });
        }
    }

    #[test]
    fn quiescence_does_not_overwrite_a_deep_entry() {
        with_thread(&PARAMS, HANGING, |thread| {
            let key = thread.pos.key();
            let known = entry("5f4e", -27_000, 9, Bound::Lower);
            thread.tt.store(key, 0, &known);
            thread.search_quiescence::<PvNode>(Window::open(), 0);
            let found = thread.tt.probe(key, 0).expect("an entry");
            assert_eq!((found.depth, found.score), (known.depth, known.score));
            assert_eq!(found.mv, "5f5e".parse().ok(), "the move is new");
        });
    }

    #[test]
    fn decided_tt_scores_are_not_used_to_stand_pat() {
        for score in [Score::mate_in(5), Score::WON_BY_RULE] {
            with_thread(&PARAMS, QUIET, |thread| {
                let known = TtEntry { score, ..entry("9f9e", 0, 0, Bound::Lower) };
                thread.tt.store(thread.pos.key(), 0, &known);
                let found = thread.search_quiescence::<PvNode>(Window::open(), 0);
                assert!(!found.is_decisive(), "{found}");
            });
        }
    }
}
