//! The five papers that Kankei started from: for each its learner, its command of `kankei learn`,
//! and its experiment, whose report `kankei reproduce` writes.
//!
//! Two papers also have a searcher that the engine can play with. Evaluations that it can play with
//! are in [`eval`](crate::eval). Parts that any evaluation needs are in [`lab`](crate::lab).

pub mod bonanza;
mod experiment;
mod held_out_games;
mod match_series;
pub mod mcts;
pub mod pairs;
pub mod policy;
mod problems;
pub mod td;
