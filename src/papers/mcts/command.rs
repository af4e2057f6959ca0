//! `kankei learn ratings`: learns move ratings from games.

use std::process::ExitCode;

use crate::command::{CliError, interrupt};
use crate::lab::commands::learn::run_args::{RunArgs, positive};
use crate::lab::learn::{CurvePoint, ZSTD_LEVEL, write_file};
use crate::papers::held_out_games::LearnedGamesArgs;
use crate::papers::mcts::learner::{RatingsConfig, RatingsMeasure, RatingsObjective};
use crate::papers::mcts::ratings::file;

const DEFAULT: RatingsConfig = RatingsConfig::DEFAULT;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    games: LearnedGamesArgs,
    /// Passes over the games
    #[arg(long, default_value_t = DEFAULT.epochs, value_parser = crate::command::at_least_one::<u32>)]
    epochs: u32,
    /// Games per batch
    #[arg(long, value_name = "GAMES", default_value_t = DEFAULT.batch as u32, value_parser = crate::command::number_in::<u32>(1..=1 << 16))]
    batch: u32,
    /// Learning rate (AdaGrad)
    #[arg(long, default_value_t = DEFAULT.rate.learning_rate, value_parser = positive)]
    rate: f32,
    /// Seed of the order of games
    #[arg(long, default_value_t = DEFAULT.seed, value_parser = crate::command::whole_number::<u64>)]
    seed: u64,
    #[command(flatten)]
    run: RunArgs,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    args.run.check(&[], &args.games.games)?;
    interrupt::watch();
    args.run.pool()?.install(|| learn(args))
}

fn learn(args: &Args) -> Result<ExitCode, CliError> {
    let set = args.games.read()?;
    if set.training.is_empty() {
        return Err(CliError::NoGames(args.games.games.clone()));
    }
    println!("{} games, {} held out", set.training.len(), set.held_out.len());
    let mut config = RatingsConfig { epochs: args.epochs, seed: args.seed, ..DEFAULT };
    config.batch = args.batch as usize;
    config.rate.learning_rate = args.rate;
    let mut trainer = RatingsObjective::new(config, &set.training, &set.held_out).trainer();
    if !args.run.learn(&mut trainer, |point| Some(describe(point)))? {
        return Ok(args.run.interrupted());
    }
    let ratings = trainer.objective.ratings();
    write_file(&args.run.out, |out| file::write(&ratings, out, ZSTD_LEVEL))?;
    println!("{} written", args.run.out.display());
    Ok(args.run.finish())
}

fn describe(point: &CurvePoint<RatingsMeasure>) -> String {
    let RatingsMeasure { training, held_out, agreement } = point.measured;
    format!(
        "epoch {:5.2}: loss {training:.4}, held out {held_out:.4}, {:.2} % of the moves rated highest",
        point.epochs,
        100.0 * agreement
    )
}
