//! Files of samples that a command reads.

use std::path::Path;

use crate::lab::learn::{LearnError, SampleSet, SkippedRecords};

/// Reads a whole file and refuses an empty one. Training positions that cannot be read are reported
/// on standard error.
///
/// # Errors
/// As [`SampleSet::read_some`].
pub(crate) fn read_samples(path: &Path) -> Result<SampleSet, LearnError> {
    let set = SampleSet::read_some(path)?;
    report_skipped(&set.skipped);
    Ok(set)
}

/// Reports training positions that cannot be read on standard error.
pub(super) fn report_skipped(skipped: &SkippedRecords) {
    if skipped.count > 0 {
        eprintln!("{skipped}");
    }
}
