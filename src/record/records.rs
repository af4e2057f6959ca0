//! What every format gives its reader: one record after the other.

use std::io;

use super::lines::{Broken, Reading};

/// The records of a file in turn.
pub(super) trait Records: Send {
    /// The next record: the inner error is that of one game, the outer one ends the file.
    fn next(&mut self) -> Option<io::Result<Result<Reading, Broken>>>;

    /// Variations that were passed over so far.
    fn variations(&self) -> usize {
        0
    }
}
