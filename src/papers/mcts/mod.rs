//! Monte-Carlo tree search with an evaluation, by the searcher
//! [`search::mcts`](crate::search::mcts). Its learner makes the [ratings](crate::eval::ratings)
//! that choose the moves of playouts.

pub(crate) mod command;
pub(crate) mod experiment;
pub mod learner;
