//! `kankei learn value`: fits the weights of the evaluation to samples.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;

use super::run_args::{RunArgs, positive};
use super::samples::read_samples;
use super::value_run::{SampleFile, ValueRun};
use crate::command::run_log;
use crate::command::searcher::EvalArgs;
use crate::command::{CliError, interrupt};
use crate::eval::Evaluation;
use crate::file::with_suffix;
use crate::lab::chart::{Curve, LineChart};
use crate::lab::learn::value::{
    Losses, Target, ValueConfig, ValueLosses, ValueObjective, ValueTrainer, score_scale,
};
use crate::lab::learn::{CurvePoint, LearnError, SampleSet, held_out_path, write_weights};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The run as JSON. Every run writes its own next to its weights, as OUT.json. The options
    /// below replace values of the file. Values that it omits are those of the network that ships
    #[arg(long = "run", value_name = "FILE")]
    file: Option<PathBuf>,
    /// The usual run of a form of the evaluation
    #[arg(long, value_enum, default_value = "network", conflicts_with = "file")]
    form: Form,
    /// Files of training samples; the held-out ones are in the same folder (samples.bin:
    /// samples.held.bin). Each file is one engine's: scores are converted to the scale of the first
    /// file
    #[arg(long, value_name = "FILE", num_args = 1..)]
    samples: Vec<PathBuf>,
    /// Start from weights of the same form: `internal`, or a weights file; ignored with `--resume`
    #[arg(long, value_name = "EVAL")]
    from: Option<String>,
    /// Centipawns of the scores that multiply the odds of winning by e, for all files; without it
    /// fitted to the results
    #[arg(long, value_name = "CP", value_parser = positive)]
    score_scale: Option<f32>,
    /// Passes over the samples
    #[arg(long, value_parser = crate::command::at_least_one::<u32>)]
    epochs: Option<u32>,
    /// Learning rate of the network
    #[arg(long, value_parser = positive)]
    learning_rate: Option<f32>,
    /// Seed of the order of samples, mirror images and initial values
    #[arg(long, value_parser = crate::command::whole_number::<u64>)]
    seed: Option<u64>,
    /// Continue even if units of the network have the same activation in all positions
    #[arg(long)]
    keep_dead: bool,
    #[command(flatten)]
    run: RunArgs,
}

/// The forms with a usual run; a run in a file can have more.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Form {
    /// Relations of kings, pieces, and products of factors for a king and two pieces
    Factored,
    /// The network that ships
    Network,
    /// A network that is the whole value, without material and all else, so that `eval export` can
    /// write it for other programs
    Standalone,
}

impl Args {
    /// The run of the file, or the usual one, with the values of the options.
    fn value_run(&self) -> Result<ValueRun, LearnError> {
        let usual = || ValueRun {
            config: match self.form {
                Form::Factored => ValueConfig::FACTORED,
                Form::Network => ValueConfig::SHIPPED,
                Form::Standalone => ValueConfig::STANDALONE,
            },
            ..ValueRun::default()
        };
        let mut run = self.file.as_deref().map_or_else(|| Ok(usual()), ValueRun::read)?;
        if !self.samples.is_empty() {
            run.samples = self.samples.iter().cloned().map(SampleFile::new).collect();
        }
        for samples in &mut run.samples {
            samples.score_scale = self.score_scale.or(samples.score_scale);
        }
        run.from = self.from.clone().or(run.from);
        let config = &mut run.config;
        config.epochs = self.epochs.unwrap_or(config.epochs);
        config.seed = self.seed.unwrap_or(config.seed);
        let rate = &mut config.rates.network.learning_rate;
        *rate = self.learning_rate.unwrap_or(*rate);
        if run.samples.is_empty() { Err(LearnError::NoSampleFiles) } else { Ok(run) }
    }
}

/// Added to the name of the weights: the chart of the learning curve.
const CHART: &str = ".svg";
/// The same: the run.
const RUN: &str = ".json";

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let run = args.value_run()?;
    let samples = run.samples.iter().map(|samples| samples.file.clone());
    let others = args.file.iter().cloned().chain(run.from.iter().map(PathBuf::from));
    args.run.check(&[CHART, RUN], &samples.chain(others).collect::<Vec<_>>())?;
    interrupt::watch();
    let pool = args.run.pool()?;
    pool.install(|| learn(args, &run))
}

