//! The search of one node.

use arrayvec::ArrayVec;

use super::params::Techniques;
use super::picker::{MovePicker, PickerContext};
use super::reduction::LateMove;
use super::{AlphaBetaThread, PieceTo, history_updates, pruning, quiescence, settled};
use crate::engine::Bound;
use crate::eval::{Score, see_values};
use crate::search::Depth;
use crate::search::tt::TtEntry;
use crate::search::window::{NodeType, NonPv, Pv, Window};
use crate::shogi::{Move, attacks};

/// Cut-offs among the children from which on late moves are reduced more.
const MANY_CUTOFFS: u8 = 3;
/// Moves remembered to get a malus when a later one cuts off.
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
    pub tt_entry: Option<TtEntry>,
    pub tt_move: Option<Move>,
    /// The corrected evaluation; `None` in check.
    pub static_eval: Option<Score>,
    pub improving: bool,
}

/// The score of the present position, fail-soft: outside the window a bound. `cut_node`: it is
/// expected to fail high.
pub(super) fn search<N: NodeType>(
    thread: &mut AlphaBetaThread,
    window: Window,
    depth: Depth,
    cut_node: bool,
) -> Score {
    // Step 1. The horizon.
    if depth < Depth::ONE {
        return quiescence::search::<N>(thread, window, 0);
    }
    thread.line().clear();
    thread.seldepth = thread.seldepth.max(thread.ply);
    let params = thread.state.params;

    // Step 2. The end of the search, of the game, or of the stack; no longer mates than known.
    if thread.must_stop() {
        return Score::ZERO;
    }
    if let Some(score) = thread.decided_or_full() {
        return score;
    }
    let mut window = window;
    if params.uses(Techniques::MATE_DISTANCE) {
        window.alpha = window.alpha.max(thread.mated_here());
        window.beta = window.beta.min(Score::mate_in(thread.ply as u32 + 1));
        if window.alpha >= window.beta {
            return window.alpha;
        }
    }

    // Step 3. What the table knows. At PV nodes only the move is used: the line stays whole.
    let ply = thread.ply;
    let excluded = thread.stack_entry().excluded;
    let key = thread.pos.key();
    let tt_entry = thread.tt.probe(key, ply as u32);
    if !N::PV
        && excluded.is_none()
        && let Some(entry) = tt_entry
        && entry.depth >= depth
        && entry.cuts(window)
    {
        return entry.score;
    }
    let in_check = thread.pos.in_check();

    // Step 4. A win at once: by declaration, or by a mating move.
    if excluded.is_none()
        && let Some((score, mv)) = settled::won_at_once(thread, in_check, tt_entry.is_none())
    {
        if let Some(mv) = mv {
            thread.lines[ply + 1].clear();
            thread.update_pv(mv);
        }
        let entry = TtEntry { mv, score, depth, bound: Bound::Exact, raw_eval: None, pv: N::PV };
        thread.tt.store(key, ply as u32, &entry);
        return score;
    }

    // Step 5. The evaluation, corrected by history.
    let keys = thread.correction_keys();
    let mut raw_eval = None;
    if in_check {
        thread.stack_entry().static_eval = None;
    } else if excluded.is_none() {
        let raw = tt_entry.and_then(|entry| entry.raw_eval).unwrap_or_else(|| thread.evaluate());
        raw_eval = Some(raw);
        thread.stack_entry().static_eval = Some(thread.corrected(raw, keys));
    }
    let static_eval = thread.stack_entry().static_eval;
    let mut node = Node {
        depth,
        window,
        cut_node,
        pv: N::PV || tt_entry.is_some_and(|entry| entry.pv),
        in_check,
        tt_entry,
        tt_move: tt_entry.and_then(|entry| entry.mv),
        static_eval,
        improving: is_improving(thread, static_eval),
    };
    if ply + 2 < thread.state.stack.len() {
        let below = &mut thread.state.stack[ply + 2];
        below.killers = Default::default();
        below.child_cutoffs = 0;
    }

    // Step 6. Nodes that need no look at all their moves.
    if !N::PV && excluded.is_none() {
        if let Some(score) = settled::without_moves(thread, &node) {
            return score;
        }
        if thread.stopped {
            return Score::ZERO;
        }
    }

    // Step 7. Internal reduction: without a table move the ordering is poor, and the table will
    // know one the next time.
    if params.uses(Techniques::IIR)
        && (N::PV || cut_node)
        && node.tt_move.is_none()
        && excluded.is_none()
        && depth >= Depth::plies(params.iir_depth)
    {
        node.depth = depth - Depth::ONE;
    }

    // Step 8. The moves.
    let result = search_moves::<N>(thread, &node, excluded);
    if thread.stopped {
        return Score::ZERO;
    }
    if excluded.is_some() {
        return result.score;
    }
    let bound = window.bound(result.score);
    thread.sample_searched(node.depth, raw_eval, (result.score, bound), result.best);
    let entry = TtEntry {
        mv: result.best,
        score: result.score,
        depth: node.depth,
        bound,
        raw_eval,
        pv: node.pv,
    };
    thread.tt.store(key, ply as u32, &entry);
    history_updates::correct(thread, &node, &result, bound, keys);
    if result.best.is_none() {
        history_updates::on_fail_low(thread, node.depth);
    }
    result.score
}

