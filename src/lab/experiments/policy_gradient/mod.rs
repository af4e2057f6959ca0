//! Imitation of recorded moves by policy gradient on KKP and KPP: how the agreement with the record
//! grows, setting by setting and pass by pass.

mod report;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use rayon::prelude::*;

use self::report::Report;
use super::{ExperimentArgs, Size};
use crate::command::{CliError, interrupt, progress_bar, thread_pool};
use crate::lab::commands::learn::{HeldOutArgs, Method, Plan, describe, write_weights};
use crate::lab::learn::policy::{Games, History, ImprovedConfig, OnlineConfig};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    experiment: ExperimentArgs,
    /// Files or folders of games, instead of those of the data
    #[arg(long, num_args = 1.., value_name = "FILE", required_unless_present = "data")]
    games: Vec<PathBuf>,
    #[command(flatten)]
    held_out: HeldOutArgs,
    /// What the games are, a sentence for the report
    #[arg(long, default_value = "")]
    about: String,
    /// Passes of the long courses
    #[arg(long, default_value_t = 5)]
    passes: usize,
    /// Begin no pass of the long courses that would end later than this, hours from the start
    #[arg(long)]
    hours: Option<f64>,
    /// Folder for checkpoints and weights, a gigabyte; what is there is not learned again [default:
    /// the folder of results]
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// Courses run at the same time, each on one thread
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

/// Files of games in the folder `teacher` of the data.
const GAMES: [&str; 2] = ["games_1.txt.zst", "games_2.txt.zst"];

/// The paper's five settings, its best first.
const SETTINGS: [OnlineConfig; 5] = [
    OnlineConfig { learning_rate: 100.0, temperature: 1.0 },
    OnlineConfig { learning_rate: 100.0, temperature: 10.0 },
    OnlineConfig { learning_rate: 10.0, temperature: 1.0 },
    OnlineConfig { learning_rate: 10.0, temperature: 10.0 },
    OnlineConfig { learning_rate: 1.0, temperature: 1.0 },
];

/// Passes of the short courses.
const SHORT_PASSES: usize = 5;

/// Passes without a better held-out agreement that end the improved learner's course.
const PATIENCE: usize = 2;

/// How many games.
struct Extent {
    /// For each of the five settings.
    short: usize,
    /// For the long courses.
    long: usize,
    /// For the improved learner, and how many of the held-out ones it is judged by: each of its
    /// values costs a quiescence search.
    improved: [usize; 2],
}

impl Extent {
    fn of(size: Size) -> Extent {
        match size {
            Size::Full => Extent { short: 5_000, long: 55_800, improved: [1_000, 200] },
            Size::Small => Extent { short: 200, long: 500, improved: [50, 20] },
        }
    }
}

/// A course, and how it went.
struct Run {
    method: Method,
    games: usize,
    history: History,
    /// Weights beyond what the weights file holds; `None` if none was written.
    cut: Option<usize>,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    interrupt::watch();
    let start = Instant::now();
    let ExperimentArgs { size, data, out } = &args.experiment;
    let (extent, state) = (Extent::of(*size), args.state.as_ref().unwrap_or(out));
    let files = match data {
        Some(data) if args.games.is_empty() => {
            GAMES.iter().map(|file| data.join("teacher").join(file)).collect()
        }
        _ => args.games.clone(),
    };
    let set = args.held_out.read(&files, extent.long)?;
    let first = |all: usize, judges: usize| Games {
        training: &set.training[..all.min(set.training.len())],
        held_out: &set.held_out[..judges.min(set.held_out.len())],
    };
    let pool = thread_pool(args.threads)?;
    let course = |method, games, passes| Course { method, games, passes, patience: None };

    let few = first(extent.short, usize::MAX);
    let short = SETTINGS.map(|rates| course(Method::Paper(rates), few, SHORT_PASSES));
    let Some(short) = pool.install(|| run_all(&short, None, state))? else {
        return interrupted();
    };

