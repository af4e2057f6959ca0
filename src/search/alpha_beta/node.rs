//! The search of one node.

use arrayvec::ArrayVec;

use super::params::Techniques;
use super::picker::{Guide, MovePicker};
use super::reduction::LateMove;
use super::{Arrival, Worker, lessons, pruning, quiescence, settled};
use crate::engine::Bound;
use crate::eval::{Score, see_values};
use crate::search::Depth;
use crate::search::tt::Entry;
use crate::search::window::{NodeType, NonPv, Pv, Window};
use crate::shogi::{Move, attacks};

/// Cut-offs among the children from which on late moves are reduced more.
const MANY_CUTOFFS: u8 = 3;
/// Moves remembered to be blamed when a later one cuts off.
type Tried = ArrayVec<Move, 32>;

/// What a node knows before it looks at its moves.
pub(super) struct Node {
    pub depth: Depth,
    pub window: Window,
    /// Expected to fail high.
    pub cut_node: bool,
    /// Is or was searched with an open window.
    pub pv: bool,
    pub in_check: bool,
    pub known: Option<Entry>,
    pub table_move: Option<Move>,
    /// The corrected evaluation; `None` in check.
    pub standing: Option<Score>,
    pub improving: bool,
}

/// The score of the present position, fail-soft: outside the window a bound. `cut_node`: it is
/// expected to fail high.
pub(super) fn search<N: NodeType>(
    worker: &mut Worker,
    window: Window,
    depth: Depth,
    cut_node: bool,
) -> Score {
    // Step 1. The horizon.
    if depth < Depth::ONE {
        return quiescence::search::<N>(worker, window, 0);
    }
    worker.line().clear();
    worker.seldepth = worker.seldepth.max(worker.ply);
    let params = worker.memory.params;

    // Step 2. The end of the search, of the game, or of the stack; no longer mates than known.
    if worker.must_stop() {
        return Score::ZERO;
    }
    if let Some(score) = worker.decided_or_full() {
        return score;
    }
    let mut window = window;
    if params.uses(Techniques::MATE_DISTANCE) {
        window.alpha = window.alpha.max(worker.mated_here());
        window.beta = window.beta.min(Score::mate_in(worker.ply as u32 + 1));
        if window.alpha >= window.beta {
            return window.alpha;
        }
    }

    // Step 3. What the table knows. At PV nodes only the move is used: the line stays whole.
    let ply = worker.ply;
    let excluded = worker.state().excluded;
    let key = worker.pos.key();
    let known = worker.tt.probe(key, ply as u32);
    if !N::PV
        && excluded.is_none()
        && let Some(entry) = known
        && entry.depth >= depth
        && entry.cuts(window)
    {
        return entry.score;
    }
    let in_check = worker.pos.in_check();

    // Step 4. A win at once: by declaration, or by a mating move.
    if excluded.is_none()
        && let Some((score, mv)) = settled::won_at_once(worker, in_check, known.is_none())
    {
        if let Some(mv) = mv {
            worker.lines[ply + 1].clear();
            worker.update_pv(mv);
        }
        let entry = Entry { mv, score, depth, bound: Bound::Exact, standing: None, pv: N::PV };
        worker.tt.store(key, ply as u32, &entry);
        return score;
    }

    // Step 5. The evaluation, mended by experience.
    let place = worker.correction_place();
    let mut evaluation = None;
    if in_check {
        worker.state().standing = None;
    } else if excluded.is_none() {
        let raw = known.and_then(|entry| entry.standing).unwrap_or_else(|| worker.evaluate());
        evaluation = Some(raw);
        worker.state().standing = Some(worker.corrected(raw, place));
    }
    let standing = worker.state().standing;
    let mut node = Node {
        depth,
        window,
        cut_node,
        pv: N::PV || known.is_some_and(|entry| entry.pv),
        in_check,
        known,
        table_move: known.and_then(|entry| entry.mv),
        standing,
        improving: is_improving(worker, standing),
    };
    if ply + 2 < worker.memory.stack.len() {
        let below = &mut worker.memory.stack[ply + 2];
        below.killers = Default::default();
        below.child_cutoffs = 0;
    }

    // Step 6. Nodes that need no look at all their moves.
    if !N::PV && excluded.is_none() {
        if let Some(score) = settled::without_moves(worker, &node) {
            return score;
        }
        if worker.stopped {
            return Score::ZERO;
        }
    }

    // Step 7. Internal reduction: without a table move the ordering is poor, and the table will
    // know one the next time.
    if params.uses(Techniques::IIR)
        && (N::PV || cut_node)
        && node.table_move.is_none()
        && excluded.is_none()
        && depth >= Depth::plies(params.iir_depth)
    {
        node.depth = depth - Depth::ONE;
    }

    // Step 8. The moves.
    let result = search_moves::<N>(worker, &node, excluded);
    if worker.stopped {
        return Score::ZERO;
    }
    if excluded.is_some() {
        return result.score;
    }
    let bound = window.bound(result.score);
    worker.sample_searched(node.depth, evaluation, (result.score, bound), result.best);
    let entry = Entry {
        mv: result.best,
        score: result.score,
        depth: node.depth,
        bound,
        standing: evaluation,
        pv: node.pv,
    };
    worker.tt.store(key, ply as u32, &entry);
    lessons::correct(worker, &node, &result, bound, place);
    if result.best.is_none() {
        lessons::refuted_nothing(worker, node.depth);
    }
    result.score
}

