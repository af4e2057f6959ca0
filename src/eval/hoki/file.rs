//! The weights file.
//!
//! ```text
//! magic    8 bytes "KANKEI\0H"
//! the rest is one zstd frame with a checksum of its content; all numbers little-endian:
//! version  u16   1
//! unit     u16   weight units of a centipawn (16)
//! groups   u16   how many follow; those that do not are switched off
//! each of them:
//!   length   u16   of its name
//!   name     that many bytes
//!   weights  u32   how many
//!   weights  that many i16: all low bytes, then all high bytes
//! ```

use std::io::{self, Read, Write};

use super::group::HokiGroup;
use super::weights::{HokiTables, HokiWeights, UNIT};
use crate::eval::learned::file::{WeightsError, read_number, read_numbers, write_numbers};

/// How a file begins.
pub(in crate::eval) const MAGIC: &[u8; 8] = b"KANKEI\0H";
const VERSION: u16 = 1;

/// Writes weights at a compression `level` of zstd, 1 to 22.
///
/// # Errors
/// Whatever writing to `out` returns.
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

/// Reads weights behind the [`MAGIC`].
///
/// # Errors
/// [`WeightsError`] for a file that is corrupt or of another version, with the group and what is
/// wrong with it.
pub(in crate::eval) fn read(input: impl Read) -> Result<HokiWeights, WeightsError> {
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
            return Err(fault(group.name(), "it is there twice"));
        }
        *place = table;
    }
    // The checksum comes last: reading to the end checks it.
    if input.read(&mut [0])? != 0 {
        return Err(WeightsError::Trailing);
    }
    HokiWeights::new(tables).ok_or(WeightsError::Content)
}

fn read_group(input: &mut impl Read) -> Result<(HokiGroup, Vec<i16>), WeightsError> {
    let mut name = vec![0; read_number(input)?.into()];
    input.read_exact(&mut name)?;
    let name = String::from_utf8_lossy(&name);
    let group = HokiGroup::from_name(&name).ok_or_else(|| fault(&name, "there is none such"))?;
    let mut count = [0; 4];
    input.read_exact(&mut count)?;
    let count = u32::from_le_bytes(count) as usize;
    if count != group.size() {
        return Err(fault(&name, &format!("it has {} weights, not {count}", group.size())));
    }
    Ok((group, read_numbers(input, count)?))
}

fn fault(group: &str, reason: &str) -> WeightsError {
    WeightsError::Group { group: group.to_owned(), reason: reason.to_owned() }
}
