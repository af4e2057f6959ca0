//! The full-width search of one node: every legal move counts, and only the rules of
//! [`pruning`] leave one out.
//!
//! Source: Hoki 2006, figure 5 (a) and appendix.

use arrayvec::ArrayVec;

use super::params::Rules;
use super::picker::MovePicker;
use super::pruning::{self, ExtensionCase, FutilityCase};
use super::tt::Entry;
use super::worker::{Promise, Worker};
use super::{Depth, MAX_PLY};
use crate::engine::Bound;
use crate::eval::{Score, exchange_values};
use crate::shogi::{Move, PieceKind, Position, Repetition, movegen};

/// Score of a game won by the opponent's perpetual check. No mate: it has no number of moves.
const WON_BY_RULE: Score = Score::cp(28_000);

/// Which window a node is searched with.
pub(super) trait NodeType {
    /// Whether the window is open: the node may lie on the principal variation.
    const PV: bool;
}

/// A node of the principal variation.
pub(super) struct Pv;
/// A node searched with a null window.
pub(super) struct NonPv;

impl NodeType for Pv {
    const PV: bool = true;
}

impl NodeType for NonPv {
    const PV: bool = false;
}

/// The window of a search: scores strictly between are exact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub alpha: Score,
    pub beta: Score,
}

impl Window {
    /// The null window that tells whether the score is at least `beta`.
    pub fn null(beta: Score) -> Window {
        Window { alpha: beta - 1, beta }
    }

    /// The same seen by the opponent.
    pub fn turned(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

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
    worker.stack[worker.ply].pv.clear();
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
        && cuts(&entry, window)
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
        && depth >= worker.params.internal_deepening_depth
        && worker.params.rules.contains(Rules::INTERNAL_DEEPENING)
    {
        search::<Pv>(worker, window, depth - Depth::plies(2));
        if worker.stopped {
            return Score::ZERO;
        }
        table_move = worker.stack[worker.ply].pv.first().copied();
        worker.stack[worker.ply].pv.clear();
    }

    // Step 7. The moves.
    let result = search_moves::<N>(worker, &node, table_move);
    if worker.stopped {
        return Score::ZERO;
    }
    let bound = if result.score >= window.beta {
        Bound::Lower
    } else if N::PV && result.best.is_some() {
        Bound::Exact
    } else {
        Bound::Upper
    };
    let entry = Entry { mv: result.best, score: result.score, depth, bound };
    worker.tt.store(key, worker.ply as u32, &entry);
    result.score
}

/// The score if the rules have decided the game here, or the stack is full.
fn decided(worker: &mut Worker) -> Option<Score> {
    let mut repetition = worker.pos.repetition();
    if worker.settings.consideration && repetition.is_some() {
        repetition = worker.pos.fourfold();
    }
    match repetition {
        Some(Repetition::Draw) => return Some(worker.draw_score()),
        Some(Repetition::Win) => return Some(WON_BY_RULE),
        Some(Repetition::Loss) => return Some(-WON_BY_RULE),
        // The board alone recurs: not the end of a game.
        Some(Repetition::Superior | Repetition::Inferior) | None => {}
    }
    if worker.last_move_number.is_some_and(|last| worker.pos.move_number() > last) {
        let mated = worker.pos.in_check() && !movegen::has_legal_move(&worker.pos);
        return Some(if mated { worker.mated_here() } else { worker.draw_score() });
    }
    (worker.ply >= MAX_PLY).then(|| worker.evaluate())
}

/// Whether a table score ends a null-window node.
fn cuts(entry: &Entry, window: Window) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score >= window.beta,
        Bound::Upper => entry.score <= window.alpha,
    }
}

/// E(P), if a rule at this depth asks for it.
fn standing_value(worker: &mut Worker, pv: bool, depth: Depth) -> Option<Score> {
    let params = worker.params;
    let futile =
        params.rules.intersects(Rules::ALL_FUTILITY) && depth <= params.extended_futility_depth;
    let null = !pv && pruning::null_move_depth(params, depth).is_some();
    (futile || null).then(|| worker.evaluate())
}

/// Eq. (10). At depth 2 the quiescence value stands for the evaluation (Hoki 2006, appendix); it
/// is never below it, so that the cheap test comes first.
fn child_futility(worker: &mut Worker, node: &Node) -> Option<Score> {
    let params = worker.params;
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
    worker.stack[worker.ply].pv.clear();
    (!worker.stopped && pruning::child_futility(params, quiet, beta))
        .then(|| if quiet.is_mate() { quiet } else { quiet - params.futility_margin })
}

