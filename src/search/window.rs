//! Search windows, node types, and the result of searching a node's moves.

use crate::engine::Bound;
use crate::eval::Score;
use crate::shogi::Move;

/// The node type: which window a node is searched with.
pub(crate) trait NodeType {
    /// Whether the window is open, so that the node may lie on the principal variation.
    const PV: bool;
}

/// A node of the principal variation.
pub(crate) struct PvNode;
/// A node searched with a null window.
pub(crate) struct NonPvNode;

impl NodeType for PvNode {
    const PV: bool = true;
}

impl NodeType for NonPvNode {
    const PV: bool = false;
}

/// A search window. Scores strictly inside are exact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub alpha: Score,
    pub beta: Score,
}

impl Window {
    /// The window that contains every score.
    pub fn open() -> Window {
        Window { alpha: -Score::INFINITE, beta: Score::INFINITE }
    }

    /// The null window that tests whether the score is at least `beta`.
    pub fn null(beta: Score) -> Window {
        Window { alpha: beta - 1, beta }
    }

    /// The bound of a score found with this window.
    pub fn bound(self, score: Score) -> Bound {
        if score >= self.beta {
            Bound::Lower
        } else if score > self.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// The window from the opponent's side.
    pub fn negated(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

/// The result of searching the moves of a node.
pub(crate) struct Searched {
    pub score: Score,
    /// The move that raised alpha, if any did.
    pub best: Option<Move>,
}
