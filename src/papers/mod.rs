//! The five papers that Kankei started from: for each its evaluation, its learner, its command of
//! `kankei learn`, and its experiment, whose report `kankei reproduce` writes.
//!
//! Two papers also have a searcher. The engine plays with these searchers and evaluations after
//! [`cli`](crate::cli) has registered them. Parts that any evaluation needs are in
//! [`lab`](crate::lab).

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
