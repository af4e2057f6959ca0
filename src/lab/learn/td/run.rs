//! A run kept on disk every few seconds.

use std::path::Path;
use std::time::{Duration, Instant};

use super::objective::{TdMeasure, TdObjective};
use crate::lab::learn::LearnError;
use crate::lab::learn::trainer::{CurvePoint, Trainer};

/// Time between two checkpoints.
const INTERVAL: Duration = Duration::from_secs(10);

impl Trainer<TdObjective> {
    /// Plays the games that are left, with a checkpoint at the beginning, now and then, and at the
    /// end. `after_game` is called behind each game, with the new point of the curve if there is one.
    /// `go_on` is asked before each; once it says no, the run is kept and the answer is false.
    ///
    /// # Errors
    /// As [`Trainer::save`].
    pub fn run(
        &mut self,
        checkpoint: &Path,
        go_on: &dyn Fn() -> bool,
        mut after_game: impl FnMut(Option<&CurvePoint<TdMeasure>>),
    ) -> Result<bool, LearnError> {
        // A place that cannot be written to is told before the first game.
        self.save(checkpoint)?;
        let mut saved = Instant::now();
        while !self.is_done() && go_on() {
            // Nothing breaks a game off.
            let point = self.advance(&|| true).unwrap_or_default();
            after_game(point.as_ref());
            if saved.elapsed() >= INTERVAL {
                self.save(checkpoint)?;
                saved = Instant::now();
            }
        }
        self.save(checkpoint)?;
        Ok(self.is_done())
    }
}
