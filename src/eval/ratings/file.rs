//! The file of move ratings.
//!
//! ```text
//! magic    8 bytes "KANKEI\0R"
//! the rest is one zstd frame with a checksum of its content; all numbers little-endian:
//! version  u16   1
//! weights  u32   how many
//! weights  that many i16: all low bytes, then all high bytes
//! ```

use std::io::{self, Read, Write};

use super::MoveRatings;
use super::features::FEATURES;
use crate::eval::learned::file::{WeightsError, read_number, read_numbers, write_numbers};

const MAGIC: &[u8; 8] = b"KANKEI\0R";
/// Changes with the features.
const VERSION: u16 = 1;

/// Writes ratings at a compression `level` of zstd, 1 to 22.
///
/// # Errors
/// Whatever writing to `out` returns.
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
/// [`WeightsError`] for a file that is none, corrupt, or of another version.
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
    // The checksum comes last: reading to the end checks it.
    if input.read(&mut [0])? != 0 {
        return Err(WeightsError::Trailing);
    }
    MoveRatings::new(weights).ok_or(WeightsError::Content)
}
