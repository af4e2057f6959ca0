//! A regression kept on disk after each iteration.

use std::path::Path;

use super::objective::{PairsMeasure, PairsObjective};
use crate::lab::learn::LearnError;
use crate::lab::learn::trainer::{CurvePoint, Trainer};

impl Trainer<PairsObjective<'_>> {
    /// Makes the iterations that are left, with a checkpoint and a call of `after_iteration` behind
    /// each. `go_on` is asked before each; once it says no, the answer is false.
    ///
    /// # Errors
    /// As [`Trainer::save`].
    pub fn run(
        &mut self,
        checkpoint: &Path,
        go_on: &dyn Fn() -> bool,
        mut after_iteration: impl FnMut(&CurvePoint<PairsMeasure>),
    ) -> Result<bool, LearnError> {
        while !self.is_done() {
            if !go_on() {
                return Ok(false);
            }
            // Nothing breaks an iteration off.
            let point = self.advance(&|| true);
            self.save(checkpoint)?;
            if let Ok(Some(point)) = point {
                after_iteration(&point);
            }
        }
        Ok(true)
    }
}
