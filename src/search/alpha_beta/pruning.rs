//! The conditions under which a node or a move is left out, each a pure function of what it looks at.
//! None speaks of mates, and none in check.

use super::params::SearchParams;
use crate::eval::Score;
use crate::search::Depth;

/// Razoring: so far below alpha that only quiescence can tell.
#[inline]
pub(super) fn razoring(
    params: &SearchParams,
    depth: Depth,
    static_eval: Score,
    alpha: Score,
) -> bool {
    let plies = depth.to_plies();
    plies <= params.razor_depth
        && static_eval + (params.razor_base + params.razor_slope * plies) <= alpha
}

/// Reverse futility: so far above beta that the opponent will not come back before the horizon. If
/// so, the score: two thirds of what the evaluation is above beta count.
#[inline]
pub(super) fn reverse_futility(
    params: &SearchParams,
    depth: Depth,
    static_eval: Score,
    beta: Score,
    improving: bool,
) -> Option<Score> {
    let plies = depth.to_plies();
    let margin = params.reverse_slope * (plies - i32::from(improving)).max(0);
    (plies <= params.reverse_depth && static_eval - margin >= beta)
        .then(|| beta + (static_eval - beta) * 2 / 3)
}

/// Null move: the depth of the search after a pass; the better the evaluation, the less.
#[inline]
pub(super) fn null_move_depth(
    params: &SearchParams,
    depth: Depth,
    static_eval: Score,
    beta: Score,
) -> Depth {
    let excess = ((static_eval - beta) / params.null_evaluation).clamp(0, 3);
    let units = params.null_base + params.null_slope * depth.to_plies() + 1_024 * excess;
    depth - Depth::half_plies(2 * units / 1_024)
}

/// Late-move pruning: how many moves are searched before the quiet ones left are given up.
#[inline]
pub(super) fn late_move_count(params: &SearchParams, depth: Depth, improving: bool) -> usize {
    let plies = depth.to_plies().max(0);
    let count = params.late_base + params.late_slope * plies * plies / 100;
    usize::try_from(if improving { count } else { count / 2 }).unwrap_or(0)
}

/// History pruning: whether a quiet move with this history is not worth a look.
#[inline]
pub(super) fn history_pruning(params: &SearchParams, depth: Depth, history: i32) -> bool {
    let plies = depth.to_plies();
    plies <= params.history_depth && history < -params.history_slope * plies.max(1)
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
    let margin = match gain {
        None => params.futility_base + params.futility_slope * plies,
        Some(gain) => gain + params.capture_base + params.capture_slope * plies,
    };
    let bound = static_eval + margin;
    (plies <= params.futility_depth && bound <= alpha).then_some(bound)
}

/// Exchange pruning: the most material, centipawns, that a move may lose on its square. `depth`: what
/// is left after the reduction for quiet moves, the node's for others.
#[inline]
pub(super) fn see_margin(params: &SearchParams, depth: Depth, quiet: bool) -> i32 {
    let plies = depth.to_plies().max(0);
    if quiet { params.see_quiet * plies * plies } else { params.see_capture * plies }
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
        let even = null_move_depth(&PARAMS, depth, Score::ZERO, Score::ZERO);
        let ahead = null_move_depth(&PARAMS, depth, Score::cp(2_000), Score::ZERO);
        assert!(ahead < even && even < depth - Depth::plies(2));
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
        assert!(see_margin(&PARAMS, depth, true) > 0);
        assert_eq!(see_margin(&PARAMS, Depth::ZERO, false), 0);
    }
}
