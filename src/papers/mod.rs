//! The five papers that Kankei started from: for each its evaluation, its learner, its command of
//! `kankei learn`, and its experiment, whose report `kankei reproduce` writes.
//!
//! The engine plays with the evaluations in [`FORMS`] after they are registered. Two papers also
//! have a searcher. Parts that any evaluation needs are in [`lab`](crate::lab).

pub mod bonanza;
mod experiment;
mod from_scratch;
mod held_out_games;
mod match_series;
pub mod mcts;
pub mod pairs;
pub mod policy;
mod problems;
pub mod td;

use crate::eval::FormReader;

/// The evaluations of the papers.
pub const FORMS: &[FormReader] =
    &[pairs::form::READER, td::features::READER, bonanza::hoki::READER];
