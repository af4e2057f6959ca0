//! Self-play games, labelled with the scores of the engine.
//!
//! Input: an [`Engine`](crate::engine::Engine) and a [`SelfplayConfig`]. Output:
//! [`Game`](crate::record::Game)s with a score for every move that was searched for strength. Some
//! of the first moves are *varied*: drawn from the good moves or from all moves. They have no
//! score, so that learning does not imitate them. A game ends by mate, repetition, declaration,
//! resignation of the side far behind, or length.
//!
//! Each game has its own random numbers, derived from the seed and its number. With node limits, a
//! game depends on nothing else: neither on its thread nor on an interruption of the series.
//!
//! If the engine's settings have a sample interval, positions of the search trees are returned together
//! with the games.
//!
//! All output of the engine is checked: moves and reported lines are legal, node limits are kept,
//! and the engine neither resigns nor declares when it must play. A long series is therefore also a
//! reliability test.

mod config;
mod fault;
mod player;
mod series;
mod start;
#[cfg(test)]
mod tests;

pub use self::config::{Opening, Resignation, SearchBudget, SelfplayConfig, Starts};
pub use self::fault::{EngineFault, SelfplayError};
pub use self::player::PlayedGame;
pub use self::series::{Series, play_from, play_game};
