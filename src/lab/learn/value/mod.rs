//! Learning the value: logistic regression of quiet positions on results and search scores.
//!
//! The model gives a position the value v, in logits, from its side to move's view: material, which
//! is fixed, plus a sum of parts ([`part`]), each of which reads its own weights:
//!
//! | part | weights | learned sum |
//! |---|---|---|
//! | [`turn`] | turn\[k\]\[K'\], and one for all | having the move |
//! | [`king_rows`], 1 lane | KP(k,i) + P(i) | own pieces' sum minus the enemy's |
//! | [`king_king_piece`] | KK\[k\]\[K'\], KKP(k,K',i) | tied under turning the board |
//! | [`pair`] | PP(i,j) | tied under turning the board |
//! | [`king_rows`], R lanes | u(k,i) + u(i) | half of the signed squared sums, own minus enemy |
//! | [`king_table`] | KPP(k,i,j) | own minus enemy |
//! | [`network`] | hidden units of (k, i, K'), a [`head`] | of both sides |
//!
//! A rare weight thus leans on a common one: KPP on PP, KKP on KP, KP on P. The loss is the
//! cross-entropy of sigmoid(v) against a mixture of the game's result and the search score
//! ([`target`]). Weights move by AdaGrad on mini-batches ([`adagrad`]), those of networks by
//! [`adam`], in shards, so that the same
//! data and seed give the same bits whatever the number of threads. If wanted, weights that few
//! samples use are shrunk in the end. Comes in: samples and a [`ValueConfig`]. Goes out: [`Trainer::export`]'s weights in centipawns.
//!
//! Source: mixture of result and score: elmo (Takizawa 2017); AdaGrad: Duchi, Hazan, Singer (JMLR
//! 2011); factored pairs: Rendle, "Factorization machines" (2010), here with signed lanes.

mod adagrad;
mod adam;
mod batch;
mod checkpoint;
mod config;
mod geometry;
mod head;
mod king_king_piece;
mod king_rows;
mod king_table;
mod lanes;
mod model;
mod network;
mod pair;
mod part;
mod relative_rows;
mod spare;
mod target;
#[cfg(test)]
mod tests;
mod trainer;
mod turn;

pub use adagrad::Rate;
pub use adam::AdamRate;
pub use config::{NetworkForm, PairForm, Rates, TopForm, ValueConfig};
pub use target::{Losses, Ranking, Target, excess, fit_slope};
pub use trainer::{CurvePoint, Trainer, score_scale};
