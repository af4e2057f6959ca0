//! Late move reductions.
//!
//! Source: late move reductions as known in the field (Fruit, Stockfish). The reduction grows with
//! the logarithms of depth and move number. It is adjusted by node type, TT entry and move
//! histories.

use super::params::{SearchParams, Techniques};

/// Entries of the logarithm table. Larger move numbers and depths use the last entry.
const ENTRIES: usize = 128;
/// Units of one ply.
const PLY: i32 = 1_024;

/// A reduction in 1/1024 ply. Can be negative.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reduction(i32);

impl Reduction {
    /// The number of 1/1024 plies.
    #[inline]
    pub fn to_units(self) -> i32 {
        self.0
    }

    /// The number of whole plies, rounded towards zero.
    #[inline]
    pub fn to_plies(self) -> i32 {
        self.0 / PLY
    }

    /// The reduction of the search, from the [base reduction](Reductions::base) of the same move.
    #[inline]
    pub fn adjusted(
        self,
        params: &SearchParams,
        late: &LateMove,
        case: &ReductionCase,
    ) -> Reduction {
        let kinds = params.uses(Techniques::NODE_KIND_REDUCTION);
        let many = case.child_cutoffs > 1;
        let is_all_node = !case.pv && !case.cut_node;
        let part = |holds: bool, term: i32| if holds { term } else { 0 };
        let mut units = self.0 + params.reduction_offset
            - params.reduction_number * late.number as i32
            - case.history * params.reduction_history / 1_024
            - case.correction * params.reduction_correction / 1_024
            - part(case.gives_check, params.reduction_check)
            - part(case.is_tt_move, params.reduction_table_move)
            + part(case.tt_capture, params.reduction_capture)
            + part(many, params.reduction_cutoffs)
            + part(case.child_cutoffs > 2, params.reduction_many_cutoffs)
            + part(kinds && many && is_all_node, params.reduction_all_cutoffs);
        if kinds && case.cut_node {
            units += params.reduction_cut_node;
            units += part(!case.has_tt_move, params.reduction_no_move);
        }
        if kinds && late.tt_pv {
            units -= params.reduction_pv_line
                + part(case.pv, params.reduction_pv)
                + part(case.tt_above, params.reduction_pv_score)
                + part(case.tt_deep, params.reduction_pv_depth)
                + part(case.tt_deep && case.cut_node, params.reduction_pv_cut);
        }
        if kinds && is_all_node {
            // At all nodes, the reduction grows by a share that shrinks with the remaining depth.
            units += units * params.reduction_all_node / (1_024 * (late.depth + 1));
        }
        Reduction(units)
    }
}

/// The logarithmic part of the reductions.
pub(crate) struct Reductions {
    /// Square root of the slope times the natural logarithm: the product of two entries is the
    /// logarithmic term.
    logarithms: [i32; ENTRIES],
}

/// Input of the base reduction of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LateMove {
    /// Remaining depth of the node in plies.
    pub depth: i32,
    /// Position in the search order; 1 is the first move.
    pub number: usize,
    /// Whether the static evaluation is better than two plies earlier.
    pub improving: bool,
    /// Width of the window relative to the root window, in 1/1024.
    pub window: i32,
    /// Whether the node is or was searched with an open window.
    pub tt_pv: bool,
}

/// Further input of the reduction of the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ReductionCase {
    /// Whether the node is searched with an open window.
    pub pv: bool,
    /// Whether the node is expected to fail high.
    pub cut_node: bool,
    /// Whether the TT score is above alpha.
    pub tt_above: bool,
    /// Whether the TT entry is at least as deep as the node.
    pub tt_deep: bool,
    pub has_tt_move: bool,
    pub tt_capture: bool,
    /// Whether the move is the TT move.
    pub is_tt_move: bool,
    pub gives_check: bool,
    /// Beta cutoffs so far among the children of the node and of its siblings.
    pub child_cutoffs: u8,
    /// For a quiet move, twice the butterfly history plus the first two continuation histories. For
    /// a capture, its history plus the captured material.
    pub history: i32,
    /// Absolute value of the evaluation's correction in centipawns.
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

    /// The base reduction, which pruning assumes.
    #[inline]
    pub(super) fn base(&self, params: &SearchParams, late: &LateMove) -> Reduction {
        let depth = (late.depth.max(0) as usize).min(ENTRIES - 1);
        let log = self.logarithms[depth] * self.logarithms[late.number.min(ENTRIES - 1)] / PLY;
        let mut units = params.reduction_base + log - late.window * params.reduction_window / 1_024;
        if !late.improving {
            units += log * params.reduction_not_improving / 1_024;
        }
        if late.tt_pv && params.uses(Techniques::NODE_KIND_REDUCTION) {
            units += params.reduction_tt_pv;
        }
        Reduction(units)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMS: SearchParams = SearchParams::DEFAULT;

    fn plies(late: LateMove, case: ReductionCase) -> f64 {
        let reductions = Reductions::new(&PARAMS);
        let base = reductions.base(&PARAMS, &late);
        f64::from(base.adjusted(&PARAMS, &late, &case).to_units()) / f64::from(PLY)
    }

    #[test]
    fn reductions_grow_with_depth_and_bad_history() {
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
    fn cut_nodes_are_reduced_most_and_tt_pv_nodes_least() {
        let late = LateMove { depth: 8, number: 8, improving: true, ..LateMove::default() };
        let all = ReductionCase { has_tt_move: true, ..ReductionCase::default() };
        let cut = ReductionCase { cut_node: true, ..all };
        let pv = ReductionCase { pv: true, tt_above: true, tt_deep: true, ..all };
        assert!(plies(late, cut) > plies(late, all) + 2.0);
        assert!(plies(LateMove { tt_pv: true, ..late }, pv) < 0.0, "searched deeper");
    }
}
