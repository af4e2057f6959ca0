//! The input of commands that read whole books.

use std::path::Path;

use crate::book::{self, BookContent, BookEntry};
use crate::command::CliError;

/// Errors of a book that are printed one by one.
const PRINTED: usize = 20;

/// What happens to invalid entries of a book.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct StrictArg {
    /// Stop at the first invalid entry instead of skipping all of them
    #[arg(long)]
    strict: bool,
}

impl StrictArg {
    /// The valid entries of a book, and the number of lines, moves or positions that were skipped.
    /// They are reported on standard error.
    ///
    /// # Errors
    /// The first error of a book that has no valid move, or of any book with `--strict`.
    pub fn read(self, path: &Path) -> Result<(Vec<BookEntry>, usize), CliError> {
        let BookContent { entries, faults } = book::read_valid(path)?;
        let has_moves = entries.iter().any(|entry| !entry.moves.is_empty());
        let skipped = faults.len();
        let mut faults = faults.into_iter();
        if self.strict || !has_moves {
            return faults.next().map_or(Ok((entries, 0)), |fault| Err(fault.into()));
        }
        faults.by_ref().take(PRINTED).for_each(|fault| eprintln!("{fault}; skipped"));
        let rest = faults.count();
        if rest > 0 {
            eprintln!("{}: {rest} more errors; skipped", path.display());
        }
        Ok((entries, skipped))
    }
}
