//! Search: takes a position and limits; returns reports and a best move. This module prints
//! nothing.
//!
//! [`AlphaBeta`] is the searcher, tuned for strength. [`MateSolver`] searches for mates only.
//! Other modules have their own searchers, which may use the parts of this one.

pub mod alpha_beta;
pub(crate) mod configured_table;
pub(crate) mod depth;
mod helpers;
pub(crate) mod history_table;
pub mod mate;
pub(crate) mod memory;
#[cfg(test)]
pub(crate) mod minimax;
pub(crate) mod numbers;
pub(crate) mod ordering;
mod prefetch;
pub(crate) mod root_moves;
pub(crate) mod search_thread;
pub(crate) mod tt;
pub(crate) mod window;

pub use alpha_beta::{AlphaBeta, SearchParams, Techniques};
pub use depth::{Depth, MAX_DEPTH, MAX_PLY};
pub use mate::{MateSolver, essential_plies};
pub use numbers::TunedParameter;
pub use tt::{TranspositionTable, TtEntry};
