//! Data of a node before its moves are searched, and of a child to be searched.

use super::reduction::Reduction;
use crate::eval::Score;
use crate::search::tt::TtEntry;
use crate::search::window::Window;
use crate::shogi::Move;

/// The facts about a node that a second search of it and its children read from the search stack.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NodeFacts {
    /// The corrected static evaluation; `None` in check.
    pub static_eval: Option<Score>,
    /// Absolute value of the correction in centipawns.
    pub correction: i32,
    /// Whether the node is or was searched with an open window.
    pub tt_pv: bool,
    /// Whether the node lies on the PV of the last iteration.
    pub on_last_line: bool,
    /// The excluded move of a singularity test.
    pub excluded: Option<Move>,
}

/// Data of a node before its moves are searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct AlphaBetaNode {
    pub facts: NodeFacts,
    /// Remaining depth in plies.
    pub depth: i32,
    pub window: Window,
    /// Whether the node is searched with an open window.
    pub pv: bool,
    /// Whether the node is expected to fail high.
    pub cut_node: bool,
    pub tt_entry: Option<TtEntry>,
    pub tt_move: Option<Move>,
    /// Whether the TT move is a capture.
    pub tt_capture: bool,
    /// The static evaluation before correction; `None` in check and in a search with an excluded
    /// move.
    pub raw_eval: Option<Score>,
    pub improving: bool,
}

impl AlphaBetaNode {
    /// Whether the node is expected to fail low: it is neither a PV node nor a cut node.
    #[inline]
    pub fn is_all_node(&self) -> bool {
        !self.pv && !self.cut_node
    }
}

/// A move about to be searched.
pub(super) struct ChildNode {
    pub mv: Move,
    pub window: Window,
    /// Best score of the earlier moves.
    pub best: Score,
    /// Depth of the child before reduction, in plies.
    pub depth: i32,
    /// Whether the node is deep enough to reduce late moves.
    pub can_reduce: bool,
    pub reduction: Reduction,
    /// Position in the search order; 1 is the first move.
    pub number: usize,
    /// Whether the parent is expected to fail high.
    pub cut_node: bool,
    /// Whether the parent has a TT move.
    pub has_tt_move: bool,
}
