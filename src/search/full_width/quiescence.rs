//! Quiescence: exchanges are played out before a position is evaluated.
//!
//! Source: Hoki 2006, figure 5 (b) and appendix. First stage (to ply 7): captures and promotions
//! that do not lose material, king moves (out of check: the paper names no condition, but quiet king
//! moves of a king at rest lost 54 +- 48 Elo in 200 games at 20,000 nodes), mating checks. Second stage: captures that do not lose,
//! but no captures of pawns without promotion. The transposition table is not used.

use arrayvec::ArrayVec;

use super::negamax::{futile, promise};
use super::params::Rules;
use super::pruning::FutilityCase;
use super::{Depth, Worker};
use crate::eval::{Score, see_values};
use crate::search::MAX_PLY;
use crate::search::window::Window;
use crate::shogi::{HandPiece, MAX_MOVES, Move, MoveList, Position, Scope, movegen};

/// The quiescence score of the present position, fail-soft. `depth`: plies since quiescence began.
pub(super) fn search(worker: &mut Worker, window: Window, depth: u32) -> Score {
    worker.line().clear();
    worker.seldepth = worker.seldepth.max(worker.ply);
    if worker.must_stop() {
        return Score::ZERO;
    }

    // Step 1. Standing pat: the side to move need not take.
    let Window { mut alpha, beta } = window;
    let standing = worker.evaluate();
    if standing >= beta || worker.ply >= MAX_PLY {
        return standing;
    }
    let mut best = standing;
    alpha = alpha.max(standing);

    // Step 2. A mating check.
    let rules = worker.memory.params.rules;
    let first_stage = depth < worker.memory.params.qsearch_first_stage;
    if first_stage
        && rules.contains(Rules::QSEARCH_MATE1)
        && let Some(mv) = worker.pos.mate_in_one()
    {
        let score = Score::mate_in(worker.ply as u32 + 1);
        worker.lines[worker.ply + 1].clear();
        if score > alpha {
            worker.update_pv(mv);
        }
        return score;
    }

    let checks = worker.pos.check_squares();
    let mut moves = Candidates::new();
    find_candidates(&worker.pos, first_stage, rules, &mut moves);
    while let Some(mv) = take_best(&mut moves) {
        // Step 3. Futility pruning, eq. (4) and (6). In check too: standing pat is allowed there.
        let case = FutilityCase {
            alpha,
            in_check: false,
            gives_check: worker.pos.gives_check(mv, &checks),
            extended_depth: Depth::ONE,
            rule: Rules::QSEARCH_FUTILITY,
        };
        if rules.contains(Rules::QSEARCH_FUTILITY)
            && let Some(bound) = futile(worker, Some(standing), mv, case)
        {
            best = best.max(bound);
            continue;
        }

        // Step 4. The exchange goes on.
        worker.memory.stack[worker.ply].promise = Some(promise(worker, standing, mv));
        let score = worker.descend(mv, |w| -search(w, Window { alpha, beta }.turned(), depth + 1));
        if worker.stopped {
            return Score::ZERO;
        }
        best = best.max(score);
        if score > alpha {
            alpha = score;
            worker.update_pv(mv);
            if score >= beta {
                break;
            }
        }
    }
    best
}

type Candidates = ArrayVec<(Move, i32), MAX_MOVES>;

/// The moves of the stage that do not lose material, with their static exchange values.
fn find_candidates(pos: &Position, first_stage: bool, rules: Rules, found: &mut Candidates) {
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
    for &mv in moves.iter().filter(|&&mv| wanted(mv)) {
        let gain = pos.see(mv, see_values());
        if gain >= 0 {
            found.push((mv, gain));
        }
    }
}

fn takes_pawn(pos: &Position, mv: Move) -> bool {
    pos.piece_on(mv.to()).is_some_and(|piece| piece.kind == HandPiece::Pawn.kind())
}

fn take_best(moves: &mut Candidates) -> Option<Move> {
    let best = (0..moves.len()).max_by_key(|&i| (moves[i].1, std::cmp::Reverse(i)))?;
    Some(moves.swap_remove(best).0)
}
