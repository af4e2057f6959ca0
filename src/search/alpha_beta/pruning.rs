//! Pruning conditions of nodes and moves. Each is a pure function of its arguments and has its own
//! switch. A condition on the evaluation does not apply to decided scores. The caller does not prune
//! whole nodes in check.

use std::ops::Range;

use super::node_info::{AlphaBetaNode, ChildNode};
use super::params::{SearchParams, Techniques};
use crate::engine::Bound;
use crate::eval::Score;
use crate::search::tt::TtEntry;
use crate::search::window::Window;

/// Maximum depth of futility pruning of quiet moves, in plies.
const FUTILITY_DEPTH: i32 = 13;
/// Maximum depth of capture futility pruning, in plies.
const CAPTURE_FUTILITY_DEPTH: i32 = 7;
/// Depths at which a raise of alpha reduces the remaining moves, in plies.
const RAISED_ALPHA_DEPTHS: Range<i32> = 3..14;

/// Mate distance pruning: clamps the window to mates that are not longer than one already found.
/// The result is empty if no move can change the score.
#[inline]
pub(super) fn mate_distance(params: &SearchParams, window: Window, ply: usize) -> Window {
    if !params.uses(Techniques::MATE_DISTANCE) {
        return window;
    }
    let (mated, mating) = (Score::mated_in(ply as u32), Score::mate_in(ply as u32 + 1));
    Window { alpha: window.alpha.max(mated), beta: window.beta.min(mating) }
}

/// Whether a TT entry causes a cutoff at a null-window node of `depth` plies. A fail high must come
/// from a deeper search. At low depth, the entry must fail in the direction expected for the node
/// type. Otherwise searching the node is more useful to its ancestors than the score.
#[inline]
pub(super) fn table_cut(
    params: &SearchParams,
    entry: &TtEntry,
    window: Window,
    depth: i32,
    cut_node: bool,
) -> bool {
    let fails_high = entry.score >= window.beta;
    let found = entry.depth.to_plies();
    if !entry.cuts(window) || found < depth {
        return false;
    }
    let is_trusted = found > depth || entry.score <= window.beta;
    let agrees = is_trusted && (cut_node == fails_high || depth > params.kind_depth);
    agrees || !params.uses(Techniques::NODE_KIND_CUT)
}

/// Small ProbCut: returns a score if a lower bound far above beta, from a slightly shallower
/// search, ends the node.
#[inline]
pub(super) fn small_prob_cut(
    params: &SearchParams,
    entry: Option<TtEntry>,
    depth: i32,
    beta: Score,
) -> Option<Score> {
    let entry = entry?;
    let goal = beta + params.small_prob_cut;
    (params.uses(Techniques::SMALL_PROB_CUT)
        && entry.bound != Bound::Upper
        && entry.depth.to_plies() >= depth - 4
        && entry.score >= goal
        && !entry.score.is_decisive()
        && !beta.is_decisive())
    .then_some(goal)
}

/// Returns a fail-high score `share` of the way from beta to the score: larger values are less
/// reliable. `share`: numerator and denominator.
#[inline]
pub(super) fn soften(
    params: &SearchParams,
    score: Score,
    beta: Score,
    (numerator, denominator): (i32, i32),
) -> Score {
    let applies = params.uses(Techniques::SOFTENING)
        && score > beta
        && !score.is_decisive()
        && !beta.is_decisive();
    if applies { beta + (score - beta) * numerator / denominator } else { score }
}

/// Razoring: whether the evaluation is so far below alpha that quiescence search decides.
#[inline]
pub(super) fn razoring(params: &SearchParams, depth: i32, eval: Score, alpha: Score) -> bool {
    params.uses(Techniques::RAZORING)
        && !alpha.is_decisive()
        && eval + (params.razor_base + params.razor_slope * depth * depth) < alpha
}

