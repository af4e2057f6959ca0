//! Tasks of `kankei learn`, one per file, and what the learners of the papers share with them.

pub mod label;
pub mod losses;
pub mod report;
pub mod resolve;
pub mod run_args;
pub mod samples;
pub mod value;
mod value_run;
pub mod yardstick;
