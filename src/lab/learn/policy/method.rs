//! The ways of learning with their numbers.

use std::fmt;

use super::improved::{Improved, ImprovedConfig};
use super::learner::Learner;
use super::online::{Online, OnlineConfig};
use super::policy_table::PolicyTable;

/// A way of learning with its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PolicyMethod {
    /// As the paper has it.
    Paper(OnlineConfig),
    /// As one would do it.
    Improved(ImprovedConfig),
}

impl PolicyMethod {
    /// A learner without any knowledge.
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
