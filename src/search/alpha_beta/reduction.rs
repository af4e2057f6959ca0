//! How much less deeply late moves are searched first.
//!
//! Source: late move reductions as known in the field (Fruit, Stockfish): the reduction grows with
//! the logarithms of depth and number of the move; the histories and the node's kind mend it.

use super::params::{SearchParams, Techniques};
use crate::search::depth::Depth;

/// Entries of the logarithm: later moves and greater depths count as the last.
const ENTRIES: usize = 128;
/// Units of one ply.
const PLY: i32 = 1_024;

/// The logarithmic part.
pub(in crate::search) struct Reductions {
    base: i32,
    /// Square root of the slope times the natural logarithm, so that a product of two is a term.
    logarithms: [i32; ENTRIES],
}

/// What is known of a late move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LateMove {
    pub depth: Depth,
    /// 1 = first.
    pub number: usize,
    /// The node is expected to fail high.
    pub cut_node: bool,
    /// The node is or was searched with an open window.
    pub pv: bool,
    /// The evaluation is better than two plies before.
    pub improving: bool,
    /// The table move takes something.
    pub table_capture: bool,
    pub gives_check: bool,
    /// A quiet move to within two files and three ranks of the enemy king.
    pub near_king: bool,
    pub killer: bool,
    /// Sum of the histories of the move, 0 for captures.
    pub history: i32,
    /// Many children of the next node have cut off.
    pub child_cutoffs: bool,
}

/// Internal iterative reduction (Schröder 2020) of a node without a table move: its ordering is
/// poor, and the table will know a move the next time.
#[inline]
pub(super) fn internal_iterative(params: &SearchParams, depth: Depth) -> Depth {
    let reduced = params.uses(Techniques::IIR) && depth >= params.iir_depth;
    if reduced { Depth::ONE } else { Depth::ZERO }
}

impl Reductions {
    pub fn new(params: &SearchParams) -> Reductions {
        let root = f64::from(params.reduction_slope * PLY).sqrt();
        let mut logarithms = [0; ENTRIES];
        for (n, value) in logarithms.iter_mut().enumerate().skip(1) {
            *value = (root * (n as f64).ln()) as i32;
        }
        Reductions { base: params.reduction_base, logarithms }
    }

    /// The logarithmic part, 1/1024 ply.
    #[inline]
    fn table(&self, depth: Depth, number: usize) -> i32 {
        let depth = (depth.to_plies().max(0) as usize).min(ENTRIES - 1);
        self.base + self.logarithms[depth] * self.logarithms[number.min(ENTRIES - 1)] / PLY
    }

    /// Plies by which the move is searched less deeply; may be negative.
    #[inline]
    pub(super) fn of(&self, params: &SearchParams, late: &LateMove) -> Depth {
        let mut units = self.table(late.depth, late.number);
        let terms = [
            (late.cut_node, params.reduction_cut_node),
            (late.table_capture, params.reduction_capture),
            (late.pv, -params.reduction_pv),
            (!late.improving, params.reduction_not_improving),
            (late.gives_check, -params.reduction_check),
            (late.near_king, -params.reduction_near_king),
            (late.killer, -params.reduction_killer),
            (late.child_cutoffs, PLY),
        ];
        for (holds, term) in terms {
            units += if holds { term } else { 0 };
        }
        units -= late.history * PLY / params.reduction_history;
        Depth::half_plies((2 * units).div_euclid(PLY))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_deeper_and_worse_is_reduced_more() {
        let params = SearchParams::DEFAULT;
        let reductions = Reductions::new(&params);
        let plain =
            LateMove { depth: Depth::plies(8), number: 10, improving: true, ..LateMove::default() };
        let of = |late| reductions.of(&params, &late);
        assert!(of(LateMove { number: 40, ..plain }) > of(plain));
        assert!(of(LateMove { depth: Depth::plies(20), ..plain }) > of(plain));
        assert!(of(LateMove { history: -30_000, ..plain }) > of(plain));
        assert!(of(LateMove { gives_check: true, ..plain }) < of(plain));
        assert!(of(LateMove { history: 30_000, pv: true, ..plain }) < Depth::ONE);
    }
}
