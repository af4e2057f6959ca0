//! `kankei usi`: the USI session with the searchers of this program.

use std::io::{self, BufReader};
use std::process::ExitCode;

use clap::Parser;

use super::terminal;
use crate::command::language::Language;
use crate::command::searcher::TuningArgs;
use crate::command::{CliError, at_least_one, fresh_seed, score_by_parts};
use crate::engine::{Engine, Settings};
use crate::engines::bench::{BenchLimit, bench};
use crate::engines::{EngineSpec, usi_backend};
use crate::eval::{Evaluation, EvaluationSource};
use crate::quote::quoted;
use crate::search::AlphaBeta;
use crate::shogi::Position;
use crate::usi::Backend;

#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    tuning: TuningArgs,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let changes = args.tuning.changes();
    EngineSpec::new(&AlphaBeta::SEARCHER, &changes, EvaluationSource::default())?;
    let explain = |evaluation: &Evaluation, pos: &Position| {
        score_by_parts(evaluation, pos, Language::English)
    };
    let backend = usi_backend(&changes, fresh_seed(), explain, console_bench);
    match terminal::open() {
        Some((input, output)) => {
            println!("{} by {}; `help` lists the commands", backend.name, backend.author);
            crate::usi::run(input, output, Backend { interactive: true, ..backend })?;
        }
        None => crate::usi::run(BufReader::new(io::stdin()), io::stdout(), backend)?,
    }
    Ok(ExitCode::SUCCESS)
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
    let is_wrong = |text: &&String| text.parse::<u64>().is_err();
    if let Some(text) = [0, 2].iter().filter_map(|&n| words.numbers.get(n)).find(is_wrong) {
        return print(&format!("info string bench: {} is not a number", quoted(text)));
    }
    let number = |n: usize| words.numbers.get(n).and_then(|text| text.parse::<u64>().ok());
    let kind = words.numbers.get(4).map_or("depth", String::as_str);
    if !["depth", "nodes"].contains(&kind) {
        return print(&format!("info string bench: {} is neither depth nor nodes", quoted(kind)));
    }
    let limit = match (words.nodes, words.depth, number(2)) {
        (Some(nodes), ..) => BenchLimit::Nodes(nodes),
        (_, Some(depth), _) => BenchLimit::Depth(depth),
        (.., Some(nodes)) if kind == "nodes" => BenchLimit::Nodes(nodes.max(1)),
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
