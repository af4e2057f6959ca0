//! Imitation of recorded moves by policy gradient on KKP and KPP: growth of the agreement with the
//! record by setting and by pass.

mod course;
mod report;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use indicatif::ProgressBar;
use rayon::prelude::*;

use self::course::{FinishedCourse, PATIENCE};
use self::report::Report;
use crate::command::{CliError, interrupt, progress_bar, thread_pool};
use crate::papers::experiment::{ExperimentArgs, GameArgs, Size, interrupted};
use crate::papers::policy::learner::{
    ImitatedGames, ImprovedConfig, OnlineConfig, PolicyMethod, PolicyRun,
};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    experiment: ExperimentArgs,
    #[command(flatten)]
    source: GameArgs,
    /// Number of passes of the long runs
    #[arg(long, default_value_t = 5, value_parser = crate::command::whole_number::<usize>)]
    passes: usize,
    /// Folder for checkpoints and weights, a gigabyte; existing runs are not repeated [default: the
    /// folder of results]
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// Number of runs in parallel, one thread each
    #[arg(long, default_value_t = 2, value_parser = crate::command::whole_number::<usize>)]
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

/// Number of passes of the short runs.
const SHORT_PASSES: usize = 5;

/// Where an interrupted experiment continues.
const STEP: &str = " after the last pass of each run";

/// Numbers of games.
struct Extent {
    /// Training games for each of the five settings.
    short: usize,
    /// Training games for the long runs.
    long: usize,
    /// Training games for the improved learner, and its held-out games, which are few because each
    /// value needs a quiescence search.
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

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    interrupt::watch();
    let ExperimentArgs { size, out } = &args.experiment;
    let (extent, state) = (Extent::of(*size), args.state.as_ref().unwrap_or(out));
    let files = match &args.source.data {
        Some(data) if args.source.games.is_empty() => {
            GAMES.iter().map(|file| data.join("teacher").join(file)).collect()
        }
        _ => args.source.games.clone(),
    };
    let set = args.source.held_out.read(&files, extent.long)?;
    let first = |all: usize, judges: usize| ImitatedGames {
        training: &set.training[..all.min(set.training.len())],
        held_out: &set.held_out[..judges.min(set.held_out.len())],
    };
    let pool = thread_pool(args.threads)?;
    let course = |method, games, passes| course(method, games, passes, state);

    let few = first(extent.short, usize::MAX);
    let short = SETTINGS.map(|config| course(PolicyMethod::Paper(config), few, SHORT_PASSES));
    let Some(short) = pool.install(|| run_all(&short))? else { return interrupted(STEP) };

    let all = first(extent.long, usize::MAX);
    let mut chosen = vec![best(&short), short[0].method];
    chosen.dedup();
    let long = |method| course(method, all, args.passes);
    let long_runs: Vec<PolicyRun> = chosen.into_iter().map(long).collect();
    let Some(mut long) = pool.install(|| run_all(&long_runs))? else { return interrupted(STEP) };

    let some = first(extent.improved[0], extent.improved[1]);
    let method = PolicyMethod::Improved(ImprovedConfig::DEFAULT);
    let improved_runs =
        [PolicyRun { patience: Some(PATIENCE), ..course(method, some, args.passes) }];
    let Some(mut improved) = pool.install(|| run_all(&improved_runs))? else {
        return interrupted(STEP);
    };
    let finished = long.iter_mut().chain(&mut improved);
    for (course, run) in finished.zip(long_runs.iter().chain(&improved_runs)) {
        if course.curve.passes().len() > 0 {
            let weights = run.checkpoint.with_extension("weights");
            course.cut = Some(run.kept_table()?.write_weights(&weights)?);
        }
    }

    let report =
        Report { about: &args.source.about, held_out: set.held_out.len(), short, long, improved };
    for (file, svg) in report.drawings() {
        args.experiment.write(file, &svg)?;
    }
    args.experiment.publish(&report.text())
}

/// The method with the best held-out agreement after its last pass.
fn best(courses: &[FinishedCourse]) -> PolicyMethod {
    let held_out = |course: &&FinishedCourse| course.curve.last().held_out.percent();
    let best = courses.iter().max_by(|a, b| held_out(a).total_cmp(&held_out(b)));
    best.map_or(PolicyMethod::Paper(SETTINGS[0]), |course| course.method)
}

/// A run whose files are in the folder `state`.
fn course<'a>(
    method: PolicyMethod,
    games: ImitatedGames<'a>,
    passes: usize,
    state: &Path,
) -> PolicyRun<'a> {
    let checkpoint = state.join(format!("{}.course", course_name(method, games)));
    PolicyRun { method, games, seed: None, passes, patience: None, checkpoint }
}

fn course_name(method: PolicyMethod, games: ImitatedGames) -> String {
    let method = method.to_string().replace("online ", "").replace(' ', "-");
    format!("{}-games-{method}", games.training.len())
}

/// Runs in parallel, one per thread of the pool. `None` if the user interrupted them.
fn run_all(courses: &[PolicyRun]) -> Result<Option<Vec<FinishedCourse>>, CliError> {
    let games = |course: &PolicyRun| course.games.training.len() + course.games.held_out.len();
    let bar = progress_bar(courses.iter().map(|course| course.passes * games(course)).sum());
    let finished: Result<Vec<Option<FinishedCourse>>, CliError> =
        courses.par_iter().with_max_len(1).map(|course| run_course(course, &bar)).collect();
    bar.finish_and_clear();
    Ok(finished?.into_iter().collect())
}

fn run_course(course: &PolicyRun, bar: &ProgressBar) -> Result<Option<FinishedCourse>, CliError> {
    let kept = course.kept_curve()?;
    let curve = if course.is_done(&kept) {
        Some(kept)
    } else {
        let go_on = || {
            bar.inc(1);
            !interrupt::is_interrupted()
        };
        let name = course_name(course.method, course.games);
        course.run(&go_on, |trainer| {
            bar.suspend(|| eprintln!("{name} {}", trainer.curve().describe()));
            Ok::<(), CliError>(())
        })?
    };
    let PolicyRun { method, games, .. } = *course;
    let finished = |curve| FinishedCourse { method, games: games.training.len(), curve, cut: None };
    Ok(curve.map(finished))
}
