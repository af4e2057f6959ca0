//! The interface of the formats to the reader.

use std::io;

use super::lines::{Broken, Reading};

/// The records of a file in order.
pub(super) trait Records: Send {
    /// The next record. An inner error concerns one game; an outer error ends the file.
    fn next(&mut self) -> Option<io::Result<Result<Reading, Broken>>>;
}
