//! The values of leaves, by searches of the default searcher.

use crate::engine::Pv;
use crate::eval::Score;
use crate::search::Depth;
use crate::search::alpha_beta::{AlphaBetaThread, line_of};
use crate::search::window::{PvNode, Window};

impl AlphaBetaThread<'_> {
    /// The value of the current position for its side to move, by quiescence search.
    pub fn quiescence_value(&mut self) -> Score {
        self.search_quiescence::<PvNode>(Window::open(), 0)
    }

    /// The value by a search of this many plies.
    pub fn value(&mut self, plies: i32) -> Score {
        self.search_node::<PvNode>(Window::open(), Depth::plies(plies), false)
    }

    /// The line of a mate by the side to move, if the mate solver finds one within this many nodes.
    pub fn mate_line(&mut self, nodes: u64) -> Option<Pv> {
        line_of(self.ask_solver(nodes, false))
    }
}
