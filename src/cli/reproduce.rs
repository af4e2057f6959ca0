//! `kankei reproduce`: reproduces the papers' experiments. Each writes `report.md` and SVG drawings
//! to a folder.

use std::process::ExitCode;

use clap::{Arg, Subcommand};

use crate::command::CliError;
use crate::papers::{bonanza, mcts, pairs, policy, td};

#[derive(Debug, Subcommand)]
pub(super) enum Paper {
    /// Hoki 2006: futility pruning in a full-width search
    #[command(mut_arg("out", in_folder("reproduced/bonanza")))]
    Bonanza(bonanza::futility::Args),
    /// Hoki 2006: the evaluation of the appendix, and the gain of each of its features
    #[command(mut_arg("out", in_folder("reproduced/hoki-evaluation")))]
    HokiEvaluation(bonanza::evaluation::Args),
    /// Kaneko et al. 2007: pairs of pieces by discriminant analysis of games
    #[command(mut_arg("out", in_folder("reproduced/pairs")))]
    Pairs(pairs::experiment::Args),
    /// Monte-Carlo tree search with the evaluation function
    #[command(mut_arg("out", in_folder("reproduced/mcts")))]
    Mcts(mcts::experiment::Args),
    /// Imitation of recorded moves by policy gradient on KKP and KPP
    #[command(mut_arg("out", in_folder("reproduced/policy")))]
    Policy(policy::experiment::Args),
    /// Usui, Suzuki, Kotani: few features by temporal differences
    #[command(mut_arg("out", in_folder("reproduced/td")))]
    Td(td::experiment::Args),
}

/// The default folder of an experiment: no experiment replaces the report of another.
fn in_folder(folder: &'static str) -> impl FnOnce(Arg) -> Arg {
    move |out| out.default_value(folder)
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
