//! `kankei tune`: tunes the searcher's parameters by self-play.
//!
//! The file starts with a comment that names the settings and has one line per step: its result and
//! the parameters after it. `--resume` continues an interrupted run.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use rayon::ThreadPool;

use super::game_args::{GameArgs, parse_share};
use crate::command::run_log::{self, RunLog};
use crate::command::{CliError, interrupt, progress_bar, thread_pool};
use crate::engine::Engine;
use crate::eval::Evaluation;
use crate::file::with_suffix;
use crate::lab::chart::{Curve, LineChart};
use crate::lab::in_order::InOrder;
use crate::lab::matches::Pairing;
use crate::lab::tune::{Schedule, SpsaStep, Trial, TunedParameter, Tuning};
use crate::search::{AlphaBeta, SearchParams};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Parameters to tune, separated by commas; without it all
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    numbers: Vec<String>,
    /// Number of steps
    #[arg(long, default_value_t = 500, value_parser = crate::command::at_least_one::<u32>)]
    steps: u32,
    /// Pairs of games per step
    #[arg(long, default_value_t = 8, value_parser = crate::command::at_least_one::<u32>)]
    pairs: u32,
    /// Distance of the two points that play from the middle, as a share of a parameter's range
    #[arg(long, default_value_t = Schedule::default().perturbation, value_parser = parse_share)]
    perturbation: f64,
    /// Change of a parameter in the first step if one point wins all games, as a share of its range
    #[arg(long, default_value_t = Schedule::default().learning_rate, value_parser = parse_share)]
    learning_rate: f64,
    #[command(flatten)]
    games: GameArgs,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let chart = chart_path(&args.games.out);
    if chart.exists() && !args.games.resume {
        return Err(CliError::RunExists { path: chart, command: interrupt::resume_command() });
    }
    let parameters = args.parameters()?;
    let pool = thread_pool(args.games.concurrency)?;
    let evaluation = args.games.eval.load()?;
    let header = args.header(&parameters);
    let kind = format!("step of {} numbers", parameters.len());
    let parse = |line: &str| parse(line, parameters.len());
    let (mut log, mut steps) =
        RunLog::open_steps(&args.games.out, &header, args.games.resume, &kind, parse)?;
    let done = steps.len();
    let start = |parameter: &TunedParameter| {
        f64::from(SearchParams::DEFAULT.get(parameter.name).unwrap_or_default())
    };
    let values = match steps.last() {
        Some(step) => step.values.clone(),
        None => parameters.iter().map(start).collect(),
    };
    let mut tuning = Tuning::new(parameters.clone(), args.schedule(), values, done);
    let bar = progress_bar(args.steps as usize).with_position(done as u64);
    bar.reset_eta();
    interrupt::watch();
    while tuning.done() < args.steps as usize && !interrupt::is_interrupted() {
        let trial = tuning.trial();
        let step = tuning.done() as u64;
        let result = args.play(&parameters, &trial, step, &evaluation, &pool)?;
        let Some(result) = result else { break };
        let step = tuning.learn(&trial, result);
        log.add(line(&step).as_bytes())?;
        steps.push(step);
        bar.inc(1);
    }
    bar.finish_and_clear();
    draw(&args.games.out, &steps, &parameters)?;
    for (parameter, value) in parameters.iter().zip(tuning.rounded()) {
        println!("--set {}={value}", parameter.name);
    }
    Ok(interrupt::exit_code(tuning.done() >= args.steps as usize))
}

impl Args {
    fn schedule(&self) -> Schedule {
        Schedule {
            steps: self.steps as usize,
            perturbation: self.perturbation,
            learning_rate: self.learning_rate,
            seed: self.games.seed,
        }
    }

    /// The parameters to tune, with their ranges.
    fn parameters(&self) -> Result<Vec<TunedParameter>, CliError> {
        if self.numbers.is_empty() {
            return Ok(SearchParams::NUMBERS.to_vec());
        }
        self.numbers
            .iter()
            .map(|name| Ok(TunedParameter::find(SearchParams::NUMBERS, name)?))
            .collect()
    }

