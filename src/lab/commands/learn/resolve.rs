//! `kankei learn resolve`: makes a file of samples and a held-out one from labelled games.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use crate::command::output::ForceArg;
use crate::command::searcher::EvalArgs;
use crate::command::{CliError, interrupt, thread_pool};
use crate::lab::learn::GrowingSplit;
use crate::lab::learn::resolve::ResolveConfig;
use crate::lab::resolved_games::{GamesToResolve, ResolvedGames};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Files or folders of labelled games
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    games: Vec<PathBuf>,
    /// File of the training samples; those held out go to the same folder (samples.bin:
    /// samples.held.bin)
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    force: ForceArg,
    /// Percentage of the games to hold out, by a hash of their moves
    #[arg(long, value_name = "PERCENT", default_value_t = 2.5, value_parser = crate::command::percent)]
    held_out: f64,
    /// Largest number of games to take
    #[arg(long, value_name = "GAMES", value_parser = crate::command::whole_number::<usize>)]
    limit: Option<usize>,
    /// Skip positions with a score beyond this, centipawns of the labelling engine
    #[arg(long, value_name = "CP", default_value_t = ResolveConfig::DEFAULT.max_score, value_parser = crate::command::whole_number::<i16>)]
    max_score: i16,
    /// Take only quiet positions: quiescence search leaves them as they are, and the move played
    /// neither captures nor promotes
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    eval: EvalArgs,
    /// Threads; 0 = all cores
    #[arg(long, default_value_t = 0, value_parser = crate::command::whole_number::<usize>)]
    threads: usize,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    args.force.check(&GrowingSplit::files_of(&args.out), &args.games)?;
    interrupt::watch();
    let pool = thread_pool(args.threads)?;
    let start = Instant::now();
    let games = GamesToResolve {
        games: &args.games,
        limit: args.limit.unwrap_or(usize::MAX),
        held_out: args.held_out,
        config: ResolveConfig { max_score: args.max_score, quiet: args.quiet },
        evaluation: args.eval.load()?,
        out: &args.out,
    };
    let Some(ResolvedGames { tally, games, positions, files }) =
        pool.install(|| games.resolve())?
    else {
        println!("interrupted; no samples were written");
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    };
    let seconds = start.elapsed().as_secs_f64();
    println!("{tally}");
    println!(
        "{positions} positions of {games} games in {seconds:.1} s, {:.0} positions/s",
        positions as f64 / seconds
    );
    for (path, count) in files {
        println!("{count} samples written to {}", path.display());
    }
    Ok(ExitCode::SUCCESS)
}
