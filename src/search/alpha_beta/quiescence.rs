//! Quiescence: captures are played out before a position is evaluated; checks are answered.

use arrayvec::ArrayVec;

use super::params::Techniques;
use super::{AlphaBetaThread, PieceTo};
use crate::engine::Bound;
use crate::eval::{Score, see_values};
use crate::search::tt::TtEntry;
use crate::search::window::{NodeType, Window};
use crate::search::{Depth, MAX_PLY};
use crate::shogi::{MAX_MOVES, Move, MoveList, Scope, movegen};

#[derive(Clone, Copy)]
struct Candidate {
    mv: Move,
    value: i32,
}

type Candidates = ArrayVec<Candidate, MAX_MOVES>;

/// The quiescence score of the present position, fail-soft. `depth`: plies since quiescence began.
pub(super) fn search<N: NodeType>(
    thread: &mut AlphaBetaThread,
    window: Window,
    depth: i32,
) -> Score {
    let Window { mut alpha, beta } = window;
    thread.line().clear();
    thread.seldepth = thread.seldepth.max(thread.ply);

    // Step 1. The end of the search, of the game, or of the stack.
    if thread.must_stop() {
        return Score::ZERO;
    }
    if let Some(score) = thread.decided_or_full() {
        return score;
    }
    let params = thread.state.params;

    // Step 2. What the table knows.
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
    let in_check = thread.pos.in_check();
    let mut best = -Score::INFINITE;
    let mut raw_eval = None;
    let mut futile_base = -Score::INFINITE;
    if !in_check {
        let raw = tt_entry.and_then(|entry| entry.raw_eval).unwrap_or_else(|| thread.evaluate());
        raw_eval = Some(raw);
        let keys = thread.correction_keys();
        let corrected = thread.corrected(raw, keys);
        best = match tt_entry {
            Some(entry) if entry.improves(corrected) => entry.score,
            _ => corrected,
        };
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        futile_base = corrected + params.qsearch_margin;

        // Step 4. A mating move.
        if params.uses(Techniques::QSEARCH_MATE1)
            && depth < params.qsearch_mate1_depth
            && tt_entry.is_none()
            && let Some(mv) = thread.pos.mate_in_one()
        {
            let score = Score::mate_in(thread.ply as u32 + 1);
            let ply = thread.ply;
            thread.lines[ply + 1].clear();
            thread.update_pv(mv);
            thread
                .remember(key, ThreadResult { mv: Some(mv), score, bound: Bound::Exact, raw_eval });
            return score;
        }
    }

    // Step 5. The moves.
    let before = alpha;
    let tt_move = tt_entry.and_then(|entry| entry.mv);
    let checks = thread.pos.check_squares();
    let mut moves = candidates(thread, tt_move);
    let mut best_move = None;
    let none = moves.is_empty();
    while let Some(mv) = take_best(&mut moves) {
        if best > -Score::MAX_EVAL {
            // Step 6. One quiet answer to a check is enough if it holds.
            if thread.pos.is_quiet(mv) {
                continue;
            }
            // Step 7. A capture that cannot reach alpha.
            if !in_check
                && params.uses(Techniques::QSEARCH_FUTILITY)
                && !thread.pos.gives_check(mv, &checks)
            {
                let bound = futile_base + thread.pos.material_gain(mv, see_values());
                if bound <= alpha {
                    best = best.max(bound);
                    continue;
                }
            }
            // Step 8. An exchange that brings too little.
            if !thread.pos.see_ge(mv, see_values(), params.qsearch_see) {
                continue;
            }
        }
        let score = thread
            .follow(mv, |thread| -search::<N>(thread, Window { alpha, beta }.negated(), depth + 1));
        if thread.stopped {
            return Score::ZERO;
        }
        if score > best {
            best = score;
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
    }
    if in_check && none {
        return thread.mated_here();
    }
    let bound = Window { alpha: before, beta }.bound(best);
    thread.remember(key, ThreadResult { mv: best_move, score: best, bound, raw_eval });
    best
}

/// What quiescence found out about a position.
struct ThreadResult {
    mv: Option<Move>,
    score: Score,
    bound: Bound,
    raw_eval: Option<Score>,
}

impl AlphaBetaThread<'_> {
    fn remember(&self, key: u64, found: ThreadResult) {
        if !self.state.params.uses(Techniques::QSEARCH_TT) {
            return;
        }
        let ThreadResult { mv, score, bound, raw_eval } = found;
        let entry = TtEntry { mv, score, depth: Depth::ZERO, bound, raw_eval, pv: false };
        self.tt.store(key, self.ply as u32, &entry);
    }

    /// The score if the rules have decided the game here, or the stack is full.
    pub(super) fn decided_or_full(&mut self) -> Option<Score> {
        let superior_repetition = self.state.params.uses(Techniques::SUPERIOR_REPETITION);
        self.decided(superior_repetition).or_else(|| (self.ply >= MAX_PLY).then(|| self.evaluate()))
    }

    /// The evaluation of the present position.
    #[inline]
    pub(super) fn evaluate(&mut self) -> Score {
        let value = self.evaluator.evaluate(&self.pos);
        self.sample_evaluated(value);
        value
    }
}

/// Evasions in check; else captures and promotions.
fn candidates(thread: &AlphaBetaThread, tt_move: Option<Move>) -> Candidates {
    let pos = &thread.pos;
    let mut found = Candidates::new();
    let mut moves = MoveList::new();
    let mut add = |mv: Move, value: i32| {
        let value = if Some(mv) == tt_move { i32::MAX } else { value };
        found.push(Candidate { mv, value });
    };
    if pos.in_check() {
        movegen::generate(pos, Scope::USEFUL, &mut moves);
        let (histories, continuations) = (&thread.state.histories, thread.continuations());
        for &mv in &moves {
            if pos.is_quiet(mv) {
                let [last, ..] = histories.after(&continuations, PieceTo::of(pos, mv));
                add(mv, histories.quiet(pos, mv) + last);
            } else {
                add(mv, (1 << 20) + pos.material_gain(mv, see_values()));
            }
        }
        return found;
    }
    movegen::generate(pos, Scope::CAPTURES | Scope::PROMOTIONS, &mut moves);
    for &mv in &moves {
        let risk = see_values().capture[pos.moved_piece(mv).index()].min(1_000);
        add(mv, (1 << 20) + 16 * pos.material_gain(mv, see_values()) - risk);
    }
    found
}

fn take_best(moves: &mut Candidates) -> Option<Move> {
    let best = (0..moves.len()).max_by_key(|&i| (moves[i].value, std::cmp::Reverse(i)))?;
    Some(moves.swap_remove(best).mv)
}
