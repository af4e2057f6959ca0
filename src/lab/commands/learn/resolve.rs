//! `kankei learn resolve`: makes a file of samples and a held-out one from labelled games.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use crate::command::output::ForceArg;
use crate::command::searcher::EvalArgs;
use crate::command::{CliError, interrupt, number_in, thread_pool};
use crate::lab::learn::held_out_path;
use crate::lab::learn::lambda_return::ScoreReturns;
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
    #[arg(long, value_name = "GAMES")]
    limit: Option<usize>,
    /// Skip positions with a score beyond this, centipawns of the labelling engine
    #[arg(long, value_name = "CP", default_value_t = ResolveConfig::DEFAULT.max_score)]
    max_score: i16,
    /// Take only quiet positions: quiescence search leaves them as they are, and the move played
    /// neither captures nor promotes
    #[arg(long)]
    quiet: bool,
    /// Label with lambda-returns: the weight of the later scores and the result of the game, 0 to
    /// 1; the position's own score has the rest
    #[arg(long, value_name = "LAMBDA", default_value_t = 0.0, value_parser = number_in::<f64>(0.0..=1.0))]
    td_lambda: f64,
    /// Centipawns of the scores that multiply the odds of winning by e; for `--td-lambda`
    #[arg(long, value_name = "CP", default_value_t = 900.0, requires = "td_lambda", value_parser = number_in::<f64>(1.0..=1e5))]
    score_scale: f64,
    #[command(flatten)]
    eval: EvalArgs,
    /// Threads; 0 = all cores
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

impl Args {
    fn config(&self) -> ResolveConfig {
        let &Args { max_score, quiet, td_lambda: lambda, score_scale: scale, .. } = self;
        let returns = (lambda > 0.0).then_some(ScoreReturns { lambda, scale });
        ResolveConfig { max_score, quiet, returns }
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    args.force.check(&[args.out.clone(), held_out_path(&args.out)], &args.games)?;
    interrupt::watch();
    let pool = thread_pool(args.threads)?;
    let start = Instant::now();
    let games = GamesToResolve {
        games: &args.games,
        limit: args.limit.unwrap_or(usize::MAX),
        held_out: args.held_out,
        config: args.config(),
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
