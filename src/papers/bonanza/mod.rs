//! Bonanza (Hoki 2006), with its evaluation [`hoki`] and the [`searcher`] [`FullWidth`]. Two
//! experiments: futility pruning in the search, and the features of the evaluation.

pub(crate) mod command;
pub(crate) mod evaluation;
pub(crate) mod futility;
pub mod hoki;
pub mod learner;
pub mod searcher;

pub use searcher::{FullWidth, FullWidthParams, Rules};