fn learn(args: &Args, run: &ValueRun) -> Result<ExitCode, CliError> {
    let (training, held_out) = read_all(&run.samples)?;
    let mut trainer = ValueObjective::new(run.config(), &training, &held_out).trainer();
    if let Some(name) = run.from.as_ref().filter(|_| !args.run.resume) {
        begin_with(name, &mut trainer.objective)?;
    }
    // Also after a resumption before the first batch.
    trainer.objective.continues = run.from.is_some();
    trainer.objective.keeps_dead_units = args.keep_dead;
    introduce(trainer.objective.target, &training, &held_out);
    let (material, slope) = trainer.objective.evaluate_material();
    println!("material alone, at {slope:.1} cp: {}", describe_losses(&material));
    let is_done = args.run.learn(&mut trainer, |point| Some(describe(point)))?;
    draw(args, &trainer)?;
    if !is_done {
        return Ok(args.run.interrupted());
    }
    if let Some(patience) = run.config.patience.filter(|_| trainer.is_out_of_patience()) {
        println!("no lower held-out loss for {patience} epochs: stopping");
    }
    let taken = match trainer.finalize() {
        Some(epoch) => format!("weights of epoch {epoch}"),
        None => "mean of the weights".to_owned(),
    };
    println!("{taken}: {}", describe_losses(&trainer.objective.evaluate()));
    let quantized = trainer.objective.export().quantize();
    write_weights(&args.run.out, &quantized.weights)?;
    run_log::write(&with_suffix(&args.run.out, RUN), &run.to_json()?)?;
    println!("{} written, {} weights clipped", args.run.out.display(), quantized.clipped);
    Ok(args.run.finish())
}

fn begin_with(name: &str, objective: &mut ValueObjective) -> Result<(), CliError> {
    match EvalArgs::named(name).load()? {
        Evaluation::Learned(weights) if objective.begin_with(&weights) => Ok(()),
        _ => Err(LearnError::OtherForm(name.to_owned()).into()),
    }
}

/// Training and held-out samples of all files, with the scores of the first file's scale.
fn read_all(files: &[SampleFile]) -> Result<(SampleSet, SampleSet), LearnError> {
    let read = |SampleFile { file, score_bias, .. }: &SampleFile| -> Result<_, LearnError> {
        let (mut training, mut held_out) =
            (read_samples(file)?, read_samples(&held_out_path(file))?);
        for set in [&mut training, &mut held_out] {
            set.convert_scores(*score_bias, 1.0);
        }
        Ok((training, held_out))
    };
    let scale_of = |set: &SampleSet, file: &SampleFile| {
        let scale = file.score_scale.unwrap_or_else(|| score_scale(set));
        let is_scale = scale > 0.0 && scale.is_finite();
        is_scale.then_some(scale).ok_or_else(|| LearnError::Scores(file.file.clone()))
    };
    let Some((first, others)) = files.split_first() else { unreachable!("a run has samples") };
    let (mut training, mut held_out) = read(first)?;
    let scale = scale_of(&training, first)?;
    if others.is_empty() {
        return Ok((training, held_out));
    }
    for other in others {
        let (mut more, mut more_held_out) = read(other)?;
        let factor = scale / scale_of(&more, other)?;
        let (file, count) = (other.file.display(), more.samples.len());
        println!("{file}: {count} samples, scores by {factor:.3}");
        for set in [&mut more, &mut more_held_out] {
            set.convert_scores(0.0, factor);
        }
        training.append(more);
        held_out.append(more_held_out);
    }
    Ok((training, held_out))
}

/// Prints the sizes of the data, and the losses of the scores that the values are fitted to.
pub(crate) fn introduce(target: Target, training: &SampleSet, held_out: &SampleSet) {
    println!(
        "{} samples, {} held out; {:.1} cp of the scores multiply the odds by e",
        training.samples.len(),
        held_out.samples.len(),
        target.score_scale
    );
    let scores = Losses::of_scores(target, &held_out.samples);
    println!("search score alone: {}", describe_losses(&scores));
}

pub(crate) fn describe(point: &CurvePoint<ValueLosses>) -> String {
    let CurvePoint { epochs, measured: ValueLosses { training, held_out, units } } = point;
    let mut text = format!("epoch {epochs:6.2}: loss {training:.5}, {}", describe_losses(held_out));
    if let Some(units) = units {
        text += &format!("\n{}", units.to_string().trim_end());
    }
    text
}

fn describe_losses(losses: &Losses) -> String {
    let Losses { mixed, excess, result, score } = losses;
    format!("held out {mixed:.5} (excess {excess:.5}), results {result:.5}, scores {score:.5}")
}

/// Draws the curves next to the output.
fn draw(args: &Args, trainer: &ValueTrainer) -> Result<(), CliError> {
    let curve = |name: &str, loss: fn(&ValueLosses) -> f64| Curve {
        name: name.to_owned(),
        points: trainer.curve().points.iter().map(|at| (at.epochs, loss(&at.measured))).collect(),
    };
    let chart = LineChart {
        title: "Learning the value",
        x: "epochs",
        y: "cross-entropy",
        curves: &[
            curve("training", |losses| losses.training),
            curve("held out", |losses| losses.held_out.mixed),
        ],
    };
    run_log::write(&with_suffix(&args.run.out, CHART), &chart.to_svg())
}
