//! `kankei learn`: learns evaluations from games.

use std::process::ExitCode;

use clap::Subcommand;

use crate::command::CliError;
use crate::lab::commands::learn::{label, losses, report, resolve, value, yardstick};
use crate::papers::{bonanza, mcts, pairs, policy, td};

#[derive(Debug, Subcommand)]
pub(super) enum LearnTask {
    /// Imitate the moves of games by policy gradient
    Policy(policy::command::Args),
    /// Learn weights of pairs of pieces by linear regression: compares the moves of games with
    /// others
    Pairs(pairs::command::Args),
    /// Imitate the moves of games by ratings of moves, which Monte-Carlo tree search uses
    Ratings(mcts::command::Args),
    /// Fit the features of Hoki (2006) to samples
    Hoki(bonanza::command::Args),
    /// Play against a fixed opponent: learn few features by temporal differences
    Td(td::command::Args),
    /// Make samples from labelled games: their quiet positions
    Resolve(resolve::Args),
    /// Give the positions of sample files new scores, by a network or by searches
    Label(label::Args),
    /// Fit the weights to samples. FILE.svg shows the curves
    Value(value::Args),
    /// Score one position of each game by deep searches, as a reference for evaluations
    Yardstick(yardstick::Args),
    /// Losses of evaluations against the labels of held-out samples, by groups
    Losses(losses::Args),
    /// Losses, calibration and agreement with the moves played, on held-out games
    Report(report::Args),
}

pub(super) fn run(task: &LearnTask) -> Result<ExitCode, CliError> {
    match task {
        LearnTask::Policy(args) => policy::command::run(args),
        LearnTask::Pairs(args) => pairs::command::run(args),
        LearnTask::Ratings(args) => mcts::command::run(args),
        LearnTask::Hoki(args) => bonanza::command::run(args),
        LearnTask::Td(args) => td::command::run(args),
        LearnTask::Resolve(args) => resolve::run(args),
        LearnTask::Label(args) => label::run(args),
        LearnTask::Value(args) => value::run(args),
        LearnTask::Yardstick(args) => yardstick::run(args),
        LearnTask::Losses(args) => losses::run(args),
        LearnTask::Report(args) => report::run(args),
    }
}
