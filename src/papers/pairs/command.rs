//! `kankei learn pairs`: weights of pairs of pieces by discriminant analysis of games.

use std::process::ExitCode;

use indicatif::ProgressBar;

use crate::command::{CliError, interrupt, progress_bar};
use crate::lab::commands::learn::run_args::RunArgs;
use crate::lab::learn::{CurvePoint, ZSTD_LEVEL, write_file};
use crate::papers::held_out_games::LearnedGamesArgs;
use crate::papers::pairs::form::file;
use crate::papers::pairs::learner::{
    Comparison, ExampleSet, PairsConfig, PairsMeasure, PairsObjective, QuantizedPairs,
};
use crate::record::Game;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    games: LearnedGamesArgs,
    /// The positions that are compared with the position after the move of the record
    #[arg(long, value_enum)]
    model: Comparison,
    /// Relations that occur in fewer positions have no weight
    #[arg(long, value_name = "POSITIONS", default_value_t = 20, value_parser = crate::command::whole_number::<u32>)]
    min_occurrences: u32,
    /// Iterations of the conjugate gradient [default: 36, sibling: 20]
    #[arg(long, value_parser = crate::command::whole_number::<u64>)]
    iterations: Option<u64>,
    /// No preconditioner of the conjugate gradient: rare relations then learn slowly
    #[arg(long)]
    plain: bool,
    /// Factor that converts weights to centipawns [default: 128, sibling: 160]
    #[arg(long, value_parser = crate::command::number_in::<f64>(1e-3..=1e6))]
    scale: Option<f64>,
    #[command(flatten)]
    run: RunArgs,
}

impl Args {
    fn config(&self) -> PairsConfig {
        let paper = PairsConfig::new(self.model);
        PairsConfig {
            min_occurrences: self.min_occurrences,
            iterations: self.iterations.unwrap_or(paper.iterations),
            is_preconditioned: !self.plain,
            scale: self.scale.unwrap_or(paper.scale),
            ..paper
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    args.run.check(&[], &args.games.games)?;
    interrupt::watch();
    args.run.pool()?.install(|| learn(args))
}

fn learn(args: &Args) -> Result<ExitCode, CliError> {
    let config = args.config();
    let set = args.games.read()?;
    let bar = progress_bar(set.training.len() + set.held_out.len());
    let games = [&set.training, &set.held_out];
    let Some([training, held_out]) = example_sets(games, config.comparison, &bar) else {
        println!("interrupted before the first iteration");
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    };
    if training.comparisons(config.comparison) == 0 {
        return Err(CliError::NoGames(args.games.games.clone()));
    }
    println!(
        "{} positions of {} games, {} comparisons; held out {} of {}, {}",
        training.len(),
        set.training.len(),
        training.comparisons(config.comparison),
        held_out.len(),
        set.held_out.len(),
        held_out.comparisons(config.comparison)
    );
    let objective = PairsObjective::new(config, &training, &training.occurrences(), &held_out);
    println!("{} relations have a weight", objective.unknowns());
    let mut trainer = objective.trainer();
    if !args.run.learn(&mut trainer, |point| Some(describe(point)))? {
        return Ok(args.run.interrupted());
    }
    let quantized = QuantizedPairs::new(trainer.objective.weights(), config.scale);
    write_file(&args.run.out, |out| file::write(&quantized.weights, out, ZSTD_LEVEL))?;
    println!("{} written, {} weights clipped", args.run.out.display(), quantized.cut);
    Ok(args.run.finish())
}

/// The examples of sets of games; `None` if the user interrupted it.
pub(super) fn example_sets(
    games: [&Vec<Game>; 2],
    comparison: Comparison,
    bar: &ProgressBar,
) -> Option<[ExampleSet; 2]> {
    let go_on = |games| {
        bar.inc(games as u64);
        !interrupt::is_interrupted()
    };
    let [training, held_out] = games.map(|games| ExampleSet::of_games(games, comparison, &go_on));
    bar.finish_and_clear();
    Some([training?, held_out?])
}

fn describe(point: &CurvePoint<PairsMeasure>) -> String {
    let PairsMeasure { training, held_out, seconds } = point.measured;
    format!(
        "iteration {:3}: error {training:.5}, held out {held_out:.5}, {seconds:.1} s",
        point.epochs
    )
}
