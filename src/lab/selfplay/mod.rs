//! Games of an engine against itself, labelled with its scores.
//!
//! Comes in: an [`Engine`](crate::engine::Engine) and a [`SelfplayConfig`]. Goes out:
//! [`Game`](crate::record::Game)s with a score for every move that was searched for its strength.
//! Some of the first moves are *varied*, drawn among the good moves or among all; they carry no
//! score, so that nobody learns to imitate them. A game ends by mate, repetition, declaration,
//! resignation of the side that is far behind, or length.
//!
//! Every game has random numbers of its own, drawn from the seed and the game's number. With node
//! limits a game depends on nothing else: not on the thread that plays it, nor on where a series
//! was broken off and taken up again.
//!
//! If the engine's settings ask for it, positions of the search trees come out beside the games:
//! samples of what a search asks of the evaluation.
//!
//! Everything that the engine says is checked on the way: every move and every reported line is
//! legal, node limits are kept, and it neither resigns nor declares where it must play. So a long
//! series is a reliability test too.

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
