//! `kankei tune`: tunes the searcher's numbers by games against itself.
//!
//! The file has one line for each step: its result and the numbers after it, below a comment that
//! names the settings. A run that was interrupted or killed goes on with `--resume`.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use rayon::prelude::*;

use super::duels::{DuelArgs, parse_share};
use crate::command::{CliError, interrupt, progress_bar, thread_pool};
use crate::engine::Engine;
use crate::eval::Evaluation;
use crate::lab::chart::{Curve, LineChart};
use crate::lab::run_log::{self, RunLog};
use crate::lab::selfplay::SelfplayError;
use crate::lab::tune::{Schedule, SpsaStep, Trial, TunedParameter, Tuning, play_duel};
use crate::search::{AlphaBeta, SearchParams, Tunable};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Numbers to tune, separated by commas; without it all
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    numbers: Vec<String>,
    /// Steps
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,
    /// Pairs of games of a step
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..))]
    pairs: u32,
    /// Distance of the points that play, share of a number's range
    #[arg(long, alias = "reach", default_value_t = Schedule::default().perturbation, value_parser = parse_share)]
    perturbation: f64,
    /// Way of a number at first when one point wins all games, share of its range
    #[arg(long, alias = "rate", default_value_t = Schedule::default().learning_rate, value_parser = parse_share)]
    learning_rate: f64,
    #[command(flatten)]
    duels: DuelArgs,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let parameters = args.parameters()?;
    let pool = thread_pool(args.duels.threads)?;
    let evaluation = args.duels.eval.load()?;
    let header = args.header(&parameters);
    let kind = format!("step of {} numbers", parameters.len());
    let parse = |line: &str| parse(line, parameters.len());
    let (mut log, mut steps) =
        RunLog::open(&args.duels.out, &header, args.duels.resume, &kind, parse)?;
    let done = steps.len();
    let start = |parameter: &TunedParameter| {
        f64::from(SearchParams::DEFAULT.get(&parameter.name).unwrap_or_default())
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
        let result = pool.install(|| args.play(&parameters, &trial, step, &evaluation))?;
        let step = tuning.learn(&trial, result);
        log.add([line(&step)])?;
        steps.push(step);
        bar.inc(1);
    }
    bar.finish_and_clear();
    draw(&args.duels.out, &steps, &parameters)?;
    for (parameter, value) in parameters.iter().zip(tuning.rounded()) {
        println!("--set {}={value}", parameter.name);
    }
    if tuning.done() < args.steps as usize {
        eprintln!("interrupted; --resume goes on");
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn schedule(&self) -> Schedule {
        Schedule {
            steps: self.steps as usize,
            perturbation: self.perturbation,
            learning_rate: self.learning_rate,
            seed: self.duels.seed,
        }
    }

    /// The numbers wanted, with their ranges.
    fn parameters(&self) -> Result<Vec<TunedParameter>, CliError> {
        let parameter = |number: Tunable| {
            let Tunable { name, least, greatest } = number;
            TunedParameter { name: name.to_owned(), least, greatest }
        };
        if self.numbers.is_empty() {
            return Ok(Tunable::all().map(parameter).collect());
        }
        self.numbers.iter().map(|name| Ok(Tunable::find(name).map(parameter)?)).collect()
    }

    /// Games won less games lost by the first point, share of the games: each pair begins alike
    /// and changes colours.
    fn play(
        &self,
        parameters: &[TunedParameter],
        trial: &Trial,
        step: u64,
        evaluation: &Evaluation,
    ) -> Result<f64, CliError> {
        let config = self.duels.config();
        let engine = |point: &[i32]| -> Box<dyn Engine> {
            Box::new(AlphaBeta::new(params(parameters, point), evaluation.clone()))
        };
        let pairs = u64::from(self.pairs);
        let game_count = 2 * self.pairs;
        let scores: Result<Vec<i32>, SelfplayError> = (0..game_count)
            .into_par_iter()
            .with_max_len(1)
            .map(|game| {
                let sides = [engine(&trial.first), engine(&trial.second)];
                let number = step * pairs + u64::from(game / 2);
                play_duel(sides, game % 2 == 0, &config, number)
            })
            .collect();
        Ok(f64::from(scores?.iter().sum::<i32>()) / f64::from(game_count))
    }

    /// The comment at the head of the file: all that decides how the steps go.
    fn header(&self, parameters: &[TunedParameter]) -> String {
        let names: Vec<_> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        format!(
            "# kankei tune --numbers {} --steps {} --pairs {} --nodes {} --perturbation {} --learning-rate {} --seed {} --eval {}",
            names.join(","),
            self.steps,
            self.pairs,
            self.duels.nodes,
            self.perturbation,
            self.learning_rate,
            self.duels.seed,
            self.duels.eval,
        )
    }
}

/// The searcher's numbers with these changed.
fn params(parameters: &[TunedParameter], point: &[i32]) -> SearchParams {
    let mut params = SearchParams::DEFAULT;
    for (parameter, value) in parameters.iter().zip(point) {
        params.set(&parameter.name, *value);
    }
    params
}

/// Draws how each number went, as share of its range, beside the file of the steps.
fn draw(path: &Path, steps: &[SpsaStep], parameters: &[TunedParameter]) -> Result<(), CliError> {
    let curve = |(n, parameter): (usize, &TunedParameter)| {
        let share = |value: f64| {
            100.0 * (value - f64::from(parameter.least))
                / f64::from(parameter.greatest - parameter.least)
        };
        let points = steps.iter().enumerate();
        Curve {
            name: parameter.name.clone(),
            points: points.map(|(at, step)| (at as f64 + 1.0, share(step.values[n]))).collect(),
        }
    };
    let curves: Vec<Curve> = parameters.iter().enumerate().map(curve).collect();
    let chart = LineChart {
        title: "Numbers tuned",
        x: "step",
        y: "place in the range, %",
        curves: &curves,
    };
    let mut path = path.as_os_str().to_owned();
    path.push(".svg");
    run_log::write(Path::new(&path), &chart.to_svg())
}

/// A step as a line of the file.
fn line(step: &SpsaStep) -> String {
    let mut line = step.result.to_string();
    for value in &step.values {
        let _ = write!(line, " {value}");
    }
    line
}

/// A line of the file: the result and `count` numbers.
fn parse(line: &str, count: usize) -> Option<SpsaStep> {
    let numbers: Result<Vec<f64>, _> = line.split(' ').map(str::parse).collect();
    let numbers = numbers.ok().filter(|numbers| numbers.len() == count + 1)?;
    let (&result, values) = numbers.split_first()?;
    Some(SpsaStep { result, values: values.to_vec() })
}
