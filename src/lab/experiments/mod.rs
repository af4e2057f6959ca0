//! `kankei reproduce`: reproduces the papers' experiments. Each writes `report.md` and SVG drawings
//! to a folder.

mod hoki2006;
mod hoki_evaluation;
mod match_series;
mod mcts;
mod pairs;
mod policy_gradient;
mod problems;
mod td;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Subcommand, ValueEnum};

use crate::command::CliError;
use crate::file;
use crate::lab::held_out_games::HeldOutArgs;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    paper: Paper,
}

#[derive(Debug, Subcommand)]
enum Paper {
    /// Hoki 2006: futility pruning in a full-width search
    Bonanza(hoki2006::Args),
    /// Hoki 2006: the evaluation of the appendix, and the gain of each of its features
    HokiEvaluation(hoki_evaluation::Args),
    /// Kaneko et al. 2007: pairs of pieces by discriminant analysis of games
    Pairs(pairs::Args),
    /// Monte-Carlo tree search with the evaluation function
    Mcts(mcts::Args),
    /// Imitation of recorded moves by policy gradient on KKP and KPP
    Policy(policy_gradient::Args),
    /// Usui, Suzuki, Kotani: few features by temporal differences
    Td(td::Args),
}

/// Amount of work of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Size {
    /// Within three minutes
    Small,
    /// The sizes of the published figures, which take long
    Full,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    match &args.paper {
        Paper::Bonanza(args) => hoki2006::run(args),
        Paper::HokiEvaluation(args) => hoki_evaluation::run(args),
        Paper::Mcts(args) => mcts::run(args),
        Paper::Pairs(args) => pairs::run(args),
        Paper::Policy(args) => policy_gradient::run(args),
        Paper::Td(args) => td::run(args),
    }
}

/// Arguments of every experiment.
#[derive(Clone, Debug, clap::Args)]
struct ExperimentArgs {
    /// Amount of work
    #[arg(long, value_enum, default_value = "small")]
    size: Size,
    /// Folder of data: `teacher/` with games, `suites/` with problems
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Folder for report.md, drawings, and the state of an interrupted run
    #[arg(long, value_name = "DIR", default_value = "reproduced")]
    out: PathBuf,
}

/// Additional arguments of experiments that learn from the moves of games.
#[derive(Clone, Debug, clap::Args)]
struct GameArgs {
    /// Files or folders of games, instead of those of the data
    #[arg(long, num_args = 1.., value_name = "FILE", required_unless_present = "data")]
    games: Vec<PathBuf>,
    #[command(flatten)]
    held_out: HeldOutArgs,
    /// Description of the games, a sentence for the report
    #[arg(long, default_value = "")]
    about: String,
}

impl ExperimentArgs {
    /// Writes a file to the folder of results, which it creates if necessary.
    fn write(&self, file: &str, content: &str) -> Result<(), CliError> {
        let path = self.out.join(file);
        std::fs::create_dir_all(&self.out)
            .and_then(|()| file::write(&path, content.as_bytes()))
            .map_err(|source| CliError::Write { path, source })
    }

    /// Writes and prints the report.
    fn publish(&self, report: &str) -> Result<ExitCode, CliError> {
        self.write("report.md", report)?;
        println!("{report}");
        println!("written to {}", self.out.join("report.md").display());
        Ok(ExitCode::SUCCESS)
    }
}
