//! `kankei learn resolve`: labelled games to a file of samples and a held-out one.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use rayon::prelude::*;

use crate::command::games::each_game_while;
use crate::command::searcher::EvalArgs;
use crate::command::{CliError, interrupt, thread_pool};
use crate::lab::learn::resolve::{ResolveConfig, resolve};
use crate::lab::learn::{LearnError, Sample, SplitWriter};
use crate::record::{Game, GameHash};
use crate::search::{LeafResources, QuiescenceLeaf};

/// Games that are resolved at a time; their samples are written in order.
const GAMES_AT_ONCE: usize = 256;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files or folders of labelled games
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    games: Vec<PathBuf>,
    /// File of the training samples; those held out go beside it (samples.bin: samples.held.bin)
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Percent of the games to hold out, by a hash of their moves
    #[arg(long, value_name = "PERCENT", default_value_t = 2.5, value_parser = crate::command::percent)]
    held_out: f64,
    /// Most games to take
    #[arg(long, value_name = "GAMES")]
    limit: Option<usize>,
    /// Leave out positions with a score beyond this, centipawns of the labelling engine
    #[arg(long, value_name = "CP", default_value_t = ResolveConfig::DEFAULT.max_score)]
    max_score: i16,
    /// Take the leaf of the move played and of so many others instead of the position's
    #[arg(long, value_name = "MOVES", default_value_t = 0)]
    others: usize,
    #[command(flatten)]
    eval: EvalArgs,
    /// Threads; 0 = all cores
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    interrupt::watch();
    let pool = thread_pool(args.threads)?;
    let start = Instant::now();
    let mut output = ResolvedGames {
        samples: SplitWriter::create(&args.out, args.held_out)?,
        config: ResolveConfig { max_score: args.max_score, others: args.others },
        resources: LeafResources::new(args.eval.load()?),
        positions: 0,
    };
    let mut waiting = Vec::new();
    let (mut taken, limit) = (0, args.limit.unwrap_or(usize::MAX));
    let tally = each_game_while(&args.games, |game| {
        if taken < limit {
            taken += 1;
            waiting.push(game);
        }
        if waiting.len() == GAMES_AT_ONCE {
            pool.install(|| output.take(&waiting))?;
            waiting.clear();
        }
        Ok(taken < limit && !interrupt::is_interrupted())
    })?;
    pool.install(|| output.take(&waiting))?;
    if interrupt::is_interrupted() {
        println!("interrupted; no samples were written");
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{tally}");
    println!(
        "{} positions of {taken} games in {seconds:.1} s, {:.0} positions/s",
        output.positions,
        output.positions as f64 / seconds
    );
    for (path, count) in output.samples.finish()? {
        println!("{count} samples written to {}", path.display());
    }
    Ok(ExitCode::SUCCESS)
}

struct ResolvedGames {
    samples: SplitWriter,
    config: ResolveConfig,
    resources: LeafResources,
    positions: usize,
}

impl ResolvedGames {
    /// Resolves games on all threads of the pool and writes their samples in order. After an
    /// interruption, which leaves no file, it hurries over them.
    fn take(&mut self, games: &[Game]) -> Result<(), LearnError> {
        let (resources, config) = (&self.resources, &self.config);
        let samples = |leaf: &mut QuiescenceLeaf, game: &Game| match interrupt::is_interrupted() {
            true => Vec::new(),
            false => resolve(game, config, leaf),
        };
        let resolved: Vec<Vec<Sample>> =
            games.par_iter().map_init(|| QuiescenceLeaf::new(resources), samples).collect();
        for (game, samples) in games.iter().zip(&resolved) {
            self.positions += game.moves().len();
            let writer = self.samples.of(GameHash::of(game));
            samples.iter().try_for_each(|sample| writer.write(sample))?;
        }
        Ok(())
    }
}
