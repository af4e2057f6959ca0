//! `kankei book merge`: one book from several.

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::ExitCode;

use super::input::StrictArg;
use super::output::OutputArgs;
use crate::book::BookEntry;
use crate::command::CliError;
use crate::quote::count;

/// Merge several books.
///
/// Of equal moves, the deeper search is kept, and counts are added. Positions with different move
/// numbers stay apart.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Books of YaneuraOu, text (.db) or binary (.ybb)
    #[arg(required = true)]
    books: Vec<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    strict: StrictArg,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    args.output.check(&args.books)?;
    let mut merged: Vec<BookEntry> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for path in &args.books {
        let (entries, _) = args.strict.read(path)?;
        println!("{}: {}", path.display(), count(entries.len(), "position"));
        for entry in entries {
            match places.get(&entry.sfen) {
                Some(&place) => merged[place].merge(entry.moves),
                None => {
                    places.insert(entry.sfen.clone(), merged.len());
                    let mut new = BookEntry { sfen: entry.sfen, moves: Vec::new() };
                    new.merge(entry.moves);
                    merged.push(new);
                }
            }
        }
    }
    args.output.write(merged)?;
    Ok(ExitCode::SUCCESS)
}
