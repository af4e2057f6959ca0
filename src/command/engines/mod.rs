//! Engines as users specify them by text: a searcher, changes of it, an evaluation and a strength.
//!
//! [`AlphaBeta`](crate::search::AlphaBeta) is the default searcher. Higher modules can
//! [register](Searcher::register) their own. [`Choosing`] limits the strength of an engine or varies
//! its openings.

mod alpha_beta;
mod choosing;
mod searcher;
mod spec;

pub use choosing::Choosing;
pub use searcher::{Changes, Searcher, SearcherParams, SpecError};
pub(crate) use searcher::{flag_names, technique};
pub use spec::EngineSpec;
