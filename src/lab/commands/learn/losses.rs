//! `kankei learn losses`: losses of evaluations against the labels of samples.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use rayon::prelude::*;

use crate::command::searcher::EvalArgs;
use crate::command::{CliError, progress_bar, thread_pool};
use crate::lab::learn::logistic::fit_bias;
use crate::lab::learn::position_groups::{GROUPS, GroupLoss, GroupLosses, JudgedSample};
use crate::lab::learn::{Sample, SampleSet};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Evaluations: `internal`, `material`, or weights files
    #[arg(value_name = "EVAL", required = true, num_args = 1..)]
    evals: Vec<String>,
    /// File of labelled samples that were held out from learning
    #[arg(long, value_name = "FILE")]
    samples: PathBuf,
    /// Centipawns of their scores that multiply the odds of winning by e
    #[arg(long, value_name = "CP", value_parser = super::run_args::positive)]
    score_scale: f32,
    /// Largest number of samples to use
    #[arg(long, value_name = "SAMPLES", default_value_t = 200_000)]
    limit: usize,
    /// Threads; 0 = all cores
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let mut samples = SampleSet::read_some(&args.samples)?.samples;
    samples.truncate(args.limit.max(1));
    let pool = thread_pool(args.threads)?;
    let mut columns = Vec::new();
    for eval in &args.evals {
        let evaluation = EvalArgs::named(eval).load()?;
        let bar = progress_bar(samples.len());
        let judged: Vec<JudgedSample> = pool.install(|| {
            let judge = |sample| {
                bar.inc(1);
                JudgedSample::new(sample, &evaluation, args.score_scale)
            };
            samples.par_iter().with_min_len(1 << 8).filter_map(judge).collect()
        });
        bar.finish_and_clear();
        columns.push((eval.as_str(), GroupLosses::of(&judged)));
    }
    print!("{}", describe(&columns));
    let score = |sample: &Sample| f32::from(sample.score);
    let bias = fit_bias(&samples, args.score_scale, score, Sample::result);
    println!(
        "\nBy the results, the scores favour the side to move by {bias:.0} cp ({} cp per factor e).",
        args.score_scale
    );
    Ok(ExitCode::SUCCESS)
}

fn describe(columns: &[(&str, GroupLosses)]) -> String {
    let mut text = "Excess over the labels' entropy, nats, and mean of the expected points less \
                    the label's, side to move's view.\n\n| group | samples |"
        .to_owned();
    for (name, losses) in columns {
        let _ = write!(text, " {name} ({:.0} cp per factor e) |", losses.scale);
    }
    let _ = writeln!(text, "\n|---|---|{}", "---|".repeat(columns.len()));
    for (at, group) in GROUPS.iter().enumerate() {
        let count = columns.first().map_or(0, |(_, losses)| losses.groups[at].samples);
        let _ = write!(text, "| {} | {count} |", group.name);
        for (_, losses) in columns {
            let GroupLoss { excess, bias, .. } = losses.groups[at];
            let _ = write!(text, " {excess:.4} ({:+.1} %) |", bias * 100.0);
        }
        text.push('\n');
    }
    text
}
