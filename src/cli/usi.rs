//! The USI session with the searchers of this program behind it.

use std::io::{self, BufReader, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use crate::command::CliError;
use crate::command::bench::{BenchLimit, bench, print_total};
use crate::command::searcher::TuningArgs;
use crate::engine::{Control, MateOutcome, Settings};
use crate::eval::{Evaluation, EvaluationCache, EvaluationSource};
use crate::search::{EngineSpec, MateSolver, Searcher};
use crate::shogi::{Color, Position};
use crate::usi::Backend;

#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    tuning: TuningArgs,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let params = args.tuning.params()?;
    let cache = Arc::new(EvaluationCache::default());
    let backend = Backend {
        name: format!("Kankei {}", env!("CARGO_PKG_VERSION")),
        author: "the Kankei authors".to_owned(),
        searches: Searcher::NAMES,
        build: {
            let cache = Arc::clone(&cache);
            Arc::new(move |choice, remark| {
                let searcher = choice.search.parse().unwrap_or_default();
                let spec = EngineSpec { searcher, params, evaluation: choice.evaluation.clone() };
                spec.build(&load(&cache, &spec.evaluation, remark))
            })
        },
        solve_mate: Arc::new(solve_mate),
        evaluate: Arc::new(move |choice, pos| {
            explain(&load(&cache, &choice.evaluation, &mut |_| ()), pos)
        }),
        bench: Arc::new(console_bench),
    };
    crate::usi::run(BufReader::new(io::stdin()), io::stdout(), backend)?;
    Ok(ExitCode::SUCCESS)
}

/// Bytes that the mate solver needs for each position it remembers.
const MATE_ENTRY: usize = 32;
/// More memory costs a short question more than it helps a long one, MiB.
const MOST_MATE_MEMORY: usize = 32;

fn solve_mate(pos: &Position, memory: usize, control: &Control) -> MateOutcome {
    let entries = (memory.min(MOST_MATE_MEMORY) << 20) / MATE_ENTRY;
    let must_stop = || control.must_stop(Duration::ZERO);
    MateSolver::new(entries).solve(&mut pos.clone(), u64::MAX, &must_stop)
}

/// The evaluation from this source; the embedded one, with a remark, if that cannot be read.
fn load(
    cache: &EvaluationCache,
    source: &EvaluationSource,
    remark: &mut dyn FnMut(&str),
) -> Evaluation {
    cache.get(source).unwrap_or_else(|error| {
        remark(&format!("EvalFile {source}: {error}; <internal> is used instead"));
        Evaluation::embedded()
    })
}

/// The score of a position part by part, each from the side to move's view.
fn explain(evaluation: &Evaluation, pos: &Position) -> String {
    let side = match pos.side_to_move() {
        Color::Black => "Black",
        Color::White => "White",
    };
    let parts = evaluation.explain(pos);
    let mut lines: Vec<String> =
        parts.iter().map(|(name, value)| format!("{name:24} {value:+6}")).collect();
    let total = evaluation.evaluate(pos).to_cp();
    lines.push(format!("{:24} {total:+6} centipawns for {side}, to move", "score"));
    lines.join("\n")
}

/// The console's `bench [hash threads limit positions kind]`: `limit` counts plies, or nodes if
/// `kind` is `nodes`. There is one thread and one set of positions.
fn console_bench(arguments: &[&str], print: &mut dyn FnMut(&str)) {
    let number = |n: usize| arguments.get(n).and_then(|text| text.parse::<u64>().ok());
    let limit = match (number(2), arguments.get(4).copied()) {
        (Some(nodes), Some("nodes")) => BenchLimit::Nodes(nodes.max(1)),
        (Some(depth), _) => BenchLimit::Depth(depth.clamp(1, 100) as u32),
        (None, _) => BenchLimit::ALPHA_BETA,
    };
    let hash_mib = number(0).unwrap_or(64).clamp(1, 1 << 20) as usize;
    let mut engine = EngineSpec::default().build(&Evaluation::embedded());
    for remark in engine.configure(&Settings { hash_mib, ..Settings::default() }) {
        print(&remark);
    }
    let mut out = Lines { print, line: Vec::new() };
    // Lines cannot fail to be taken.
    let _ = bench(engine.as_mut(), limit, &mut out).and_then(|total| print_total(total, &mut out));
}

/// Hands whole lines on.
struct Lines<'a> {
    print: &'a mut dyn FnMut(&str),
    line: Vec<u8>,
}

impl Write for Lines<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                (self.print)(&String::from_utf8_lossy(&self.line));
                self.line.clear();
            } else {
                self.line.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
