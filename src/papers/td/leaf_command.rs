//! `kankei learn td-leaf`: learns the weights of relations by temporal differences at principal
//! leaves.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use crate::command::searcher::EvalArgs;
use crate::command::{CliError, interrupt};
use crate::eval::Evaluation;
use crate::eval::learned::Weights;
use crate::file::with_suffix;
use crate::lab::chart::{Curve, LineChart};
use crate::lab::commands::learn::run_args::{RunArgs, not_negative, positive};
use crate::lab::commands::selfplay::parse_range;
use crate::lab::learn::{CurvePoint, LearnError, LearningCurve, write_weights};
use crate::lab::run_log;
use crate::lab::selfplay::Starts;
use crate::papers::td::leaf::{LearnedParts, TdLeafConfig, TdLeafMeasure, TdLeafObjective};

const DEFAULT: TdLeafConfig = TdLeafConfig::DEFAULT;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Start weights: `internal`, or a weights file with relations
    #[arg(long, value_name = "EVAL", default_value = "internal")]
    from: String,
    /// Games to learn from
    #[arg(long, default_value_t = DEFAULT.games, value_parser = clap::value_parser!(u64).range(1..1 << 40))]
    games: u64,
    /// Games per round, all played with the same weights; then the weights take a step
    #[arg(long, value_name = "GAMES", default_value_t = DEFAULT.round, value_parser = clap::value_parser!(u64).range(1..1 << 16))]
    round: u64,
    /// Held-out games, played before all others
    #[arg(long, value_name = "GAMES", default_value_t = DEFAULT.held_out, value_parser = clap::value_parser!(u64).range(1..1 << 16))]
    held_out: u64,
    /// Nodes per move: random from A to B for each move (`A..B`), or constant (`A`)
    #[arg(long, default_value = "200..600", value_parser = parse_range)]
    nodes: RangeInclusive<u64>,
    /// Start positions of the games
    #[arg(long, value_enum, default_value = "varied")]
    starts: Starts,
    /// lambda: 0 learns from the next search only, 1 from the result
    #[arg(long, default_value_t = DEFAULT.lambda, value_parser = lambda)]
    lambda: f64,
    /// Centipawns that multiply the odds of winning by e; without it fitted to the held-out games
    #[arg(long, value_name = "CP", value_parser = positive)]
    scale: Option<f32>,
    /// The weights to learn; others stay as they are
    #[arg(long, value_enum, default_value = "relations")]
    parts: LearnedParts,
    /// Learning rate of the relations (AdaGrad), logits
    #[arg(long, value_name = "RATE", default_value_t = DEFAULT.relation_rate, value_parser = positive)]
    relation_rate: f32,
    /// Learning rate of the network (Adam)
    #[arg(long, value_name = "RATE", default_value_t = DEFAULT.network_rate, value_parser = not_negative)]
    network_rate: f32,
    /// Seed of the games
    #[arg(long, default_value_t = DEFAULT.seed)]
    seed: u64,
    #[command(flatten)]
    run: RunArgs,
}

fn lambda(text: &str) -> Result<f64, String> {
    let lambda = text.parse().ok().filter(|lambda| (0.0..=1.0).contains(lambda));
    lambda.ok_or_else(|| format!("{text:?} is not a number from 0 to 1"))
}

impl Args {
    fn config(&self) -> TdLeafConfig {
        TdLeafConfig {
            games: self.games,
            round: self.round,
            held_out: self.held_out,
            nodes: self.nodes.clone(),
            starts: self.starts,
            lambda: self.lambda,
            scale: self.scale,
            parts: self.parts,
            relation_rate: self.relation_rate,
            network_rate: self.network_rate,
            seed: self.seed,
            ..DEFAULT
        }
    }

    /// The start weights.
    fn weights(&self) -> Result<Arc<Weights>, CliError> {
        match EvalArgs::named(&self.from).load()? {
            Evaluation::Learned(weights) => Ok(weights),
            _ => Err(LearnError::NoRelations(self.from.clone()).into()),
        }
    }
}

/// Added to the name of the weights: the charts of the differences and of the held-out losses.
const CHARTS: [&str; 2] = [".svg", ".held_out.svg"];

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    args.run.check(&CHARTS, &[PathBuf::from(&args.from)])?;
    interrupt::watch();
    let pool = args.run.pool()?;
    let weights = args.weights()?;
    let objective =
        TdLeafObjective::new(&weights, args.config(), &pool, &interrupt::is_interrupted);
    let Some(objective) = objective else {
        if interrupt::is_interrupted() {
            return Ok(ExitCode::from(interrupt::EXIT_CODE));
        }
        return Err(LearnError::NoRelations(args.from.clone()).into());
    };
    println!(
        "{} leaves held out; {:.0} cp multiply the odds by e",
        objective.held_out_leaves(),
        objective.scale()
    );
    let mut trainer = objective.trainer();
    let is_done = args.run.learn(&mut trainer, |point| Some(describe(point)))?;
    draw(args, trainer.curve())?;
    if !is_done {
        return Ok(args.run.interrupted());
    }
    trainer.objective.finalize();
    println!("mean of the weights: held out {:.6}", trainer.objective.held_out_loss());
    let quantized = trainer.objective.weights();
    write_weights(&args.run.out, &quantized.weights)?;
    println!("{} written, {} weights clipped", args.run.out.display(), quantized.clipped);
    Ok(args.run.finish())
}

fn describe(point: &CurvePoint<TdLeafMeasure>) -> String {
    let TdLeafMeasure { games, leaves, error, change, squared_error, held_out, .. } =
        point.measured;
    format!(
        "game {games:6}, {leaves:8} leaves: error {error:+.5}, change {change:.5}, squared {squared_error:.5}, \
         held out {held_out:.6}"
    )
}

/// Draws the curves next to the output.
fn draw(args: &Args, curve: &LearningCurve<TdLeafMeasure>) -> Result<(), CliError> {
    let curve = |name: &str, value: fn(&TdLeafMeasure) -> f64, first: usize| Curve {
        name: name.to_owned(),
        points: curve.points[first..]
            .iter()
            .map(|at| (at.measured.games as f64, value(&at.measured)))
            .collect(),
    };
    let chart = |title, y, curves: &[Curve]| LineChart { title, x: "games", y, curves }.to_svg();
    // The first point precedes all games.
    let differences = chart(
        "Temporal differences",
        "probability",
        &[
            curve("mean |change|", |at| at.change, 1),
            curve("root of mean squared error", |at| at.squared_error.sqrt(), 1),
        ],
    );
    run_log::write(&with_suffix(&args.run.out, CHARTS[0]), &differences)?;
    let held_out = curve("result minus prediction", |at| at.held_out, 0);
    let held_out = chart("Held-out games", "mean squared error", &[held_out]);
    run_log::write(&with_suffix(&args.run.out, CHARTS[1]), &held_out)
}
