//! Hoki 2006, appendix: the evaluation of Bonanza from its list of features, learned from games,
//! and the gain of each feature.

mod contribution;
mod report;
mod speed;
mod training;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use self::report::Report;
use self::training::Runs;
use crate::command::{CliError, interrupt, thread_pool};
use crate::eval::Evaluation;
use crate::file;
use crate::lab::learn::resolve::ResolveConfig;
use crate::lab::learn::{LearnError, SampleSet, held_out_path};
use crate::lab::resolved_games::GamesToResolve;
use crate::papers::bonanza::hoki::{HokiGroup, HokiGroups};
use crate::papers::bonanza::learner::HokiConfig;
use crate::papers::experiment::{ExperimentArgs, Size, interrupted};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    experiment: ExperimentArgs,
    /// Folder of data: `teacher/` with games
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Files or folders of labelled games, instead of those of the data
    #[arg(long, num_args = 1.., value_name = "FILE", required_unless_present = "data")]
    games: Vec<PathBuf>,
    /// Largest number of games to take, instead of the size's
    #[arg(long, value_name = "GAMES", value_parser = crate::command::whole_number::<usize>)]
    limit: Option<usize>,
    /// Folder for samples, checkpoints and weights; existing files are reused [default: the folder
    /// of results]
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// Threads, 0 for all cores
    #[arg(long, default_value_t = 0, value_parser = crate::command::whole_number::<usize>)]
    threads: usize,
}

/// Files of labelled games in the data.
const GAMES: [&str; 2] = ["teacher/games_1.txt.zst", "teacher/games_2.txt.zst"];

/// Percentage of the games to hold out.
const HELD_OUT: f64 = 5.0;

/// Amount of work.
struct Extent {
    /// Number of games, training and held-out together.
    games: usize,
    /// Passes over their positions.
    epochs: u32,
    /// Nodes of each timed search.
    nodes: u64,
}

impl Extent {
    fn of(size: Size) -> Extent {
        match size {
            Size::Full => Extent { games: 30_000, epochs: 1, nodes: 100_000 },
            Size::Small => Extent { games: 600, epochs: 1, nodes: 2_000 },
        }
    }
}

/// The runs of the experiment: material only, all groups, and all but one.
fn runs() -> Vec<(String, HokiGroups)> {
    let mut runs = vec![
        ("material alone".to_owned(), HokiGroups::NONE.with(HokiGroup::Material)),
        ("all groups".to_owned(), HokiGroups::ALL),
    ];
    let without =
        |group: HokiGroup| (format!("without {}", group.name()), HokiGroups::ALL.without(group));
    runs.extend(HokiGroup::ALL.map(without));
    runs
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    interrupt::watch();
    thread_pool(args.threads)?.install(|| reproduce(args))
}

fn reproduce(args: &Args) -> Result<ExitCode, CliError> {
    let extent = Extent::of(args.experiment.size);
    let folder = args.state.as_ref().unwrap_or(&args.experiment.out);
    std::fs::create_dir_all(folder).map_err(LearnError::write(folder))?;
    let Some([training, held_out]) = args.samples(folder, &extent)? else {
        return interrupted("");
    };
    let config = HokiConfig { epochs: extent.epochs, evaluations: 1, ..HokiConfig::DEFAULT };
    let learning = Runs { config, training: &training, held_out: &held_out, folder };
    let Some(finished) = learning.learn(&runs())? else { return interrupted("") };
    let path = learning.weights_path();
    let evaluation = match Evaluation::from_file(&path) {
        Ok(evaluation) => evaluation,
        Err(source) => return Err(CliError::Weights { path, source }),
    };
    let Some(weights) = evaluation.registered() else {
        return Err(LearnError::NotA(path, "file of hoki").into());
    };
    let report = Report {
        config,
        samples: [&training, &held_out].map(|set| set.samples.len()),
        scores: learning.score_losses(),
        runs: &finished,
        contributions: contribution::mean_sizes(weights, &held_out),
        speeds: speed::measure(&evaluation, extent.nodes),
        weights,
    };
    let (file, svg) = report.drawing();
    args.experiment.write(file, &svg)?;
    args.experiment.publish(&report.text())
}

impl Args {
    /// Training and held-out samples, made if the files do not exist; `None` if the user
    /// interrupted it.
    fn samples(&self, folder: &Path, extent: &Extent) -> Result<Option<[SampleSet; 2]>, CliError> {
        let path = folder.join("samples.bin");
        let data = self.data.iter();
        let given = data.flat_map(|data| GAMES.map(|file| data.join(file))).collect();
        let games = if self.games.is_empty() { given } else { self.games.clone() };
        let limit = self.limit.unwrap_or(extent.games);
        let (source, wanted) = (folder.join("samples.txt"), format!("{limit} of {games:?}\n"));
        if path.exists() && held_out_path(&path).exists() {
            let found = fs::read_to_string(source).unwrap_or_default();
            if found != wanted {
                return Err(CliError::OtherRun { path, found, wanted });
            }
        } else {
            fs::create_dir_all(folder)
                .and_then(|()| file::write(&source, wanted.as_bytes()))
                .map_err(|error| CliError::Write { path: source, source: error })?;
            let to_resolve = GamesToResolve {
                games: &games,
                limit,
                held_out: HELD_OUT,
                config: ResolveConfig::DEFAULT,
                evaluation: Evaluation::HandMade,
                out: &path,
            };
            if to_resolve.resolve()?.is_none() {
                return Ok(None);
            }
        }
        let read = |path: &Path| SampleSet::read_some(path);
        Ok(Some([read(&path)?, read(&held_out_path(&path))?]))
    }
}
