//! Writes learned weights in the formats that the evaluation reads.

use std::io::{self, Write};
use std::path::Path;

use super::LearnError;
use crate::eval::features::{self, FeatureWeights};
use crate::eval::hoki::{self, HokiWeights};
use crate::eval::learned::{Weights, file};
use crate::eval::pairs::{self, PairWeights};
use crate::eval::ratings::{self, MoveRatings};
use crate::file::AtomicFile;

/// Compression level of zstd.
const ZSTD_LEVEL: i32 = 12;

/// Writes a complete weights file or none.
///
/// # Errors
/// [`LearnError::Write`].
pub fn write_weights(path: &Path, weights: &Weights) -> Result<(), LearnError> {
    write(path, |file| file::write(weights, file, ZSTD_LEVEL))
}

/// Writes the weights of pairs of pieces.
///
/// # Errors
/// [`LearnError::Write`].
pub fn write_pair_weights(path: &Path, weights: &PairWeights) -> Result<(), LearnError> {
    write(path, |file| pairs::file::write(weights, file, ZSTD_LEVEL))
}

/// Writes the weights of few features.
///
/// # Errors
/// [`LearnError::Write`].
pub fn write_feature_weights(path: &Path, weights: &FeatureWeights) -> Result<(), LearnError> {
    write(path, |file| file.write_all(features::file::write(weights).as_bytes()))
}

/// Writes the weights of the features of Hoki (2006).
///
/// # Errors
/// [`LearnError::Write`].
pub fn write_hoki_weights(path: &Path, weights: &HokiWeights) -> Result<(), LearnError> {
    write(path, |file| hoki::file::write(weights, file, ZSTD_LEVEL))
}

/// Writes the move ratings.
///
/// # Errors
/// [`LearnError::Write`].
pub fn write_ratings(path: &Path, ratings: &MoveRatings) -> Result<(), LearnError> {
    write(path, |file| ratings::file::write(ratings, file, ZSTD_LEVEL))
}

fn write(
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
