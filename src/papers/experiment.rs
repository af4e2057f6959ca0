//! What the experiments share: their arguments, and where they write their reports.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use indicatif::ProgressBar;

use super::held_out_games::HeldOutArgs;
use crate::command::{CliError, interrupt};
use crate::file;
use crate::lab::learn::{LearnError, Objective, Trainer};

/// Amount of work of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Size {
    /// Within three minutes
    Small,
    /// The sizes of the published figures, which take long
    Full,
}

/// Arguments of every experiment.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ExperimentArgs {
    /// Amount of work
    #[arg(long, value_enum, default_value = "small")]
    pub size: Size,
    /// Folder for report.md, drawings, and the state of an interrupted run; the report of an earlier
    /// run in it is replaced
    #[arg(long, value_name = "DIR", default_value = "reproduced")]
    pub out: PathBuf,
}

/// Additional arguments of experiments that learn from the moves of games.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct GameArgs {
    /// Folder of data: `teacher/` and `games/` with games, `openings/`
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Files or folders of games, instead of those of the data
    #[arg(long, num_args = 1.., value_name = "FILE", required_unless_present = "data")]
    pub games: Vec<PathBuf>,
    #[command(flatten)]
    pub held_out: HeldOutArgs,
    /// Description of the games, a sentence for the report
    #[arg(long, default_value = "")]
    pub about: String,
}

/// Prints after which step an interrupted experiment continues.
pub(crate) fn interrupted(step: &str) -> Result<ExitCode, CliError> {
    println!("interrupted; run the same command to continue{step}");
    Ok(ExitCode::from(interrupt::EXIT_CODE))
}

/// Makes the remaining batches of a run, those after its checkpoint if there is one. `bar` counts
/// them. False if the user interrupted the run.
pub(crate) fn finish_training<O: Objective>(
    trainer: &mut Trainer<O>,
    checkpoint: &Path,
    bar: &ProgressBar,
) -> Result<bool, LearnError> {
    if checkpoint.exists() {
        trainer.resume(checkpoint)?;
        bar.inc(trainer.batches_done());
    }
    bar.reset_eta();
    trainer.run(checkpoint, &|| !interrupt::is_interrupted(), |_| bar.inc(1))
}

impl ExperimentArgs {
    /// Writes a file to the folder of results, which it creates if necessary.
    pub fn write(&self, file: &str, content: &str) -> Result<(), CliError> {
        let path = self.out.join(file);
        std::fs::create_dir_all(&self.out)
            .and_then(|()| file::write(&path, content.as_bytes()))
            .map_err(|source| CliError::Write { path, source })
    }

    /// Writes and prints the report.
    pub fn publish(&self, report: &str) -> Result<ExitCode, CliError> {
        self.write("report.md", report)?;
        println!("{report}");
        println!("written to {}", self.out.join("report.md").display());
        Ok(ExitCode::SUCCESS)
    }
}
