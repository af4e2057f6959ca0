//! TD(lambda) on few features (Usui, Suzuki, Kotani), with the evaluation
//! [`eval::features`](crate::eval::features). [`leaf`] is the same method on all weights of the
//! engine's own evaluation.

pub(crate) mod command;
pub(crate) mod experiment;
pub mod leaf;
pub(crate) mod leaf_command;
pub mod learner;
