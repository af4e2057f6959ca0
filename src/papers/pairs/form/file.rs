//! The weights file.
//!
//! ```text
//! magic    8 bytes "KANKEI\0P"
//! the rest is one zstd frame with a checksum of its content; all numbers are little-endian:
//! version  u16   1
//! weights  [RELATIONS] i8, in the order of relation_index
//! ```

use std::io::{self, Read, Write};
use std::sync::Arc;

use super::{PairWeights, RELATIONS};
use crate::eval::FormReader;
use crate::eval::learned::file::WeightsError;

/// The first bytes of a file.
pub(super) const MAGIC: &[u8; 8] = b"KANKEI\0P";
const VERSION: u16 = 1;

/// Reads the files.
pub const READER: FormReader =
    FormReader { magic: MAGIC, read: |input| Ok(Arc::new(read(input)?)) };

/// Writes weights with zstd at the compression `level`, 1 to 22.
///
/// # Errors
/// Returns the error of writing to `out`.
pub fn write(weights: &PairWeights, mut out: impl Write, level: i32) -> io::Result<()> {
    out.write_all(MAGIC)?;
    let mut out = zstd::Encoder::new(out, level)?;
    out.include_checksum(true)?;
    out.write_all(&VERSION.to_le_bytes())?;
    out.write_all(&weights.triangle().iter().map(|&weight| weight as u8).collect::<Vec<u8>>())?;
    out.finish()?.flush()
}

/// Reads the weights after the [`MAGIC`].
///
/// # Errors
/// Returns [`WeightsError`] if the file is corrupt or has another version.
pub(super) fn read(input: impl Read) -> Result<PairWeights, WeightsError> {
    let mut input = zstd::Decoder::new(input)?;
    let mut version = [0; 2];
    input.read_exact(&mut version)?;
    let found = u16::from_le_bytes(version);
    if found != VERSION {
        return Err(WeightsError::Version { found, latest: VERSION });
    }
    let mut bytes = vec![0; RELATIONS];
    input.read_exact(&mut bytes)?;
    // The checksum is at the end, so reading to the end verifies it.
    if input.read(&mut [0])? != 0 {
        return Err(WeightsError::Trailing);
    }
    let weights: Vec<i8> = bytes.into_iter().map(|byte| byte as i8).collect();
    PairWeights::new(&weights).ok_or(WeightsError::Content)
}
