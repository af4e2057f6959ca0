//! A self-test for users: whether this program works on this machine.
//!
//! Counts moves and plays games against itself; [`selfplay`](crate::lab::selfplay) checks all
//! output of the engine. In a build with debug assertions, the oracles inside the engine (legality,
//! evaluation from scratch, keys) run at every node of these games.

use std::process::ExitCode;
use std::time::Instant;

use crate::command::searcher::SearcherArgs;
use crate::command::{CliError, thread_pool};
use crate::lab::selfplay::{Opening, SearchBudget, SelfplayConfig, Series};
use crate::record::Statistics;
use crate::shogi::{Position, perft};

#[derive(Debug, clap::Args)]
// Flattened into `Args` of the command, where a second group of this name would be an error.
#[group(skip)]
pub(super) struct Args {
    #[command(flatten)]
    searcher: SearcherArgs,
    /// Games to play against itself
    #[arg(long, default_value_t = 4, value_parser = crate::command::whole_number::<u64>)]
    games: u64,
    /// Nodes per move of these games
    #[arg(long, default_value_t = 3_000, value_parser = crate::command::at_least_one::<u64>)]
    nodes: u64,
    /// Seed of the openings
    #[arg(long, default_value_t = 1, value_parser = crate::command::whole_number::<u64>)]
    seed: u64,
}

/// Six random moves, without a limit of the score.
const RANDOM_OPENING: Opening = Opening {
    plies: 6,
    varied: 6..=6,
    sensible: 0.0,
    lines: 1,
    largest_loss: 0,
    largest_score: i32::MAX,
};

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let start = Instant::now();
    let leaves = perft::perft(&mut Position::startpos(), 4);
    if leaves != 719_731 {
        return Err(CliError::Check(format!("perft 4 gives {leaves} instead of 719731")));
    }
    println!("move generation: ok");

    let config = SelfplayConfig {
        seed: args.seed,
        budget: SearchBudget::Nodes(args.nodes..=args.nodes),
        opening: RANDOM_OPENING,
        resignation: None,
        ..SelfplayConfig::default()
    };
    let build = args.searcher.factory()?;
    let series =
        Series { config: &config, numbers: 0..args.games, build: &build, is_stopped: &|| false };
    let mut statistics = Statistics::default();
    series.play(&thread_pool(0)?, |played| {
        statistics.add(&played.game);
        Ok::<_, CliError>(())
    })?;
    let [black, white, drawn, _] = statistics.results;
    println!(
        "games: ok ({} games, {} moves; Black won {black}, White {white}, drawn {drawn})",
        statistics.games(),
        statistics.plies(),
    );
    println!("all checks passed in {:.1} s", start.elapsed().as_secs_f64());
    Ok(ExitCode::SUCCESS)
}
