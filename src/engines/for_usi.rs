//! The backend of a USI session with the searchers of this program.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::choosing::Choosing;
use super::searcher::{Changes, Searcher};
use super::spec::EngineSpec;
use crate::engine::{Control, Engine, Leeway, MateOutcome, Settings};
use crate::eval::learned::file::WeightsError;
use crate::eval::nnue::FvScale;
use crate::eval::{Evaluation, EvaluationSource, Kernel};
use crate::search::MateSolver;
use crate::shogi::Position;
use crate::usi::{Backend, EngineChoice, MateLimits};

/// Explains the score of a position, as lines of text.
type Explain = fn(&Evaluation, &Position) -> String;
/// Runs the console command `bench` with its arguments; the last parameter receives its lines.
type ConsoleBench = fn(&mut dyn Engine, &Settings, &[String], &mut dyn FnMut(&str));

/// The backend of a session. `changes`: of the searcher, unless `SearchChanges` is set. `seed`: of the choice of
/// moves. `explain` and `bench` serve the console commands `eval` and `bench`.
pub fn usi_backend(changes: &Changes, seed: u64, explain: Explain, bench: ConsoleBench) -> Backend {
    let cache = Arc::new(EvaluationCache::default());
    let [for_build, for_bench] = [Arc::clone(&cache), Arc::clone(&cache)];
    let [changes, bench_changes] = [changes.clone(), changes.clone()];
    Backend {
        name: format!("Kankei {}", env!("CARGO_PKG_VERSION")),
        author: "the Kankei authors".to_owned(),
        searches: Searcher::names(),
        seed,
        interactive: false,
        build: Arc::new(move |choice, remark| {
            let engine = build(&for_build, choice, &changes, remark);
            Box::new(Choosing::new(engine, Leeway::default(), seed))
        }),
        solve_mate: Arc::new(solve_mate),
        evaluate: Arc::new(move |choice, pos| explain(&load(&cache, choice, &mut |_| ()), pos)),
        build_info: build_info(),
        bench: Arc::new(move |choice, settings, arguments, print| {
            let mut engine = build(&for_bench, choice, &bench_changes, print);
            bench(engine.as_mut(), settings, arguments, print);
        }),
    }
}

/// Builds the searcher of a choice, which takes precedence over the changes of the command line.
/// Invalid changes are reported and ignored.
fn build(
    cache: &EvaluationCache,
    choice: &EngineChoice,
    of_command: &Changes,
    remark: &mut dyn FnMut(&str),
) -> Box<dyn Engine> {
    let searcher = Searcher::all()[choice.search];
    let evaluation = load(cache, choice, remark);
    let spec = |changes: &Changes| EngineSpec::new(searcher, changes, choice.evaluation.clone());
    let set = Some(&choice.changes).filter(|changes| !changes.is_empty());
    let wanted = set.and_then(|changes| {
        let wanted = changes.parse::<Changes>().and_then(|changes| spec(&changes));
        wanted
            .map_err(|error| remark(&format!("SearchChanges: {error}; the option is ignored")))
            .ok()
    });
    let spec = wanted.map_or_else(|| spec(of_command), Ok).unwrap_or_else(|error| {
        remark(&format!("command line: {error}; its changes are ignored"));
        EngineSpec::of(searcher)
    });
    spec.build(&evaluation)
}

/// Version, system, the kernel that is used, and the kernels that this CPU has.
fn build_info() -> String {
    let kernels: Vec<String> = Kernel::available().iter().map(Kernel::to_string).collect();
    format!(
        "Kankei {}\nsystem: {}, {}\nCPU kernel: {} (available: {})",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH,
        Kernel::detect(),
        kernels.join(", ")
    )
}

/// Solves a mate. The table starts small.
fn solve_mate(pos: &Position, limits: MateLimits, control: &Control) -> MateOutcome {
    let must_stop = || control.must_stop(Duration::ZERO);
    let (mut pos, mut solver) = (pos.clone(), MateSolver::growing(limits.memory));
    let found = solver.solve(&mut pos, u64::MAX, &must_stop);
    let further = match control.hard_limit() {
        _ if limits.first => 0,
        Some(_) => u64::MAX,
        None => MateSolver::improvement_nodes(found.nodes),
    };
    solver.shorten(&mut pos, found, further, &must_stop).0
}

/// The last evaluation in use. It avoids reading a file twice.
#[derive(Default)]
struct EvaluationCache(Mutex<Option<(EvaluationSource, Evaluation)>>);

impl EvaluationCache {
    /// Whether the cache contains the evaluation from this source.
    fn holds(&self, source: &EvaluationSource) -> bool {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.as_ref().is_some_and(|(loaded, _)| loaded == source)
    }

    /// Returns the evaluation from this source, and loads it if needed.
    fn get(&self, source: &EvaluationSource) -> Result<Evaluation, WeightsError> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, evaluation)) = last.as_ref().filter(|(loaded, _)| loaded == source) {
            return Ok(evaluation.clone());
        }
        // Drop the old weights first: memory may be too small for both.
        *last = None;
        let evaluation = source.load()?;
        *last = Some((source.clone(), evaluation.clone()));
        Ok(evaluation)
    }
}

/// Size in bytes from which loading a file takes noticeable time.
const LARGE_FILE: u64 = 8 << 20;

/// Loads the chosen evaluation. If it cannot be read, prints a remark and returns the embedded one.
/// Reports each evaluation from a file.
fn load(
    cache: &EvaluationCache,
    choice: &EngineChoice,
    remark: &mut dyn FnMut(&str),
) -> Evaluation {
    let source = &choice.evaluation;
    if let EvaluationSource::File(path) = source
        && let Ok(data) = path.metadata()
        && data.len() >= LARGE_FILE
        && !cache.holds(source)
    {
        remark(&format!("loading {source}, {}", mebibytes(data.len())));
    }
    match cache.get(source) {
        Ok(evaluation) => {
            if let EvaluationSource::File(_) = source {
                remark(&format!("{source}: {}", describe(&evaluation, choice.fv_scale)));
            }
            evaluation
        }
        Err(error) => {
            remark(&format!("evaluation {source}: {error}; using <internal> instead"));
            Evaluation::embedded()
        }
    }
}

/// The form of an evaluation, with its size and unit if it comes from an NNUE file.
fn describe(evaluation: &Evaluation, scale: Option<FvScale>) -> String {
    let form = evaluation.form();
    let Evaluation::Nnue(network) = evaluation else { return form };
    let size = mebibytes(network.file_bytes());
    let scale = scale.unwrap_or(network.recommended_fv_scale());
    let unit = 100.0 * f64::from(scale.get()) * network.calibration().slope();
    format!("{form}, {size}, FV_SCALE {scale}, 100 of its units are {unit:.0} centipawns")
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}
