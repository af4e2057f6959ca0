//! `kankei eval depths`: the mean score of positions at each depth of search.
//!
//! An evaluation gives the side to move a bonus for the move (tempo). If the bonus is right, the
//! static evaluation and a search of one ply have the same mean.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use rayon::prelude::*;

use super::values::read_text;
use crate::command::searcher::SearcherArgs;
use crate::command::suite_line::{self, BadLine, Line};
use crate::command::{CliError, at_least_one, number_in, progress_bar, thread_pool};
use crate::engine::{Bound, Control, Engine, Limits, Query, Report};
use crate::eval::Evaluation;
use crate::quote::count;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// File with one position per line: `startpos` or an SFEN, optionally followed by `moves` and a
    /// list; the text after ` ; ` or ` | `, and comments after `#`, are ignored. May be compressed
    /// with zstd
    file: PathBuf,
    /// Depth of the searches
    #[arg(long, default_value_t = 10, value_parser = number_in::<u32>(1..=100))]
    depth: u32,
    /// Leave out positions with a score beyond this at any depth, centipawns
    #[arg(long, value_name = "CP", default_value_t = 1_500, value_parser = at_least_one::<u32>)]
    within: u32,
    /// Positions searched in parallel, 0 for all cores
    #[arg(long, default_value_t = 0, value_parser = crate::command::whole_number::<usize>)]
    threads: usize,
    #[command(flatten)]
    searcher: SearcherArgs,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let text = read_text(&args.file)?;
    let lines: Vec<Line> = suite_line::lines(&text).collect();
    let evaluation = args.searcher.evaluation()?;
    let new_engine = args.searcher.factory_with(evaluation.clone())?;
    let bar = progress_bar(lines.len());
    let scored = thread_pool(args.threads)?.install(|| {
        let scores = |engine: &mut Box<dyn Engine>, line: &Line| {
            let scores = scores(line, &evaluation, engine.as_mut(), args.depth);
            bar.inc(1);
            scores.map_err(|reason| CliError::SuiteLine {
                path: args.file.clone(),
                line: line.number,
                reason,
            })
        };
        lines.par_iter().map_init(new_engine, scores).collect::<Result<Vec<_>, CliError>>()
    });
    bar.finish_and_clear();
    let scored = scored?;

    let used: Vec<&[i32]> = scored
        .iter()
        .flatten()
        .map(Vec::as_slice)
        .filter(|row| is_within(row, args.within))
        .collect();
    println!(
        "{} of {}, within {} centipawns",
        used.len(),
        count(lines.len(), "position"),
        args.within
    );
    println!("{:>6} {:>10}", "depth", "mean score");
    if !used.is_empty() {
        for depth in 0..=args.depth as usize {
            let name = if depth == 0 { "static".to_owned() } else { depth.to_string() };
            println!("{name:>6} {:>10.1}", mean(used.iter().map(|row| row[depth])));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The scores of a position for its side to move, in centipawns: the static evaluation, then one
/// score per depth. `None` if the search ends before the last depth.
fn scores(
    line: &Line,
    evaluation: &Evaluation,
    engine: &mut dyn Engine,
    depth: u32,
) -> Result<Option<Vec<i32>>, BadLine> {
    let pos = line.position()?;
    let mut scores = vec![Some(evaluation.evaluate(&pos).to_cp())];
    scores.resize(depth as usize + 1, None);
    let mut note = |report| {
        if let Report::Line(info) = report
            && info.bound == Bound::Exact
            && let Some(score) = scores[1..].get_mut((info.depth as usize).wrapping_sub(1))
        {
            *score = Some(info.score.to_cp());
        }
    };
    engine.new_game();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let control = Control::new(Instant::now());
    engine.search(Query::new(&pos, &limits, &control), &mut note);
    Ok(scores.into_iter().collect())
}

fn is_within(scores: &[i32], most: u32) -> bool {
    scores.iter().all(|score| score.unsigned_abs() <= most)
}

fn mean(scores: impl ExactSizeIterator<Item = i32>) -> f64 {
    let count = scores.len() as f64;
    scores.map(f64::from).sum::<f64>() / count
}
