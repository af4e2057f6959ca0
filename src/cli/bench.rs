//! `kankei bench`: the signature of the searcher and its speed on this machine.

use std::process::ExitCode;

use crate::command::CliError;
use crate::command::searcher::SearcherArgs;
use crate::engine::Settings;
use crate::engines::bench::{BenchLimit, bench};

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    searcher: SearcherArgs,
    /// Depth of every search instead of the default depth of the searcher for each phase
    #[arg(long, value_parser = crate::command::at_least_one::<u32>)]
    depth: Option<u32>,
    /// Nodes of every search instead of a depth
    #[arg(long, conflicts_with = "depth", value_parser = crate::command::at_least_one::<u64>)]
    nodes: Option<u64>,
    /// Transposition table, MiB
    #[arg(long, default_value_t = 64, value_parser = crate::command::hash_mib::<u64>)]
    hash: u64,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let mut engine = (args.searcher.factory()?)();
    let settings = Settings { hash_mib: args.hash as usize, ..Settings::default() };
    for remark in engine.configure(&settings) {
        eprintln!("{remark}");
    }
    let limit = match (args.depth, args.nodes) {
        (Some(depth), _) => BenchLimit::Depth(depth),
        (None, Some(nodes)) => BenchLimit::Nodes(nodes),
        (None, None) => args.searcher.bench_limit(),
    };
    bench(engine.as_mut(), limit, &mut |line| println!("{line}"));
    Ok(ExitCode::SUCCESS)
}
