//! The full-width search of one node: every legal move counts, and only the rules of
//! [`pruning`] leave one out.
//!
//! Source: Hoki 2006, figure 5 (a) and appendix.

use arrayvec::ArrayVec;

use super::params::Rules;
use super::picker::MovePicker;
use super::pruning::{self, ExtensionCase, FutilityCase};
use super::{Depth, Promise, Worker};
use crate::eval::{Score, see_values};
use crate::search::MAX_PLY;
use crate::search::tt::Entry;
use crate::search::window::{NodeType, NonPv, Pv, Window};
use crate::shogi::{Move, PieceKind};

/// What a node knows before it looks at its moves.
struct Node {
    depth: Depth,
    window: Window,
    in_check: bool,
    /// E(P); `None` in check or if no rule needs it.
    standing: Option<Score>,
}

/// The score of the present position, fail-soft: outside the window a bound.
pub(super) fn search<N: NodeType>(worker: &mut Worker, window: Window, depth: Depth) -> Score {
    // Step 1. The horizon.
    if depth < Depth::ONE {
        return super::quiescence::search(worker, window, 0);
    }
    worker.line().clear();
    worker.seldepth = worker.seldepth.max(worker.ply);

    // Step 2. The end of the search, of the game, or of the stack.
    if worker.must_stop() {
        return Score::ZERO;
    }
    if let Some(score) = decided(worker) {
        return score;
    }

    // Step 3. What the table knows. At PV nodes only the move is used: the line stays whole.
    let key = worker.pos.key();
    let known = worker.tt.probe(key, worker.ply as u32);
    if !N::PV
        && let Some(entry) = known
        && entry.depth >= depth
        && entry.cuts(window)
    {
        return entry.score;
    }
    let mut table_move = known.and_then(|entry| entry.mv);

    let in_check = worker.pos.in_check();
    let standing = if in_check { None } else { standing_value(worker, N::PV, depth) };
    let node = Node { depth, window, in_check, standing };
    if !N::PV {
        // Step 4. The child of a pre-frontier node, eq. (10).
        if let Some(score) = child_futility(worker, &node) {
            return score;
        }
        // Step 5. Null move.
        if !worker.stopped
            && let Some(score) = null_move(worker, &node)
        {
            return score;
        }
        if worker.stopped {
            return Score::ZERO;
        }
    }

    // Step 6. Internal iterative deepening: at a PV node a good first move is worth a search.
    if N::PV
        && table_move.is_none()
        && depth >= worker.memory.params.iid_depth
        && worker.memory.params.rules.contains(Rules::IID)
    {
        search::<Pv>(worker, window, depth - Depth::plies(2));
        if worker.stopped {
            return Score::ZERO;
        }
        table_move = worker.line().first().copied();
        worker.line().clear();
    }

    // Step 7. The moves.
    let result = search_moves::<N>(worker, &node, table_move);
    if worker.stopped {
        return Score::ZERO;
    }
    let bound = window.bound(result.score);
    let entry =
        Entry { mv: result.best, score: result.score, depth, bound, standing: None, pv: N::PV };
    worker.tt.store(key, worker.ply as u32, &entry);
    result.score
}

/// The score if the rules have decided the game here, or the stack is full.
fn decided(worker: &mut Worker) -> Option<Score> {
    let full = worker.ply >= MAX_PLY;
    worker.decided(false).or_else(|| full.then(|| worker.evaluate()))
}

/// E(P), if a rule at this depth asks for it.
fn standing_value(worker: &mut Worker, pv: bool, depth: Depth) -> Option<Score> {
    let params = worker.memory.params;
    let futile =
        params.rules.intersects(Rules::ALL_FUTILITY) && depth <= params.extended_futility_depth;
    let null = !pv && pruning::null_move_depth(params, depth).is_some();
    (futile || null).then(|| worker.evaluate())
}

