//! The file of move ratings.
//!
//! ```text
//! magic    8 bytes "KANKEI\0R"
//! the rest is one zstd frame with a checksum of its content; all numbers are little-endian:
//! version  u16   1
//! weights  u32   number of weights
//! weights  the weights as i16: all low bytes, then all high bytes
//! ```

use std::io::{self, Read, Write};

use super::features::FEATURES;
use super::move_ratings::MoveRatings;
use crate::eval::learned::file::{WeightsError, read_number, read_numbers, write_numbers};

const MAGIC: &[u8; 8] = b"KANKEI\0R";
/// The format version. It changes with the features.
const VERSION: u16 = 1;

/// Writes ratings with zstd at the compression `level`, 1 to 22.
///
/// # Errors
/// Returns the error of writing to `out`.
pub fn write(ratings: &MoveRatings, mut out: impl Write, level: i32) -> io::Result<()> {
    out.write_all(MAGIC)?;
    let mut out = zstd::Encoder::new(out, level)?;
    out.include_checksum(true)?;
    out.write_all(&VERSION.to_le_bytes())?;
    out.write_all(&(ratings.weights().len() as u32).to_le_bytes())?;
    write_numbers(&mut out, ratings.weights())?;
    out.finish()?.flush()
}

/// Reads ratings.
///
/// # Errors
/// Returns [`WeightsError`] if the file is not a ratings file, is corrupt, or has another version.
pub fn read(mut input: impl Read) -> Result<MoveRatings, WeightsError> {
    let mut magic = [0; MAGIC.len()];
    input.read_exact(&mut magic)?;
    if &magic != MAGIC {
        return Err(WeightsError::Magic(String::from_utf8_lossy(&magic).into_owned()));
    }
    let mut input = zstd::Decoder::new(input)?;
    let version = read_number(&mut input)?;
    if version != VERSION {
        return Err(WeightsError::Version { found: version, latest: VERSION });
    }
    let mut count = [0; 4];
    input.read_exact(&mut count)?;
    let count = u32::from_le_bytes(count) as usize;
    if count != FEATURES {
        return Err(WeightsError::Content);
    }
    let weights = read_numbers(&mut input, count)?;
    // The checksum is at the end, so reading to the end verifies it.
    if input.read(&mut [0])? != 0 {
        return Err(WeightsError::Trailing);
    }
    MoveRatings::new(weights).ok_or(WeightsError::Content)
}