/// Whether the evaluation is better than at this side's last turn out of check.
fn is_improving(worker: &Worker, standing: Option<Score>) -> bool {
    let before = |distance| {
        worker.ply.checked_sub(distance).and_then(|ply| worker.memory.stack[ply].standing)
    };
    match (standing, before(2).or_else(|| before(4))) {
        (Some(now), Some(then)) => now > then,
        (now, None) => now.is_some(),
        (None, _) => false,
    }
}

/// What came of the moves of a node.
pub(super) struct Searched {
    pub score: Score,
    /// The move that raised alpha, if any did.
    pub best: Option<Move>,
}

fn search_moves<N: NodeType>(worker: &mut Worker, node: &Node, excluded: Option<Move>) -> Searched {
    let params = worker.memory.params;
    let Window { mut alpha, beta } = node.window;
    let ply = worker.ply;
    let guide = worker.guide();
    let all = worker.settings.all_legal_moves;
    let mut picker = MovePicker::new(&worker.pos, node.table_move, guide, all);
    let checks = worker.pos.check_squares();
    let enemy_zone =
        worker.pos.king(!worker.pos.side_to_move()).map(attacks::near).unwrap_or_default();
    let table_capture = node.table_move.is_some_and(|mv| !worker.pos.is_quiet(mv));
    let (mut quiets, mut captures) = (Tried::new(), Tried::new());
    let mut best = Searched { score: -Score::INFINITE, best: None };
    let mut number = 0;

    while let Some(mv) = picker.next(&worker.pos, &checks, worker.memory.histories) {
        if Some(mv) == excluded {
            continue;
        }
        number += 1;
        let quiet = worker.pos.is_quiet(mv);
        let gives_check = worker.pos.gives_check(mv, &checks);
        let late = LateMove {
            depth: node.depth,
            number,
            cut_node: node.cut_node,
            pv: node.pv,
            improving: node.improving,
            table_capture,
            gives_check,
            near_king: quiet && enemy_zone.contains(mv.to()),
            killer: guide.killers.contains(mv),
            history: history(worker, &guide, mv),
            child_cutoffs: worker.memory.stack[ply + 1].child_cutoffs > MANY_CUTOFFS,
        };
        let reduction = worker.memory.reductions.of(params, &late);

        // Step 9. Moves that need no look, once one is known that does not lose.
        if best.score > -Score::MAX_EVAL
            && !node.in_check
            && let Some(bound) = skipped(worker, node, alpha, mv, &late, reduction, &mut picker)
        {
            best.score = best.score.max(bound);
            continue;
        }

        // Step 10. Extensions.
        let extension = match singular(worker, node, mv, excluded) {
            Singularity::Extend(extension) => extension,
            Singularity::Cut(score) => return Searched { score, best: Some(mv) },
            Singularity::None
                if gives_check
                    && params.uses(Techniques::CHECK_EXTENSION)
                    && worker.pos.see_ge(mv, see_values(), 0) =>
            {
                Depth::ONE
            }
            Singularity::None => Depth::ZERO,
        };
        if worker.stopped {
            return best;
        }

        // Step 11. The search of the move.
        let child = Child {
            mv,
            window: Window { alpha, beta },
            depth: node.depth + extension - Depth::ONE,
            reduction: (number > 1
                && node.depth >= Depth::plies(2)
                && params.uses(Techniques::LATE_MOVE_REDUCTION))
            .then_some(reduction),
            first: number == 1,
            cut_node: node.cut_node,
        };
        let score = search_child::<N>(worker, &child);
        if worker.stopped {
            return best;
        }

        // Step 12. A better move.
        best.score = best.score.max(score);
        if score > alpha {
            alpha = score;
            best.best = Some(mv);
            if N::PV {
                worker.update_pv(mv);
            }
            if score >= beta {
                worker.state().child_cutoffs = worker.state().child_cutoffs.saturating_add(1);
                lessons::cut(worker, &guide, node.depth, mv, &quiets, &captures);
                break;
            }
        }
        // Beyond the room for them, moves are not blamed.
        let _ = if quiet { quiets.try_push(mv) } else { captures.try_push(mv) };
    }

    // Step 13. No legal move: mated (there is no stalemate draw in shogi).
    if number == 0 {
        let score = if excluded.is_some() { node.window.alpha } else { worker.mated_here() };
        return Searched { score, best: None };
    }
    best
}

