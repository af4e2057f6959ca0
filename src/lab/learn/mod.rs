//! Learning: data to learn from, and the learner of values.
//!
//! ```text
//! games --resolve--> samples (quiet leaves with score and result) --value--> weights
//! ```
//!
//! - A [`Trainer`] runs epochs, keeps the learning curve and writes checkpoints. It trains
//!   [`value`] and the learners of the papers.
//! - [`resolve`] runs a quiescence search from every position of labelled games
//!   ([`selfplay`](super::selfplay)) and keeps the leaf as a [`Sample`].
//! - [`RealWeights`] are the weights of an evaluation before they are rounded.
//! - [`value`] fits the weights of the evaluation to the samples by logistic regression. [`report`]
//!   measures how well an evaluation predicts the results.
//! - `yardstick` chooses positions that judge evaluations, and deep searches score them.

mod adagrad;
pub mod bootstrap;
pub(crate) mod checkpoint;
mod error;
mod gathered_sum;
mod growing_split;
pub mod logistic;
pub(crate) mod node_search;
pub mod position_groups;
mod real;
pub mod report;
pub mod resolve;
mod sample;
mod sample_file;
mod trainer;
mod training_positions;
pub mod value;
mod weights_file;
pub(crate) mod yardstick;

pub use adagrad::AdaGradRate;
pub use checkpoint::{CheckpointReader, CheckpointWriter};
pub use error::LearnError;
pub(crate) use gathered_sum::gathered_sum;
pub use growing_split::{GrowingSplit, held_out_path};
pub use real::{Quantized, RealHead, RealKpp, RealNetwork, RealUpper, RealWeights};
pub use sample::{Sample, SampleView};
pub(crate) use sample_file::checksum;
pub use sample_file::{GrowingSamples, SampleReader, SampleSet, write_samples};
pub(crate) use trainer::read_progress;
pub use trainer::{
    BatchNumber, CurvePoint, Interrupted, LearningCurve, Measured, Objective, RunLength, Trainer,
};
pub use training_positions::SkippedRecords;
pub use weights_file::write_weights;
pub(crate) use weights_file::{ZSTD_LEVEL, write_file};
