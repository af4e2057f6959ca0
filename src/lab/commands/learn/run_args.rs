//! What the commands share whose run can be broken off and gone on with.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::command::{CliError, interrupt, progress_bar, thread_pool};
use crate::file::beside;
use crate::lab::learn::{CurvePoint, Objective, Trainer};

#[derive(Debug, clap::Args)]
pub(super) struct RunArgs {
    /// Weights file to write; FILE.checkpoint keeps the run now and then
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Go on from FILE.checkpoint, with the same options
    #[arg(long)]
    pub resume: bool,
    /// Threads, 0 for all cores
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

impl RunArgs {
    /// The threads to run on.
    pub fn pool(&self) -> Result<rayon::ThreadPool, CliError> {
        thread_pool(self.threads)
    }

    /// Where the run is kept.
    pub fn checkpoint(&self) -> PathBuf {
        beside(&self.out, ".checkpoint")
    }

    /// Learns all batches that are left, those behind the checkpoint with `--resume`, and tells each
    /// point of the curve. False if the user broke it off.
    pub fn learn<O: Objective>(
        &self,
        trainer: &mut Trainer<O>,
        mut describe: impl FnMut(&CurvePoint<O::Measured>) -> Option<String>,
    ) -> Result<bool, CliError> {
        if self.resume {
            trainer.resume(&self.checkpoint())?;
        }
        for line in trainer.curve().points.iter().filter_map(&mut describe) {
            println!("{line}");
        }
        let bar = progress_bar(trainer.batches() as usize).with_position(trainer.batches_done());
        bar.reset_eta();
        let go_on = || !interrupt::is_interrupted();
        let is_done = trainer.run(&self.checkpoint(), &go_on, |point| {
            bar.inc(1);
            if let Some(line) = point.and_then(&mut describe) {
                bar.suspend(|| println!("{line}"));
            }
        })?;
        bar.finish_and_clear();
        Ok(is_done)
    }

    /// Says how a run that was broken off goes on.
    pub fn interrupted(&self) -> ExitCode {
        println!("interrupted; {} goes on with --resume", self.checkpoint().display());
        ExitCode::from(interrupt::EXIT_CODE)
    }

    /// Ends a command whose weights are written.
    pub fn finish(&self) -> ExitCode {
        // What is left of it would only be mistaken for an unfinished run.
        let _ = std::fs::remove_file(self.checkpoint());
        ExitCode::SUCCESS
    }
}
