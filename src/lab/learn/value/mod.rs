//! Value learning: logistic regression of quiet positions on results and search scores.
//!
//! The model gives a position the value v, in logits, from its side to move's view. v is the sum of
//! parts ([`model_part`]), each with its own weights:
//!
//! | part | weights | learned sum |
//! |---|---|---|
//! | [`piece_values`] | one for each kind, on the board and in hand | material; fixed or learned |
//! | [`threats`] | one for each side, kind and attacker, defended or not | attacked pieces |
//! | [`tempo`] | tempo\[k\]\[K'\], and one for all | having the move |
//! | [`king_rows`], rank 1 | KP(k,i) + P(i) | own pieces' sum minus the enemy's |
//! | [`kkp`] | KK\[k\]\[K'\], KKP(k,K',i) | tied under turning the board |
//! | [`pp`] | PP(i,j) | tied under turning the board |
//! | [`king_rows`], rank R | u(k,i) + u(i) | half of the signed squared sums, own minus enemy |
//! | [`network`] | hidden units of (k, i, K'), a [`head`] | of both sides |
//!
//! So rare weights are corrections to common ones: KKP to KP, KP to P. The loss is the cross-entropy
//! of sigmoid(v) against a mixture of the game's result and the search score ([`target`]).
//!
//! [`adam`] updates the weights after each mini-batch. Networks start with the values of
//! [`initial`]. In the middle of a run, the weights that the evaluation stores in 8 bits are rounded
//! and stay, and the others adapt to the rounding. The work is split into fixed shards, so the same
//! data and seed give the same bits with any number of threads.
//!
//! Input: samples and a [`ValueConfig`]. Output: [`ValueObjective::export`]'s weights in
//! centipawns. A [`Trainer`](super::Trainer) runs the learning.
//!
//! Source: mixture of result and score: elmo (Takizawa 2017); factored KPP: Rendle, "Factorization
//! machines" (2010), here with signed factors.

mod adam;
mod batch;
mod buffer_pool;
mod config;
mod head;
mod initial;
mod key_groups;
mod king_rows;
mod king_views;
mod kkp;
mod model;
mod model_part;
mod network;
mod objective;
mod piece_values;
mod place_code;
mod pp;
mod relative_rows;
mod sample_ref;
mod simd;
mod target;
mod tempo;
#[cfg(test)]
mod tests;
mod threats;
mod trained_weights;

pub use adam::AdamRate;
pub(crate) use adam::BatchStep;
pub use config::{ModelForm, PartRates, ValueConfig};
pub use objective::{ValueLosses, ValueObjective, ValueTrainer, score_scale};
pub use target::{Losses, Target};
