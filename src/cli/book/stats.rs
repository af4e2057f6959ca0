//! `kankei book stats`: what a book holds.

use std::path::PathBuf;
use std::process::ExitCode;

use super::input::StrictArg;
use crate::book::BookRules;
use crate::command::CliError;
use crate::shogi::Position;

/// Count positions and moves of a book, and the positions in which the default rules select a move.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Book of YaneuraOu, text (.db) or binary (.ybb)
    book: PathBuf,
    #[command(flatten)]
    strict: StrictArg,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let (entries, skipped) = args.strict.read(&args.book)?;
    let rules = BookRules::default();
    let (mut playable, mut beyond, mut choices) = (0, 0, 0);
    let mut depths = Vec::new();
    for entry in &entries {
        let pos = Position::from_sfen(&entry.sfen).expect("the book was read");
        let allowed = rules.allowed(pos.side_to_move(), &entry.moves).len();
        playable += usize::from(allowed > 0);
        choices += usize::from(allowed > 1);
        beyond += usize::from(pos.move_number() > rules.last_move);
        depths.extend(entry.moves.iter().map(|known| known.depth));
    }
    depths.sort_unstable();
    let depth = |share: usize| depths.get(share * depths.len() / 100).copied().unwrap_or_default();
    let games: u64 = entries.iter().flat_map(|entry| &entry.moves).map(|known| known.count).sum();
    println!("positions      {}", entries.len());
    println!("moves          {}", depths.len());
    println!("skipped        {skipped} invalid");
    println!("counts         {games}");
    let most = depths.last().copied().unwrap_or_default();
    println!("depth          {} least, {} median, {most} most", depth(0), depth(50));
    println!("with a move    {playable} by the default limits of depth, score and difference");
    println!("with a choice  {choices}");
    println!("beyond move {}  {beyond}; set BookMoves to play them", rules.last_move);
    Ok(ExitCode::SUCCESS)
}
