//! Kaneko, Tanaka, Yamaguchi, Kawai 2007: pairs of pieces, with weights by discriminant analysis of
//! games. Reproduces all tables and figures of the paper that can be reproduced.

mod bad_shapes;
mod imitation;
mod matches;
mod opening;
mod report;
mod setup;
mod speed;
mod training;

use std::process::ExitCode;

use self::imitation::Imitation;
use self::report::Report;
pub(crate) use self::setup::Args;
use self::setup::{Extent, Source, name};
use self::training::{LearnedPairs, TrainingRun};
use crate::command::{CliError, interrupt, progress_bar, thread_pool};
use crate::lab::learn::{ZSTD_LEVEL, write_file};
use crate::papers::experiment::interrupted;
use crate::papers::pairs::command::example_sets;
use crate::papers::pairs::form;
use crate::papers::pairs::learner::{Comparison, PairsConfig};
use crate::record::Game;

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    interrupt::watch();
    let code = thread_pool(args.threads)?.install(|| reproduce(args))?;
    code.map_or_else(|| interrupted(" after the last iteration and the last game"), Ok)
}

/// Runs the experiment; `None` if the user interrupted it.
fn reproduce(args: &Args) -> Result<Option<ExitCode>, CliError> {
    let extent = Extent::of(args.experiment.size);
    let timings = speed::measure(extent.timed_plies);
    let sources = args.sources(extent.games)?;
    let all = |part: fn(&Source) -> &Vec<Game>| -> Vec<Game> {
        sources.iter().flat_map(part).cloned().collect()
    };
    let (training, held_out) = (all(|source| &source.training), all(|source| &source.held_out));
    let bar = progress_bar(training.len() + held_out.len());
    bar.set_message("examples");
    let sets = example_sets([&training, &held_out], Comparison::Sibling, &bar);
    let Some([training, held_out]) = sets else { return Ok(None) };
    if training.comparisons(Comparison::Sibling) == 0 {
        return Err(CliError::NoGames(args.source.games.clone()));
    }

    let occurrences = training.occurrences();
    let learn = |comparison| -> Result<Option<LearnedPairs>, CliError> {
        let config =
            PairsConfig { min_occurrences: extent.min_occurrences, ..PairsConfig::new(comparison) };
        let file = |kind| args.experiment.out.join(format!("{}.{kind}", name(comparison)));
        let run = TrainingRun {
            config,
            training: &training,
            occurrences: &occurrences,
            held_out: &held_out,
            checkpoint: file("checkpoint"),
        };
        let model = run.learn()?;
        if let Some(model) = &model {
            let weights = &model.quantized.weights;
            write_file(&file("weights"), |out| form::file::write(weights, out, ZSTD_LEVEL))?;
        }
        Ok(model)
    };
    let Some(parent) = learn(Comparison::Parent)? else { return Ok(None) };
    let Some(sibling) = learn(Comparison::Sibling)? else { return Ok(None) };
    let models = [parent, sibling];
    let weights = models.each_ref().map(|model| &model.quantized.weights);
    let imitated = |source: &Source| {
        let go_on = || !interrupt::is_interrupted();
        Some((source.name, Imitation::of_games(&source.held_out, &weights, &go_on)?))
    };
    let Some(imitations) = sources.iter().map(imitated).collect() else { return Ok(None) };
    let Some(scores) = matches::play(args, &extent, &models)? else { return Ok(None) };

    let report = Report {
        about: &args.source.about,
        sources: &sources,
        positions: [training.len(), held_out.len()],
        bytes: training.bytes(),
        min_occurrences: extent.min_occurrences,
        occurrences: &occurrences,
        models: &models,
        timings,
        imitations,
        scores,
    };
    for (file, svg) in report.drawings() {
        args.experiment.write(file, &svg)?;
    }
    args.experiment.publish(&report.text()).map(Some)
}
