//! `kankei book show`: shows the moves of a book for a position.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::book::{Book, BookMove, BookRules};
use crate::command::{CliError, color_name, parse_position};

/// Show the moves of a book for a position, at any move number, rotated or not.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Book in the text format of YaneuraOu
    book: PathBuf,
    /// Position: `startpos` or an SFEN, optionally followed by `moves` and a list, with or without quotes
    #[arg(required = true, num_args = 1..)]
    sfen: Vec<String>,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let pos = parse_position(&args.sfen.join(" "))?;
    let rules = BookRules { any_number: true, turned: true, ..BookRules::default() };
    let page = Book::open(&args.book)?.look_up(&pos, &rules)?;
    page.faults.iter().for_each(|fault| eprintln!("{fault}"));
    println!("{} ({} to move)", pos.to_sfen(), color_name(pos.side_to_move()));
    if page.moves.is_empty() {
        println!("not in the book");
        return Ok(ExitCode::SUCCESS);
    }
    let all: u64 = page.moves.iter().map(|known| known.count).sum();
    println!(
        "{:6} {:6} {:>7} {:>6} {:>9} {:>7}",
        "move", "answer", "score", "depth", "count", "share"
    );
    for BookMove { mv, reply, score, depth, count } in &page.moves {
        let reply = reply.map_or_else(|| "-".to_owned(), |reply| reply.to_string());
        let share = 100.0 * *count as f64 / all.max(1) as f64;
        println!("{:6} {reply:6} {score:>+7} {depth:>6} {count:>9} {share:>5.1} %", mv.to_string());
    }
    Ok(ExitCode::SUCCESS)
}
