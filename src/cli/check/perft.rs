//! `kankei check perft`: counts the leaves of the game tree and measures the speed.

use std::process::ExitCode;
use std::time::Instant;

use crate::command::{CliError, parse_position, thread_pool};
use crate::shogi::perft::{MAX_DEPTH, divide, perft};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Depth in plies
    #[arg(value_parser = crate::command::number_in(0..=MAX_DEPTH))]
    depth: u32,
    /// Start position
    #[arg(long, default_value = "startpos")]
    sfen: String,
    /// Also print the leaves below each move
    #[arg(long)]
    divide: bool,
    /// Threads, 0 for all cores
    #[arg(long, default_value_t = 1, value_parser = crate::command::whole_number::<usize>)]
    threads: usize,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let mut pos = parse_position(&args.sfen)?;
    let pool = thread_pool(args.threads)?;
    let start = Instant::now();
    let leaves = if args.depth > 0 && (args.divide || args.threads != 1) {
        let divided = pool.install(|| divide(&pos, args.depth));
        if args.divide {
            for (mv, leaves) in &divided {
                println!("{mv}: {leaves}");
            }
        }
        divided.iter().map(|(_, leaves)| leaves).sum()
    } else {
        perft(&mut pos, args.depth)
    };
    let seconds = start.elapsed().as_secs_f64();
    println!("Time  : {seconds:.3} s");
    println!("Speed : {:.0} leaves/s", leaves as f64 / seconds.max(1e-9));
    println!("Nodes : {leaves}");
    Ok(ExitCode::SUCCESS)
}
