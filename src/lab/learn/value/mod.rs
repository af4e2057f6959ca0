//! Learning the value: logistic regression of quiet positions on results and search scores.
//!
//! The model gives a position the value v, in logits, from its side to move's view: material, which
//! is fixed, plus a sum of parts ([`model_part`]), each of which reads its own weights:
//!
//! | part | weights | learned sum |
//! |---|---|---|
//! | [`tempo`] | tempo\[k\]\[K'\], and one for all | having the move |
//! | [`king_rows`], rank 1 | KP(k,i) + P(i) | own pieces' sum minus the enemy's |
//! | [`kkp`] | KK\[k\]\[K'\], KKP(k,K',i) | tied under turning the board |
//! | [`pp`] | PP(i,j) | tied under turning the board |
//! | [`king_rows`], rank R | u(k,i) + u(i) | half of the signed squared sums, own minus enemy |
//! | [`kpp`] | KPP(k,i,j) | own minus enemy |
//! | [`network`] | hidden units of (k, i, K'), a [`head`] | of both sides |
//!
//! A rare weight thus leans on a common one: KPP on PP, KKP on KP, KP on P. The loss is the
//! cross-entropy of sigmoid(v) against a mixture of the game's result and the search score
//! ([`target`]). Weights move by [AdaGrad](super::AdaGradRate) on mini-batches, those of networks by
//! [`adam`], in shards, so that the same data and seed give the same bits whatever the number of
//! threads. If wanted, weights that few samples use are shrunk in the end.
//!
//! Comes in: samples and a [`ValueConfig`]. Goes out: [`ValueObjective::export`]'s weights in
//! centipawns. The run itself is a [`Trainer`](super::Trainer).
//!
//! Source: mixture of result and score: elmo (Takizawa 2017); AdaGrad: Duchi, Hazan, Singer (JMLR
//! 2011); factored KPP: Rendle, "Factorization machines" (2010), here with signed factors.

mod adam;
mod batch;
mod buffer_pool;
mod config;
mod head;
mod key_groups;
mod king_rows;
mod king_views;
mod kkp;
mod kpp;
mod model;
mod model_part;
mod network;
mod objective;
mod place_code;
mod pp;
mod relative_rows;
mod sample_ref;
mod simd;
mod target;
mod tempo;
#[cfg(test)]
mod tests;
mod trained_weights;

pub use adam::AdamRate;
pub use config::{ModelForm, PartRates, ValueConfig};
pub(crate) use model::Model;
pub(crate) use model_part::BatchStep;
pub use objective::{ValueLosses, ValueObjective, ValueTrainer, score_scale};
pub(crate) use sample_ref::SampleRef;
pub use target::{Losses, Ranking, Target};
