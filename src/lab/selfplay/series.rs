//! Many games, on many threads, in order.

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

use rayon::ThreadPool;

use super::config::SelfplayConfig;
use super::fault::SelfplayError;
use super::player::{PlayedGame, Player};
use crate::engine::Engine;
use crate::record::Game;

/// Plays game number `number` on this thread.
///
/// # Errors
/// [`SelfplayError`] if the engine does something wrong.
pub fn play_game(
    engine: &mut dyn Engine,
    config: &SelfplayConfig,
    number: u64,
) -> Result<Game, SelfplayError> {
    let played = Player::new(engine, config, number).play(&|| false)?;
    Ok(played.expect("nothing breaks the game off").game)
}

/// A series of games.
pub struct Series<'a> {
    /// How they are played.
    pub config: &'a SelfplayConfig,
    /// Their numbers.
    pub numbers: Range<u64>,
    /// Makes the engine of a thread.
    pub build: &'a (dyn Fn() -> Box<dyn Engine> + Sync),
    /// Asked before every move; once it says yes, the games in play are dropped.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
}

/// A finished game or an engine's fault, with the game's number.
type Finished = (u64, Result<PlayedGame, SelfplayError>);

impl Series<'_> {
    /// Plays the games on all threads of the pool and hands them over in the order of their
    /// numbers, up to the first that is missing when the series is stopped. Games that wait for an
    /// earlier one are held in memory: a few for each thread.
    ///
    /// # Errors
    /// The first [`SelfplayError`] by number, or the first error of `take`; the games in play are
    /// dropped then. A panic of an engine ends the series too, and goes on in this thread.
    pub fn play<E: From<SelfplayError>>(
        &self,
        pool: &ThreadPool,
        mut take: impl FnMut(PlayedGame) -> Result<(), E>,
    ) -> Result<(), E> {
        let (sender, receiver) = mpsc::channel();
        let next = AtomicU64::new(self.numbers.start);
        let has_failed = AtomicBool::new(false);
        pool.in_place_scope(|scope| {
            for _ in 0..pool.current_num_threads() {
                let sender = sender.clone();
                let (next, has_failed) = (&next, &has_failed);
                scope.spawn(move |_| {
                    let work = AssertUnwindSafe(|| self.work(next, has_failed, &sender));
                    if let Err(panic) = catch_unwind(work) {
                        has_failed.store(true, Ordering::Relaxed);
                        resume_unwind(panic);
                    }
                });
            }
            drop(sender);
            let result = in_order(self.numbers.start, receiver, &mut take);
            has_failed.store(true, Ordering::Relaxed);
            result
        })
    }

    /// Plays one game after another until none is left or wanted.
    fn work(&self, next: &AtomicU64, has_failed: &AtomicBool, sender: &mpsc::Sender<Finished>) {
        let is_over = || has_failed.load(Ordering::Relaxed) || (self.is_stopped)();
        let mut engine = (self.build)();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= self.numbers.end {
                return;
            }
            let played = Player::new(engine.as_mut(), self.config, number).play(&is_over);
            let Some(game) = played.transpose() else { return };
            if sender.send((number, game)).is_err() {
                return;
            }
        }
    }
}

/// Hands over what comes in any order by number, from `first` on.
fn in_order<E: From<SelfplayError>>(
    first: u64,
    finished: mpsc::Receiver<Finished>,
    take: &mut impl FnMut(PlayedGame) -> Result<(), E>,
) -> Result<(), E> {
    let mut expected = first;
    let mut waiting = BTreeMap::new();
    for (number, game) in finished {
        waiting.insert(number, game);
        while let Some(game) = waiting.remove(&expected) {
            take(game?)?;
            expected += 1;
        }
    }
    Ok(())
}
