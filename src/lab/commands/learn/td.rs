//! `kankei learn td`: few features by temporal differences.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::command::{CliError, interrupt, progress_bar, thread_pool};
use crate::eval::Evaluation;
use crate::eval::features::WEIGHTS;
use crate::file::beside;
use crate::lab::learn::td::{
    Horizon, LearnedGroups, Opponent, Start, TdConfig, TdMeasure, TdObjective, TdScore,
};
use crate::lab::learn::{CurvePoint, LearnError, write_feature_weights};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// What is learned; the other weights stay at the paper's Table 2
    #[arg(long, value_enum)]
    weights: LearnedGroups,
    /// Games to play
    #[arg(long, default_value_t = 6000)]
    games: u64,
    /// Seed of the games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The learned weights before the first game [default: 1000, those of the kings 0]
    #[arg(long, allow_hyphen_values = true, conflicts_with = "from")]
    start: Option<f64>,
    /// Weights file that all weights begin at, also those that are not learned
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Learning rate of the first game; it falls to a 250th. A fifth of it for the kings' weights
    #[arg(long, default_value_t = 250.0, value_parser = rate)]
    rate: f64,
    /// Plies of the searches
    #[arg(long, default_value_t = 3, value_parser = depth)]
    depth: usize,
    /// Search captures and promotions behind the last ply
    #[arg(long)]
    quiescence: bool,
    /// Who the learner plays against
    #[arg(long, value_enum, default_value_t = Opponent::Table2)]
    opponent: Opponent,
    /// Games played at once with the same weights; 1: the weights move within the game
    #[arg(long, value_name = "GAMES", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..))]
    round: u64,
    /// Threads for the games of a round; 0 for all cores
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Weights file to write; FILE.checkpoint keeps the run now and then
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Go on from FILE.checkpoint, with the same options
    #[arg(long)]
    resume: bool,
}

/// Points of the curve that are printed.
const LINES: usize = 20;

fn depth(text: &str) -> Result<usize, String> {
    let depth = text.parse().ok().filter(|depth| (1..=TdConfig::MAX_DEPTH).contains(depth));
    depth.ok_or_else(|| format!("{text:?} is not a number from 1 to {}", TdConfig::MAX_DEPTH))
}

fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate: &f64| rate.is_finite() && *rate > 0.0);
    rate.ok_or_else(|| format!("{text:?} is not a number above 0"))
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    interrupt::watch();
    let paper = TdConfig::new(args.weights, args.games, args.seed);
    let config = TdConfig {
        start: start(args)?,
        rates: [args.rate, args.rate / 250.0],
        depth: args.depth,
        horizon: if args.quiescence { Horizon::Quiescence } else { Horizon::Static },
        opponent: args.opponent,
        round: args.round,
        ..paper
    };
    let checkpoint = beside(&args.out, ".checkpoint");
    let mut trainer = TdObjective::new(config).trainer();
    if args.resume {
        trainer.resume(&checkpoint)?;
    }
    let printer = Printer { learned: args.weights, games: args.games };
    let mut last = TdScore::default();
    for point in &trainer.curve().points {
        printer.print(point, &mut last, &|line| println!("{line}"));
    }
    let bar = progress_bar(config.rounds() as usize).with_position(trainer.batches_done());
    bar.reset_eta();
    let is_done = thread_pool(args.threads)?.install(|| {
        trainer.run(&checkpoint, &|| !interrupt::is_interrupted(), |point| {
            bar.inc(1);
            if let Some(point) = point {
                printer.print(point, &mut last, &|line| bar.suspend(|| println!("{line}")));
            }
        })
    })?;
    bar.finish_and_clear();
    if !is_done {
        println!("interrupted; {} goes on with --resume", checkpoint.display());
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    write_feature_weights(&args.out, &trainer.objective.weights())?;
    println!("weights written to {}", args.out.display());
    // What is left of it would only be mistaken for an unfinished run.
    let _ = std::fs::remove_file(&checkpoint);
    Ok(ExitCode::SUCCESS)
}

fn start(args: &Args) -> Result<Start, CliError> {
    let Some(path) = &args.from else { return Ok(args.start.map_or(Start::Usual, Start::At)) };
    let loaded = Evaluation::from_file(path)
        .map_err(|source| CliError::Weights { path: path.clone(), source })?;
    match loaded {
        Evaluation::Features(weights) => Ok(Start::Weights(*weights.weights())),
        _ => Err(LearnError::NotA(path.clone(), "file of features").into()),
    }
}

/// Says how a run goes.
struct Printer {
    learned: LearnedGroups,
    games: u64,
}

impl Printer {
    /// One line, if it is time for one. `last`: the games up to the line before.
    fn print(&self, point: &CurvePoint<TdMeasure>, last: &mut TdScore, say: &dyn Fn(String)) {
        let TdMeasure { weights, score } = point.measured;
        let line = |games: u64| games * LINES as u64 / self.games.max(1);
        if score.count() > 0 && line(score.count()) == line(last.count()) {
            return;
        }
        let [won, drawn, lost] = score.since(last).games;
        let places = (0..weights.len()).filter(|&place| self.learned.contains(place));
        let digits = usize::from(self.learned.contains(WEIGHTS - 1));
        let weights: Vec<String> =
            places.map(|place| format!("{:.digits$}", weights[place])).collect();
        say(format!("game {:5}: {won}-{drawn}-{lost}, {}", score.count(), weights.join(" ")));
        *last = score;
    }
}
