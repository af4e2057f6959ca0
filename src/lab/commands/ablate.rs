//! `kankei ablate`: the effects of many search parameters and techniques, measured in one series of
//! games.
//!
//! The file starts with a comment that names the settings and has one line per pair of games, the
//! result. The levels of a pair follow from the seed. `--resume` continues an interrupted run.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

use super::factor::Factor;
use crate::command::output::ForceArg;
use crate::command::run_log::{Earlier, RunLog};
use crate::command::searcher::EvalArgs;
use crate::command::{CliError, interrupt, progress_bar, thread_pool};
use crate::engine::{Engine, Settings};
use crate::engines::bench::{BenchLimit, bench};
use crate::eval::Evaluation;
use crate::lab::ablation::{Ablation, Effect};
use crate::lab::in_order::InOrder;
use crate::lab::matches::Pairing;
use crate::lab::selfplay::{SearchBudget, SelfplayConfig, SelfplayError};
use crate::search::{AlphaBeta, SearchParams};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A search parameter with its two levels, such as `late_base=6..14`, or a technique to switch
    /// off or on; repeatable
    #[arg(long, value_name = "FACTOR", required = true)]
    vary: Vec<String>,
    /// Probability with which each factor is at its first level, for each side; without it the two
    /// sides always have different levels
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    share: Option<f64>,
    /// Pairs of games
    #[arg(long, default_value_t = 2_000, value_parser = crate::command::number_in::<u64>(2..=1 << 40))]
    pairs: u64,
    /// Nodes per move
    #[arg(long, default_value_t = 10_000, value_parser = crate::command::at_least_one::<u64>)]
    nodes: u64,
    /// Seed of the games and of their settings
    #[arg(long, default_value_t = 1, value_parser = crate::command::whole_number::<u64>)]
    seed: u64,
    /// Number of concurrent games, 0 for all cores
    #[arg(long, value_name = "GAMES", default_value_t = 0, value_parser = crate::command::whole_number::<usize>)]
    concurrency: usize,
    #[command(flatten)]
    eval: EvalArgs,
    /// File of the results
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Continue after the last result in the file; the options must be the same
    #[arg(long)]
    resume: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let factors = args.factors()?;
    let pool = thread_pool(args.concurrency)?;
    let evaluation = args.eval.load()?;
    let ablation = Ablation { factors: factors.len(), low: args.share, seed: args.seed };
    let parse = |line: &str| line.parse().ok().filter(|result: &f64| result.abs() <= 1.0);
    let earlier = Earlier::of(args.resume, ForceArg::default());
    let (mut log, mut results) = RunLog::open_steps(
        &args.out,
        &args.header(&evaluation),
        earlier,
        "result of a pair",
        parse,
    )?;
    let bar = progress_bar(args.pairs as usize).with_position(results.len() as u64);
    bar.reset_eta();
    interrupt::watch();
    let play = |_: &mut (), pair: u64, is_over: &dyn Fn() -> bool| {
        args.play_pair(pair, &factors, ablation, &evaluation, is_over).transpose()
    };
    let pairs = InOrder {
        numbers: results.len() as u64..args.pairs,
        start: &|| (),
        work: &play,
        is_stopped: &interrupt::is_interrupted,
    };
    pairs.run(&pool, |result| -> Result<(), CliError> {
        let result = result?;
        log.add(format!("{result}\n").as_bytes())?;
        results.push(result);
        bar.inc(1);
        Ok(())
    })?;
    bar.finish_and_clear();
    show(&args.vary, &ablation.effects(&results), results.len());
    Ok(interrupt::exit_code(results.len() as u64 >= args.pairs))
}

/// Prints the effects, strongest first.
fn show(names: &[String], effects: &[Option<Effect>], pairs: usize) {
    println!("{pairs} pairs; second level against first: Elo, 95 %, informative pairs");
    let known = |(name, effect): (_, &Option<Effect>)| effect.map(|effect| (name, effect));
    let mut rows: Vec<(&String, Effect)> = names.iter().zip(effects).filter_map(known).collect();
    rows.sort_by(|(_, one), (_, other)| other.elo.abs().total_cmp(&one.elo.abs()));
    for (name, Effect { elo, error, pairs }) in rows {
        println!("{elo:+7.1} +- {error:4.1} {pairs:6}  {name}");
    }
}

impl Args {
    /// Games won minus games lost by the first side, as a share of both games.
    fn play_pair(
        &self,
        pair: u64,
        factors: &[Factor],
        ablation: Ablation,
        evaluation: &Evaluation,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<f64>, SelfplayError> {
        let engine = |levels: &Vec<bool>| -> Box<dyn Engine> {
            let mut params = SearchParams::DEFAULT;
            for (factor, &high) in factors.iter().zip(levels) {
                factor.set(&mut params, high);
            }
            Box::new(AlphaBeta::new(params, evaluation.clone()))
        };
        let (levels, mut total) = (ablation.levels(pair), 0);
        for game in [2 * pair, 2 * pair + 1] {
            let mut pairing = Pairing::of_searchers(levels.each_ref().map(engine));
            let played = pairing.play(game, None, &self.config(), is_over)?;
            let Some(played) = played else { return Ok(None) };
            total += played.result(game);
        }
        Ok(Some(f64::from(total) / 2.0))
    }

    /// The configuration of the games.
    fn config(&self) -> SelfplayConfig {
        SelfplayConfig {
            seed: self.seed,
            budget: SearchBudget::Nodes(self.nodes..=self.nodes),
            settings: Settings { hash_mib: 16, ..Settings::default() },
            ..SelfplayConfig::default()
        }
    }

    /// The factors, which must be different.
    fn factors(&self) -> Result<Vec<Factor>, CliError> {
        let mut names = BTreeSet::new();
        let factor = |text: &String| {
            let name = text.split('=').next().unwrap_or(text);
            let is_new = names.insert(name.to_owned());
            let factor = Factor::parse(text)?;
            is_new.then_some(factor).ok_or_else(|| CliError::VariedTwice(name.to_owned()))
        };
        self.vary.iter().map(factor).collect()
    }

    /// The comment at the head of the file: everything that determines the games.
    fn header(&self, evaluation: &Evaluation) -> String {
        let mut engine = AlphaBeta::new(SearchParams::DEFAULT, evaluation.clone());
        // The node total of a bench identifies the program and the weights.
        let nodes = bench(&mut engine, BenchLimit::Depth(3), &mut |_| ()).nodes;
        let factors: String = self.vary.iter().map(|factor| format!(" --vary {factor}")).collect();
        let share = self.share.map(|share| format!(" --share {share}")).unwrap_or_default();
        format!(
            "# kankei ablate{factors}{share} --nodes {} --seed {} --eval {}, bench {nodes}",
            self.nodes, self.seed, self.eval
        )
    }
}

/// Parses a share.
fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| *share > 0.0 && *share < 1.0);
    share.ok_or_else(|| format!("{text:?} is not a share above 0 and below 1"))
}
