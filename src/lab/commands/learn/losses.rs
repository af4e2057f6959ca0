//! `kankei learn losses`: losses of evaluations and searches against the labels of samples.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::samples::read_samples;
use crate::command::searcher::EvalArgs;
use crate::command::{CliError, at_least_one, progress_bar, thread_pool};
use crate::eval::Evaluation;
use crate::lab::learn::Sample;
use crate::lab::learn::bootstrap::{RESAMPLES, bootstrap_mean};
use crate::lab::learn::logistic::fit_bias;
use crate::lab::learn::node_search::NodeSearch;
use crate::lab::learn::position_groups::{
    ALL_AND_UNDECIDED, GROUPS, GroupLoss, GroupLosses, JudgedSample,
};
use crate::shogi::Position;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Evaluations: `internal`, `material`, or weights files
    #[arg(value_name = "EVAL", required = true, num_args = 1..)]
    evals: Vec<String>,
    /// File of labelled samples that were held out from learning, or of `learn yardstick`
    #[arg(long, value_name = "FILE")]
    samples: PathBuf,
    /// Centipawns of their scores that multiply the odds of winning by e
    #[arg(long, value_name = "CP", value_parser = super::run_args::positive)]
    score_scale: f32,
    /// Judge also the scores of searches with the first evaluation, of these numbers of nodes
    #[arg(long, value_name = "NODES", value_delimiter = ',', value_parser = at_least_one::<u64>)]
    search_nodes: Vec<u64>,
    /// Largest number of samples to use
    #[arg(long, value_name = "SAMPLES", default_value_t = 200_000, value_parser = crate::command::whole_number::<usize>)]
    limit: usize,
    /// Threads; 0 = all cores
    #[arg(long, default_value_t = 0, value_parser = crate::command::whole_number::<usize>)]
    threads: usize,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let mut samples = read_samples(&args.samples)?.samples;
    samples.truncate(args.limit.max(1));
    let pool = thread_pool(args.threads)?;
    let load = |eval: &String| EvalArgs::named(eval).load();
    let evaluations: Vec<Evaluation> = args.evals.iter().map(load).collect::<Result<_, _>>()?;
    let scale = args.score_scale;
    let mut columns = Vec::new();
    for (name, evaluation) in args.evals.iter().zip(&evaluations) {
        let value = || |pos: &Position| evaluation.evaluate(pos).to_cp();
        columns.push(Column::new(name.clone(), &samples, scale, &pool, value));
    }
    for &nodes in &args.search_nodes {
        let name = format!("{}, {nodes} nodes", args.evals[0]);
        let value = || {
            let mut search = NodeSearch::new(&evaluations[0], nodes);
            move |pos: &Position| i32::from(search.score(pos))
        };
        columns.push(Column::new(name, &samples, scale, &pool, value));
    }
    print!("{}", describe(&columns));
    if let [first, others @ ..] = &columns[..]
        && !others.is_empty()
    {
        print!("{}", pool.install(|| describe_differences(first, others)));
    }
    let score = |sample: &Sample| f32::from(sample.score);
    let bias = fit_bias(&samples, scale, score, Sample::result);
    println!(
        "\nBy the results, the scores favour the side to move by {bias:.0} cp ({scale} cp per factor e).",
    );
    Ok(ExitCode::SUCCESS)
}

/// The samples judged by an evaluation or a search.
struct Column {
    name: String,
    judged: Vec<JudgedSample>,
    losses: GroupLosses,
}

impl Column {
    /// Judges the samples on the threads of the pool. `new_value` returns a function from a
    /// position to its centipawns.
    fn new<V: FnMut(&Position) -> i32>(
        name: String,
        samples: &[Sample],
        scale: f32,
        pool: &ThreadPool,
        new_value: impl Fn() -> V + Sync,
    ) -> Column {
        let bar = progress_bar(samples.len());
        let judge = |value: &mut V, sample| {
            bar.inc(1);
            JudgedSample::new(sample, scale, value)
        };
        let judged: Vec<Option<JudgedSample>> = pool.install(|| {
            samples.par_iter().with_min_len(1 << 8).map_init(&new_value, judge).collect()
        });
        bar.finish_and_clear();
        let judged: Vec<JudgedSample> = judged.into_iter().flatten().collect();
        Column { name, losses: GroupLosses::of(&judged), judged }
    }
}

fn describe(columns: &[Column]) -> String {
    let mut text = "Excess over the labels' entropy, nats, and mean of the expected points less \
                    the label's, side to move's view.\n\n| group | samples |"
        .to_owned();
    for Column { name, losses, .. } in columns {
        let _ = write!(text, " {name} ({:.0} cp per factor e) |", losses.scale);
    }
    let _ = writeln!(text, "\n|---|---|{}", "---|".repeat(columns.len()));
    for (at, group) in GROUPS.iter().enumerate() {
        let count = columns.first().map_or(0, |column| column.losses.groups[at].samples);
        let _ = write!(text, "| {} | {count} |", group.name);
        for column in columns {
            let GroupLoss { excess, bias, .. } = column.losses.groups[at];
            let _ = write!(text, " {excess:.4} ({:+.1} %) |", bias * 100.0);
        }
        text.push('\n');
    }
    text
}

/// The differences of the mean excesses to the first, with errors that take the samples as
/// independent, as those of `learn yardstick` are.
fn describe_differences(first: &Column, others: &[Column]) -> String {
    let mut text = format!(
        "\nExcess less that of {}, nats, with the standard error by {RESAMPLES} paired bootstrap \
         resamples of the samples.\n\n| |",
        first.name
    );
    for at in ALL_AND_UNDECIDED {
        let _ = write!(text, " {} |", GROUPS[at].name);
    }
    let _ = writeln!(text, "\n|---|{}", "---|".repeat(ALL_AND_UNDECIDED.len()));
    for other in others {
        let _ = write!(text, "| {} |", other.name);
        for at in ALL_AND_UNDECIDED {
            let excesses = |column: &Column| column.losses.excesses(&column.judged, at);
            let pairs = excesses(other).into_iter().zip(excesses(first));
            let (mean, error) = bootstrap_mean(&pairs.map(|(a, b)| a - b).collect::<Vec<_>>());
            let _ = write!(text, " {mean:+.4} ± {error:.4} |");
        }
        text.push('\n');
    }
    text
}