/// Eq. (10). At depth 2 the quiescence value stands for the evaluation (Hoki 2006, appendix); it
/// is never below it, so that the cheap test comes first.
fn child_futility(worker: &mut Worker, node: &Node) -> Option<Score> {
    let params = worker.memory.params;
    let beta = node.window.beta;
    if !params.rules.contains(Rules::EXTENDED_FUTILITY)
        || !pruning::is_child_futility_depth(params, node.depth)
        || beta.is_mate()
    {
        return None;
    }
    let standing = node.standing?;
    if pruning::child_futility(params, standing, beta) {
        return Some(standing - params.futility_margin);
    }
    if node.depth < Depth::plies(2) {
        return None;
    }
    let goal = beta + params.futility_margin;
    let quiet = super::quiescence::search(worker, Window::null(goal), 0);
    worker.line().clear();
    (!worker.stopped && pruning::child_futility(params, quiet, beta))
        .then(|| if quiet.is_mate() { quiet } else { quiet - params.futility_margin })
}

/// Null move pruning: if passing still fails high, so will the best move.
fn null_move(worker: &mut Worker, node: &Node) -> Option<Score> {
    let beta = node.window.beta;
    let reduced = pruning::null_move_depth(worker.memory.params, node.depth)?;
    let passed_before = worker.ply == 0 || worker.pos.last_move().is_none();
    if !worker.memory.params.rules.contains(Rules::NULL_MOVE)
        || passed_before
        || beta.is_mate()
        || node.standing? < beta
    {
        return None;
    }
    let ply = worker.ply;
    worker.memory.stack[ply].promise = None;
    let score = worker.descend_null(|w| -search::<NonPv>(w, Window::null(beta).turned(), reduced));
    if worker.stopped || score < beta {
        return None;
    }
    // A mate found after a pass is none.
    Some(if score.is_mate() { beta } else { score })
}

struct Searched {
    score: Score,
    /// The move that raised alpha, if any did.
    best: Option<Move>,
}

fn search_moves<N: NodeType>(
    worker: &mut Worker,
    node: &Node,
    table_move: Option<Move>,
) -> Searched {
    let Window { mut alpha, beta } = node.window;
    let killers = worker.memory.stack[worker.ply].killers;
    let all = worker.settings.all_legal_moves;
    let mut picker = MovePicker::new(&worker.pos, table_move, killers, all);
    let checks = worker.pos.check_squares();
    let retake = worker.pos.last_captured().and(worker.pos.last_move()).map(|mv| mv.to());
    let mut quiets: ArrayVec<Move, 64> = ArrayVec::new();
    let mut best = Searched { score: -Score::INFINITE, best: None };
    let mut legal = 0;
    worker.memory.stack[worker.ply + 1].killers = Default::default();

    while let Some(mv) = picker.next(&worker.pos, &worker.memory.history) {
        legal += 1;
        let gives_check = worker.pos.gives_check(mv, &checks);
        let extension = if worker.memory.params.rules.contains(Rules::EXTENSIONS) {
            let case = ExtensionCase {
                gives_check,
                one_reply: node.in_check && picker.evasion_count() == 1,
                recapture: Some(mv.to()) == retake && worker.pos.is_capture(mv),
            };
            pruning::extension(worker.memory.params, case)
        } else {
            Depth::ZERO
        };
        let depth = node.depth + extension;

        // Step 8. Futility pruning, eq. (4) to (9).
        let case = FutilityCase {
            alpha,
            in_check: node.in_check,
            gives_check,
            extended_depth: depth,
            rule: Rules::FUTILITY,
        };
        if legal > 1
            && let Some(bound) = futile(worker, node.standing, mv, case)
        {
            best.score = best.score.max(bound);
            continue;
        }

        // Step 9. Principal variation search: the first move with the window, the others with a
        // null window, and again if they turn out better.
        let child = depth - Depth::ONE;
        let window = Window { alpha, beta };
        worker.memory.stack[worker.ply].promise = node.standing.map(|e| promise(worker, e, mv));
        let score = worker.descend(mv, |w| {
            if N::PV && legal == 1 {
                return -search::<Pv>(w, window.turned(), child);
            }
            let score = -search::<NonPv>(w, Window::null(alpha + 1).turned(), child);
            if N::PV && score > alpha && score < beta {
                return -search::<Pv>(w, window.turned(), child);
            }
            score
        });
        if worker.stopped {
            return best;
        }

        // Step 10. A better move.
        best.score = best.score.max(score);
        if score > alpha {
            alpha = score;
            best.best = Some(mv);
            if N::PV {
                worker.update_pv(mv);
            }
            if score >= beta {
                if worker.pos.is_quiet(mv) {
                    worker.memory.stack[worker.ply].killers.add(mv);
                    let side = worker.pos.side_to_move();
                    worker.memory.history.reward(side, mv, &quiets, node.depth);
                }
                break;
            }
        }
        if worker.pos.is_quiet(mv) {
            // Beyond 64 quiet moves nothing more is learned.
            let _ = quiets.try_push(mv);
        }
    }

    // Step 11. No legal move: mated (there is no stalemate draw in shogi).
    if legal == 0 {
        return Searched { score: worker.mated_here(), best: None };
    }
    best
}

