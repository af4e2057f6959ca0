//! The opening book of a session.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::output::SharedOutput;
use super::response::info_line;
use crate::book::{Book, BookMove, BookRules};
use crate::engine::Info;
use crate::rng::Rng;
use crate::shogi::Position;

/// The book in use, opened on first use. Errors are reported, and the engine then plays without a
/// book.
pub(super) struct Opening {
    /// The last requested file; `book` is `None` if it could not be opened.
    path: Option<PathBuf>,
    book: Option<Book>,
    /// The file and the rules for which the size of the book was last reported.
    reported: Option<(PathBuf, BookRules)>,
    rng: Rng,
}

/// Largest book whose positions are counted before a game, bytes. A larger one takes seconds.
const MOST_COUNTED: u64 = 64 << 20;

impl Opening {
    pub(super) fn new(seed: u64) -> Opening {
        Opening { path: None, book: None, reported: None, rng: Rng::from_seed(seed) }
    }

    /// Opens this book. Reports once, and after a change of the rules, how many positions it has
    /// and in how many the rules select a move.
    pub(super) fn prepare(&mut self, wanted: Option<&(PathBuf, BookRules)>, output: &SharedOutput) {
        self.open(wanted.map(|(path, _)| path.as_path()), output);
        if self.reported.as_ref() == wanted {
            return;
        }
        self.reported = wanted.cloned();
        if let (Some(book), Some((path, rules))) = (&mut self.book, wanted)
            && path.metadata().is_ok_and(|data| data.len() <= MOST_COUNTED)
        {
            match book.size(rules) {
                Ok(size) => output.remark(&size.to_string()),
                Err(error) => output.remark(&format!("BookFile: {error}")),
            }
        }
    }

    /// Opens this book, unless it was also the last request.
    pub(super) fn open(&mut self, path: Option<&Path>, output: &SharedOutput) {
        if self.path.as_deref() == path {
            return;
        }
        (self.path, self.book) = (path.map(Path::to_owned), None);
        match path.map(Book::open) {
            Some(Ok(book)) => {
                if book.is_in_memory() {
                    let path = book.path().display();
                    output.remark(&format!("BookFile {path} is not sorted; loaded into memory"));
                }
                self.book = Some(book);
            }
            Some(Err(error)) => output.remark(&format!("BookFile: {error}; no book is used")),
            None => {}
        }
    }

    /// A book move for the position, if the rules allow one. Shows the other moves that they allow.
    pub(super) fn choose(
        &mut self,
        pos: &Position,
        rules: &BookRules,
        output: &SharedOutput,
    ) -> Option<BookMove> {
        let is_over = pos.move_number() > rules.last_move;
        let book = self.book.as_mut().filter(|_| !is_over)?;
        match book.look_up(pos, rules) {
            Ok(page) => {
                if let Some((first, others)) = page.faults.split_first() {
                    let others = match others.len() {
                        0 => String::new(),
                        count => format!("; {count} more"),
                    };
                    output.remark(&format!("BookFile {first}{others}"));
                }
                let chosen = rules.choose(pos.side_to_move(), &page.moves, &mut self.rng)?;
                show_others(rules.allowed(pos.side_to_move(), &page.moves), chosen, output);
                Some(chosen)
            }
            Err(error) => {
                output.remark(&format!("BookFile: {error}; no book is used any more"));
                self.book = None;
                None
            }
        }
    }
}

/// Shows the shares with which the rules choose among several moves, then the moves that were not
/// chosen as the second and further lines, best first. The answer shows the chosen move as the
/// first line.
fn show_others(mut allowed: Vec<&BookMove>, chosen: BookMove, output: &SharedOutput) {
    if allowed.len() < 2 {
        return;
    }
    allowed.sort_by_key(|known| Reverse((known.score, known.count)));
    let total: u64 = allowed.iter().map(|known| known.weight()).sum();
    let share = |known: &&BookMove| {
        let percent = 100.0 * known.weight() as f64 / total as f64;
        format!("{} {percent:.0} %", known.mv)
    };
    let shares: Vec<String> = allowed.iter().map(share).collect();
    output.remark(&format!("book: {}", shares.join(", ")));
    let others = allowed.into_iter().filter(|known| known.mv != chosen.mv);
    for (rank, other) in (2..).zip(others) {
        output.write(&info_line(&Info { multi_pv: rank, ..other.to_info(Duration::ZERO) }));
    }
}
