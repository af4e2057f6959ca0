//! `kankei learn td`: learns few features by temporal differences.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::command::{CliError, interrupt, number_in};
use crate::eval::Evaluation;
use crate::lab::commands::learn::run_args::{RunArgs, positive};
use crate::lab::learn::{CurvePoint, LearnError};
use crate::papers::td::features::{FeatureWeights, WEIGHTS};
use crate::papers::td::learner::{
    Horizon, LearnedGroups, Opponent, Start, TdConfig, TdMeasure, TdObjective, TdScore,
};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The weights to learn; the others stay at the paper's Table 2
    #[arg(long, value_enum)]
    weights: LearnedGroups,
    /// Games to play
    #[arg(long, default_value_t = 6000, value_parser = crate::command::whole_number::<u64>)]
    games: u64,
    /// Seed of the games
    #[arg(long, default_value_t = 1, value_parser = crate::command::whole_number::<u64>)]
    seed: u64,
    /// The learned weights before the first game [default: 1000, those of the kings 0]
    #[arg(long, allow_hyphen_values = true, conflicts_with = "from",
          value_parser = number_in(-FeatureWeights::LARGEST..=FeatureWeights::LARGEST))]
    start: Option<f64>,
    /// Weights file with the start values of all weights, including those that are not learned
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Learning rate of the first game; it falls to a 250th. The kings' weights have a fifth of it
    #[arg(long, default_value_t = 250.0, value_parser = positive)]
    rate: f32,
    /// Plies of the searches
    #[arg(long, default_value_t = 3, value_parser = number_in(1..=TdConfig::MAX_DEPTH))]
    depth: usize,
    /// Search captures and promotions at the horizon
    #[arg(long)]
    quiescence: bool,
    /// The opponent of the learner
    #[arg(long, value_enum, default_value_t = Opponent::Table2)]
    opponent: Opponent,
    /// Games played in parallel with the same weights; 1: the weights change during the game
    #[arg(long, value_name = "GAMES", default_value_t = 1,
          value_parser = crate::command::at_least_one::<u64>)]
    round: u64,
    #[command(flatten)]
    run: RunArgs,
}

/// Number of points of the curve to print.
const LINES: usize = 20;

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    args.run.check(&[], &args.from.iter().cloned().collect::<Vec<_>>())?;
    interrupt::watch();
    let paper = TdConfig::new(args.weights, args.games, args.seed);
    let rate = f64::from(args.rate);
    let config = TdConfig {
        start: start(args)?,
        rates: [rate, rate / 250.0],
        depth: args.depth,
        horizon: if args.quiescence { Horizon::Quiescence } else { Horizon::Static },
        opponent: args.opponent,
        round: args.round,
        ..paper
    };
    let mut trainer = TdObjective::new(config).trainer();
    let mut printer =
        Printer { learned: args.weights, games: args.games, last: TdScore::default() };
    let describe = |point: &CurvePoint<TdMeasure>| printer.describe(&point.measured);
    if !args.run.pool()?.install(|| args.run.learn(&mut trainer, describe))? {
        return Ok(args.run.interrupted());
    }
    trainer.objective.write_weights(&args.run.out)?;
    println!("weights written to {}", args.run.out.display());
    Ok(args.run.finish())
}

fn start(args: &Args) -> Result<Start, CliError> {
    let Some(path) = &args.from else { return Ok(args.start.map_or(Start::Usual, Start::At)) };
    let loaded = Evaluation::from_file(path)
        .map_err(|source| CliError::Weights { path: path.clone(), source })?;
    match loaded.registered::<FeatureWeights>() {
        Some(weights) => Ok(Start::Weights(*weights.weights())),
        None => Err(LearnError::NotA(path.clone(), "file of features").into()),
    }
}

/// Prints the progress of a run.
struct Printer {
    learned: LearnedGroups,
    games: u64,
    /// The totals at the previous line.
    last: TdScore,
}

impl Printer {
    /// One line, if it is due.
    fn describe(&mut self, &TdMeasure { weights, score }: &TdMeasure) -> Option<String> {
        let line = |games: u64| games * LINES as u64 / self.games.max(1);
        if score.count() > 0 && line(score.count()) == line(self.last.count()) {
            return None;
        }
        let [won, drawn, lost] = score.since(&self.last).games;
        self.last = score;
        let places = (0..weights.len()).filter(|&place| self.learned.contains(place));
        let digits = usize::from(self.learned.contains(WEIGHTS - 1));
        let weights: Vec<String> =
            places.map(|place| format!("{:.digits$}", weights[place])).collect();
        Some(format!("game {:5}: {won}-{drawn}-{lost}, {}", score.count(), weights.join(" ")))
    }
}
