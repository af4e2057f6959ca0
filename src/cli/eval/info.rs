//! `kankei eval info`: describes a weights file.

use std::process::ExitCode;

use crate::command::CliError;
use crate::command::searcher::EvalArgs;
use crate::lab::description::describe;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    eval: EvalArgs,
    /// Weights file; the same as `--eval FILE`
    #[arg(value_name = "FILE", conflicts_with = "eval")]
    file: Option<String>,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let evaluation = match &args.file {
        Some(file) => EvalArgs::named(file).load()?,
        None => args.eval.load()?,
    };
    print!("{}", describe(&evaluation));
    Ok(ExitCode::SUCCESS)
}
