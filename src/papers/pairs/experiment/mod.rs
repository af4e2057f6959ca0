//! Kaneko, Tanaka, Yamaguchi, Kawai 2007: pairs of pieces, with weights by discriminant analysis of
//! games. Reproduces all tables and figures of the paper that can be reproduced.

mod bad_shapes;
mod imitation;
mod matches;
mod opening;
mod report;
mod speed;
mod training;

use std::path::PathBuf;
use std::process::ExitCode;

use self::imitation::Imitation;
use self::report::Report;
use self::training::{LearnedPairs, TrainingRun};
use crate::command::{CliError, interrupt, progress_bar, thread_pool};
use crate::eval::pairs;
use crate::lab::learn::{ZSTD_LEVEL, write_file};
use crate::papers::experiment::{ExperimentArgs, GameArgs, Size, interrupted};
use crate::papers::pairs::command::example_sets;
use crate::papers::pairs::learner::{Comparison, PairsConfig};
use crate::record::Game;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    experiment: ExperimentArgs,
    #[command(flatten)]
    source: GameArgs,
    /// Threads, 0 for all cores
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

/// Names of the kinds of games in the data, with their folders and files.
const DATA: [(&str, &[&str]); 2] = [
    ("teacher games", &["teacher/games_1.txt.zst", "teacher/games_2.txt.zst"]),
    ("real games", &["games"]),
];

/// Amount of work.
struct Extent {
    /// Number of training games of each kind.
    games: usize,
    /// Relations that occur in fewer positions have no weight.
    min_occurrences: u32,
    /// Depth of the walk that times evaluations.
    timed_plies: u32,
    /// Number of games from each kind of start.
    matches: u64,
    /// Nodes per move in these games.
    nodes: u64,
}

impl Extent {
    fn of(size: Size) -> Extent {
        let min_occurrences = PairsConfig::new(Comparison::Parent).min_occurrences;
        match size {
            Size::Full => Extent {
                games: usize::MAX,
                min_occurrences,
                timed_plies: 3,
                matches: 200,
                nodes: 20_000,
            },
            Size::Small => {
                Extent { games: 300, min_occurrences: 3, timed_plies: 2, matches: 8, nodes: 500 }
            }
        }
    }
}

/// Games of one kind.
struct Source {
    name: &'static str,
    training: Vec<Game>,
    held_out: Vec<Game>,
}

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
            write_file(&file("weights"), |out| pairs::file::write(weights, out, ZSTD_LEVEL))?;
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

/// The paper's name of a model.
fn name(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Parent => "parent",
        Comparison::Sibling => "sibling",
    }
}

impl Args {
    fn sources(&self, limit: usize) -> Result<Vec<Source>, CliError> {
        let read = |name, files: &[PathBuf]| {
            let set = self.source.held_out.read(files, limit)?;
            Ok(Source { name, training: set.training, held_out: set.held_out })
        };
        match &self.experiment.data {
            Some(data) if self.source.games.is_empty() => DATA
                .iter()
                .map(|(name, files)| {
                    let files: Vec<PathBuf> = files.iter().map(|file| data.join(file)).collect();
                    read(name, &files)
                })
                .collect(),
            _ => Ok(vec![read("games", &self.source.games)?]),
        }
    }
}