    /// Games won minus games lost by the first point, as a share of the games; `None` if the step
    /// was interrupted.
    fn play(
        &self,
        parameters: &[TunedParameter],
        trial: &Trial,
        step: u64,
        evaluation: &Evaluation,
        pool: &ThreadPool,
    ) -> Result<Option<f64>, CliError> {
        let config = self.games.config();
        let engine = |point: &Vec<i32>| -> Box<dyn Engine> {
            Box::new(AlphaBeta::new(params(parameters, point), evaluation.clone()))
        };
        let play = |_: &mut (), game: u64, is_over: &dyn Fn() -> bool| {
            let mut pairing = Pairing::of_searchers([&trial.first, &trial.second].map(engine));
            let played = pairing.play(game, None, &config, is_over).transpose()?;
            Some(played.map(|played| played.result(game)))
        };
        let game_count = 2 * u64::from(self.pairs);
        let games = InOrder {
            numbers: step * game_count..(step + 1) * game_count,
            start: &|| (),
            work: &play,
            is_stopped: &interrupt::is_interrupted,
        };
        let (mut total, mut played) = (0, 0);
        games.run(pool, |result| -> Result<(), CliError> {
            total += result?;
            played += 1;
            Ok(())
        })?;
        Ok((played == game_count).then(|| f64::from(total) / played as f64))
    }

    /// The comment at the head of the file: everything that determines the steps.
    fn header(&self, parameters: &[TunedParameter]) -> String {
        let names: Vec<_> = parameters.iter().map(|parameter| parameter.name).collect();
        format!(
            "# kankei tune --numbers {} --steps {} --pairs {} --nodes {} --perturbation {} --learning-rate {} --seed {} --eval {}",
            names.join(","),
            self.steps,
            self.pairs,
            self.games.nodes,
            self.perturbation,
            self.learning_rate,
            self.games.seed,
            self.games.eval,
        )
    }
}

/// The searcher's parameters with these changed.
fn params(parameters: &[TunedParameter], point: &[i32]) -> SearchParams {
    let mut params = SearchParams::DEFAULT;
    for (parameter, value) in parameters.iter().zip(point) {
        params.set(parameter.name, *value);
    }
    params
}

/// Draws the course of each parameter, as a share of its range, next to the file of the steps.
fn draw(path: &Path, steps: &[SpsaStep], parameters: &[TunedParameter]) -> Result<(), CliError> {
    let curve = |(n, parameter): (usize, &TunedParameter)| {
        let share = |value: f64| {
            100.0 * (value - f64::from(parameter.least))
                / f64::from(parameter.greatest - parameter.least)
        };
        let points = steps.iter().enumerate();
        Curve {
            name: parameter.name.to_owned(),
            points: points.map(|(at, step)| (at as f64 + 1.0, share(step.values[n]))).collect(),
        }
    };
    let curves: Vec<Curve> = parameters.iter().enumerate().map(curve).collect();
    let chart = LineChart {
        title: "Tuned parameters",
        x: "step",
        y: "position in the range, %",
        curves: &curves,
    };
    run_log::write(&chart_path(path), &chart.to_svg())
}

/// The file of the chart.
fn chart_path(steps: &Path) -> PathBuf {
    with_suffix(steps, ".svg")
}

/// Formats a step as a line of the file, with its newline.
fn line(step: &SpsaStep) -> String {
    let mut line = step.result.to_string();
    for value in &step.values {
        let _ = write!(line, " {value}");
    }
    line + "\n"
}

/// Parses a line of the file: the result and `count` parameters.
fn parse(line: &str, count: usize) -> Option<SpsaStep> {
    let numbers: Result<Vec<f64>, _> = line.split(' ').map(str::parse).collect();
    let numbers = numbers.ok().filter(|numbers| numbers.len() == count + 1)?;
    let (&result, values) = numbers.split_first()?;
    Some(SpsaStep { result, values: values.to_vec() })
}
