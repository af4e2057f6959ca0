//! What a node knows before it looks at its moves.

use crate::eval::Score;
use crate::search::depth::Depth;
use crate::search::tt::TtEntry;
use crate::search::window::Window;
use crate::shogi::Move;

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
    /// The move left out: the node is searched to tell whether that move is singular.
    pub excluded: Option<Move>,
}