/// Reverse futility: returns a score if the evaluation is so far above beta that the opponent
/// cannot recover before the horizon. The score is beta plus one third of the excess. `tt_pv` nodes
/// and nodes with a quiet TT move are not pruned. `worsening`: the opponent's evaluation became
/// worse.
#[inline]
pub(super) fn reverse_futility(
    params: &SearchParams,
    node: &AlphaBetaNode,
    eval: Score,
    worsening: bool,
) -> Option<Score> {
    let beta = node.window.beta;
    let miss = if node.tt_entry.is_none() { params.reverse_miss } else { 0 };
    let step = params.reverse_slope - miss;
    let part = |holds: bool, share: i32| if holds { step * share / 1_024 } else { 0 };
    let margin = step * node.depth
        - part(node.improving, params.reverse_improving)
        - part(worsening, params.reverse_worsening)
        + node.facts.correction * params.reverse_correction / 1_024;
    (params.uses(Techniques::REVERSE_FUTILITY)
        && !node.facts.tt_pv
        && node.depth <= params.reverse_depth
        && (node.tt_move.is_none() || node.tt_capture)
        && eval >= beta
        && eval - margin >= beta
        && !eval.is_decisive()
        && !beta.is_decisive())
    .then(|| beta + (eval - beta) / 3)
}

/// Null move: the depth of the search after a null move in plies, or `None`. Tried at cut nodes
/// with a static evaluation well above beta.
#[inline]
pub(super) fn null_move(
    params: &SearchParams,
    node: &AlphaBetaNode,
    static_eval: Score,
) -> Option<i32> {
    let beta = node.window.beta;
    let improving = if node.improving { params.null_improving } else { 0 };
    let margin = params.null_margin - params.null_slope * node.depth - improving;
    (params.uses(Techniques::NULL_MOVE)
        && node.cut_node
        && node.facts.excluded.is_none()
        && static_eval >= beta + margin
        && !beta.is_decisive())
    .then(|| node.depth - params.null_reduction - node.depth / 3)
}

/// ProbCut: the score to reach and the depth of the search that must reach it, in plies. `None` if
/// ProbCut does not apply.
#[inline]
pub(super) fn prob_cut(params: &SearchParams, node: &AlphaBetaNode) -> Option<(Score, i32)> {
    let beta = node.window.beta;
    let improving = if node.improving { params.prob_cut_improving } else { 0 };
    let goal = beta + (params.prob_cut_margin - improving);
    let refuted = node.tt_entry.is_some_and(|entry| entry.score < goal);
    (params.uses(Techniques::PROB_CUT)
        && node.depth >= 3
        && !goal.is_decisive()
        && !beta.is_decisive()
        && !refuted)
        .then_some((goal, node.depth - params.prob_cut_reduction))
}

/// Hindsight: the change of a node's depth in plies, if its evaluation contradicts the reduction of
/// the move that led to it. `worsening`: the opponent's evaluation became worse. `sum`: of the
/// evaluations of both sides, here and one ply earlier.
#[inline]
pub(super) fn hindsight(
    params: &SearchParams,
    depth: i32,
    reduction: i32,
    worsening: bool,
    sum: Option<i32>,
) -> i32 {
    if !params.uses(Techniques::HINDSIGHT) {
        return 0;
    }
    let deeper = reduction >= 3 && !worsening;
    let shallower =
        reduction >= 2 && depth >= 2 && sum.is_some_and(|sum| sum > params.hindsight_margin);
    i32::from(deeper) - i32::from(shallower)
}

/// Internal iterative reduction (Schröder 2020) of a node without a TT move, in plies. Its move
/// ordering is poor, and the next visit will find a TT move.
#[inline]
pub(super) fn internal_iterative(
    params: &SearchParams,
    node: &AlphaBetaNode,
    reduction: i32,
) -> i32 {
    let reduced = params.uses(Techniques::IIR)
        && node.depth >= params.iir_depth
        && !node.is_all_node()
        && node.tt_move.is_none()
        && reduction <= 3;
    i32::from(reduced)
}

