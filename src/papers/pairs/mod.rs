//! Pairs of pieces (Kaneko, Tanaka, Yamaguchi, Kawai 2007): the evaluation is [`form`].

pub(crate) mod command;
pub(crate) mod experiment;
pub mod form;
pub mod learner;
