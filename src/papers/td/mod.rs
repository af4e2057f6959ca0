//! TD(lambda) on few [`features`] (Usui, Suzuki, Kotani). [`leaf`] is the same method on all weights
//! of the engine's own evaluation.

pub(crate) mod command;
pub(crate) mod experiment;
pub mod features;
pub mod leaf;
pub(crate) mod leaf_command;
pub mod learner;