/// Whether the evaluation is better than at this side's last turn out of check.
fn is_improving(thread: &AlphaBetaThread, static_eval: Option<Score>) -> bool {
    let before = |distance| {
        thread.ply.checked_sub(distance).and_then(|ply| thread.state.stack[ply].static_eval)
    };
    match (static_eval, before(2).or_else(|| before(4))) {
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

fn search_moves<N: NodeType>(
    thread: &mut AlphaBetaThread,
    node: &Node,
    excluded: Option<Move>,
) -> Searched {
    let params = thread.state.params;
    let Window { mut alpha, beta } = node.window;
    let ply = thread.ply;
    let context = thread.context();
    let all = thread.settings.all_legal_moves;
    let mut picker = MovePicker::new(&thread.pos, node.tt_move, context, all);
    let checks = thread.pos.check_squares();
    let enemy_zone =
        thread.pos.king(!thread.pos.side_to_move()).map(attacks::near).unwrap_or_default();
    let table_capture = node.tt_move.is_some_and(|mv| !thread.pos.is_quiet(mv));
    let (mut quiets, mut captures) = (Tried::new(), Tried::new());
    let mut best = Searched { score: -Score::INFINITE, best: None };
    let mut number = 0;

    while let Some(mv) = picker.next(&thread.pos, &checks, thread.state.histories) {
        if Some(mv) == excluded {
            continue;
        }
        number += 1;
        let quiet = thread.pos.is_quiet(mv);
        let gives_check = thread.pos.gives_check(mv, &checks);
        let late = LateMove {
            depth: node.depth,
            number,
            cut_node: node.cut_node,
            pv: node.pv,
            improving: node.improving,
            table_capture,
            gives_check,
            near_king: quiet && enemy_zone.contains(mv.to()),
            killer: context.killers.contains(mv),
            history: history(thread, &context, mv),
            child_cutoffs: thread.state.stack[ply + 1].child_cutoffs > MANY_CUTOFFS,
        };
        let reduction = thread.state.reductions.of(params, &late);

        // Step 9. Moves that need no look, once one is known that does not lose.
        if best.score > -Score::MAX_EVAL
            && !node.in_check
            && let Some(bound) = skipped(thread, node, alpha, mv, &late, reduction, &mut picker)
        {
            best.score = best.score.max(bound);
            continue;
        }

        // Step 10. Extensions.
        let extension = match singular(thread, node, mv, excluded) {
            Singularity::Extend(extension) => extension,
            Singularity::Cut(score) => return Searched { score, best: Some(mv) },
            Singularity::None
                if gives_check
                    && params.uses(Techniques::CHECK_EXTENSION)
                    && thread.pos.see_ge(mv, see_values(), 0) =>
            {
                Depth::ONE
            }
            Singularity::None => Depth::ZERO,
        };
        if thread.stopped {
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
        let score = search_child::<N>(thread, &child);
        if thread.stopped {
            return best;
        }

        // Step 12. A better move.
        best.score = best.score.max(score);
        if score > alpha {
            alpha = score;
            best.best = Some(mv);
            if N::PV {
                thread.update_pv(mv);
            }
            if score >= beta {
                thread.stack_entry().child_cutoffs =
                    thread.stack_entry().child_cutoffs.saturating_add(1);
                history_updates::on_beta_cutoff(
                    thread, &context, node.depth, mv, &quiets, &captures,
                );
                break;
            }
        }
        // Beyond the room for them, moves get no malus.
        let _ = if quiet { quiets.try_push(mv) } else { captures.try_push(mv) };
    }

    // Step 13. No legal move: mated (there is no stalemate draw in shogi).
    if number == 0 {
        let score = if excluded.is_some() { node.window.alpha } else { thread.mated_here() };
        return Searched { score, best: None };
    }
    best
}

impl AlphaBetaThread<'_> {
    /// What orders the quiet moves of the present position.
    pub(super) fn context(&self) -> PickerContext {
        let params = self.state.params;
        let state = &self.state.stack[self.ply];
        let killers =
            if params.uses(Techniques::KILLERS) { state.killers } else { Default::default() };
        let check = if params.uses(Techniques::QUIET_CHECKS) { params.quiet_check } else { 0 };
        let near_root = params.uses(Techniques::LOW_PLY_HISTORY);
        let ply = if near_root { self.ply } else { usize::MAX };
        PickerContext { killers, continuations: self.continuations(), check, ply }
    }
}

/// The histories that speak of a move, together; 0 for captures.
#[inline]
pub(super) fn history(thread: &AlphaBetaThread, context: &PickerContext, mv: Move) -> i32 {
    if !thread.pos.is_quiet(mv) {
        return 0;
    }
    let histories = &thread.state.histories;
    let [last, own, _] = histories.after(&context.continuations, PieceTo::of(&thread.pos, mv));
    histories.quiet(&thread.pos, mv) + last + own
}

/// The bound that stands for a move left out, if it is.
#[inline]
fn skipped(
    thread: &AlphaBetaThread,
    node: &Node,
    alpha: Score,
    mv: Move,
    late: &LateMove,
    reduction: Depth,
    picker: &mut MovePicker,
) -> Option<Score> {
    let params = thread.state.params;
    let none = -Score::INFINITE;
    let quiet = thread.pos.is_quiet(mv);
    let left = (node.depth - Depth::ONE - reduction).max(Depth::ZERO);
    if quiet && !late.gives_check {
        if params.uses(Techniques::LATE_MOVE_PRUNING)
            && late.number >= pruning::late_move_count(params, node.depth, node.improving)
        {
            picker.skip_quiets();
        }
        if params.uses(Techniques::HISTORY_PRUNING)
            && pruning::history_pruning(params, left, late.history)
        {
            return Some(none);
        }
    }
    let futility = if quiet { Techniques::FUTILITY } else { Techniques::CAPTURE_FUTILITY };
    if params.uses(futility)
        && !late.gives_check
        && !alpha.is_mate()
        && let Some(static_eval) = node.static_eval
    {
        let gain = (!quiet).then(|| thread.pos.material_gain(mv, see_values()));
        if let Some(bound) = pruning::futility_bound(params, left, static_eval, gain, alpha) {
            return Some(bound);
        }
    }
    let depth = if quiet { left } else { node.depth };
    let lost = -pruning::see_margin(params, depth, quiet);
    (params.uses(Techniques::SEE_PRUNING) && !thread.pos.see_ge(mv, see_values(), lost))
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
fn singular(
    thread: &mut AlphaBetaThread,
    node: &Node,
    mv: Move,
    excluded: Option<Move>,
) -> Singularity {
    let params = thread.state.params;
    let Some(entry) = node.tt_entry else { return Singularity::None };
    if !params.uses(Techniques::SINGULAR)
        || excluded.is_some()
        || Some(mv) != node.tt_move
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
    thread.stack_entry().excluded = Some(mv);
    let score = search::<NonPv>(thread, Window::null(goal), depth, node.cut_node);
    thread.stack_entry().excluded = None;
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
pub(super) fn search_child<N: NodeType>(thread: &mut AlphaBetaThread, child: &Child) -> Score {
    let &Child { window, depth, cut_node, .. } = child;
    let Window { alpha, beta } = window;
    thread.follow(child.mv, |thread| {
        let null = Window::null(alpha + 1).negated();
        let mut score = alpha + 1;
        if let Some(reduction) = child.reduction {
            let reduced = (depth - reduction).clamp(depth.min(Depth::ONE), depth);
            score = -search::<NonPv>(thread, null, reduced, true);
            if score > alpha && reduced < depth {
                score = -search::<NonPv>(thread, null, depth, !cut_node);
            }
        } else if !N::PV || !child.first {
            score = -search::<NonPv>(thread, null, depth, !cut_node);
        }
        if N::PV && (child.first || score > alpha && score < beta) {
            score = -search::<Pv>(thread, window.negated(), depth, false);
        }
        score
    })
}
