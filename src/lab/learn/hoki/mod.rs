//! Learning the features of Hoki (2006): logistic regression of quiet positions on search scores and
//! results.
//!
//! The value of a position, in logits from its side to move's view, is the sum of the weights that
//! [`walk`](crate::eval::hoki::walk()) finds in it, own less enemy. The loss is the cross-entropy of
//! its sigmoid against the [`Target`](super::value::Target) of the sample. Weights move by AdaGrad on
//! mini-batches; the material begins with the values of the engine, all others at nothing. Weights
//! that few positions have hardly move: KPP and the guards have a small rate, and the initial
//! accumulator damps what was seldom seen.
//!
//! Comes in: samples and a [`HokiConfig`]. Goes out: weights in centipawns
//! ([`HokiObjective::export`]). The run itself is a [`Trainer`](super::Trainer); the same data and
//! seed give the same bits whatever the number of threads.
//!
//! Source: the paper says that its weights maximize the agreement with 60,000 games' moves, and not
//! how; regression on values of quiet positions is ours. AdaGrad: Duchi, Hazan, Singer (JMLR 2011).

mod config;
mod model;
mod objective;
#[cfg(test)]
mod tests;

pub use config::HokiConfig;
pub use objective::{HokiObjective, HokiTrainer};
