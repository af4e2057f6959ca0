//! Monte-Carlo tree search with an evaluation, by the [`searcher`] [`Mcts`]. Its [`learner`] makes
//! the [`ratings`] that choose the moves of playouts.

pub(crate) mod command;
pub(crate) mod experiment;
pub mod learner;
pub mod ratings;
pub mod searcher;

pub use searcher::{Mcts, MctsParams, MctsTechniques, Method};