/// Null move pruning: if passing still fails high, so will the best move.
fn null_move(worker: &mut Worker, node: &Node) -> Option<Score> {
    let beta = node.window.beta;
    let reduced = pruning::null_move_depth(worker.params, node.depth)?;
    let passed_before = worker.ply == 0 || worker.pos.last_move().is_none();
    if !worker.params.rules.contains(Rules::NULL_MOVE)
        || passed_before
        || beta.is_mate()
        || node.standing? < beta
    {
        return None;
    }
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
    let killers = worker.stack[worker.ply].killers;
    let all = worker.settings.all_legal_moves;
    let mut picker = MovePicker::new(&worker.pos, table_move, killers, all);
    let checks = worker.pos.check_squares();
    let retake = worker.pos.last_captured().and(worker.pos.last_move()).map(|mv| mv.to());
    let mut quiets: ArrayVec<Move, 64> = ArrayVec::new();
    let mut best = Searched { score: -Score::INFINITE, best: None };
    let mut legal = 0;
    worker.stack[worker.ply + 1].killers = Default::default();

    while let Some(mv) = picker.next(&worker.pos, &worker.history) {
        legal += 1;
        let gives_check = worker.pos.gives_check(mv, &checks);
        let extension = if worker.params.rules.contains(Rules::EXTENSIONS) {
            let case = ExtensionCase {
                gives_check,
                one_reply: node.in_check && picker.evasion_count() == 1,
                recapture: Some(mv.to()) == retake && worker.pos.is_capture(mv),
            };
            pruning::extension(worker.params, case)
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
        worker.stack[worker.ply].promise = node.standing.map(|e| promise(worker, e, mv));
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
                    worker.stack[worker.ply].killers.add(mv);
                    let side = worker.pos.side_to_move();
                    worker.history.reward(side, mv, &quiets, node.depth);
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
    let (params, bounds, pos) = (worker.params, &worker.bounds, &worker.pos);
    if !case.is_open(params) {
        return None;
    }
    let gain = material_gain(pos, mv);
    let material = Score::cp(worker.evaluator.material(pos.side_to_move()));
    case.by_material(params, bounds, material, gain).or_else(|| {
        let foreseen = gain + worker.evaluator.piece_king_change(pos, mv);
        let king_move = pos.moved_piece(mv) == PieceKind::King;
        case.by_change(params, bounds, standing?, foreseen, king_move)
    })
}

/// Mcap(m): what the move wins in material.
#[inline]
pub(super) fn material_gain(pos: &Position, mv: Move) -> i32 {
    let values = exchange_values();
    let taken = pos.piece_on(mv.to()).map_or(0, |piece| values.capture[piece.kind.index()]);
    let promoted =
        if mv.is_promotion() { values.promotion[pos.moved_piece(mv).index()] } else { 0 };
    taken + promoted
}

/// What the evaluation should be after `mv` if nothing but material and the moved piece's
/// relations to the kings changed.
#[inline]
pub(super) fn promise(worker: &Worker, standing: Score, mv: Move) -> Promise {
    let pos = &worker.pos;
    let relations = worker.evaluator.piece_king_change(pos, mv);
    Promise {
        foreseen: standing + (material_gain(pos, mv) + relations),
        king_move: pos.moved_piece(mv) == PieceKind::King,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::engine::{Control, Limits, Settings};
    use crate::eval::Evaluation;
    use crate::search::worker::Instructions;
    use crate::search::{SearchParams, TranspositionTable, quiescence};
    use crate::shogi::{Scope, movegen};

    fn open() -> Window {
        Window { alpha: -Score::INFINITE, beta: Score::INFINITE }
    }

    /// Every move to the same depth, no table, no window.
    fn minimax(worker: &mut Worker, depth: i32) -> Score {
        if depth == 0 {
            return quiescence::search(worker, open(), 0);
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
        let params = SearchParams::DEFAULT.without(Rules::all().difference(Rules::QUIESCENCE_MATE));
        let (settings, limits) = (Settings::default(), Limits::default());
        let control = Control::new(Instant::now());
        let told = Instructions {
            params: &params,
            settings: &settings,
            limits: &limits,
            control: &control,
        };
        let evaluation = Evaluation::HandMade;
        for sfen in [
            "ln1g1g1nl/1ks2r3/1pppp1bpp/p3spp2/9/P1P1SP1PP/1PSPP1P2/1BK1GR3/LN3G1NL b - 1",
            "3gk1gn+B/6s2/l1s2pppp/p3p4/9/3P2P2/2PGP+b+nPP/4g1R2/1+r3sSKL w 2n2l6p 94",
            "2g2+S3/4p+R1+R1/2pp1pp2/3g1k2p/9/p3GPP1P/nGPPP1N2/2KSS4/8L b S2N3L5P2b 107",
        ] {
            let pos = Position::from_sfen(sfen).expect("valid");
            for depth in 1..=2 {
                let tt = TranspositionTable::new(1);
                let mut worker = Worker::new(&pos, &evaluation, &tt, told);
                let score = search::<Pv>(&mut worker, open(), Depth::plies(depth));
                let mut worker = Worker::new(&pos, &evaluation, &tt, told);
                assert_eq!(score, minimax(&mut worker, depth), "{sfen} depth {depth}");
            }
        }
    }
}
