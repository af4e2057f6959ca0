//! What is known of a node before its moves are searched, and of a move about to be searched.

use super::thread::AlphaBetaThread;
use crate::eval::Score;
use crate::search::depth::Depth;
use crate::search::tt::TtEntry;
use crate::search::window::{NodeType, Window};
use crate::shogi::Move;

/// What a node knows before it looks at its moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Remaining depth, plies.
    pub depth: i32,
    pub window: Window,
    /// Searched with an open window.
    pub pv: bool,
    /// Expected to fail high.
    pub cut_node: bool,
    /// Is or was searched with an open window.
    pub tt_pv: bool,
    /// Lies on the best line of the last iteration.
    pub on_last_line: bool,
    pub tt_entry: Option<TtEntry>,
    pub tt_move: Option<Move>,
    /// The table move takes something.
    pub tt_capture: bool,
    /// The evaluation; `None` in check and without the best move.
    pub raw_eval: Option<Score>,
    /// The corrected evaluation; `None` in check.
    pub static_eval: Option<Score>,
    /// Size of the correction in it, centipawns.
    pub correction: i32,
    pub improving: bool,
    /// The move left out: the node is searched to find out whether that move is singular.
    pub excluded: Option<Move>,
}

impl Node {
    /// Expected to fail low: neither searched with an open window nor expected to fail high.
    #[inline]
    pub fn is_all_node(&self) -> bool {
        !self.pv && !self.cut_node
    }
}

/// A move about to be searched.
pub(super) struct ChildNode {
    pub mv: Move,
    pub window: Window,
    /// Best score of the moves before.
    pub best: Score,
    /// Depth of the child, unreduced, plies.
    pub depth: i32,
    /// The node is deep enough for late moves to be reduced.
    pub can_reduce: bool,
    /// Reduction, 1/1024 ply.
    pub reduction: i32,
    /// 1 = first.
    pub number: usize,
    /// Its node is expected to fail high.
    pub cut_node: bool,
    /// Its node has a table move.
    pub has_tt_move: bool,
}

/// The search of a node, for those that search its children: the recursion leads through this trait,
/// so that imports keep their direction.
pub(super) trait NodeSearch {
    /// See [`node::search`](super::node::search).
    fn search<N: NodeType>(
        thread: &mut AlphaBetaThread,
        window: Window,
        depth: Depth,
        cut_node: bool,
    ) -> Score;
}