/// The bound on the score after `mv` if that shows the move to be futile. `standing`: E(P) if it
/// is known; without it only material speaks.
#[inline]
pub(super) fn futile(
    worker: &Worker,
    standing: Option<Score>,
    mv: Move,
    case: FutilityCase,
) -> Option<Score> {
    let (params, bounds, pos) = (worker.memory.params, &worker.memory.bounds, &worker.pos);
    if !case.is_open(params) {
        return None;
    }
    let gain = pos.material_gain(mv, see_values());
    let material = Score::cp(worker.evaluator.material(pos.side_to_move()));
    case.by_material(params, bounds, material, gain).or_else(|| {
        let foreseen = gain + worker.evaluator.piece_king_change(pos, mv);
        let king_move = pos.moved_piece(mv) == PieceKind::King;
        case.by_change(params, bounds, standing?, foreseen, king_move)
    })
}

/// What the evaluation should be after `mv` if nothing but material and the moved piece's
/// relations to the kings changed.
#[inline]
pub(super) fn promise(worker: &Worker, standing: Score, mv: Move) -> Promise {
    let pos = &worker.pos;
    let relations = worker.evaluator.piece_king_change(pos, mv);
    Promise {
        foreseen: standing + (pos.material_gain(mv, see_values()) + relations),
        king_move: pos.moved_piece(mv) == PieceKind::King,
    }
}

#[cfg(test)]
mod tests {
    use crate::shogi::Position;
    use std::time::Instant;

    use super::*;
    use crate::engine::{Control, Limits, Settings};
    use crate::eval::Evaluation;
    use crate::search::TranspositionTable;
    use crate::search::full_width::{FullWidthParams, Memory, quiescence};
    use crate::search::worker::Instructions;
    use crate::shogi::{Scope, movegen};

    /// Every move to the same depth, no table, no window.
    fn minimax(worker: &mut Worker, depth: i32) -> Score {
        if depth == 0 {
            return quiescence::search(worker, Window::open(), 0);
        }
        if let Some(score) = decided(worker) {
            return score;
        }
        let moves = movegen::legal_moves(&worker.pos, Scope::USEFUL);
        let scores = moves.into_iter().map(|mv| worker.descend(mv, |w| -minimax(w, depth - 1)));
        scores.max().unwrap_or_else(|| worker.mated_here())
    }

    #[test]
    fn without_pruning_it_is_minimax() {
        let params =
            FullWidthParams::DEFAULT.without(Rules::all().difference(Rules::QSEARCH_MATE1));
        let (settings, limits) = (Settings::default(), Limits::default());
        let control = Control::new(Instant::now());
        let told = Instructions { settings: &settings, limits: &limits, control: &control };
        for sfen in [
            "ln1g1g1nl/1ks2r3/1pppp1bpp/p3spp2/9/P1P1SP1PP/1PSPP1P2/1BK1GR3/LN3G1NL b - 1",
            "3gk1gn+B/6s2/l1s2pppp/p3p4/9/3P2P2/2PGP+b+nPP/4g1R2/1+r3sSKL w 2n2l6p 94",
            "2g2+S3/4p+R1+R1/2pp1pp2/3g1k2p/9/p3GPP1P/nGPPP1N2/2KSS4/8L b S2N3L5P2b 107",
        ] {
            let pos = Position::from_sfen(sfen).expect("valid");
            for depth in 1..=2 {
                let tt = TranspositionTable::new(1);
                let memory = Memory::new(&params);
                let mut worker = Worker::new(&pos, &Evaluation::HandMade, &tt, told, memory);
                let score = search::<Pv>(&mut worker, Window::open(), Depth::plies(depth));
                let memory = Memory::new(&params);
                let mut worker = Worker::new(&pos, &Evaluation::HandMade, &tt, told, memory);
                assert_eq!(score, minimax(&mut worker, depth), "{sfen} depth {depth}");
            }
        }
    }
}
