//! Arguments of the commands that play many short games between searchers.

use std::path::PathBuf;

use crate::command::searcher::EvalArgs;
use crate::engine::Settings;
use crate::lab::selfplay::{SearchBudget, SelfplayConfig};

#[derive(Debug, clap::Args)]
pub(super) struct GameArgs {
    /// Nodes per move
    #[arg(long, default_value_t = 10_000, value_parser = crate::command::at_least_one::<u64>)]
    pub nodes: u64,
    /// Seed of the games and of random settings
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Number of concurrent games, 0 for all cores
    #[arg(long, value_name = "GAMES", default_value_t = 0)]
    pub concurrency: usize,
    #[command(flatten)]
    pub eval: EvalArgs,
    /// File of the results
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Continue after the last result in the file; the options must be the same
    #[arg(long)]
    pub resume: bool,
}

impl GameArgs {
    /// The configuration of the games.
    pub fn config(&self) -> SelfplayConfig {
        SelfplayConfig {
            seed: self.seed,
            budget: SearchBudget::Nodes(self.nodes..=self.nodes),
            settings: Settings { hash_mib: 16, ..Settings::default() },
            ..SelfplayConfig::default()
        }
    }
}

/// Parses a share.
pub(super) fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| *share > 0.0 && *share <= 1.0);
    share.ok_or_else(|| format!("{text:?} is not a share above 0 and at most 1"))
}
