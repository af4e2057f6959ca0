//! `kankei book search`: searches the moves of a book.

use std::cmp::Reverse;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use super::input::StrictArg;
use super::output::OutputArgs;
use crate::book::{BookEntry, BookMove};
use crate::cli::reading::{Budget, Reader, Reading};
use crate::command::run_log::{Earlier, RunLog};
use crate::command::searcher::SearcherArgs;
use crate::command::{CliError, interrupt, progress_bar, thread_pool};
use crate::engine::Settings;
use crate::file::with_suffix;
use crate::record::hash_text;
use crate::shogi::Position;

/// Search the moves of a book for scores, depths and replies.
///
/// The results replace those of the book; counts stay. The best move comes first.
///
/// Each position is searched with an empty table. With --nodes or --depth and one thread, the
/// result is reproducible.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Book of YaneuraOu, text (.db) or binary (.ybb)
    book: PathBuf,
    #[command(flatten)]
    output: OutputArgs,
    /// Limit of the search of one move
    #[command(flatten)]
    budget: Budget,
    /// Search only positions up to this move number; others stay unchanged
    #[arg(long, value_name = "N", default_value_t = u32::MAX, hide_default_value = true, value_parser = crate::command::whole_number::<u32>)]
    plies: u32,
    /// Also search each position, and add the best move if the book lacks it
    #[arg(long)]
    add: bool,
    #[command(flatten)]
    strict: StrictArg,
    /// Continue an interrupted run from the checkpoint next to the file of --out
    #[arg(long)]
    resume: bool,
    /// Threads of a search
    #[arg(long, default_value_t = 1, value_parser = crate::command::number_in::<usize>(1..=512))]
    threads: usize,
    /// Transposition table, MiB
    #[arg(long, default_value_t = 16, value_parser = crate::command::hash_mib::<usize>)]
    hash: usize,
    #[command(flatten)]
    searcher: SearcherArgs,
}

pub(super) fn run(args: &Args) -> Result<ExitCode, CliError> {
    let checkpoint = with_suffix(&args.output.out, ".checkpoint");
    let is_over = args.output.is_taken() && !checkpoint.exists();
    if args.resume && is_over {
        println!("{} is complete", args.output.out.display());
        return Ok(ExitCode::SUCCESS);
    }
    let output = args.output.of_run(&checkpoint, args.resume, &args.book)?;
    let (mut entries, _) = args.strict.read(&args.book)?;
    let header = args.header(&entries);
    let earlier = Earlier::of(args.resume, output.force);
    let (mut log, steps) =
        RunLog::open_steps(&checkpoint, &header, earlier, "position searched", parse_step)?;
    let mut is_known = vec![false; entries.len()];
    let count = entries.len();
    for (at, moves) in steps.into_iter().filter(|(at, _)| *at < count) {
        (entries[at].moves, is_known[at]) = (moves, true);
    }
    interrupt::watch();
    let is_done = thread_pool(1)?.install(|| args.search(&mut entries, &is_known, &mut log))?;
    if is_done {
        output.write(entries)?;
        // The book is written, so the checkpoint is no longer needed.
        let _ = fs::remove_file(checkpoint);
    }
    Ok(interrupt::exit_code(is_done))
}

impl Args {
    /// Everything that determines the result, as the first line of the checkpoint.
    fn header(&self, entries: &[BookEntry]) -> String {
        let Args { book, budget, plies, add, threads, hash, searcher, .. } = self;
        let (count, content) = (entries.len(), content(entries));
        format!(
            "# kankei book search {book:?} of {count} positions ({content:016x}), {budget}, --plies \
             {plies}, added: {add}, --threads {threads} --hash {hash} {searcher}"
        )
    }

    /// Searches the remaining positions. Returns false if interrupted.
    fn search(
        &self,
        entries: &mut [BookEntry],
        is_known: &[bool],
        log: &mut RunLog,
    ) -> Result<bool, CliError> {
        let settings =
            Settings { hash_mib: self.hash, threads: self.threads, ..Settings::default() };
        let mut reader = Reader::new((self.searcher.factory()?)(), self.budget.clone(), &settings);
        let bar = progress_bar(entries.len());
        for (at, (entry, is_known)) in entries.iter_mut().zip(is_known).enumerate() {
            let pos = Position::from_sfen(&entry.sfen).expect("positions of a book are valid");
            if !is_known && pos.move_number() <= self.plies {
                let Some(moves) = self.searched(&mut reader, &pos, &entry.moves) else {
                    bar.finish_and_clear();
                    return Ok(false);
                };
                let text: Vec<String> = moves.iter().map(BookMove::to_string).collect();
                log.add(format!("{at} {}\n", text.join(",")).as_bytes())?;
                entry.moves = moves;
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(true)
    }

    /// The moves of a position with the results of the search; `None` if interrupted.
    fn searched(
        &self,
        reader: &mut Reader,
        pos: &Position,
        known: &[BookMove],
    ) -> Option<Vec<BookMove>> {
        let mut moves = known.to_vec();
        reader.new_game();
        if self.add {
            let best = reader.read(pos)?.line.first().copied();
            if let Some(mv) = best.filter(|mv| known.iter().all(|known| known.mv != *mv)) {
                moves.push(BookMove { mv, reply: None, score: 0, depth: 0, count: 0 });
            }
        }
        for known in &mut moves {
            // The position after the move is searched, because the search stops early at a single
            // legal move.
            let mut after = pos.clone();
            after.do_move(known.mv);
            let Reading { score, depth, line, .. } = reader.read(&after)?;
            let (reply, depth) = (line.first().copied(), depth + 1);
            *known = BookMove { reply, depth, ..known.with_score(score.before_move()) };
        }
        moves.sort_by_key(|known| Reverse((known.score, known.count)));
        Some(moves)
    }
}

/// A hash of the book: results of one book are not those of another.
fn content(entries: &[BookEntry]) -> u64 {
    entries.iter().fold(0, |hash, BookEntry { sfen, moves }| {
        let hash = hash_text(hash, sfen);
        moves.iter().fold(hash, |hash, known| hash_text(hash, &known.to_string()))
    })
}

/// Reads a line of the checkpoint: the index of a position in the book, and its moves.
fn parse_step(line: &str) -> Option<(usize, Vec<BookMove>)> {
    let (at, moves) = line.split_once(' ')?;
    // A position may have no moves.
    let moves = moves
        .split(',')
        .filter(|text| !text.is_empty())
        .map(str::parse)
        .collect::<Result<Vec<BookMove>, ()>>();
    Some((at.parse().ok()?, moves.ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_also_without_moves() {
        assert_eq!(parse_step("5 "), Some((5, Vec::new())));
        let read = parse_step("5 7g7f none 1 2 3,2g2f none 1 2 3").map(|(_, moves)| moves.len());
        assert_eq!(read, Some(2));
        assert_eq!(parse_step("5 x"), None);
    }
}
