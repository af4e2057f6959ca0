//! Policy gradient on the relations of kings to pairs of pieces (KKP and KPP), with the evaluation
//! [`eval::learned`](crate::eval::learned).

pub(crate) mod command;
pub(crate) mod experiment;
pub mod learner;
