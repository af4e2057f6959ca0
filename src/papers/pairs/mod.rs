//! Pairs of pieces (Kaneko, Tanaka, Yamaguchi, Kawai 2007), with the evaluation
//! [`eval::pairs`](crate::eval::pairs).

pub(crate) mod command;
pub(crate) mod experiment;
pub mod learner;
