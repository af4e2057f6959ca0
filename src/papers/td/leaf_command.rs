//! `kankei learn td-leaf`: learns the weights of relations by temporal differences at principal
//! leaves.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use crate::command::run_log;
use crate::command::searcher::EvalArgs;
use crate::command::{CliError, interrupt};
use crate::eval::Evaluation;
use crate::eval::learned::Weights;
use crate::file::with_suffix;
use crate::lab::chart::{Curve, LineChart};
use crate::lab::commands::learn::run_args::RunArgs;
use crate::lab::learn::{CurvePoint, LearnError, LearningCurve, write_weights};
use crate::papers::td::leaf::{TdLeafConfig, TdLeafMeasure, TdLeafObjective};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Start weights: `internal`, or a weights file with relations
    #[arg(long, value_name = "EVAL", default_value = "internal")]
    from: String,
    #[command(flatten)]
    config: TdLeafConfig,
    #[command(flatten)]
    run: RunArgs,
}

impl Args {
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
        TdLeafObjective::new(&weights, args.config.clone(), &pool, &interrupt::is_interrupted);
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