/// Late move pruning: the number of moves searched before the remaining quiet moves are skipped.
#[inline]
pub(super) fn late_move_count(params: &SearchParams, depth: i32, improving: bool) -> usize {
    if !params.uses(Techniques::LATE_MOVE_PRUNING) {
        return usize::MAX;
    }
    let count = params.late_base + params.late_slope * depth * depth;
    usize::try_from(count / if improving { 100 } else { 200 }).unwrap_or(0)
}

/// History pruning: whether a quiet move is skipped because of its history.
#[inline]
pub(super) fn history_pruning(params: &SearchParams, depth: i32, history: i32) -> bool {
    params.uses(Techniques::HISTORY_PRUNING) && history < -params.history_slope * depth
}

/// Futility of a quiet move: its upper bound if that does not exceed alpha. `left`: the depth after
/// reduction and history, in plies. `has_best`: a move has raised alpha.
#[inline]
pub(super) fn futility_bound(
    params: &SearchParams,
    left: i32,
    static_eval: Score,
    has_best: bool,
    alpha: Score,
) -> Option<Score> {
    let margin = params.futility_base
        + params.futility_slope * left
        + if has_best { 0 } else { params.futility_no_best }
        + if static_eval > alpha { params.futility_above } else { 0 };
    let bound = static_eval + margin;
    (params.uses(Techniques::FUTILITY)
        && !alpha.is_decisive()
        && left < FUTILITY_DEPTH
        && bound <= alpha)
        .then_some(bound)
}

/// Futility of a capture: whether even the captured piece does not lift the evaluation above alpha.
/// `left`: the depth after reduction, in plies. `gain`: value of the captured piece in centipawns,
/// and history of the capture.
#[inline]
pub(super) fn capture_futility(
    params: &SearchParams,
    left: i32,
    static_eval: Score,
    (gain, history): (i32, i32),
    alpha: Score,
) -> bool {
    let margin = gain
        + params.capture_base
        + params.capture_slope * left
        + history * params.capture_history / 1_024;
    params.uses(Techniques::CAPTURE_FUTILITY)
        && !alpha.is_decisive()
        && left < CAPTURE_FUTILITY_DEPTH
        && static_eval + margin <= alpha
}

/// SEE pruning of captures and checks: the maximum SEE loss of the move in centipawns. `None`: no
/// limit.
#[inline]
pub(super) fn see_margin(params: &SearchParams, depth: i32, history: i32) -> Option<i32> {
    let margin = params.see_capture * depth + history * params.see_history / 1_024;
    params.uses(Techniques::SEE_PRUNING).then_some(margin.max(0))
}

/// SEE pruning of quiet moves; `left`: the depth after reduction and history, in plies.
#[inline]
pub(super) fn quiet_see_margin(params: &SearchParams, left: i32) -> Option<i32> {
    let left = left.max(0);
    params.uses(Techniques::SEE_PRUNING).then_some(params.see_quiet * left * left)
}

/// The depth of a node after a move raised alpha, in plies. The remaining moves are expected to be
/// worse.
#[inline]
pub(super) fn depth_after_raise(params: &SearchParams, depth: i32) -> i32 {
    let applies = params.uses(Techniques::RAISED_ALPHA) && RAISED_ALPHA_DEPTHS.contains(&depth);
    if applies { depth - params.raised_plies } else { depth }
}

