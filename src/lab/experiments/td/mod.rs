//! Usui, Suzuki, Kotani: weights of few features by temporal differences. Figures 2 to 9.

mod report;

use std::process::ExitCode;

use indicatif::ProgressBar;
use rayon::prelude::*;

use self::report::Report;
use super::{ExperimentArgs, Size};
use crate::command::{CliError, interrupt, progress_bar, thread_pool};
use crate::lab::learn::td::{LearnedGroups, TdConfig, TdMeasure, TdObjective};
use crate::lab::learn::{CurvePoint, LearnError, write_feature_weights};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    experiment: ExperimentArgs,
    /// Games of each run, instead of as many as the size says
    #[arg(long)]
    games: Option<u64>,
    /// Threads, a run each; 0 for all cores
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

/// The paper's runs: what is learned, and by how many games.
const RUNS: [(LearnedGroups, u64); 5] = [
    (LearnedGroups::Board, 6_000),
    (LearnedGroups::Board, 10_000),
    (LearnedGroups::Board, 10_000),
    (LearnedGroups::Hand, 6_000),
    (LearnedGroups::King, 6_000),
];

/// Games of each run of the small size.
const SMALL_GAMES: u64 = 250;

/// A run that has come to its end.
struct FinishedRun {
    config: TdConfig,
    curve: Vec<CurvePoint<TdMeasure>>,
}

impl FinishedRun {
    /// The last point of the curve.
    fn last(&self) -> TdMeasure {
        self.curve.last().expect("a curve begins before the first game").measured
    }
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    interrupt::watch();
    let configs = args.configs();
    let bar = progress_bar(configs.iter().map(|config| config.games as usize).sum());
    let runs: Result<Vec<Option<FinishedRun>>, CliError> =
        thread_pool(args.threads)?.install(|| {
            let numbered = configs.par_iter().enumerate().with_max_len(1);
            numbered.map(|(number, &config)| args.learn(number, config, &bar)).collect()
        });
    bar.finish_and_clear();
    let Some(runs) = runs?.into_iter().collect::<Option<Vec<FinishedRun>>>() else {
        println!("interrupted; the same command goes on behind the last games");
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    };
    let report = Report { runs: &runs };
    for (file, svg) in report.drawings() {
        args.experiment.write(file, &svg)?;
    }
    args.experiment.publish(&report.text())
}

impl Args {
    fn configs(&self) -> Vec<TdConfig> {
        let games = |full| match self.experiment.size {
            Size::Full => full,
            Size::Small => SMALL_GAMES,
        };
        let config = |((learned, full), seed): (&(LearnedGroups, u64), u64)| {
            TdConfig::new(*learned, self.games.unwrap_or(games(*full)), seed)
        };
        RUNS.iter().zip(1..).map(config).collect()
    }

    /// Plays the games that are left to play; `None` if the user broke them off.
    fn learn(
        &self,
        number: usize,
        config: TdConfig,
        bar: &ProgressBar,
    ) -> Result<Option<FinishedRun>, CliError> {
        let folder = &self.experiment.out;
        std::fs::create_dir_all(folder)
            .map_err(|source| LearnError::Write(folder.to_owned(), source))?;
        let file = |kind| folder.join(format!("{}-{}.{kind}", number + 1, config.learned.name()));
        let checkpoint = file("checkpoint");
        let mut trainer = TdObjective::new(config).trainer();
        if checkpoint.exists() {
            trainer.resume(&checkpoint)?;
            bar.inc(trainer.batches_done());
            bar.reset_eta();
        }
        let is_done = trainer.run(&checkpoint, &|| !interrupt::is_interrupted(), |_| bar.inc(1))?;
        if !is_done {
            return Ok(None);
        }
        write_feature_weights(&file("weights"), &trainer.objective.weights())?;
        Ok(Some(FinishedRun { config, curve: trainer.curve().points.clone() }))
    }
}
