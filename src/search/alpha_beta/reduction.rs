//! By how much late moves are searched less deeply at first.
//!
//! Source: late move reductions as known in the field (Fruit, Stockfish): the reduction grows with
//! the logarithms of depth and number of the move, and is adjusted by the kind of the node, by what
//! the table knows of it, and by the histories.

use super::params::{SearchParams, Techniques};

/// Entries of the logarithm: later moves and greater depths count as the last.
const ENTRIES: usize = 128;
/// Units of one ply.
pub(super) const PLY: i32 = 1_024;

/// The logarithmic part.
pub(in crate::search) struct Reductions {
    /// Square root of the slope times the natural logarithm, so that a product of two is a term.
    logarithms: [i32; ENTRIES],
}

/// A move whose reduction is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LateMove {
    /// Remaining depth of the node, plies.
    pub depth: i32,
    /// 1 = first.
    pub number: usize,
    /// The evaluation is better than two plies before.
    pub improving: bool,
    /// Width of the window, as a share of the root's, 1/1024.
    pub window: i32,
    /// The node is or was searched with an open window.
    pub tt_pv: bool,
}

/// What else the reduction of the search depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ReductionCase {
    /// The node is searched with an open window.
    pub pv: bool,
    /// The node is expected to fail high.
    pub cut_node: bool,
    /// The table's score is above alpha.
    pub tt_above: bool,
    /// The table's entry is as deep as the node.
    pub tt_deep: bool,
    pub has_tt_move: bool,
    pub tt_capture: bool,
    /// The move is the table's.
    pub is_tt_move: bool,
    pub gives_check: bool,
    /// Cut-offs among the children of the node and of its siblings so far.
    pub child_cutoffs: u8,
    /// Histories of the move: twice the butterfly history and the first two continuation histories,
    /// or what a capture takes and its history.
    pub history: i32,
    /// Size of the correction of the evaluation, centipawns.
    pub correction: i32,
}

impl Reductions {
    pub fn new(params: &SearchParams) -> Reductions {
        let root = f64::from(params.reduction_slope * PLY).sqrt();
        let mut logarithms = [0; ENTRIES];
        for (n, value) in logarithms.iter_mut().enumerate().skip(1) {
            *value = (root * (n as f64).ln()) as i32;
        }
        Reductions { logarithms }
    }

    /// The reduction that the pruning of moves assumes, 1/1024 ply; it may be negative.
    #[inline]
    pub(super) fn base(&self, params: &SearchParams, late: &LateMove) -> i32 {
        let depth = (late.depth.max(0) as usize).min(ENTRIES - 1);
        let log = self.logarithms[depth] * self.logarithms[late.number.min(ENTRIES - 1)] / PLY;
        let mut units = params.reduction_base + log - late.window * params.reduction_window / 1_024;
        if !late.improving {
            units += log * params.reduction_not_improving / 1_024;
        }
        if late.tt_pv && params.uses(Techniques::NODE_KIND_REDUCTION) {
            units += params.reduction_tt_pv;
        }
        units
    }

    /// The reduction of the search, 1/1024 ply; it may be negative. `base`: of
    /// [`base`](Reductions::base) for the same move.
    #[inline]
    pub(super) fn of(
        &self,
        params: &SearchParams,
        base: i32,
        late: &LateMove,
        case: &ReductionCase,
    ) -> i32 {
        let mut units = base + params.reduction_offset
            - params.reduction_number * late.number as i32
            - case.history * params.reduction_history / 1_024
            - case.correction * params.reduction_correction / 1_024;
        let kinds = params.uses(Techniques::NODE_KIND_REDUCTION);
        let many = case.child_cutoffs > 1;
        let is_all_node = !case.pv && !case.cut_node;
        let terms = [
            (case.gives_check, -params.reduction_check),
            (case.is_tt_move, -params.reduction_table_move),
            (case.tt_capture, params.reduction_capture),
            (many, params.reduction_cutoffs),
            (case.child_cutoffs > 2, params.reduction_many_cutoffs),
            (kinds && many && is_all_node, params.reduction_all_cutoffs),
            (kinds && case.cut_node, params.reduction_cut_node),
            (kinds && case.cut_node && !case.has_tt_move, params.reduction_no_move),
            (kinds && late.tt_pv, -params.reduction_pv_line),
            (kinds && late.tt_pv && case.pv, -params.reduction_pv),
            (kinds && late.tt_pv && case.tt_above, -params.reduction_pv_score),
            (kinds && late.tt_pv && case.tt_deep, -params.reduction_pv_depth),
            (kinds && late.tt_pv && case.tt_deep && case.cut_node, -params.reduction_pv_cut),
        ];
        for (holds, term) in terms {
            units += if holds { term } else { 0 };
        }
        if kinds && is_all_node {
            // Reduction grows by a quarter near the horizon, by less the deeper the node.
            units += units * params.reduction_all_node / (1_024 * (late.depth + 1));
        }
        units
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMS: SearchParams = SearchParams::DEFAULT;

    fn plies(late: LateMove, case: ReductionCase) -> f64 {
        let reductions = Reductions::new(&PARAMS);
        let base = reductions.base(&PARAMS, &late);
        f64::from(reductions.of(&PARAMS, base, &late, &case)) / f64::from(PLY)
    }

    #[test]
    fn later_deeper_and_worse_is_reduced_more() {
        let late = LateMove { depth: 8, number: 10, improving: true, ..LateMove::default() };
        let case = ReductionCase { has_tt_move: true, ..ReductionCase::default() };
        let plain = plies(late, case);
        assert!(plies(LateMove { number: 40, ..late }, case) < plain + 3.0);
        assert!(plies(LateMove { depth: 20, ..late }, case) > plain);
        assert!(plies(LateMove { improving: false, ..late }, case) > plain);
        assert!(plies(late, ReductionCase { history: -10_000, ..case }) > plain);
        assert!(plies(late, ReductionCase { history: 10_000, ..case }) < plain);
        assert!(plies(late, ReductionCase { child_cutoffs: 3, ..case }) > plain + 1.0);
    }

    #[test]
    fn cut_nodes_are_reduced_most_and_lines_once_open_least() {
        let late = LateMove { depth: 8, number: 8, improving: true, ..LateMove::default() };
        let all = ReductionCase { has_tt_move: true, ..ReductionCase::default() };
        let cut = ReductionCase { cut_node: true, ..all };
        let pv = ReductionCase { pv: true, tt_above: true, tt_deep: true, ..all };
        assert!(plies(late, cut) > plies(late, all) + 2.0);
        assert!(plies(LateMove { tt_pv: true, ..late }, pv) < 0.0, "searched deeper");
    }
}
