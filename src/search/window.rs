//! Search windows, the kinds of nodes that are searched with them, and what comes of that.

use crate::engine::Bound;
use crate::eval::Score;
use crate::shogi::Move;

/// Which window a node is searched with.
pub(super) trait NodeType {
    /// Whether the window is open: the node may lie on the principal variation.
    const PV: bool;
}

/// A node of the principal variation.
pub(super) struct PvNode;
/// A node searched with a null window.
pub(super) struct NonPvNode;

impl NodeType for PvNode {
    const PV: bool = true;
}

impl NodeType for NonPvNode {
    const PV: bool = false;
}

/// The window of a search: scores strictly between are exact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub alpha: Score,
    pub beta: Score,
}

impl Window {
    /// Every score lies inside.
    pub fn open() -> Window {
        Window { alpha: -Score::INFINITE, beta: Score::INFINITE }
    }

    /// The null window that tells whether the score is at least `beta`.
    pub fn null(beta: Score) -> Window {
        Window { alpha: beta - 1, beta }
    }

    /// What a score found with this window says.
    pub fn bound(self, score: Score) -> Bound {
        if score >= self.beta {
            Bound::Lower
        } else if score > self.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// The same seen by the opponent.
    pub fn negated(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

/// What came of the moves of a node.
pub(super) struct Searched {
    pub score: Score,
    /// The move that raised alpha, if any did.
    pub best: Option<Move>,
}
