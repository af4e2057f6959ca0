//! The laboratory: learning and measurement.
//!
//! [`selfplay`] makes labelled games. [`learn`] fits weights to them. [`mod@matches`] plays games
//! between engines. [`tune`] tunes the searcher's parameters by games. [`td_leaf`] learns weights
//! during self-play. [`experiments`] reproduces the papers' tables. [`commands`] provides all of
//! these as commands. Input: games, samples and arguments. Output: weights, games and reports.

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
