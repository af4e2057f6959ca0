//! The conditions under which a node or a move is left out, each a pure function of what it looks
//! at, with its own switch. None speaks of mates; the caller asks none in check.

use super::params::{SearchParams, Techniques};
use crate::eval::Score;
use crate::search::depth::Depth;
use crate::search::tt::TtEntry;
use crate::search::window::Window;

/// Mate distance pruning: the window without mates longer than the one already found. Empty if
/// nothing here could change the result.
#[inline]
pub(super) fn mate_distance(params: &SearchParams, window: Window, ply: usize) -> Window {
    if !params.uses(Techniques::MATE_DISTANCE) {
        return window;
    }
    let (mated, mating) = (Score::mated_in(ply as u32), Score::mate_in(ply as u32 + 1));
    Window { alpha: window.alpha.max(mated), beta: window.beta.min(mating) }
}

/// Razoring: so far below alpha that only quiescence can tell.
#[inline]
pub(super) fn razoring(params: &SearchParams, depth: Depth, eval: Score, alpha: Score) -> bool {
    let plies = depth.to_plies();
    params.uses(Techniques::RAZORING)
        && !alpha.is_mate()
        && depth.floor() <= params.razor_depth
        && eval + (params.razor_base + params.razor_slope * plies) <= alpha
}

/// Reverse futility: so far above beta that the opponent will not come back before the horizon. If
/// so, the score: two thirds of what the evaluation is above beta count.
#[inline]
pub(super) fn reverse_futility(
    params: &SearchParams,
    depth: Depth,
    eval: Score,
    beta: Score,
    improving: bool,
) -> Option<Score> {
    let plies = depth.to_plies();
    let margin = params.reverse_slope * (plies - i32::from(improving)).max(0);
    (params.uses(Techniques::REVERSE_FUTILITY)
        && !beta.is_mate()
        && depth.floor() <= params.reverse_depth
        && eval - margin >= beta)
        .then(|| beta + (eval - beta) * 2 / 3)
}

/// Null move: the depth of the search after a pass, if one is to be tried; the better the
/// evaluation, the less. `eval`: the static evaluation, or what the table knows better.
#[inline]
pub(super) fn null_move(
    params: &SearchParams,
    depth: Depth,
    eval: Score,
    static_eval: Score,
    beta: Score,
) -> Option<Depth> {
    let wanted = params.uses(Techniques::NULL_MOVE)
        && depth >= params.null_depth
        && eval >= beta
        && static_eval >= beta
        && !beta.is_mate();
    wanted.then(|| {
        let excess = ((eval - beta) / params.null_evaluation).clamp(0, 3);
        let units = params.null_base + params.null_slope * depth.to_plies() + 1_024 * excess;
        depth - Depth::half_plies(2 * units / 1_024)
    })
}

/// Prob-cut: the score to be reached and the depth of the search that must reach it, if it is to be
/// tried.
#[inline]
pub(super) fn prob_cut(
    params: &SearchParams,
    depth: Depth,
    beta: Score,
    tt_entry: Option<TtEntry>,
) -> Option<(Score, Depth)> {
    let goal = beta + params.prob_cut_margin;
    let reduced = depth - params.prob_cut_reduction;
    let refuted = |entry: TtEntry| entry.depth >= reduced && entry.score < goal;
    (params.uses(Techniques::PROB_CUT)
        && depth >= params.prob_cut_depth
        && !goal.is_mate()
        && !beta.is_mate()
        && !tt_entry.is_some_and(refuted))
    .then_some((goal, reduced))
}

/// Late move pruning: how many moves are searched before the quiet ones left are given up.
#[inline]
pub(super) fn late_move_count(params: &SearchParams, depth: Depth, improving: bool) -> usize {
    if !params.uses(Techniques::LATE_MOVE_PRUNING) {
        return usize::MAX;
    }
    let plies = depth.to_plies().max(0);
    let count = params.late_base + params.late_slope * plies * plies / 100;
    usize::try_from(if improving { count } else { count / 2 }).unwrap_or(0)
}

/// History pruning: whether a quiet move with this history is not worth a look.
#[inline]
pub(super) fn history_pruning(params: &SearchParams, depth: Depth, history: i32) -> bool {
    let plies = depth.to_plies();
    params.uses(Techniques::HISTORY_PRUNING)
        && depth.floor() <= params.history_depth
        && history < -params.history_slope * plies.max(1)
}

/// Futility: the most that a move is expected to bring, if that is not above alpha. `depth`: what is
/// left after the reduction. `gain`: what a capture takes, centipawns; `None`: a quiet move.
#[inline]
pub(super) fn futility_bound(
    params: &SearchParams,
    depth: Depth,
    static_eval: Score,
    gain: Option<i32>,
    alpha: Score,
) -> Option<Score> {
    let plies = depth.to_plies().max(0);
    let (technique, margin) = match gain {
        None => (Techniques::FUTILITY, params.futility_base + params.futility_slope * plies),
        Some(gain) => {
            let margin = gain + params.capture_base + params.capture_slope * plies;
            (Techniques::CAPTURE_FUTILITY, margin)
        }
    };
    let bound = static_eval + margin;
    (params.uses(technique)
        && !alpha.is_mate()
        && depth.floor() <= params.futility_depth
        && bound <= alpha)
        .then_some(bound)
}