impl Worker<'_> {
    /// What orders the quiet moves of the present position.
    pub(super) fn guide(&self) -> Guide {
        let params = self.memory.params;
        let state = &self.memory.stack[self.ply];
        let killers =
            if params.uses(Techniques::KILLERS) { state.killers } else { Default::default() };
        let check = if params.uses(Techniques::QUIET_CHECKS) { params.quiet_check } else { 0 };
        let near_root = params.uses(Techniques::LOW_PLY_HISTORY);
        let ply = if near_root { self.ply } else { usize::MAX };
        Guide { killers, rows: self.rows(), check, ply }
    }
}

/// The histories that speak of a move, together; 0 for captures.
#[inline]
pub(super) fn history(worker: &Worker, guide: &Guide, mv: Move) -> i32 {
    if !worker.pos.is_quiet(mv) {
        return 0;
    }
    let histories = &worker.memory.histories;
    let [last, own, _] = histories.after(&guide.rows, Arrival::of(&worker.pos, mv));
    histories.quiet(&worker.pos, mv) + last + own
}

/// The bound that stands for a move left out, if it is.
#[inline]
fn skipped(
    worker: &Worker,
    node: &Node,
    alpha: Score,
    mv: Move,
    late: &LateMove,
    reduction: Depth,
    picker: &mut MovePicker,
) -> Option<Score> {
    let params = worker.memory.params;
    let none = -Score::INFINITE;
    let quiet = worker.pos.is_quiet(mv);
    let left = (node.depth - Depth::ONE - reduction).max(Depth::ZERO);
    if quiet && !late.gives_check {
        if params.uses(Techniques::LATE_MOVE_PRUNING)
            && late.number >= pruning::quiet_moves_worth_it(params, node.depth, node.improving)
        {
            picker.skip_quiets();
        }
        if params.uses(Techniques::HISTORY_PRUNING)
            && pruning::is_discredited(params, left, late.history)
        {
            return Some(none);
        }
    }
    let futility = if quiet { Techniques::FUTILITY } else { Techniques::CAPTURE_FUTILITY };
    if params.uses(futility)
        && !late.gives_check
        && !alpha.is_mate()
        && let Some(standing) = node.standing
    {
        let gain = (!quiet).then(|| worker.pos.material_gain(mv, see_values()));
        if let Some(bound) = pruning::futile_bound(params, left, standing, gain, alpha) {
            return Some(bound);
        }
    }
    let depth = if quiet { left } else { node.depth };
    let lost = -pruning::affordable_loss(params, depth, quiet);
    (params.uses(Techniques::SEE_PRUNING) && !worker.pos.see_ge(mv, see_values(), lost))
        .then_some(none)
}

