//! Learning methods with their parameters.

use std::fmt;

use super::improved::{Improved, ImprovedConfig};
use super::online::{Online, OnlineConfig};
use super::policy_learner::Learner;
use super::policy_table::PolicyTable;

/// A learning method with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PolicyMethod {
    /// The method of the paper.
    Paper(OnlineConfig),
    /// Quiescence leaves, mini-batches and AdaGrad.
    Improved(ImprovedConfig),
}

impl PolicyMethod {
    /// Creates a learner with zero weights.
    pub fn learner(self) -> Box<dyn Learner> {
        match self {
            PolicyMethod::Paper(config) => Box::new(Online::new(config, PolicyTable::zero())),
            PolicyMethod::Improved(config) => Box::new(Improved::new(config)),
        }
    }
}

impl fmt::Display for PolicyMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PolicyMethod::Paper(OnlineConfig { learning_rate, temperature }) => {
                write!(f, "online rate {learning_rate} temperature {temperature}")
            }
            PolicyMethod::Improved(config) => {
                let ImprovedConfig { learning_rate, temperature, batch, window } = config;
                write!(f, "improved rate {learning_rate} temperature {temperature} ")?;
                write!(f, "batch {batch} window {window}")
            }
        }
    }
}
