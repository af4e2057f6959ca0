//! `kankei learn hoki`: fits the weights of the features of Hoki (2006) to samples.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::command::{CliError, interrupt, number_in};
use crate::lab::commands::learn::run_args::{RunArgs, positive};
use crate::lab::commands::learn::samples::read_samples;
use crate::lab::commands::learn::value::{describe, introduce};
use crate::lab::learn::{ZSTD_LEVEL, held_out_path, write_file};
use crate::papers::bonanza::hoki::{HokiGroup, HokiGroups, HokiWeights, file};
use crate::papers::bonanza::learner::{HokiConfig, HokiObjective};

const DEFAULT: HokiConfig = HokiConfig::DEFAULT;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// File of training samples; the held-out ones are in the same folder (samples.bin:
    /// samples.held.bin)
    #[arg(long, value_name = "FILE")]
    samples: PathBuf,
    /// Learn from the first SAMPLES samples only
    #[arg(long, value_name = "SAMPLES", value_parser = crate::command::whole_number::<usize>)]
    limit: Option<usize>,
    /// Groups to leave out: they are switched off
    #[arg(long, value_name = "GROUP", num_args = 1.., value_delimiter = ',', value_parser = group)]
    without: Vec<HokiGroup>,
    /// Passes over the samples
    #[arg(long, default_value_t = DEFAULT.epochs, value_parser = crate::command::at_least_one::<u32>)]
    epochs: u32,
    /// Samples per mini-batch
    #[arg(long, default_value_t = DEFAULT.batch as u32, value_parser = number_in::<u32>(1..=1 << 20))]
    batch: u32,
    /// Weight of the search score in the target; the result has the rest
    #[arg(long, default_value_t = DEFAULT.lambda, value_parser = number_in::<f32>(0.0..=1.0))]
    lambda: f32,
    /// Centipawns of the evaluation that multiply the odds of winning by e
    #[arg(long, value_name = "CP", default_value_t = DEFAULT.scale, value_parser = positive)]
    scale: f32,
    /// Centipawns of the scores in the samples that multiply the odds of winning by e; without it
    /// fitted to the results
    #[arg(long, value_name = "CP", value_parser = positive)]
    score_scale: Option<f32>,
    /// Learning rate of kpp and guards, logits
    #[arg(long, default_value_t = DEFAULT.many.learning_rate, value_parser = positive)]
    rate: f32,
    /// Learning rate of the other groups, logits
    #[arg(long, default_value_t = DEFAULT.few.learning_rate, value_parser = positive)]
    few_rate: f32,
    /// Seed of the order of samples
    #[arg(long, default_value_t = DEFAULT.seed, value_parser = crate::command::whole_number::<u64>)]
    seed: u64,
    #[command(flatten)]
    run: RunArgs,
}

fn group(text: &str) -> Result<HokiGroup, String> {
    let names = HokiGroup::ALL.map(HokiGroup::name).join(", ");
    HokiGroup::from_name(text).ok_or_else(|| format!("{text:?} is none of {names}"))
}

impl Args {
    fn config(&self) -> HokiConfig {
        let mut config = HokiConfig {
            groups: self.without.iter().copied().fold(HokiGroups::ALL, HokiGroups::without),
            epochs: self.epochs,
            batch: self.batch as usize,
            lambda: self.lambda,
            scale: self.scale,
            score_scale: self.score_scale,
            seed: self.seed,
            ..DEFAULT
        };
        config.many.learning_rate = self.rate;
        config.few.learning_rate = self.few_rate;
        config
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    args.run.check(&[], std::slice::from_ref(&args.samples))?;
    interrupt::watch();
    args.run.pool()?.install(|| learn(args))
}

fn learn(args: &Args) -> Result<ExitCode, CliError> {
    let mut training = read_samples(&args.samples)?;
    training.samples.truncate(args.limit.unwrap_or(usize::MAX).max(1));
    let held_out = read_samples(&held_out_path(&args.samples))?;
    let mut trainer = HokiObjective::new(args.config(), &training, &held_out).trainer();
    introduce(trainer.objective.target(), &training, &held_out);
    if !args.run.learn(&mut trainer, |point| Some(describe(point)))? {
        return Ok(args.run.interrupted());
    }
    let (weights, cut) = HokiWeights::from_centipawns(&trainer.objective.export())
        .expect("a table is as long as its group");
    write_file(&args.run.out, |out| file::write(&weights, out, ZSTD_LEVEL))?;
    println!("{} written, {cut} weights clipped", args.run.out.display());
    Ok(args.run.finish())
}
