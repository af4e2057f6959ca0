//! `kankei reproduce`: reproduces the papers' experiments. Each writes `report.md` and SVG drawings
//! to a folder.

use std::process::ExitCode;

use clap::Subcommand;

use crate::command::CliError;
use crate::papers::{bonanza, mcts, pairs, policy, td};

#[derive(Debug, Subcommand)]
pub(super) enum Paper {
    /// Hoki 2006: futility pruning in a full-width search
    Bonanza(bonanza::futility::Args),
    /// Hoki 2006: the evaluation of the appendix, and the gain of each of its features
    HokiEvaluation(bonanza::evaluation::Args),
    /// Kaneko et al. 2007: pairs of pieces by discriminant analysis of games
    Pairs(pairs::experiment::Args),
    /// Monte-Carlo tree search with the evaluation function
    Mcts(mcts::experiment::Args),
    /// Imitation of recorded moves by policy gradient on KKP and KPP
    Policy(policy::experiment::Args),
    /// Usui, Suzuki, Kotani: few features by temporal differences
    Td(td::experiment::Args),
}

pub(super) fn run(paper: &Paper) -> Result<ExitCode, CliError> {
    match paper {
        Paper::Bonanza(args) => bonanza::futility::run(args),
        Paper::HokiEvaluation(args) => bonanza::evaluation::run(args),
        Paper::Mcts(args) => mcts::experiment::run(args),
        Paper::Pairs(args) => pairs::experiment::run(args),
        Paper::Policy(args) => policy::experiment::run(args),
        Paper::Td(args) => td::experiment::run(args),
    }
}
