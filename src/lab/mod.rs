//! The laboratory: learning and measurement, for any evaluation.
//!
//! [`selfplay`] makes labelled games. [`learn`] fits weights to them. [`mod@matches`] plays games
//! between engines. An [`Ablation`](ablation::Ablation) measures the searcher's parameters by games.
//! [`QuiescenceLeaf`] resolves the captures of positions. [`description`] puts weights in words, and
//! [`nnue_file`] writes networks for other programs. [`commands`] provides all of these as commands.
//! Input: games, samples and arguments. Output: weights, games and reports.

pub mod ablation;
pub(crate) mod capture_search;
pub mod chart;
pub mod commands;
pub mod description;
pub mod in_order;
pub mod learn;
pub mod live_units;
pub mod matches;
pub mod nnue_file;
pub(crate) mod quiescence_leaf;
pub(crate) mod resolved_games;
pub mod selfplay;

pub use quiescence_leaf::QuiescenceLeaf;
