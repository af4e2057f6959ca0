//! `kankei learn value`: fits the weights of the evaluation to samples.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;

use super::run_args::{RunArgs, not_negative, positive};
use super::samples::read_samples;
use crate::command::run_log;
use crate::command::searcher::EvalArgs;
use crate::command::{CliError, interrupt, number_in};
use crate::eval::Evaluation;
use crate::eval::learned::network::{HeadActivation, HeadInput, HeadShape, Network, NetworkShape};
use crate::file::with_suffix;
use crate::lab::chart::{Curve, LineChart};
use crate::lab::learn::value::{
    AdamRate, Losses, ModelForm, PartRates, Target, ValueConfig, ValueLosses, ValueObjective,
    ValueTrainer, score_scale,
};
use crate::lab::learn::{CurvePoint, LearnError, SampleSet, held_out_path, write_weights};

const DEFAULT: ValueConfig = ValueConfig::DEFAULT;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Files of training samples; the held-out ones are in the same folder (samples.bin:
    /// samples.held.bin). Each file is one engine's: scores are converted to the scale of the first
    /// file
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    samples: Vec<PathBuf>,
    /// Form of the evaluation, in addition to material, tempo, KP and KKP
    #[arg(long, value_enum, default_value = "network")]
    form: FormName,
    /// Rank of the factored form
    #[arg(long, default_value = "64", value_parser = ["32", "64", "128", "256"])]
    rank: String,
    /// Hidden units per side of the network, a multiple of 32 up to 512 [default: 512, 256 for
    /// `--standalone`]
    #[arg(long, value_parser = units)]
    units: Option<usize>,
    /// Width of the network's first layer above the hidden units; the second has 32
    #[arg(long, default_value = "32", value_parser = ["16", "32"])]
    width: String,
    /// The second layer also reads the squares of the first [default: true, false for
    /// `--standalone`]
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    dual: Option<bool>,
    /// Multiply each unit of the first half by its partner in the second half; the head then has
    /// half the inputs [default: true, false for `--standalone`]
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    products: Option<bool>,
    /// Learn separate rows of hidden units for every square of the own king
    #[arg(long)]
    king_relative: bool,
    /// Make the network the whole value, without material and all else, so that `eval export` can
    /// write it for other programs; best with --king-relative
    #[arg(long)]
    standalone: bool,
    /// Learning rate of the network
    #[arg(long, default_value_t = DEFAULT.rates.network.learning_rate, value_parser = positive)]
    learning_rate: f32,
    /// Weight decay of the network's rows, times the learning rate at each step; 1 is good for a
    /// few million samples
    #[arg(long, default_value_t = DEFAULT.rates.network.weight_decay, value_parser = not_negative)]
    weight_decay: f32,
    /// Learning rate of tempo, KP, KKP and PP, logits [default: 0.00003 for networks, 0.0003 for
    /// the other forms]
    #[arg(long, value_parser = positive)]
    relation_rate: Option<f32>,
    /// Learning rate of the factors of KPP, roots of logits
    #[arg(long, default_value_t = DEFAULT.rates.factors.learning_rate, value_parser = positive)]
    factor_rate: f32,
    /// Passes over the samples
    #[arg(long, default_value_t = DEFAULT.epochs, value_parser = crate::command::at_least_one::<u32>)]
    epochs: u32,
    /// End after this many epochs without a lower held-out loss, and keep the best weights
    #[arg(long, value_name = "EPOCHS", value_parser = crate::command::at_least_one::<u32>)]
    patience: Option<u32>,
    /// Samples per mini-batch [default: 1024 for networks, 8192 for the other forms]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    batch: Option<u32>,
    /// Weight of the search score in the target; the result has the rest
    #[arg(long, default_value_t = DEFAULT.lambda, value_parser = number_in::<f32>(0.0..=1.0))]
    lambda: f32,
    /// Centipawns of the evaluation that multiply the odds of winning by e
    #[arg(long, value_name = "CP", default_value_t = DEFAULT.scale, value_parser = positive)]
    scale: f32,
    /// Centipawns of the scores that multiply the odds of winning by e, one number for all files or
    /// one for each, as `740,900`; without it fitted to the results
    #[arg(long, value_name = "CP", value_delimiter = ',', value_parser = positive)]
    score_scale: Vec<f32>,
    /// Centipawns by which the scores favour the side to move, subtracted from them: one number for
    /// all files or one for each, as `0,84`. Those of searches do; `learn losses` fits the number
    /// to the results
    #[arg(long, value_name = "CP", value_delimiter = ',', default_value = "0", allow_hyphen_values = true,
          value_parser = number_in::<f32>(-1e4..=1e4))]
    score_bias: Vec<f32>,
    /// At the end, multiply each weight by n / (n + COUNT), where n is the number of samples that
    /// use it
    #[arg(long, value_name = "COUNT", default_value_t = DEFAULT.shrink, value_parser = not_negative)]
    shrink: f32,
    /// At the end, add this to the value of having the move. Labels of static values make it too
    /// small: scores of searches of no ply and of one ply then differ (`eval depths`)
    #[arg(long, value_name = "CP", default_value_t = DEFAULT.tempo, allow_hyphen_values = true,
          value_parser = number_in::<f32>(-1e3..=1e3), conflicts_with = "standalone")]
    tempo: f32,
    /// Seed of the order of samples, mirror images and initial values
    #[arg(long, default_value_t = DEFAULT.seed)]
    seed: u64,
    /// Start from weights of the same form: `internal`, or a weights file; ignored with `--resume`
    #[arg(long, value_name = "EVAL")]
    from: Option<String>,
    /// Go on when units of the network have the same activation in all positions
    #[arg(long)]
    keep_dead: bool,
    #[command(flatten)]
    run: RunArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormName {
    /// PP alone
    None,
    /// PP, and KPP as products of factors for every king and piece
    Factored,
    /// A network: hidden units for every piece, and output layers
    Network,
}

