//! Search. In: a position and limits. Out: reports and a best move. Knows no text.
//!
//! [`AlphaBeta`] is the engine's searcher: as strong as it can be made. [`FullWidth`] is the
//! searcher of Hoki 2006, kept for its tables; [`Mcts`] searches by visits of a tree instead;
//! [`MateSolver`] looks for mates alone. They share the [`TranspositionTable`], the root's moves ([`root`]) and what every searching thread does
//! ([`thread`]). [`EngineSpec`] is an engine as users specify it.

pub mod alpha_beta;
mod configured_table;
mod depth;
pub mod full_width;
mod history_table;
pub mod mate;
pub mod mcts;
mod memory;
#[cfg(test)]
mod minimax;
mod numbers;
mod ordering;
mod picker;
mod prefetch;
mod root;
mod spec;
mod thread;
mod tt;
mod tuning;
mod window;

pub use alpha_beta::{AlphaBeta, Forgets, SearchParams, Techniques};
pub use depth::{Depth, MAX_DEPTH, MAX_PLY};
pub use full_width::{FullWidth, FullWidthParams, LeafResources, QuiescenceLeaf, Rules};
pub use mate::{MateSolver, essential_plies};
pub use mcts::{Mcts, MctsParams};
pub use spec::EngineSpec;
pub use tt::{TranspositionTable, TtEntry};
pub(crate) use tuning::technique;
pub use tuning::{Searcher, SpecError, TunedParameter};
