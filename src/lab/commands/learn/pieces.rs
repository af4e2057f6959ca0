//! `kankei learn pieces`: piece values fitted to the labels of samples.

use std::path::PathBuf;
use std::process::ExitCode;

use rayon::prelude::*;

use super::samples::read_samples;
use crate::command::{CliError, progress_bar, thread_pool};
use crate::eval::material;
use crate::lab::learn::LearnError;
use crate::lab::learn::piece_values::{Balance, PieceValues};
use crate::shogi::PieceKind;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// File of labelled samples
    #[arg(long, value_name = "FILE")]
    samples: PathBuf,
    /// Centipawns of their scores that multiply the odds of winning by e
    #[arg(long, value_name = "CP", value_parser = super::run_args::positive)]
    score_scale: f32,
    /// Threads; 0 = all cores
    #[arg(long, default_value_t = 0)]
    threads: usize,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let samples = read_samples(&args.samples)?.samples;
    let pool = thread_pool(args.threads)?;
    let bar = progress_bar(samples.len());
    let balance = |sample| {
        bar.inc(1);
        Balance::new(sample, args.score_scale)
    };
    let fitted = pool.install(|| {
        let balances: Vec<Balance> =
            samples.par_iter().with_min_len(1 << 8).filter_map(balance).collect();
        PieceValues::fit(&balances)
    });
    bar.finish_and_clear();
    let fitted = fitted.ok_or_else(|| LearnError::NoValues(args.samples.clone()))?;
    print!("{}", describe(&fitted));
    Ok(ExitCode::SUCCESS)
}

fn describe(fitted: &PieceValues) -> String {
    let mut text = format!(
        "Excess {:.4} nats, {:.0} cp per factor e, tempo {:.0} cp.\n\n\
         | piece | on the board | current | in hand | current |\n|---|---|---|---|---|\n",
        fitted.excess, fitted.scale, fitted.tempo
    );
    for kind in PieceKind::ALL.into_iter().filter(|&kind| kind != PieceKind::King) {
        let held = kind.hand_piece().filter(|held| held.kind() == kind);
        let hand = held.map_or_else(String::new, |held| {
            format!("{:.0} | {}", fitted.hand[held.index()], material::hand_value(held))
        });
        let (board, now) = (fitted.board[kind.index()], material::board_value(kind));
        let hand = if hand.is_empty() { " | " } else { &hand };
        text += &format!("| {kind:?} | {board:.0} | {now} | {hand} |\n");
    }
    text
}
