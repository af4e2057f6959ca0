//! `kankei learn policy`: imitates the moves of games.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;

use crate::command::output::ForceArg;
use crate::command::{CliError, interrupt, progress_bar};
use crate::file::with_suffix;
use crate::lab::commands::learn::run_args::positive;
use crate::papers::held_out_games::LearnedGamesArgs;
use crate::papers::policy::learner::{
    ImitatedGames, ImprovedConfig, OnlineConfig, PolicyMethod, PolicyRun, PolicyTrainer,
};

const IMPROVED: ImprovedConfig = ImprovedConfig::DEFAULT;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    games: LearnedGamesArgs,
    /// Learning method
    #[arg(long, value_enum, default_value = "paper")]
    method: MethodName,
    /// Learning rate: of the paper (epsilon) in centipawns squared; improved: of AdaGrad in
    /// centipawns [default: 100, improved: 0.5]
    #[arg(long, value_parser = positive)]
    learning_rate: Option<f32>,
    /// Temperature, centipawns [default: 1, improved: 60]
    #[arg(long, value_parser = positive)]
    temperature: Option<f32>,
    /// Improved: positions per mini-batch
    #[arg(long, default_value_t = IMPROVED.batch, value_parser = crate::command::at_least_one::<usize>)]
    batch: usize,
    /// Total number of passes over the games, including those before a resumption; 0 writes the
    /// initial weights, which are material only
    #[arg(long, default_value_t = 5, value_parser = crate::command::whole_number::<usize>)]
    passes: usize,
    /// End after this many passes without a better held-out agreement, and keep the best weights
    #[arg(long, value_name = "PASSES", value_parser = crate::command::at_least_one::<u64>)]
    patience: Option<u64>,
    /// Seed of the order of the games in each pass; without it they keep their order
    #[arg(long, value_parser = crate::command::whole_number::<u64>)]
    seed: Option<u64>,
    /// Weights file to write; FILE.checkpoint has the state after each pass
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Continue from FILE.checkpoint, with the same options
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    force: ForceArg,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum MethodName {
    /// Values one move deep, an update for each position
    Paper,
    /// Values of quiescence leaves, mini-batches, AdaGrad, tied mirror images
    Improved,
}

impl Args {
    fn method(&self) -> PolicyMethod {
        match self.method {
            MethodName::Paper => PolicyMethod::Paper(OnlineConfig {
                learning_rate: self.learning_rate.unwrap_or(100.0),
                temperature: self.temperature.unwrap_or(1.0),
            }),
            MethodName::Improved => PolicyMethod::Improved(ImprovedConfig {
                learning_rate: self.learning_rate.unwrap_or(IMPROVED.learning_rate),
                temperature: self.temperature.unwrap_or(IMPROVED.temperature),
                batch: self.batch,
                ..IMPROVED
            }),
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let checkpoint = with_suffix(&args.out, ".checkpoint");
    let force = args.force.or_resumed(args.resume.then_some(checkpoint.as_path()));
    force.check_run(&checkpoint, std::slice::from_ref(&args.out), &args.games.games)?;
    interrupt::watch();
    let set = args.games.read()?;
    if !args.resume && checkpoint.exists() {
        fs::remove_file(&checkpoint)
            .map_err(|source| CliError::Write { path: checkpoint.clone(), source })?;
    }
    let policy_run = PolicyRun {
        method: args.method(),
        games: ImitatedGames { training: &set.training, held_out: &set.held_out },
        seed: args.seed,
        passes: args.passes,
        patience: args.patience,
        checkpoint,
    };
    println!("{}", policy_run.name());
    let bar = progress_bar(args.passes * (set.training.len() + set.held_out.len()));
    let after_pass = |trainer: &PolicyTrainer| {
        let curve = trainer.curve();
        bar.suspend(|| println!("{}", curve.describe()));
        if args.patience.is_some() && curve.epochs_since_best() == Some(0.0) {
            trainer.objective.learner().table().write_weights(&args.out)?;
        }
        Ok::<(), CliError>(())
    };
    let go_on = || {
        bar.inc(1);
        !interrupt::is_interrupted()
    };
    let curve = policy_run.run(&go_on, after_pass)?;
    bar.finish_and_clear();
    if curve.is_none() {
        interrupt::print_interrupted(&policy_run.checkpoint);
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    if args.patience.is_none() || args.passes == 0 {
        let cut = policy_run.kept_table()?.write_weights(&args.out)?;
        println!("{cut} weights were too large and were clipped");
    }
    println!("weights written to {}", args.out.display());
    Ok(ExitCode::SUCCESS)
}
