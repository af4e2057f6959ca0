//! `kankei eval values`: prints the values of many positions.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::command::CliError;
use crate::command::searcher::EvalArgs;
use crate::command::suite_line::{self, Line};
use crate::eval::nnue::{self, FvScale};
use crate::eval::{Evaluation, Kernel};
use crate::file;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// File with one position per line: `startpos` or an SFEN, optionally followed by `moves` and a
    /// list; the text after ` ; ` or ` | `, and comments after `#`, are ignored. May be compressed
    /// with zstd
    file: PathBuf,
    #[command(flatten)]
    eval: EvalArgs,
    /// Print an NNUE file's own unit, after FV_SCALE and before calibration, instead of centipawns
    #[arg(long)]
    raw: bool,
    /// FV_SCALE of `--raw`, 1 to 128; by default that of the file, or 16
    #[arg(long, value_name = "SCALE", requires = "raw", value_parser = fv_scale)]
    fv_scale: Option<FvScale>,
}

fn fv_scale(text: &str) -> Result<FvScale, String> {
    let scale = text.parse().ok().and_then(FvScale::new);
    scale.ok_or_else(|| format!("{text:?} is not a whole number from 1 to {}", FvScale::MAX))
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let text = read_text(&args.file)?;
    let evaluation = args.eval.load()?;
    let mut out = BufWriter::new(io::stdout().lock());
    for line in suite_line::lines(&text) {
        let value = value(args, &evaluation, &line).map_err(|reason| CliError::SuiteLine {
            path: args.file.clone(),
            line: line.number,
            reason,
        })?;
        writeln!(out, "{value}").map_err(CliError::Print)?;
    }
    out.flush().map_err(CliError::Print)?;
    Ok(ExitCode::SUCCESS)
}

/// The value of a line's position for the side to move, or the reason why the position has none.
fn value(args: &Args, evaluation: &Evaluation, line: &Line) -> Result<i32, String> {
    let pos = line.position_to_evaluate()?;
    match evaluation {
        _ if !args.raw => Ok(evaluation.evaluate(&pos).to_cp()),
        Evaluation::Nnue(network) => {
            let raw = nnue::full::raw(network, Kernel::detect(), &pos);
            let raw = raw.ok_or("the network needs both kings, and a king is missing")?;
            let scale = args.fv_scale.unwrap_or(network.recommended_fv_scale());
            Ok(network.own_value(raw, scale))
        }
        _ => Err("--raw needs an NNUE file, and this evaluation is not one".to_owned()),
    }
}

/// Reads a whole file, and unpacks it if it is compressed.
pub(super) fn read_text(path: &Path) -> Result<String, CliError> {
    let failed = |source| CliError::Read { path: path.to_owned(), source };
    let mut bytes = file::read(path).map_err(failed)?;
    if bytes.starts_with(&ZSTD) {
        bytes = zstd::decode_all(&bytes[..]).map_err(failed)?;
    }
    file::decode(path, &bytes).map_err(failed)
}

/// The first bytes of a zstd frame (RFC 8878).
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