enum Singularity {
    None,
    Extend(Depth),
    /// Several moves fail high: the node does.
    Cut(Score),
}

/// Singular extension (Anantharaman, Campbell and Hsu 1988): if all other moves are far worse than
/// the table move, everything hangs on it.
fn singular(worker: &mut Worker, node: &Node, mv: Move, excluded: Option<Move>) -> Singularity {
    let params = worker.memory.params;
    let Some(entry) = node.known else { return Singularity::None };
    if !params.uses(Techniques::SINGULAR)
        || excluded.is_some()
        || Some(mv) != node.table_move
        || node.depth < Depth::plies(params.singular_depth)
        || entry.bound == Bound::Upper
        || entry.score.is_mate()
        || entry.depth + Depth::plies(3) < node.depth
    {
        return Singularity::None;
    }
    let margin = params.singular_margin * node.depth.to_plies();
    let goal = entry.score - margin;
    let depth = Depth::half_plies((node.depth - Depth::ONE).to_half_plies() / 2);
    worker.state().excluded = Some(mv);
    let score = search::<NonPv>(worker, Window::null(goal), depth, node.cut_node);
    worker.state().excluded = None;
    if score < goal {
        let twice = !node.pv && score < goal - params.double_margin;
        Singularity::Extend(if twice { Depth::plies(2) } else { Depth::ONE })
    } else if score >= node.window.beta && !score.is_mate() {
        Singularity::Cut(score)
    } else if entry.score >= node.window.beta {
        Singularity::Extend(Depth::ZERO - Depth::plies(2))
    } else if node.cut_node {
        Singularity::Extend(Depth::ZERO - Depth::ONE)
    } else {
        Singularity::None
    }
}

/// A move about to be searched.
pub(super) struct Child {
    pub mv: Move,
    pub window: Window,
    /// Depth of the child, unreduced.
    pub depth: Depth,
    /// Plies by which it is searched less deeply at first; `None`: not at all.
    pub reduction: Option<Depth>,
    /// The first move of its node.
    pub first: bool,
    /// Its node is expected to fail high.
    pub cut_node: bool,
}

/// Principal variation search: the first move with the window; the others with a null window,
/// perhaps reduced, and again as long as they turn out better.
pub(super) fn search_child<N: NodeType>(worker: &mut Worker, child: &Child) -> Score {
    let &Child { window, depth, cut_node, .. } = child;
    let Window { alpha, beta } = window;
    worker.follow(child.mv, |w| {
        let null = Window::null(alpha + 1).turned();
        let mut score = alpha + 1;
        if let Some(reduction) = child.reduction {
            let reduced = (depth - reduction).clamp(depth.min(Depth::ONE), depth);
            score = -search::<NonPv>(w, null, reduced, true);
            if score > alpha && reduced < depth {
                score = -search::<NonPv>(w, null, depth, !cut_node);
            }
        } else if !N::PV || !child.first {
            score = -search::<NonPv>(w, null, depth, !cut_node);
        }
        if N::PV && (child.first || score > alpha && score < beta) {
            score = -search::<Pv>(w, window.turned(), depth, false);
        }
        score
    })
}
