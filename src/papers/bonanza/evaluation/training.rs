//! The runs, one after the other. Finished runs are not repeated, and an interrupted run continues.

use std::path::{Path, PathBuf};

use crate::command::run_log::{Earlier, RunLog};
use crate::command::{CliError, progress_bar};
use crate::lab::learn::value::Losses;
use crate::lab::learn::{SampleSet, ZSTD_LEVEL, write_file};
use crate::papers::bonanza::hoki::{HokiGroups, HokiWeights, file};
use crate::papers::bonanza::learner::{HokiConfig, HokiObjective};
use crate::papers::experiment::finish_training;

/// Configuration and data of the runs.
pub(super) struct Runs<'a> {
    /// The configuration, except the groups.
    pub config: HokiConfig,
    pub training: &'a SampleSet,
    pub held_out: &'a SampleSet,
    /// Folder of the results of finished runs and of the checkpoint.
    pub folder: &'a Path,
}

/// Result of a finished run.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FinishedRun {
    pub name: String,
    /// Mean training loss of the last epoch, nats.
    pub training: f64,
    /// Held-out losses: cross-entropy, its excess over the aims' own entropy, and that of the
    /// results.
    pub mixed: f64,
    pub excess: f64,
    pub result: f64,
}

impl FinishedRun {
    fn line(&self) -> String {
        let FinishedRun { name, training, mixed, excess, result } = self;
        format!("{name}\t{training}\t{mixed}\t{excess}\t{result}\n")
    }

    fn parse(line: &str) -> Option<FinishedRun> {
        let mut fields = line.split('\t');
        let name = fields.next()?.to_owned();
        let mut number = || fields.next()?.parse().ok();
        let (training, mixed, excess, result) = (number()?, number()?, number()?, number()?);
        Some(FinishedRun { name, training, mixed, excess, result })
    }
}

impl Runs<'_> {
    /// Makes the remaining runs; `None` if the user interrupted it.
    pub fn learn(
        &self,
        runs: &[(String, HokiGroups)],
    ) -> Result<Option<Vec<FinishedRun>>, CliError> {
        let header = format!(
            "# {:?} training {:016x} held out {:016x}",
            self.config, self.training.checksum, self.held_out.checksum
        );
        let path = self.folder.join("runs.txt");
        let parse = |line: &str| FinishedRun::parse(line);
        let (mut log, mut finished) =
            RunLog::open_steps(&path, &header, Earlier::Resume, "run", parse)?;
        let bar = progress_bar(0);
        for (name, groups) in runs.iter().skip(finished.len()) {
            let Some(run) = self.learn_one(name, *groups, &bar)? else { return Ok(None) };
            log.add(run.line().as_bytes())?;
            finished.push(run);
            // The next run must not resume from a leftover checkpoint.
            let _ = std::fs::remove_file(self.checkpoint_path());
        }
        bar.finish_and_clear();
        Ok(Some(finished))
    }

    fn learn_one(
        &self,
        name: &str,
        groups: HokiGroups,
        bar: &indicatif::ProgressBar,
    ) -> Result<Option<FinishedRun>, CliError> {
        let config = HokiConfig { groups, ..self.config };
        let mut trainer = HokiObjective::new(config, self.training, self.held_out).trainer();
        bar.set_message(name.to_owned());
        bar.set_length(trainer.batches());
        bar.set_position(0);
        if !finish_training(&mut trainer, &self.checkpoint_path(), bar)? {
            return Ok(None);
        }
        if groups == HokiGroups::ALL {
            let (weights, _) = HokiWeights::from_centipawns(&trainer.objective.export())
                .expect("a table is as long as its group");
            write_file(&self.weights_path(), |out| file::write(&weights, out, ZSTD_LEVEL))?;
        }
        let last = trainer.curve().points.last().expect("an epoch ends with a point").measured;
        let Losses { mixed, excess, result, .. } = last.held_out;
        let training = last.training;
        Ok(Some(FinishedRun { name: name.to_owned(), training, mixed, excess, result }))
    }

    fn checkpoint_path(&self) -> PathBuf {
        self.folder.join("run.checkpoint")
    }

    /// Path of the weights of all groups.
    pub fn weights_path(&self) -> PathBuf {
        self.folder.join("all.weights")
    }

    /// The held-out losses of the search scores themselves.
    pub fn score_losses(&self) -> Losses {
        let config = HokiConfig { groups: HokiGroups::NONE, ..self.config };
        let target = HokiObjective::new(config, self.training, self.held_out).target();
        Losses::of_scores(target, &self.held_out.samples)
    }
}
