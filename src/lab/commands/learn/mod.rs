//! `kankei learn`: the evaluation learned from games.

mod course;
mod label;
mod losses;
mod pieces;
mod policy;
mod report;
mod resolve;
mod value;

use std::process::ExitCode;

use clap::Subcommand;

pub(crate) use self::course::{HeldOutArgs, Method, Plan, describe, write_weights};
use crate::command::CliError;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Imitate the moves of games by policy gradient
    Policy(policy::Args),
    /// Play out the exchanges of labelled games: quiet positions to learn from
    Resolve(resolve::Args),
    /// Give the positions of sample files new scores: of a network, or of searches
    Label(label::Args),
    /// Fit the weights to samples
    Value(value::Args),
    /// Piece values that explain the labels of samples best
    Pieces(pieces::Args),
    /// How far evaluations are from the labels of held-out samples, by groups
    Losses(losses::Args),
    /// Losses, calibration and agreement with the moves played, on held-out games
    Report(report::Args),
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    match &args.task {
        Task::Policy(args) => policy::run(args),
        Task::Resolve(args) => resolve::run(args),
        Task::Label(args) => label::run(args),
        Task::Value(args) => value::run(args),
        Task::Pieces(args) => pieces::run(args),
        Task::Losses(args) => losses::run(args),
        Task::Report(args) => report::run(args),
    }
}
