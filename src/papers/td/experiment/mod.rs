//! Usui, Suzuki, Kotani: weights of few features by temporal differences. Figures 2 to 9.

mod finished_run;
mod report;

use std::process::ExitCode;

use indicatif::ProgressBar;
use rayon::prelude::*;

use self::finished_run::FinishedRun;
use self::report::Report;
use crate::command::{CliError, interrupt, progress_bar, thread_pool};
use crate::lab::learn::LearnError;
use crate::papers::experiment::{ExperimentArgs, Size, finish_training, interrupted};
use crate::papers::td::learner::{Horizon, LearnedGroups, Opponent, Start, TdConfig, TdObjective};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    experiment: ExperimentArgs,
    /// Number of games of each run, instead of the size's
    #[arg(long, value_parser = crate::command::whole_number::<u64>)]
    games: Option<u64>,
    /// Number of threads, one run each; 0 for all cores
    #[arg(long, default_value_t = 0, value_parser = crate::command::whole_number::<usize>)]
    threads: usize,
}

/// One of the experiment's runs, at its full length.
struct Run {
    learned: LearnedGroups,
    games: u64,
    /// The deviation from the paper.
    change: Change,
}

/// Deviation of a run from the paper.
#[derive(Clone, Copy)]
enum Change {
    Nothing,
    Start(f64),
    Rounds(u64),
    Depth(usize),
    Quiescence,
    /// Ten times the learning rate, depth 2 and quiescence search.
    Against(Opponent),
}

/// The paper's runs, then runs on details that the paper does not give, and on its future work.
const RUNS: [Run; 15] = {
    use Change::{Against, Depth, Nothing, Quiescence, Rounds, Start};
    use LearnedGroups::{All, Board, Hand, King, Pieces};
    const fn run(learned: LearnedGroups, games: u64, change: Change) -> Run {
        Run { learned, games, change }
    }
    [
        run(Pieces, 6_000, Nothing),
        run(Pieces, 10_000, Nothing),
        run(Pieces, 10_000, Nothing),
        run(Hand, 6_000, Nothing),
        run(King, 6_000, Nothing),
        run(Board, 6_000, Nothing),
        run(Pieces, 6_000, Rounds(16)),
        run(King, 3_000, Start(1000.0)),
        run(Hand, 2_000, Quiescence),
        run(King, 2_000, Quiescence),
        run(All, 6_000, Against(Opponent::Table2)),
        run(All, 6_000, Against(Opponent::Varied)),
        run(All, 6_000, Against(Opponent::Itself)),
        run(Hand, 1_000, Depth(4)),
        run(King, 1_000, Depth(4)),
    ]
};

/// Number of games of each run at the small size; the time depends on the searches.
const SMALL_GAMES: u64 = 160;

impl Run {
    /// `games`: replaces the run's own number of games.
    fn config(&self, seed: u64, games: Option<u64>) -> TdConfig {
        let paper = TdConfig::new(self.learned, games.unwrap_or(self.games), seed);
        match self.change {
            Change::Nothing => paper,
            Change::Start(start) => TdConfig { start: Start::At(start), ..paper },
            Change::Rounds(round) => TdConfig { round, ..paper },
            Change::Depth(depth) => TdConfig { depth, ..paper },
            Change::Quiescence => TdConfig { horizon: Horizon::Quiescence, ..paper },
            Change::Against(opponent) => TdConfig {
                rates: paper.rates.map(|rate| 10.0 * rate),
                depth: 2,
                horizon: Horizon::Quiescence,
                opponent,
                ..paper
            },
        }
    }

    /// Number of games at the small size; runs with larger searches than the paper's have a tenth.
    fn small_games(&self) -> u64 {
        match self.change {
            Change::Nothing | Change::Start(_) | Change::Rounds(_) => SMALL_GAMES,
            Change::Depth(_) | Change::Quiescence | Change::Against(_) => SMALL_GAMES / 10,
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    interrupt::watch();
    let configs = args.configs();
    let bar = progress_bar(configs.iter().map(|config| config.rounds() as usize).sum());
    let runs: Result<Vec<Option<FinishedRun>>, CliError> =
        thread_pool(args.threads)?.install(|| {
            let numbered = configs.par_iter().enumerate().with_max_len(1);
            numbered.map(|(number, &config)| args.learn(number, config, &bar)).collect()
        });
    bar.finish_and_clear();
    let Some(runs) = runs?.into_iter().collect::<Option<Vec<FinishedRun>>>() else {
        return interrupted(" after the last games");
    };
    let report = Report { runs: &runs };
    for (file, svg) in report.drawings() {
        args.experiment.write(file, &svg)?;
    }
    args.experiment.publish(&report.text())
}

impl Args {
    fn configs(&self) -> Vec<TdConfig> {
        let config = |(run, seed): (&Run, u64)| {
            let games = match self.experiment.size {
                Size::Full => self.games,
                Size::Small => self.games.or(Some(run.small_games())),
            };
            run.config(seed, games)
        };
        RUNS.iter().zip(1..).map(config).collect()
    }

    /// Plays the remaining games; `None` if the user interrupted them.
    fn learn(
        &self,
        number: usize,
        config: TdConfig,
        bar: &ProgressBar,
    ) -> Result<Option<FinishedRun>, CliError> {
        let folder = &self.experiment.out;
        std::fs::create_dir_all(folder).map_err(LearnError::write(folder))?;
        let file = |kind| folder.join(format!("{}-{}.{kind}", number + 1, config.learned.name()));
        let mut trainer = TdObjective::new(config).trainer();
        if !finish_training(&mut trainer, &file("checkpoint"), bar)? {
            return Ok(None);
        }
        trainer.objective.write_weights(&file("weights"))?;
        Ok(Some(FinishedRun { config, curve: trainer.curve().points.clone() }))
    }
}
