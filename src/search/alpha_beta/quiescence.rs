//! Quiescence: captures are played out before a position is evaluated; checks are answered.

use arrayvec::ArrayVec;

use super::params::Techniques;
use super::{Arrival, Worker};
use crate::engine::Bound;
use crate::eval::{Score, see_values};
use crate::search::tt::Entry;
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
pub(super) fn search<N: NodeType>(worker: &mut Worker, window: Window, depth: i32) -> Score {
    let Window { mut alpha, beta } = window;
    worker.line().clear();
    worker.seldepth = worker.seldepth.max(worker.ply);

    // Step 1. The end of the search, of the game, or of the stack.
    if worker.must_stop() {
        return Score::ZERO;
    }
    if let Some(score) = worker.decided_or_full() {
        return score;
    }
    let params = worker.memory.params;

    // Step 2. What the table knows.
    let key = worker.pos.key();
    let known = if params.uses(Techniques::QSEARCH_TT) {
        worker.tt.probe(key, worker.ply as u32)
    } else {
        None
    };
    if !N::PV
        && let Some(entry) = known
        && entry.cuts(window)
    {
        return entry.score;
    }

    // Step 3. Standing pat: out of check the side to move need not take.
    let in_check = worker.pos.in_check();
    let mut best = -Score::INFINITE;
    let mut evaluation = None;
    let mut futile_base = -Score::INFINITE;
    if !in_check {
        let raw = known.and_then(|entry| entry.standing).unwrap_or_else(|| worker.evaluate());
        evaluation = Some(raw);
        let place = worker.correction_place();
        let corrected = worker.corrected(raw, place);
        best = match known {
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
            && known.is_none()
            && let Some(mv) = worker.pos.mate_in_one()
        {
            let score = Score::mate_in(worker.ply as u32 + 1);
            let ply = worker.ply;
            worker.lines[ply + 1].clear();
            worker.update_pv(mv);
            worker.remember(key, Found { mv: Some(mv), score, bound: Bound::Exact, evaluation });
            return score;
        }
    }

    // Step 5. The moves.
    let before = alpha;
    let table_move = known.and_then(|entry| entry.mv);
    let checks = worker.pos.check_squares();
    let mut moves = candidates(worker, table_move);
    let mut best_move = None;
    let none = moves.is_empty();
    while let Some(mv) = take_best(&mut moves) {
        if best > -Score::MAX_EVAL {
            // Step 6. One quiet answer to a check is enough if it holds.
            if worker.pos.is_quiet(mv) {
                continue;
            }
            // Step 7. A capture that cannot reach alpha.
            if !in_check
                && params.uses(Techniques::QSEARCH_FUTILITY)
                && !worker.pos.gives_check(mv, &checks)
            {
                let bound = futile_base + worker.pos.material_gain(mv, see_values());
                if bound <= alpha {
                    best = best.max(bound);
                    continue;
                }
            }
            // Step 8. An exchange that brings too little.
            if !worker.pos.see_ge(mv, see_values(), params.qsearch_see) {
                continue;
            }
        }
        let score =
            worker.follow(mv, |w| -search::<N>(w, Window { alpha, beta }.turned(), depth + 1));
        if worker.stopped {
            return Score::ZERO;
        }
        if score > best {
            best = score;
            if score > alpha {
                best_move = Some(mv);
                alpha = score;
                if N::PV {
                    worker.update_pv(mv);
                }
                if score >= beta {
                    break;
                }
            }
        }
    }
    if in_check && none {
        return worker.mated_here();
    }
    let bound = Window { alpha: before, beta }.bound(best);
    worker.remember(key, Found { mv: best_move, score: best, bound, evaluation });
    best
}

/// What quiescence found out about a position.
struct Found {
    mv: Option<Move>,
    score: Score,
    bound: Bound,
    evaluation: Option<Score>,
}

impl Worker<'_> {
    fn remember(&self, key: u64, found: Found) {
        if !self.memory.params.uses(Techniques::QSEARCH_TT) {
            return;
        }
        let Found { mv, score, bound, evaluation } = found;
        let entry = Entry { mv, score, depth: Depth::ZERO, bound, standing: evaluation, pv: false };
        self.tt.store(key, self.ply as u32, &entry);
    }

    /// The score if the rules have decided the game here, or the stack is full.
    pub(super) fn decided_or_full(&mut self) -> Option<Score> {
        let superiority = self.memory.params.uses(Techniques::SUPERIOR_REPETITION);
        self.decided(superiority).or_else(|| (self.ply >= MAX_PLY).then(|| self.evaluate()))
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
fn candidates(worker: &Worker, table_move: Option<Move>) -> Candidates {
    let pos = &worker.pos;
    let mut found = Candidates::new();
    let mut moves = MoveList::new();
    let mut add = |mv: Move, value: i32| {
        let value = if Some(mv) == table_move { i32::MAX } else { value };
        found.push(Candidate { mv, value });
    };
    if pos.in_check() {
        movegen::generate(pos, Scope::USEFUL, &mut moves);
        let (histories, rows) = (&worker.memory.histories, worker.rows());
        for &mv in &moves {
            if pos.is_quiet(mv) {
                let [last, ..] = histories.after(&rows, Arrival::of(pos, mv));
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