/// SEE pruning: the most material, centipawns, that a move may lose on its square; `None`: any.
/// `depth`: what is left after the reduction for quiet moves, the node's for others.
#[inline]
pub(super) fn see_margin(params: &SearchParams, depth: Depth, quiet: bool) -> Option<i32> {
    let plies = depth.to_plies().max(0);
    let margin = if quiet { params.see_quiet * plies * plies } else { params.see_capture * plies };
    params.uses(Techniques::SEE_PRUNING).then_some(margin)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMS: SearchParams = SearchParams::DEFAULT;

    #[test]
    fn far_scores_end_a_node_near_the_horizon_only() {
        let (near, far) = (Depth::ONE, Depth::plies(30));
        let (low, high) = (Score::cp(-9_000), Score::cp(9_000));
        assert!(razoring(&PARAMS, near, low, Score::ZERO));
        assert!(!razoring(&PARAMS, far, low, Score::ZERO));
        assert!(!razoring(&PARAMS, near, Score::ZERO, Score::ZERO));
        let bound = reverse_futility(&PARAMS, near, high, Score::ZERO, false);
        assert!(bound.is_some_and(|bound| bound >= Score::ZERO && bound <= high));
        assert_eq!(reverse_futility(&PARAMS, far, high, Score::ZERO, false), None);
        let one = Depth::ONE;
        let edge = Score::cp(PARAMS.reverse_slope);
        assert!(reverse_futility(&PARAMS, one, edge, Score::ZERO, false).is_some());
        assert!(reverse_futility(&PARAMS, one, edge - 1, Score::ZERO, false).is_none());
        assert!(reverse_futility(&PARAMS, one, edge - 1, Score::ZERO, true).is_some());
    }

    #[test]
    fn a_pass_is_searched_less_deeply_the_better_one_stands() {
        let depth = Depth::plies(10);
        let pass = |eval, beta| null_move(&PARAMS, depth, eval, eval, beta);
        let even = pass(Score::ZERO, Score::ZERO).expect("a pass");
        let ahead = pass(Score::cp(2_000), Score::ZERO).expect("a pass");
        assert!(ahead < even && even < depth - Depth::plies(2));
        assert_eq!(pass(Score::cp(-1), Score::ZERO), None);
    }

    #[test]
    fn moves_are_given_up_at_their_bounds() {
        let depth = Depth::plies(3);
        let count = |improving| late_move_count(&PARAMS, depth, improving);
        assert!(count(true) > count(false));
        assert!(late_move_count(&PARAMS, Depth::plies(9), false) > count(false));
        assert!(!history_pruning(&PARAMS, depth, -3 * PARAMS.history_slope));
        assert!(history_pruning(&PARAMS, depth, -3 * PARAMS.history_slope - 1));
        for (gain, reach) in [
            (None, PARAMS.futility_base + PARAMS.futility_slope),
            (Some(500), PARAMS.capture_base + PARAMS.capture_slope + 500),
        ] {
            let bound =
                |alpha| futility_bound(&PARAMS, Depth::ONE, Score::ZERO, gain, Score::cp(alpha));
            assert_eq!(bound(reach), Some(Score::cp(reach)));
            assert_eq!(bound(reach - 1), None);
        }
        assert!(see_margin(&PARAMS, depth, true) > Some(0));
        assert_eq!(see_margin(&PARAMS, Depth::ZERO, false), Some(0));
    }

    /// Where each rule fires with a plain window it is silent about mates, and without its switch.
    #[test]
    fn no_rule_speaks_of_mates_or_without_its_switch() {
        let (low, high, depth) = (Score::cp(-9_000), Score::cp(9_000), Depth::plies(6));
        let fires = |params: &SearchParams, alpha: Score, beta: Score| {
            [
                razoring(params, Depth::ONE, low, alpha),
                reverse_futility(params, Depth::ONE, high, beta, false).is_some(),
                null_move(params, depth, high, high, beta).is_some(),
                prob_cut(params, depth, beta, None).is_some(),
                futility_bound(params, Depth::ONE, low, None, alpha).is_some(),
                futility_bound(params, Depth::ONE, low, Some(100), alpha).is_some(),
            ]
        };
        assert_eq!(fires(&PARAMS, Score::ZERO, Score::ZERO), [true; 6]);
        assert_eq!(fires(&PARAMS, Score::mate_in(9), Score::mated_in(8)), [false; 6]);
        let off = PARAMS.without(Techniques::all());
        assert_eq!(fires(&off, Score::ZERO, Score::ZERO), [false; 6]);
        assert_eq!(late_move_count(&off, Depth::ONE, false), usize::MAX);
        assert!(!history_pruning(&off, Depth::ONE, -60_000));
        assert_eq!(see_margin(&off, depth, true), None);
        let window = Window { alpha: Score::mated_in(3), beta: Score::mate_in(9) };
        let narrowed = mate_distance(&PARAMS, window, 6);
        assert!(narrowed.alpha > window.alpha && narrowed.beta == window.beta);
        assert_eq!(mate_distance(&off, window, 6).alpha, window.alpha);
    }
}
