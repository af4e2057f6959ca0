//! The weights file.
//!
//! ```text
//! magic    8 bytes "KANKEI\0H"
//! the rest is one zstd frame with a checksum of its content; all numbers are little-endian:
//! version  u16   1
//! unit     u16   weight units per centipawn (16)
//! groups   u16   number of groups; missing groups are disabled
//! each group:
//!   length   u16   length of the name
//!   name     bytes of the name
//!   weights  u32   number of weights
//!   weights  the weights as i16: all low bytes, then all high bytes
//! ```

use std::io::{self, Read, Write};
use std::sync::Arc;

use super::group::HokiGroup;
use super::weights::{HokiTables, HokiWeights, UNIT};
use crate::eval::FormReader;
use crate::eval::learned::file::{WeightsError, read_number, read_numbers, write_numbers};

/// The first bytes of a file.
pub(super) const MAGIC: &[u8; 8] = b"KANKEI\0H";
const VERSION: u16 = 1;

/// Reads the files.
pub const READER: FormReader =
    FormReader { magic: MAGIC, read: |input| Ok(Arc::new(read(input)?)) };

/// Writes weights with zstd at the compression `level`, 1 to 22.
///
/// # Errors
/// Returns the error of writing to `out`.
pub fn write(weights: &HokiWeights, mut out: impl Write, level: i32) -> io::Result<()> {
    out.write_all(MAGIC)?;
    let mut out = zstd::Encoder::new(out, level)?;
    out.include_checksum(true)?;
    let groups = weights.groups();
    for number in [VERSION, UNIT as u16, groups.iter().count() as u16] {
        out.write_all(&number.to_le_bytes())?;
    }
    for group in groups.iter() {
        let (name, table) = (group.name(), weights.table(group));
        out.write_all(&(name.len() as u16).to_le_bytes())?;
        out.write_all(name.as_bytes())?;
        out.write_all(&(table.len() as u32).to_le_bytes())?;
        write_numbers(&mut out, table)?;
    }
    out.finish()?.flush()
}

/// Reads the weights after the [`MAGIC`].
///
/// # Errors
/// Returns [`WeightsError`] if the file has another version or is corrupt. The error names the
/// group and the problem.
pub(super) fn read(input: impl Read) -> Result<HokiWeights, WeightsError> {
    let mut input = zstd::Decoder::new(input)?;
    let version = read_number(&mut input)?;
    if version != VERSION {
        return Err(WeightsError::Version { found: version, latest: VERSION });
    }
    let unit = read_number(&mut input)?;
    if i32::from(unit) != UNIT {
        return Err(WeightsError::Field { field: "unit", value: unit });
    }
    let mut tables = HokiTables::default();
    for _ in 0..read_number(&mut input)? {
        let (group, table) = read_group(&mut input)?;
        let place = &mut tables[group.number()];
        if !place.is_empty() {
            return Err(fault(group.name(), "duplicate group"));
        }
        *place = table;
    }
    // The checksum is at the end, so reading to the end verifies it.
    if input.read(&mut [0])? != 0 {
        return Err(WeightsError::Trailing);
    }
    HokiWeights::new(tables).ok_or(WeightsError::Content)
}

fn read_group(input: &mut impl Read) -> Result<(HokiGroup, Vec<i16>), WeightsError> {
    let mut name = vec![0; read_number(input)?.into()];
    input.read_exact(&mut name)?;
    let name = String::from_utf8_lossy(&name);
    let group = HokiGroup::from_name(&name).ok_or_else(|| fault(&name, "unknown group"))?;
    let mut count = [0; 4];
    input.read_exact(&mut count)?;
    let count = u32::from_le_bytes(count) as usize;
    if count != group.size() {
        return Err(fault(&name, &format!("expected {} weights, found {count}", group.size())));
    }
    Ok((group, read_numbers(input, count)?))
}

fn fault(group: &str, reason: &str) -> WeightsError {
    WeightsError::Group { group: group.to_owned(), reason: reason.to_owned() }
}
