//! `kankei learn yardstick`: scores one position of each game by deep searches.

use std::path::PathBuf;
use std::process::ExitCode;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::run_args::{RunArgs, positive};
use crate::command::games::each_game_while;
use crate::command::searcher::EvalArgs;
use crate::command::{CliError, at_least_one, interrupt, progress_bar};
use crate::eval::Evaluation;
use crate::lab::QuiescenceLeaf;
use crate::lab::description::identity;
use crate::lab::in_order::InOrder;
use crate::lab::learn::node_search::NodeSearch;
use crate::lab::learn::yardstick::{Scores, mean_score, random_leaf, shares};
use crate::lab::learn::{LearnError, Sample, checksum, write_samples};
use crate::record::GameHash;
use crate::rng::Rng;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Files or folders of games. Each gives the same number of positions, as far as it has games
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Evaluations of the searches, whose expected points are averaged, with the centipawns that
    /// multiply the odds of winning by e. It is 900 for `internal` and for NNUE files, whose search
    /// scores are converted to the same centipawns
    #[arg(long, required = true, num_args = 1.., value_name = "EVAL=SCALE", value_parser = scaled)]
    evals: Vec<(String, f32)>,
    /// Nodes of a search
    #[arg(long, value_name = "NODES", default_value_t = 30_000, value_parser = at_least_one::<u64>)]
    nodes: u64,
    /// Largest number of positions, one a game
    #[arg(long, value_name = "POSITIONS", default_value_t = 20_000, value_parser = crate::command::whole_number::<usize>)]
    count: usize,
    /// Seed of the choice of games and positions
    #[arg(long, default_value_t = 1, value_parser = crate::command::whole_number::<u64>)]
    seed: u64,
    #[command(flatten)]
    run: RunArgs,
}

/// Parses an evaluation with its scale.
fn scaled(text: &str) -> Result<(String, f32), String> {
    let (eval, scale) =
        text.rsplit_once('=').ok_or("it lacks a scale, as in internal=900".to_owned())?;
    Ok((eval.to_owned(), positive(scale)?))
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let files = args.evals.iter().map(|(eval, _)| eval.into());
    args.run.check(&[], &args.games.iter().cloned().chain(files).collect::<Vec<_>>())?;
    interrupt::watch();
    let pool = args.run.pool()?;
    let load = |(eval, scale): &(String, f32)| Ok((EvalArgs::named(eval).load()?, *scale));
    let evals = args.evals.iter().map(load).collect::<Result<Vec<_>, CliError>>()?;
    let leaves = pool.install(|| args.leaves())?;
    if interrupt::is_interrupted() {
        println!("interrupted before the first search");
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    if leaves.is_empty() {
        return Err(LearnError::NothingToWrite(args.run.out.clone()).into());
    }
    let open = if args.run.resume { Scores::resume } else { Scores::start };
    let mut scores = open(args.run.checkpoint(), args.job(&leaves, &evals))?;
    args.search(&leaves, &evals, &mut scores, &pool)?;
    if interrupt::is_interrupted() {
        return Ok(args.run.interrupted());
    }
    let scored = leaves.into_iter().zip(scores.as_slice());
    let scored = scored.map(|(leaf, &score)| Sample { score, ..leaf });
    let samples: Vec<Sample> = scored.collect();
    write_samples(&args.run.out, samples.chunks(1))?;
    println!("{} samples written to {}", samples.len(), args.run.out.display());
    Ok(args.run.finish())
}

impl Args {
    /// The name of the run; only the same run continues a checkpoint.
    fn job(&self, leaves: &[Sample], loaded: &[(Evaluation, f32)]) -> String {
        let Args { games, evals, nodes, count, seed, .. } = self;
        let of_leaves = checksum(leaves);
        let programs: Vec<String> = loaded.iter().map(|(eval, _)| identity(eval)).collect();
        format!(
            "yardstick {games:?} {evals:?} --nodes {nodes} --count {count} --seed {seed}, leaves \
             {of_leaves:016x}, {}",
            programs.join(", ")
        )
    }

    /// One leaf of each chosen game, in random order: an unfinished file is a fair sample too.
    fn leaves(&self) -> Result<Vec<Sample>, CliError> {
        let mut rng = Rng::from_seed(self.seed);
        let of_files = self.games.iter().map(|file| self.leaves_of(file));
        let mut of_files = of_files.collect::<Result<Vec<_>, _>>()?;
        let available: Vec<usize> = of_files.iter().map(Vec::len).collect();
        for (leaves, share) in of_files.iter_mut().zip(shares(&available, self.count)) {
            rng.shuffle(leaves);
            leaves.truncate(share);
        }
        let mut leaves = of_files.concat();
        rng.shuffle(&mut leaves);
        Ok(leaves)
    }

    /// One leaf of each game of a file or folder.
    fn leaves_of(&self, file: &PathBuf) -> Result<Vec<Sample>, CliError> {
        let mut games = Vec::new();
        each_game_while(std::slice::from_ref(file), |game| {
            games.push(game);
            Ok(!interrupt::is_interrupted())
        })?;
        let evaluation = Evaluation::embedded();
        let leaves = games.par_iter().map_init(
            || QuiescenceLeaf::new(&evaluation),
            |leaf, game| {
                let mut rng = Rng::for_item(self.seed, GameHash::of(game).to_u64());
                random_leaf(game, &mut rng, leaf)
            },
        );
        Ok(leaves.flatten().collect())
    }

    /// Completes the scores of the leaves, unless the user interrupts it. Writes checkpoints.
    fn search(
        &self,
        leaves: &[Sample],
        evals: &[(Evaluation, f32)],
        scores: &mut Scores,
        pool: &ThreadPool,
    ) -> Result<(), LearnError> {
        let done = scores.as_slice().len() as u64;
        let bar = progress_bar(leaves.len()).with_position(done);
        bar.reset_eta();
        let start = || -> Vec<(NodeSearch, f32)> {
            evals.iter().map(|(eval, scale)| (NodeSearch::new(eval, self.nodes), *scale)).collect()
        };
        let work = |searches: &mut Vec<(NodeSearch, f32)>, number: u64, _: &dyn Fn() -> bool| {
            let pos = leaves[number as usize].position.unpack().expect("a packed position");
            Some(mean_score(
                searches.iter_mut().map(|(search, scale)| (search.score(&pos), *scale)),
            ))
        };
        let numbers = done..leaves.len() as u64;
        let is_stopped = &interrupt::is_interrupted;
        InOrder { numbers, start: &start, work: &work, is_stopped }.run(pool, |score| {
            bar.inc(1);
            scores.add(score)
        })?;
        bar.finish_and_clear();
        scores.save()
    }
}
