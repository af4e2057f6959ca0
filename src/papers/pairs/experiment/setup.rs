//! Arguments, extent and games of the experiment.

use std::path::PathBuf;

use crate::command::CliError;
use crate::papers::experiment::{ExperimentArgs, GameArgs, Size};
use crate::papers::pairs::learner::{Comparison, PairsConfig};
use crate::record::Game;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(super) experiment: ExperimentArgs,
    #[command(flatten)]
    pub(super) source: GameArgs,
    /// Threads, 0 for all cores
    #[arg(long, default_value_t = 0, value_parser = crate::command::whole_number::<usize>)]
    pub(super) threads: usize,
}

/// Names of the kinds of games in the data, with their folders and files.
const DATA: [(&str, &[&str]); 2] = [
    ("teacher games", &["teacher/games_1.txt.zst", "teacher/games_2.txt.zst"]),
    ("real games", &["games"]),
];

/// Amount of work.
pub(super) struct Extent {
    /// Number of training games of each kind.
    pub games: usize,
    /// Relations that occur in fewer positions have no weight.
    pub min_occurrences: u32,
    /// Depth of the walk that times evaluations.
    pub timed_plies: u32,
    /// Number of games from each kind of start.
    pub matches: u64,
    /// Nodes per move in these games.
    pub nodes: u64,
}

impl Extent {
    pub fn of(size: Size) -> Extent {
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
pub(super) struct Source {
    pub name: &'static str,
    pub training: Vec<Game>,
    pub held_out: Vec<Game>,
}

/// The paper's name of a model.
pub(super) fn name(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Parent => "parent",
        Comparison::Sibling => "sibling",
    }
}

impl Args {
    pub(super) fn sources(&self, limit: usize) -> Result<Vec<Source>, CliError> {
        let read = |name, files: &[PathBuf]| {
            let set = self.source.held_out.read(files, limit)?;
            Ok(Source { name, training: set.training, held_out: set.held_out })
        };
        match &self.source.data {
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
