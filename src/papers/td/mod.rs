//! TD(lambda) on few [`features`] (Usui, Suzuki, Kotani).

pub(crate) mod command;
pub(crate) mod experiment;
pub mod features;
pub mod learner;
