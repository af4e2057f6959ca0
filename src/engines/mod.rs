//! Engines as users specify them by text: a searcher, changes of it, an evaluation and a strength;
//! their benchmark, and what a USI session needs of them.
//!
//! [`AlphaBeta`](crate::search::AlphaBeta) is the default searcher. Higher modules can
//! [register](Searcher::register) their own. [`Choosing`] limits the strength of an engine or varies
//! its openings. [`mod@bench`] searches fixed positions. [`usi_backend`] provides
//! them to a USI session.

mod alpha_beta;
pub mod bench;
pub mod bench_positions;
mod choosing;
mod for_usi;
mod searcher;
mod spec;

pub use choosing::Choosing;
pub use for_usi::usi_backend;
pub use searcher::{Changes, Searcher, SearcherParams, SpecError};
pub(crate) use searcher::{flag_names, technique};
pub use spec::EngineSpec;
