//! Learning the features of Hoki (2006): logistic regression of quiet positions on search scores
//! and results.
//!
//! The value of a position, in logits from its side to move's view, is the sum of the own weights
//! that [`walk`](crate::papers::bonanza::hoki::walk()) finds minus the enemy's. The loss is the cross-entropy
//! of its sigmoid against the [`Target`](crate::lab::learn::value::Target) of the sample.
//!
//! AdaGrad updates the weights after each mini-batch. The material weights start at the values of
//! the engine, all others at zero. Weights that occur in few positions change little: KPP and the
//! guards have a small rate, and the initial accumulator damps rare weights.
//!
//! Input: samples and a [`HokiConfig`]. Output: weights in centipawns ([`HokiObjective::export`]).
//! A [`Trainer`](crate::lab::learn::Trainer) runs the learning. The same data and seed give the
//! same bits with any number of threads.
//!
//! Source: the paper states that its weights maximize the agreement with 60,000 games' moves, but
//! not the method; regression on values of quiet positions is Kankei's own. AdaGrad: Duchi, Hazan,
//! Singer (JMLR 2011).

mod config;
mod model;
mod objective;
#[cfg(test)]
mod tests;

pub use config::HokiConfig;
pub use objective::{HokiObjective, HokiTrainer};
