//! Series of games on several threads, returned in order.

use std::ops::Range;

use rayon::ThreadPool;

use super::config::SelfplayConfig;
use super::fault::SelfplayError;
use super::player::{PlayedGame, Player};
use crate::engine::Engine;
use crate::lab::in_order::InOrder;
use crate::record::Game;

/// Plays game number `number` on this thread.
///
/// # Errors
/// [`SelfplayError`] for a fault of the engine.
pub fn play_game(
    engine: &mut dyn Engine,
    config: &SelfplayConfig,
    number: u64,
) -> Result<Game, SelfplayError> {
    let played = play_from(None, engine, config, number, &|| false)?;
    Ok(played.expect("nothing breaks the game off"))
}

/// Like [`play_game`], from the end of `opening` if given. `None` if `is_over` returned true before
/// the end of the game.
///
/// # Errors
/// [`SelfplayError`] for a fault of the engine.
pub fn play_from(
    opening: Option<&Game>,
    engine: &mut dyn Engine,
    config: &SelfplayConfig,
    number: u64,
    is_over: &dyn Fn() -> bool,
) -> Result<Option<Game>, SelfplayError> {
    let played = Player::new(engine, config, number).play(opening, is_over)?;
    Ok(played.map(|played| played.game))
}

/// A series of games.
pub struct Series<'a> {
    /// The conditions of the games.
    pub config: &'a SelfplayConfig,
    /// The numbers of the games.
    pub numbers: Range<u64>,
    /// Builds the engine of a thread.
    pub build: &'a (dyn Fn() -> Box<dyn Engine> + Sync),
    /// Checked before every move. When it returns true, running games are dropped.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
}

impl Series<'_> {
    /// Plays the games on all threads of the pool and passes them to `take` in the order of their
    /// numbers; see [`InOrder::run`].
    ///
    /// # Errors
    /// The first [`SelfplayError`] by number, or the first error of `take`.
    pub fn play<E: From<SelfplayError>>(
        &self,
        pool: &ThreadPool,
        mut take: impl FnMut(PlayedGame) -> Result<(), E>,
    ) -> Result<(), E> {
        let play = |engine: &mut Box<dyn Engine>, number: u64, is_over: &dyn Fn() -> bool| {
            Player::new(engine.as_mut(), self.config, number).play(None, is_over).transpose()
        };
        let (numbers, is_stopped) = (self.numbers.clone(), self.is_stopped);
        let games = InOrder { numbers, start: self.build, work: &play, is_stopped };
        games.run(pool, |game| take(game?))
    }
}
