//! `kankei ablate`: what many numbers and techniques of the searcher are worth, from one series of
//! games.
//!
//! The file has one line for each pair of games, its result, below a comment that names the
//! settings; the signs of the pair follow from the seed. A run that was interrupted or killed goes
//! on with `--resume`.

use std::process::ExitCode;

use rayon::prelude::*;

use super::duels::{DuelArgs, parse_share};
use super::factor::Factor;
use crate::command::{CliError, interrupt, progress_bar, thread_pool};
use crate::engine::Engine;
use crate::eval::Evaluation;
use crate::lab::run_log::RunLog;
use crate::lab::selfplay::SelfplayError;
use crate::lab::tune::{Ablation, Effect, play_duel};
use crate::search::{AlphaBeta, SearchParams, TuningError};

/// Pairs played between two looks at Ctrl-C and writes of the file, for each thread.
const BLOCK: u64 = 4;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A number with its two levels, such as `late_base=6..14`, or a technique, which is left out
    /// or used; may be given again
    #[arg(long, value_name = "FACTOR", required = true)]
    vary: Vec<String>,
    /// Each factor is at its first level with this probability on either side; without it each is
    /// at one level on one side and at the other on the other
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    share: Option<f64>,
    /// Pairs of games
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(2..))]
    pairs: u64,
    #[command(flatten)]
    duels: DuelArgs,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let factors: Result<Vec<Factor>, TuningError> =
        args.vary.iter().map(|text| Factor::parse(text)).collect();
    let factors = factors?;
    let pool = thread_pool(args.duels.threads)?;
    let evaluation = args.duels.eval.load()?;
    let ablation = Ablation { factors: factors.len(), low: args.share, seed: args.duels.seed };
    let parse = |line: &str| line.parse().ok().filter(|result: &f64| result.abs() <= 1.0);
    let header = args.header();
    let (mut log, mut results) =
        RunLog::open(&args.duels.out, &header, args.duels.resume, "result of a pair", parse)?;
    let bar = progress_bar(args.pairs as usize).with_position(results.len() as u64);
    bar.reset_eta();
    interrupt::watch();
    let block = BLOCK * pool.current_num_threads() as u64;
    while (results.len() as u64) < args.pairs && !interrupt::is_interrupted() {
        let first = results.len() as u64;
        let play = |pair| args.play_pair(pair, &factors, ablation, &evaluation);
        let played: Result<Vec<f64>, SelfplayError> = pool.install(|| {
            let pairs: Vec<u64> = (first..args.pairs.min(first + block)).collect();
            pairs.into_par_iter().with_max_len(1).map(play).collect()
        });
        let played = played?;
        log.add(played.iter().map(f64::to_string))?;
        bar.inc(played.len() as u64);
        results.extend(played);
    }
    bar.finish_and_clear();
    show(&args.vary, &ablation.effects(&results), results.len());
    if (results.len() as u64) < args.pairs {
        eprintln!("interrupted; --resume goes on");
        return Ok(ExitCode::from(interrupt::EXIT_CODE));
    }
    Ok(ExitCode::SUCCESS)
}

/// The effects, strongest first.
fn show(names: &[String], effects: &[Option<Effect>], pairs: usize) {
    println!("{pairs} pairs; second level against first: Elo, 95 %, pairs that tell");
    let known = |(name, effect): (_, &Option<Effect>)| effect.map(|effect| (name, effect));
    let mut rows: Vec<(&String, Effect)> = names.iter().zip(effects).filter_map(known).collect();
    rows.sort_by(|(_, one), (_, other)| other.elo.abs().total_cmp(&one.elo.abs()));
    for (name, Effect { elo, error, pairs }) in rows {
        println!("{elo:+7.1} +- {error:4.1} {pairs:6}  {name}");
    }
}

impl Args {
    /// Games won less games lost by the first side, share of both games.
    fn play_pair(
        &self,
        pair: u64,
        factors: &[Factor],
        ablation: Ablation,
        evaluation: &Evaluation,
    ) -> Result<f64, SelfplayError> {
        let config = self.duels.config();
        let levels = ablation.levels(pair);
        let engine = |levels: &Vec<bool>| -> Box<dyn Engine> {
            let mut params = SearchParams::DEFAULT;
            for (factor, &high) in factors.iter().zip(levels) {
                factor.set(&mut params, high);
            }
            Box::new(AlphaBeta::new(params, evaluation.clone()))
        };
        let play = |black| play_duel(levels.each_ref().map(engine), black, &config, pair);
        Ok(f64::from(play(true)? + play(false)?) / 2.0)
    }

    /// The comment at the head of the file: all that decides how the games go.
    fn header(&self) -> String {
        let factors: String = self.vary.iter().map(|factor| format!(" --vary {factor}")).collect();
        let share = self.share.map(|share| format!(" --share {share}")).unwrap_or_default();
        format!(
            "# kankei ablate{factors}{share} --nodes {} --seed {} --eval {}",
            self.duels.nodes, self.duels.seed, self.duels.eval
        )
    }
}
