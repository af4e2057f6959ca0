//! The laboratory: what teaches the engine and measures it.
//!
//! [`selfplay`] makes labelled games, [`learn`] fits weights to them, [`mod@matches`] lets engines play
//! each other, [`tune`] turns the searcher's numbers by such games, [`td_leaf`] learns weights while it plays, [`experiments`] makes the papers'
//! tables again. [`commands`] are their faces on the command line. Comes in: games, samples and
//! arguments. Goes out: weights, games and reports.

pub mod chart;
pub mod commands;
pub mod experiments;
mod held_out_games;
pub mod in_order;
pub mod learn;
pub mod matches;
mod resolved_games;
pub mod run_log;
pub mod selfplay;
pub mod td_leaf;
pub mod tune;