/// First-move reduction: reduction in plies of a move that late move reduction does not reduce, if
/// the node type strongly suggests it. It acts as a second internal iterative reduction.
#[inline]
pub(super) fn first_move_reduction(params: &SearchParams, child: &ChildNode) -> i32 {
    if !params.uses(Techniques::FIRST_MOVE_REDUCTION) {
        return 0;
    }
    let missing = if child.has_tt_move { 0 } else { params.first_move_missing };
    let units = child.reduction.to_units() + missing;
    i32::from(units > params.first_move_one)
        + i32::from(units > params.first_move_two && child.depth > 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::alpha_beta::node_info::NodeFacts;
    use crate::search::alpha_beta::testing::node;
    use crate::search::depth::Depth;

    const PARAMS: SearchParams = SearchParams::DEFAULT;

    fn entry(score: Score, depth: i32, bound: Bound) -> TtEntry {
        let depth = Depth::plies(depth);
        TtEntry { mv: None, score, depth, bound, raw_eval: None, pv: false }
    }

    #[test]
    fn far_scores_end_a_node_only_near_the_horizon() {
        let (low, high) = (Score::cp(-9_000), Score::cp(9_000));
        assert!(razoring(&PARAMS, 1, low, Score::ZERO));
        assert!(!razoring(&PARAMS, 30, low, Score::ZERO));
        assert!(!razoring(&PARAMS, 1, Score::ZERO, Score::ZERO));
        let reverse = |node: &AlphaBetaNode, eval| reverse_futility(&PARAMS, node, eval, false);
        assert_eq!(reverse(&node(1), high), Some(Score::cp(3_000)));
        assert_eq!(reverse(&node(30), high), None);
        let facts = NodeFacts { tt_pv: true, ..node(1).facts };
        let once_open = AlphaBetaNode { facts, ..node(1) };
        assert_eq!(reverse(&once_open, high), None);
        let edge = Score::cp(6 * (PARAMS.reverse_slope - PARAMS.reverse_miss));
        assert!(reverse(&node(6), edge).is_some());
        assert!(reverse(&node(6), edge - 1).is_none());
        assert!(reverse(&AlphaBetaNode { improving: true, ..node(6) }, edge - 1).is_some());
        let facts = NodeFacts { correction: 100, ..node(6).facts };
        assert!(reverse(&AlphaBetaNode { facts, ..node(6) }, edge).is_none());
    }

    #[test]
    fn null_move_is_tried_at_cut_nodes_well_above_beta() {
        let ahead = Score::cp(PARAMS.null_margin);
        assert!(null_move(&PARAMS, &node(10), ahead).is_some_and(|depth| depth < 2));
        assert_eq!(null_move(&PARAMS, &node(10), Score::ZERO), None);
        assert_eq!(null_move(&PARAMS, &AlphaBetaNode { cut_node: false, ..node(10) }, ahead), None);
    }

    #[test]
    fn a_tt_cutoff_at_low_depth_must_match_the_node_type() {
        let window = Window::null(Score::ZERO);
        let cuts =
            |entry: &TtEntry, depth, cut_node| table_cut(&PARAMS, entry, window, depth, cut_node);
        let high = entry(Score::cp(50), 4, Bound::Lower);
        assert!(cuts(&high, 3, true) && !cuts(&high, 3, false));
        assert!(!cuts(&high, 4, true), "a fail high must come from a deeper search");
        let low = entry(Score::cp(-50), 4, Bound::Upper);
        assert!(cuts(&low, 4, false) && !cuts(&low, 4, true) && !cuts(&low, 5, false));
        let deep = entry(Score::cp(50), 9, Bound::Lower);
        assert!(cuts(&deep, 8, false));
    }

    #[test]
    fn moves_are_pruned_at_their_bounds() {
        let count = |depth, improving| late_move_count(&PARAMS, depth, improving);
        assert!(count(3, true) > count(3, false) && count(9, false) > count(3, false));
        assert!(!history_pruning(&PARAMS, 3, -3 * PARAMS.history_slope));
        assert!(history_pruning(&PARAMS, 3, -3 * PARAMS.history_slope - 1));
        let quiet = |eval: i32, alpha: i32| {
            futility_bound(&PARAMS, 1, Score::cp(eval), true, Score::cp(alpha))
        };
        let reach = PARAMS.futility_base + PARAMS.futility_slope;
        assert_eq!(quiet(0, reach), Some(Score::cp(reach)));
        assert_eq!(quiet(0, reach - 1), None);
        let reach = PARAMS.capture_base + PARAMS.capture_slope + 500;
        let capture = |alpha| capture_futility(&PARAMS, 1, Score::ZERO, (500, 0), Score::cp(alpha));
        assert!(capture(reach) && !capture(reach - 1));
        assert_eq!(quiet_see_margin(&PARAMS, -3), Some(0));
    }

    #[test]
    fn a_capture_with_a_good_history_may_lose_more() {
        assert!(see_margin(&PARAMS, 2, 5_000) > see_margin(&PARAMS, 2, -5_000));
    }

    #[test]
    fn softened_scores_stay_above_beta() {
        let beta = Score::cp(100);
        assert_eq!(soften(&PARAMS, Score::cp(500), beta, (1, 2)), Score::cp(300));
        for unchanged in [Score::cp(99), beta, Score::mate_in(7), Score::WON_BY_RULE] {
            assert_eq!(soften(&PARAMS, unchanged, beta, (1, 2)), unchanged);
        }
    }

    #[test]
    fn hindsight_changes_the_depth_against_the_reduction() {
        let change = |reduction, worsening, sum| hindsight(&PARAMS, 6, reduction, worsening, sum);
        assert_eq!(change(3, false, Some(0)), 1);
        assert_eq!(change(3, true, Some(0)), 0);
        assert_eq!(change(2, true, Some(PARAMS.hindsight_margin + 1)), -1);
        assert_eq!(change(0, false, Some(1_000)), 0);
    }

    /// Each rule applies with a normal window. It applies neither to decided scores (mates and wins
    /// by rule) nor without its switch.
    #[test]
    fn no_rule_applies_to_decided_scores_or_without_its_switch() {
        let (low, high) = (Score::cp(-9_000), Score::cp(9_000));
        let fires = |params: &SearchParams, alpha: Score, beta: Score| {
            let node = AlphaBetaNode { window: Window { alpha, beta }, ..node(6) };
            let known = Some(entry(high, 6, Bound::Lower));
            [
                razoring(params, 1, low, alpha),
                reverse_futility(params, &node, high, false).is_some(),
                null_move(params, &node, high).is_some(),
                prob_cut(params, &node).is_some(),
                small_prob_cut(params, known, 6, beta).is_some(),
                futility_bound(params, 1, low, true, alpha).is_some(),
                capture_futility(params, 1, low, (100, 0), alpha),
            ]
        };
        assert_eq!(fires(&PARAMS, Score::ZERO, Score::ZERO), [true; 7]);
        for (win, loss) in
            [(Score::mate_in(9), Score::mated_in(8)), (Score::WON_BY_RULE, -Score::WON_BY_RULE)]
        {
            assert_eq!(fires(&PARAMS, win, loss), [false; 7]);
            let node = node(6);
            assert_eq!(reverse_futility(&PARAMS, &node, win, false), None, "{win}");
            let known = Some(entry(win, 6, Bound::Lower));
            assert_eq!(small_prob_cut(&PARAMS, known, 6, Score::ZERO), None, "{win}");
        }
        let off = PARAMS.without(Techniques::all());
        assert_eq!(fires(&off, Score::ZERO, Score::ZERO), [false; 7]);
        assert_eq!(late_move_count(&off, 1, false), usize::MAX);
        assert!(!history_pruning(&off, 1, -60_000));
        assert_eq!((see_margin(&off, 3, 0), quiet_see_margin(&off, 3)), (None, None));
        let window = Window { alpha: Score::mated_in(3), beta: Score::mate_in(9) };
        let narrowed = mate_distance(&PARAMS, window, 6);
        assert!(narrowed.alpha > window.alpha && narrowed.beta == window.beta);
        assert_eq!(mate_distance(&off, window, 6).alpha, window.alpha);
    }
}
