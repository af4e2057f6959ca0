//! `kankei usi`: the USI session with the searchers of this program.

use std::io::{self, BufReader};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::Parser;

use super::terminal;
use crate::command::bench::{BenchLimit, bench};
use crate::command::engines::{Choosing, EngineSpec, Searcher};
use crate::command::language::Language;
use crate::command::searcher::TuningArgs;
use crate::command::{CliError, at_least_one, fresh_seed, score_by_parts};
use crate::engine::{Control, Engine, Leeway, MateOutcome, Settings};
use crate::eval::learned::file::WeightsError;
use crate::eval::nnue::FvScale;
use crate::eval::{Evaluation, EvaluationSource, Kernel};
use crate::lab::description;
use crate::search::{AlphaBeta, MateSolver};
use crate::shogi::Position;
use crate::usi::{Backend, EngineChoice, MateLimits};

#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    tuning: TuningArgs,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let changes = args.tuning.changes();
    EngineSpec::new(&AlphaBeta::SEARCHER, &changes, EvaluationSource::default())?;
    let cache = Arc::new(EvaluationCache::default());
    let seed = fresh_seed();
    let [for_build, for_bench] = [Arc::clone(&cache), Arc::clone(&cache)];
    let backend = Backend {
        name: format!("Kankei {}", env!("CARGO_PKG_VERSION")),
        author: "the Kankei authors".to_owned(),
        searches: Searcher::names(),
        seed,
        interactive: false,
        changes: changes.to_string(),
        build: Arc::new(move |choice, remark| {
            let engine = build(&for_build, choice, remark);
            Box::new(Choosing::new(engine, Leeway::default(), seed))
        }),
        solve_mate: Arc::new(solve_mate),
        evaluate: Arc::new(move |choice, pos| {
            score_by_parts(&load(&cache, choice, &mut |_| ()), pos, Language::English)
        }),
        build_info: build_info(),
        bench: Arc::new(move |choice, settings, arguments, print| {
            let mut engine = build(&for_bench, choice, print);
            console_bench(engine.as_mut(), settings, arguments, print);
        }),
    };
    match terminal::open() {
        Some((input, output)) => {
            println!("{} by {}; `help` lists the commands", backend.name, backend.author);
            crate::usi::run(input, output, Backend { interactive: true, ..backend })?;
        }
        None => crate::usi::run(BufReader::new(io::stdin()), io::stdout(), backend)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Builds the searcher of a choice. Invalid changes are reported and ignored.
fn build(
    cache: &EvaluationCache,
    choice: &EngineChoice,
    remark: &mut dyn FnMut(&str),
) -> Box<dyn Engine> {
    let searcher = Searcher::all()[choice.search];
    let evaluation = load(cache, choice, remark);
    let source = choice.evaluation.clone();
    let changes = choice.changes.parse();
    let spec = changes.and_then(|changes| EngineSpec::new(searcher, &changes, source));
    let spec = spec.unwrap_or_else(|error| {
        remark(&format!("SearchChanges: {error}; the option is ignored"));
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
    let form = description::form(evaluation);
    let Evaluation::Nnue(network) = evaluation else { return form };
    let size = mebibytes(network.file_bytes());
    let scale = scale.unwrap_or(network.recommended_fv_scale());
    let unit = 100.0 * f64::from(scale.get()) * network.calibration().slope();
    format!("{form}, {size}, FV_SCALE {scale}, 100 of its units are {unit:.0} centipawns")
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

/// The words of the console command `bench`, as in a shell.
#[derive(Debug, clap::Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct BenchWords {
    /// Depth of every search
    #[arg(long, value_parser = at_least_one::<u32>)]
    depth: Option<u32>,
    /// Nodes of every search instead of a depth
    #[arg(long, conflicts_with = "depth", value_parser = at_least_one::<u64>)]
    nodes: Option<u64>,
    /// Transposition table, MiB; the default is USI_Hash
    #[arg(long, value_parser = crate::command::hash_mib::<usize>)]
    hash: Option<usize>,
    /// `hash threads limit positions kind`, as other engines take them. `limit` counts plies, or nodes
    /// if `kind` is `nodes`; `threads` and `positions` are ignored
    #[arg(conflicts_with_all = ["depth", "nodes", "hash"])]
    numbers: Vec<String>,
}

/// The console command `bench` with the engine and the settings of the options.
fn console_bench(
    engine: &mut dyn Engine,
    settings: &Settings,
    arguments: &[String],
    print: &mut dyn FnMut(&str),
) {
    let words = match BenchWords::try_parse_from(arguments) {
        Ok(words) => words,
        Err(error) => {
            let text = error.to_string();
            return print(&format!("info string {}", text.lines().next().unwrap_or_default()));
        }
    };
    let number = |n: usize| words.numbers.get(n).and_then(|text| text.parse::<u64>().ok());
    let counts_nodes = words.numbers.get(4).is_some_and(|kind| kind == "nodes");
    let limit = match (words.nodes, words.depth, number(2)) {
        (Some(nodes), ..) => BenchLimit::Nodes(nodes),
        (_, Some(depth), _) => BenchLimit::Depth(depth),
        (.., Some(nodes)) if counts_nodes => BenchLimit::Nodes(nodes.max(1)),
        (.., Some(depth)) => BenchLimit::Depth(depth.clamp(1, 100) as u32),
        _ => BenchLimit::of(&AlphaBeta::SEARCHER),
    };
    let hash = words.hash.or(number(0).map(|hash| hash.clamp(1, 1 << 20) as usize));
    let hash_mib = hash.unwrap_or(settings.hash_mib);
    for remark in engine.configure(&Settings { hash_mib, threads: 1, ..settings.clone() }) {
        print(&remark);
    }
    bench(engine, limit, print);
}
