//! Writes learned weights in the formats that the evaluation reads.

use std::io;
use std::path::Path;

use super::LearnError;
use crate::eval::learned::{Weights, file};
use crate::file::AtomicFile;

/// Compression level of zstd.
pub(crate) const ZSTD_LEVEL: i32 = 12;

/// Writes a complete weights file or none.
///
/// # Errors
/// [`LearnError::Write`].
pub fn write_weights(path: &Path, weights: &Weights) -> Result<(), LearnError> {
    write_file(path, |file| file::write(weights, file, ZSTD_LEVEL))
}

/// Writes a complete file with this content or none.
pub(crate) fn write_file(
    path: &Path,
    content: impl FnOnce(&mut AtomicFile) -> io::Result<()>,
) -> Result<(), LearnError> {
    let write = || {
        let mut file = AtomicFile::create(path)?;
        content(&mut file)?;
        file.finish()
    };
    write().map_err(LearnError::write(path))
}