/// Parses a number of hidden units.
fn units(text: &str) -> Result<usize, String> {
    let units = text.parse().ok().filter(|&units: &usize| Network::is_size(units));
    units.ok_or_else(|| "not a multiple of 32 from 32 to 512".to_owned())
}

impl Args {
    fn config(&self) -> ValueConfig {
        let (usual_batch, usual_rate) = if self.is_network() {
            (ValueConfig::NETWORK_BATCH, ValueConfig::NETWORK_RELATION_RATE)
        } else {
            (DEFAULT.batch, DEFAULT.rates.relations.learning_rate)
        };
        ValueConfig {
            form: self.model_form(),
            // PP costs nodes in networks and gains nothing there (eval/reports/network).
            has_pairs: !self.is_network(),
            rates: PartRates {
                relations: AdamRate::new(self.relation_rate.unwrap_or(usual_rate)),
                factors: AdamRate::new(self.factor_rate),
                network: AdamRate {
                    learning_rate: self.learning_rate,
                    weight_decay: self.weight_decay,
                },
            },
            epochs: self.epochs,
            patience: self.patience,
            shrink: self.shrink,
            tempo: self.tempo,
            batch: self.batch.map_or(usual_batch, |batch| batch as usize),
            lambda: self.lambda,
            scale: self.scale,
            score_scale: self.score_scale.first().copied(),
            seed: self.seed,
            ..DEFAULT
        }
    }

    fn model_form(&self) -> ModelForm {
        let number = |text: &str| text.parse().expect("clap accepts only numbers");
        match self.form {
            FormName::None => ModelForm::None,
            FormName::Factored => ModelForm::Factored { rank: number(&self.rank) },
            FormName::Network => {
                let units = self.units.unwrap_or(if self.standalone { 256 } else { 512 });
                let shape =
                    NetworkShape { units, king_relative: self.king_relative, head: self.head() };
                let form = if self.standalone { ModelForm::Standalone } else { ModelForm::Network };
                form(shape)
            }
        }
    }

    fn head(&self) -> HeadShape {
        let width = self.width.parse().expect("clap accepts only numbers");
        let chosen = |option: Option<bool>| option.unwrap_or(self.is_network() && !self.standalone);
        let (products, dual) = (chosen(self.products), chosen(self.dual));
        let input = if products { HeadInput::Products } else { HeadInput::Clipped };
        let activation = if dual { HeadActivation::Dual } else { HeadActivation::Clipped };
        HeadShape { width, input, activation }
    }

    fn is_network(&self) -> bool {
        matches!(self.form, FormName::Network)
    }

