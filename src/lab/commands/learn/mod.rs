//! `kankei learn`: learns evaluations from games.

mod hoki;
mod label;
mod losses;
mod pairs;
mod pieces;
mod policy;
mod ratings;
mod report;
mod resolve;
mod run_args;
mod td;
mod td_leaf;
mod value;

use std::process::ExitCode;

use clap::Subcommand;

use crate::command::CliError;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: LearnTask,
}

#[derive(Debug, Subcommand)]
enum LearnTask {
    /// Imitate the moves of games by policy gradient
    Policy(policy::Args),
    /// Learn weights of pairs of pieces by linear regression: compares the moves of games with
    /// others
    Pairs(pairs::Args),
    /// Imitate the moves of games by ratings of moves, which Monte-Carlo tree search uses
    Ratings(ratings::Args),
    /// Fit the features of Hoki (2006) to samples
    Hoki(hoki::Args),
    /// Play against a fixed opponent: learn few features by temporal differences
    Td(td::Args),
    /// Play against itself: learn relations by temporal differences at principal leaves. FILE.svg
    /// and FILE.held_out.svg show the curves
    TdLeaf(td_leaf::Args),
    /// Make samples from labelled games: their quiet positions
    Resolve(resolve::Args),
    /// Give the positions of sample files new scores, by a network or by searches
    Label(label::Args),
    /// Fit the weights to samples. FILE.svg shows the curves
    Value(value::Args),
    /// Fit piece values to the labels of samples
    Pieces(pieces::Args),
    /// Losses of evaluations against the labels of held-out samples, by groups
    Losses(losses::Args),
    /// Losses, calibration and agreement with the moves played, on held-out games
    Report(report::Args),
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    match &args.task {
        LearnTask::Policy(args) => policy::run(args),
        LearnTask::Pairs(args) => pairs::run(args),
        LearnTask::Ratings(args) => ratings::run(args),
        LearnTask::Hoki(args) => hoki::run(args),
        LearnTask::Td(args) => td::run(args),
        LearnTask::TdLeaf(args) => td_leaf::run(args),
        LearnTask::Resolve(args) => resolve::run(args),
        LearnTask::Label(args) => label::run(args),
        LearnTask::Value(args) => value::run(args),
        LearnTask::Pieces(args) => pieces::run(args),
        LearnTask::Losses(args) => losses::run(args),
        LearnTask::Report(args) => report::run(args),
    }
}
