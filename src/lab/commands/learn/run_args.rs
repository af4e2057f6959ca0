//! Arguments and steps shared by the commands with a resumable run, and parsers of their numbers.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::command::output::ForceArg;
use crate::command::{CliError, interrupt, progress_bar, thread_pool};
use crate::file::with_suffix;
use crate::lab::learn::{CurvePoint, Objective, Trainer};

#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// File to write; FILE.checkpoint has the state of the run
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Continue from FILE.checkpoint, with the same options
    #[arg(long)]
    pub resume: bool,
    #[command(flatten)]
    force: ForceArg,
    /// Threads, 0 for all cores
    #[arg(long, default_value_t = 0, value_parser = crate::command::whole_number::<usize>)]
    threads: usize,
}

impl RunArgs {
    /// The thread pool of the run.
    pub fn pool(&self) -> Result<rayon::ThreadPool, CliError> {
        thread_pool(self.threads)
    }

    /// Refuses to overwrite existing weights, the checkpoint of an unfinished run, charts, or an
    /// input file. With `--resume`, all but the inputs are those of the run itself. `charts`: what
    /// the names of the charts add to that of the weights.
    pub fn check(&self, charts: &[&str], inputs: &[PathBuf]) -> Result<(), CliError> {
        let force = ForceArg { force: self.force.force || self.resume };
        let charts = charts.iter().map(|chart| with_suffix(&self.out, chart));
        let outputs: Vec<PathBuf> = [self.out.clone()].into_iter().chain(charts).collect();
        force.check_run(&self.checkpoint(), &outputs, inputs)
    }

    /// Path of the checkpoint.
    pub fn checkpoint(&self) -> PathBuf {
        with_suffix(&self.out, ".checkpoint")
    }

    /// Learns all remaining batches, with `--resume` those after the checkpoint, and prints each
    /// point of the curve. False if the user interrupted it.
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

    /// Prints how to continue an interrupted run.
    pub fn interrupted(&self) -> ExitCode {
        interrupt::print_interrupted(&self.checkpoint());
        ExitCode::from(interrupt::EXIT_CODE)
    }

    /// Ends a command after its weights have been written.
    pub fn finish(&self) -> ExitCode {
        // A leftover checkpoint would look like an unfinished run.
        let _ = std::fs::remove_file(self.checkpoint());
        ExitCode::SUCCESS
    }
}

/// Parses a number above 0.
pub(crate) fn positive(text: &str) -> Result<f32, String> {
    let value = text.parse().ok().filter(|value: &f32| *value > 0.0 && value.is_finite());
    value.ok_or_else(|| format!("{text:?} is not a number above 0"))
}
