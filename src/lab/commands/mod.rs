//! The commands of the laboratory, one per file.

pub mod ablate;
mod factor;
pub mod learn;
pub mod matches;
pub mod selfplay;

use crate::command::CliError;
use crate::lab::learn::LearnError;
use crate::lab::selfplay::SelfplayError;

impl From<LearnError> for CliError {
    fn from(error: LearnError) -> CliError {
        CliError::Lab(error.into())
    }
}

impl From<SelfplayError> for CliError {
    fn from(error: SelfplayError) -> CliError {
        CliError::Fault(error.into())
    }
}
