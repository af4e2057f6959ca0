//! Imitation runs, saved after each pass.

use std::path::PathBuf;

use super::method::PolicyMethod;
use super::objective::{ImitatedGames, PassCurve, PolicyObjective, PolicyTrainer};
use super::policy_table::PolicyTable;
use crate::lab::learn::{Interrupted, LearnError, RunLength, Trainer, checkpoint, read_progress};
use crate::record::GameHash;

/// An imitation run.
#[derive(Clone)]
pub struct PolicyRun<'a> {
    /// The learning method.
    pub method: PolicyMethod,
    /// The games to learn from.
    pub games: ImitatedGames<'a>,
    /// Seed of the order of the games in each pass; without it they keep their order.
    pub seed: Option<u64>,
    /// Total number of passes, including those of an earlier run.
    pub passes: usize,
    /// Ends the run after this many passes without a better held-out agreement.
    pub patience: Option<u64>,
    /// Path of the checkpoint written after each pass.
    pub checkpoint: PathBuf,
}

impl<'a> PolicyRun<'a> {
    /// The name of the run. One run can resume another's checkpoint only if their names are equal.
    pub fn name(&self) -> String {
        let seed = self.seed.map_or("none".to_owned(), |seed| seed.to_string());
        let ImitatedGames { training, held_out } = self.games;
        let [games, held_out] = [training, held_out]
            .map(|games| format!("{} ({:016x})", games.len(), GameHash::of_games(games).to_u64()));
        format!("{} seed {seed} games {games} held out {held_out}", self.method)
    }

    /// Creates a trainer before its first batch.
    pub fn trainer(&self) -> PolicyTrainer<'a> {
        let objective = PolicyObjective::new(self.name(), self.method, self.games, self.seed);
        let (epochs, patience) = (self.passes as u64, self.patience);
        Trainer::new(objective, RunLength { epochs, evaluations: 1, patience })
    }

    /// The curve in the checkpoint; empty if there is no checkpoint.
    ///
    /// # Errors
    /// As [`Trainer::resume`].
    pub fn kept_curve(&self) -> Result<PassCurve, LearnError> {
        if !self.checkpoint.exists() {
            return Ok(PassCurve::default());
        }
        checkpoint::read(&self.checkpoint, &self.name(), |input| Ok(read_progress(input)?.1))
    }

    /// The weights in the checkpoint.
    ///
    /// # Errors
    /// As [`Trainer::resume`].
    pub fn kept_table(&self) -> Result<PolicyTable, LearnError> {
        checkpoint::read(&self.checkpoint, &self.name(), |input| {
            let _: (u64, PassCurve) = read_progress(input)?;
            let mut table = PolicyTable::zero();
            table.read(input)?;
            Ok(table)
        })
    }

    /// Whether the run is complete with this curve.
    pub fn is_done(&self, curve: &PassCurve) -> bool {
        curve.passes().len() >= self.passes || curve.is_out_of_patience(self.patience)
    }

    /// Resumes from the checkpoint, if there is one, and makes the remaining passes. Calls `go_on`
    /// after each game; once it returns false, the result is `None`. Calls `after_pass` before the
    /// first pass and after each.
    ///
    /// # Errors
    /// As [`Trainer::resume`] and [`Trainer::save`], and those of `after_pass`.
    pub fn run<E: From<LearnError>>(
        &self,
        go_on: &dyn Fn() -> bool,
        mut after_pass: impl FnMut(&PolicyTrainer) -> Result<(), E>,
    ) -> Result<Option<PassCurve>, E> {
        if let Some(folder) = self.checkpoint.parent() {
            std::fs::create_dir_all(folder).map_err(LearnError::write(folder))?;
        }
        let mut trainer = self.trainer();
        if self.checkpoint.exists() {
            trainer.resume(&self.checkpoint)?;
        }
        if trainer.measure_before(go_on).is_err() {
            return Ok(None);
        }
        if self.passes == 0 {
            // Saves the initial weights as the baseline for comparison.
            trainer.save(&self.checkpoint)?;
        }
        after_pass(&trainer)?;
        while !self.is_done(trainer.curve()) {
            match pass(&mut trainer, go_on) {
                Err(Interrupted) => return Ok(None),
                Ok(()) => trainer.save(&self.checkpoint)?,
            }
            after_pass(&trainer)?;
        }
        Ok(Some(trainer.curve().clone()))
    }
}

/// Makes one more pass.
fn pass(trainer: &mut PolicyTrainer, go_on: &dyn Fn() -> bool) -> Result<(), Interrupted> {
    while trainer.advance(go_on)?.is_none() {}
    Ok(())
}