    let all = first(extent.long, usize::MAX);
    let mut chosen = vec![best(&short), short[0].method];
    chosen.dedup();
    let long: Vec<Course> =
        chosen.into_iter().map(|method| course(method, all, args.passes)).collect();
    let deadline = args.hours.map(|hours| start + Duration::from_secs_f64(3600.0 * hours));
    let Some(mut long) = pool.install(|| run_all(&long, deadline, state))? else {
        return interrupted();
    };

    let some = first(extent.improved[0], extent.improved[1]);
    let improved = Course {
        method: Method::Improved(ImprovedConfig::DEFAULT),
        games: some,
        passes: args.passes,
        patience: Some(PATIENCE),
    };
    let Some(mut improved) = pool.install(|| run_all(&[improved], None, state))? else {
        return interrupted();
    };
    for (runs, games) in [(&mut long, all), (&mut improved, some)] {
        for run in runs {
            run.cut = export(run, games, state)?;
        }
    }

    let report = Report { about: &args.about, held_out: set.held_out.len(), short, long, improved };
    for (file, svg) in report.drawings() {
        args.experiment.write(file, &svg)?;
    }
    args.experiment.publish(&report.text())
}

fn interrupted() -> Result<ExitCode, CliError> {
    println!("interrupted; the same command goes on behind the last pass of each course");
    Ok(ExitCode::from(interrupt::EXIT_CODE))
}

/// The method with the best held-out agreement after its last pass.
fn best(runs: &[Run]) -> Method {
    let held_out =
        |run: &&Run| run.history.passes.last().map_or(0.0, |pass| pass.held_out.percent());
    let best = runs.iter().max_by(|a, b| held_out(a).total_cmp(&held_out(b)));
    best.map_or(Method::Paper(SETTINGS[0]), |run| run.method)
}

/// A course to be run.
struct Course<'a> {
    method: Method,
    games: Games<'a>,
    passes: usize,
    patience: Option<usize>,
}

impl Course<'_> {
    fn name(&self) -> String {
        let method = self.method.to_string().replace("online ", "").replace(' ', "-");
        format!("{}-games-{method}", self.games.training.len())
    }
}

/// Runs courses side by side, as many as the pool has threads. `None` if the user broke them off.
fn run_all(
    courses: &[Course],
    deadline: Option<Instant>,
    state: &Path,
) -> Result<Option<Vec<Run>>, CliError> {
    let games = |course: &Course| course.games.training.len() + course.games.held_out.len();
    let bar = progress_bar(courses.iter().map(|course| course.passes * games(course)).sum());
    let runs: Result<Vec<Option<Run>>, CliError> = courses
        .par_iter()
        .with_max_len(1)
        .map(|course| run_course(course, deadline, state, &bar))
        .collect();
    bar.finish_and_clear();
    Ok(runs?.into_iter().collect())
}

fn run_course(
    course: &Course,
    deadline: Option<Instant>,
    state: &Path,
    bar: &ProgressBar,
) -> Result<Option<Run>, CliError> {
    let name = course.name();
    let checkpoint = state.join(format!("{name}.course"));
    let plan = Plan {
        method: course.method,
        games: course.games,
        seed: None,
        passes: course.passes,
        patience: course.patience,
        deadline,
        checkpoint: &checkpoint,
    };
    let run = |history| Run {
        method: course.method,
        games: course.games.training.len(),
        history,
        cut: None,
    };
    let kept = plan.history()?;
    if plan.is_done(&kept) {
        return Ok(Some(run(kept)));
    }
    let history = plan.run(bar, |course| {
        bar.suspend(|| eprintln!("{name} {}", describe(course.history())));
        Ok(())
    })?;
    Ok(history.map(run))
}

/// Writes the weights of a course beside its checkpoint.
fn export(run: &Run, games: Games, state: &Path) -> Result<Option<usize>, CliError> {
    let course = Course { method: run.method, games, passes: 0, patience: None };
    let file = |kind: &str| state.join(format!("{}.{kind}", course.name()));
    let checkpoint = file("course");
    if run.history.passes.is_empty() {
        return Ok(None);
    }
    let plan = Plan {
        method: run.method,
        games,
        seed: None,
        passes: 0,
        patience: None,
        deadline: None,
        checkpoint: &checkpoint,
    };
    write_weights(&plan.load_table()?, &file("weights")).map(Some)
}
