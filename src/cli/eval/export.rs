//! `kankei eval export`: writes a learned network for other programs.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::command::CliError;
use crate::command::output::{ForceArg, not_written};
use crate::command::searcher::EvalArgs;
use crate::eval::Evaluation;
use crate::lab::nnue_file::{Exported, export};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Weights of a network, learned by `learn value --form standalone`
    #[arg(value_name = "WEIGHTS")]
    weights: String,
    /// NNUE file to write; most programs look for `nn.bin`
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    force: ForceArg,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    args.force.check(&[&args.out], &[PathBuf::from(&args.weights)])?;
    let evaluation = EvalArgs::named(&args.weights).load()?;
    let network = match &evaluation {
        Evaluation::Learned(weights) if weights.is_standalone() => weights.network(),
        _ => None,
    };
    let network = network.ok_or_else(|| CliError::NotStandalone(args.weights.clone().into()))?;
    let unwritten = |source| not_written(&args.out, source);
    let mut file = args.force.create(&args.out).map_err(unwritten)?;
    let Exported { form, fv_scale, largest_error } =
        export(network, &mut file).map_err(unwritten)?;
    file.finish().map_err(unwritten)?;
    println!("{}: {form}", args.out.display());
    println!("set FV_SCALE to {fv_scale} in the program that uses the file");
    println!(
        "output weights are rounded to 8 bits; values change by less than {largest_error:.0} \
         centipawns"
    );
    Ok(ExitCode::SUCCESS)
}
