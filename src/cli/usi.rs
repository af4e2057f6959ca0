//! `kankei usi`: the USI session with the searchers of this program.

use std::io::{self, BufReader};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use super::terminal;
use crate::command::bench::{BenchLimit, bench};
use crate::command::searcher::TuningArgs;
use crate::command::{CliError, fresh_seed, score_by_parts, weights};
use crate::engine::{Choosing, Control, Leeway, MateOutcome, Settings};
use crate::eval::nnue::FvScale;
use crate::eval::{Evaluation, EvaluationCache, EvaluationSource};
use crate::search::{EngineSpec, MateSolver, Searcher};
use crate::shogi::Position;
use crate::usi::{Backend, EngineChoice};

#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    tuning: TuningArgs,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let changes = args.tuning.changes();
    EngineSpec::with_changes(Searcher::default(), &changes, EvaluationSource::default())?;
    let cache = Arc::new(EvaluationCache::default());
    let backend = Backend {
        name: format!("Kankei {}", env!("CARGO_PKG_VERSION")),
        author: "the Kankei authors".to_owned(),
        searches: Searcher::NAMES,
        seed: fresh_seed(),
        answers_unknown: false,
        changes,
        build: {
            let cache = Arc::clone(&cache);
            let seed = fresh_seed();
            Arc::new(move |choice, remark| {
                let searcher = choice.search.parse().unwrap_or_default();
                let evaluation = load(&cache, choice, remark);
                let source = choice.evaluation.clone();
                let spec = EngineSpec::with_changes(searcher, &choice.changes, source);
                let spec = spec.unwrap_or_else(|error| {
                    remark(&format!("SearchChanges: {error}; the option is ignored"));
                    EngineSpec { searcher, ..EngineSpec::default() }
                });
                Box::new(Choosing::new(spec.build(&evaluation), Leeway::default(), seed))
            })
        },
        solve_mate: Arc::new(solve_mate),
        evaluate: Arc::new(move |choice, pos| {
            score_by_parts(&load(&cache, choice, &mut |_| ()), pos)
        }),
        bench: Arc::new(console_bench),
    };
    match terminal::open() {
        Some((input, output)) => {
            println!("{} by {}; `help` lists the commands", backend.name, backend.author);
            crate::usi::run(input, output, Backend { answers_unknown: true, ..backend })?;
        }
        None => crate::usi::run(BufReader::new(io::stdin()), io::stdout(), backend)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Solves a mate. `memory`: maximum table size in MiB; the table starts small.
fn solve_mate(pos: &Position, memory: usize, control: &Control) -> MateOutcome {
    let must_stop = || control.must_stop(Duration::ZERO);
    MateSolver::growing(memory).solve(&mut pos.clone(), u64::MAX, &must_stop)
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
    let form = weights::form(evaluation);
    let Evaluation::Nnue(network) = evaluation else { return form };
    let size = mebibytes(network.file_bytes());
    let scale = scale.unwrap_or(network.recommended_fv_scale());
    let unit = 100.0 * f64::from(scale.get()) * network.calibration().slope();
    format!("{form}, {size}, FV_SCALE {scale}, 100 of its units are {unit:.0} centipawns")
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

/// The console command `bench [hash threads limit positions kind]`. `limit` counts plies, or nodes
/// if `kind` is `nodes`. `threads` and `positions` are ignored.
fn console_bench(arguments: &[String], print: &mut dyn FnMut(&str)) {
    let number = |n: usize| arguments.get(n).and_then(|text| text.parse::<u64>().ok());
    let limit = match (number(2), arguments.get(4).map(String::as_str)) {
        (Some(nodes), Some("nodes")) => BenchLimit::Nodes(nodes.max(1)),
        (Some(depth), _) => BenchLimit::Depth(depth.clamp(1, 100) as u32),
        (None, _) => BenchLimit::ALPHA_BETA,
    };
    let hash_mib = number(0).unwrap_or(64).clamp(1, 1 << 20) as usize;
    let mut engine = EngineSpec::default().build(&Evaluation::embedded());
    for remark in engine.configure(&Settings { hash_mib, ..Settings::default() }) {
        print(&remark);
    }
    bench(engine.as_mut(), limit, print);
}
