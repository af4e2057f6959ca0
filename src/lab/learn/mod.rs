//! Learning: data to learn from, and learners.
//!
//! ```text
//! games --resolve--> samples (quiet leaves with score and result) --value--> weights
//!                    --policy--> weights
//!                    --pairs---> weights of pairs of pieces
//!                    --ratings-> weights of move features
//!                    --hoki----> weights of the features of Hoki (2006)
//! games played meanwhile --td--> weights of few features
//! ```
//!
//! A [`Trainer`] runs epochs, keeps the learning curve and writes checkpoints. It trains [`value`],
//! [`policy`], [`pairs`], [`hoki`], [`ratings`] and [`td`].
//!
//! - [`resolve`] runs a quiescence search from every position of labelled games
//!   ([`selfplay`](super::selfplay)) and keeps the leaf as a [`Sample`].
//! - [`value`] fits the weights of the evaluation to the samples by logistic regression. [`report`]
//!   measures how well an evaluation predicts the results.
//! - [`policy`] imitates the moves of games. [`ratings`] does the same without evaluating the
//!   position after the move.
//! - [`pairs`] compares the moves of games with other moves by linear regression.
//! - [`td`] plays games and learns from the values of its own later searches.
//! - [`piece_values`] fits plain piece values to the scores of samples.

mod adagrad;
mod checkpoint;
mod error;
mod gathered_sum;
pub mod hoki;
pub mod logistic;
pub mod pairs;
pub mod piece_values;
pub mod policy;
pub mod position_groups;
pub mod ratings;
pub mod report;
pub mod resolve;
mod sample;
mod sample_file;
mod split_writer;
pub mod td;
mod trainer;
mod training_positions;
pub mod value;
mod weights_file;

pub use adagrad::AdaGradRate;
pub use checkpoint::{CheckpointReader, CheckpointWriter};
pub use error::LearnError;
pub use sample::{Role, Sample, SampleView};
pub use sample_file::{GrowingSamples, SampleReader, SampleSet, SampleWriter};
pub use split_writer::{SplitWriter, held_out_path};
pub use trainer::{
    BatchNumber, CurvePoint, Interrupted, LearningCurve, Measured, Objective, RunLength, Trainer,
};
pub use weights_file::{
    write_feature_weights, write_hoki_weights, write_pair_weights, write_ratings, write_weights,
};
