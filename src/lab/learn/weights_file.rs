//! Learned weights written as the evaluation reads them.

use std::path::Path;

use super::LearnError;
use crate::eval::learned::{Weights, file};
use crate::file::AtomicFile;

/// How hard zstd tries on the weights.
const ZSTD_LEVEL: i32 = 12;

/// Writes a weights file whole or not at all.
///
/// # Errors
/// [`LearnError::Write`].
pub fn write_weights(path: &Path, weights: &Weights) -> Result<(), LearnError> {
    let write = || {
        let mut file = AtomicFile::create(path)?;
        file::write(weights, &mut file, ZSTD_LEVEL)?;
        file.finish()
    };
    write().map_err(LearnError::write(path))
}
