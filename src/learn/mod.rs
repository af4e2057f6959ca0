//! Learning: games to learn from, and what is learned from them.
//!
//! ```text
//! selfplay --> games --resolve--> samples (quiet leaves with score and result) --value--> weights
//!                    --policy--> weights
//! ```
//!
//! [`selfplay`] makes labelled games with any [`Engine`](crate::engine::Engine). [`resolve`] plays
//! out the exchanges of every position of such games and keeps the leaf as a [`Sample`]. [`value`]
//! fits the weights of the evaluation to the samples by logistic regression, and [`report`]
//! says how good an evaluation is at it. [`policy`] imitates the moves of games. [`tune`] turns the
//! searcher's numbers by what games between two settings say. [`label`] values positions by a network
//! that someone owns; [`piece_values`] fits plain piece values to such labels.

mod error;
pub mod groups;
pub mod label;
pub mod piece_values;
pub mod policy;
pub mod report;
pub mod resolve;
mod sample;
mod sample_file;
pub mod selfplay;
pub mod tune;
pub mod value;

pub use error::LearnError;
pub use sample::{Label, Role, Sample, SampleView};
pub use sample_file::{GrowingSamples, SampleReader, SampleSet, SampleWriter};
