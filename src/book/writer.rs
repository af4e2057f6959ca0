//! Writes books.

use std::io::{self, Write};

use super::BookEntry;
use super::line::{HEADER, Key};

/// Writes a book with sorted positions, so that it can be searched on disk. Positions without moves
/// are omitted.
///
/// # Errors
/// The errors of the output.
pub fn write(out: &mut dyn Write, mut entries: Vec<BookEntry>) -> io::Result<()> {
    entries.retain(|entry| !entry.moves.is_empty());
    let order = |entry: &BookEntry| {
        let Key { text, number } = Key::of(entry.sfen.as_bytes());
        (text.to_vec(), number)
    };
    entries.sort_by_cached_key(order);
    writeln!(out, "{HEADER} 1.00\n# NOE:{}", entries.len())?;
    for entry in &entries {
        writeln!(out, "sfen {}", entry.sfen)?;
        entry.moves.iter().try_for_each(|known| writeln!(out, "{known}"))?;
    }
    Ok(())
}
