//! Search: takes a position and limits; returns reports and a best move. This module prints
//! nothing.
//!
//! [`AlphaBeta`] is the main searcher, tuned for strength. [`FullWidth`] is the searcher of Hoki
//! 2006, kept to reproduce the tables of that paper. [`Mcts`] is a Monte Carlo tree search.
//! [`MateSolver`] searches for mates only. They share the [`TranspositionTable`], the root search
//! ([`root_search`]) and the state of a search thread ([`search_thread`]). [`EngineSpec`] is an
//! engine as users specify it.

pub mod alpha_beta;
pub(crate) mod capture_search;
mod configured_table;
mod depth;
pub mod full_width;
mod helpers;
mod history_table;
pub mod mate;
pub mod mcts;
mod memory;
#[cfg(test)]
mod minimax;
mod move_picker;
mod numbers;
mod ordering;
mod prefetch;
mod quiescence_leaf;
mod root_search;
mod root_searcher;
mod search_thread;
mod spec;
mod tt;
mod tuning;
mod window;

pub use alpha_beta::{AlphaBeta, Forgets, SearchParams, Techniques};
pub use depth::{Depth, MAX_DEPTH, MAX_PLY};
pub use full_width::{FullWidth, FullWidthParams, Rules};
pub use mate::{MateSolver, OtherSolution, OtherSolutions, essential_plies};
pub use mcts::{Mcts, MctsParams};
pub use quiescence_leaf::QuiescenceLeaf;
pub use spec::EngineSpec;
pub use tt::{TranspositionTable, TtEntry};
pub(crate) use tuning::technique;
pub use tuning::{Searcher, SpecError, TunedParameter};