    /// Refuses options that the form does not have, and a standalone form that no other program
    /// knows.
    fn check_form(&self) -> Result<(), LearnError> {
        if self.standalone && !self.is_network() {
            return Err(LearnError::Standalone);
        }
        if !self.head().is_classic() && (self.standalone || !self.is_network()) {
            return Err(LearnError::NoHead);
        }
        Ok(())
    }
}

/// Added to the name of the weights: the chart of the learning curve.
const CHART: &str = ".svg";

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let from = args.from.iter().map(PathBuf::from);
    args.run.check(&[CHART], &args.samples.iter().cloned().chain(from).collect::<Vec<_>>())?;
    interrupt::watch();
    let pool = args.run.pool()?;
    pool.install(|| learn(args))
}

fn learn(args: &Args) -> Result<ExitCode, CliError> {
    args.check_form()?;
    let (training, held_out) = read_all(args)?;
    let mut trainer = ValueObjective::new(args.config(), &training, &held_out).trainer();
    if let Some(name) = args.from.as_ref().filter(|_| !args.run.resume) {
        begin_with(name, &mut trainer.objective)?;
    }
    trainer.objective.keeps_dead_units = args.keep_dead;
    introduce(trainer.objective.target, &training, &held_out);
    let (material, slope) = trainer.objective.evaluate_material();
    println!("material alone, at {slope:.1} cp: {}", describe_losses(&material));
    let is_done = args.run.learn(&mut trainer, |point| Some(describe(point)))?;
    draw(args, &trainer)?;
    if !is_done {
        return Ok(args.run.interrupted());
    }
    if let Some(patience) = args.patience.filter(|_| trainer.is_out_of_patience()) {
        println!("no lower held-out loss for {patience} epochs: stopping");
    }
    let taken = match trainer.finalize() {
        Some(epoch) => format!("weights of epoch {epoch}"),
        None => "mean of the weights".to_owned(),
    };
    println!("{taken}: {}", describe_losses(&trainer.objective.evaluate()));
    let quantized = trainer.objective.export().quantize();
    write_weights(&args.run.out, &quantized.weights)?;
    println!("{} written, {} weights clipped", args.run.out.display(), quantized.clipped);
    Ok(args.run.finish())
}

fn begin_with(name: &str, objective: &mut ValueObjective) -> Result<(), CliError> {
    match EvalArgs::named(name).load()? {
        Evaluation::Learned(weights) if objective.begin_with(&weights) => Ok(()),
        _ => Err(LearnError::OtherForm(name.to_owned()).into()),
    }
}

/// Training and held-out samples of all files.
fn read_all(args: &Args) -> Result<(SampleSet, SampleSet), LearnError> {
    let files = args.samples.len();
    for (option, numbers) in
        [("--score-scale", args.score_scale.len()), ("--score-bias", args.score_bias.len())]
    {
        if ![0, 1, files].contains(&numbers) {
            return Err(LearnError::NumbersOfFiles { option, numbers, files });
        }
    }
    let mut biases = args.score_bias.iter().copied().cycle();
    let mut read = |path: &Path| -> Result<_, LearnError> {
        let bias = biases.next().unwrap_or(0.0);
        let unbiased = |path: &Path| -> Result<_, LearnError> {
            let mut set = read_samples(path)?;
            set.convert_scores(bias, 1.0);
            Ok(set)
        };
        Ok((unbiased(path)?, unbiased(&held_out_path(path))?))
    };
    let mut given = args.score_scale.iter().copied().cycle();
    let mut scale_of = |set: &SampleSet, path: &Path| match given.next() {
        Some(scale) => Ok(scale),
        None => Some(score_scale(set))
            .filter(|scale| *scale > 0.0 && scale.is_finite())
            .ok_or_else(|| LearnError::Scores(path.to_owned())),
    };
    let Some((first, others)) = args.samples.split_first() else {
        unreachable!("the option wants a file")
    };
    let (mut training, mut held_out) = read(first)?;
    if others.is_empty() {
        return Ok((training, held_out));
    }
    let scale = scale_of(&training, first)?;
    for path in others {
        let (mut more, mut more_held_out) = read(path)?;
        let factor = scale / scale_of(&more, path)?;
        println!("{}: {} samples, scores by {factor:.3}", path.display(), more.samples.len());
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
