//! Little-endian numbers.

use std::io::{self, Read, Write};

/// Writes the numbers of a header.
pub(super) fn write_header<const N: usize>(
    out: &mut impl Write,
    numbers: [usize; N],
) -> io::Result<()> {
    numbers.into_iter().try_for_each(|number| out.write_all(&(number as u16).to_le_bytes()))
}

/// Writes all low bytes, then all high bytes.
pub(crate) fn write_numbers(out: &mut impl Write, numbers: &[i16]) -> io::Result<()> {
    let plane = |byte: usize| numbers.iter().map(move |number| number.to_le_bytes()[byte]);
    out.write_all(&plane(0).collect::<Vec<u8>>())?;
    out.write_all(&plane(1).collect::<Vec<u8>>())
}

pub(crate) fn read_number(input: &mut impl Read) -> io::Result<u16> {
    let mut bytes = [0; 2];
    input.read_exact(&mut bytes)?;
    Ok(u16::from_le_bytes(bytes))
}

pub(crate) fn read_numbers(input: &mut impl Read, count: usize) -> io::Result<Vec<i16>> {
    let mut bytes = vec![0; 2 * count];
    input.read_exact(&mut bytes)?;
    let (low, high) = bytes.split_at(count);
    Ok(low.iter().zip(high).map(|(&low, &high)| i16::from_le_bytes([low, high])).collect())
}

pub(super) fn write_bytes(out: &mut impl Write, numbers: Vec<i8>) -> io::Result<()> {
    out.write_all(&numbers.into_iter().map(|number| number as u8).collect::<Vec<u8>>())
}

pub(super) fn read_bytes(input: &mut impl Read, count: usize) -> io::Result<Vec<i8>> {
    let mut bytes = vec![0; count];
    input.read_exact(&mut bytes)?;
    Ok(bytes.into_iter().map(|byte| byte as i8).collect())
}

pub(super) fn write_wide_numbers(out: &mut impl Write, numbers: &[i32]) -> io::Result<()> {
    numbers.iter().try_for_each(|number| out.write_all(&number.to_le_bytes()))
}

pub(super) fn read_wide_numbers(input: &mut impl Read, count: usize) -> io::Result<Vec<i32>> {
    let mut bytes = vec![0; 4 * count];
    input.read_exact(&mut bytes)?;
    Ok(bytes.as_chunks().0.iter().map(|&bytes| i32::from_le_bytes(bytes)).collect())
}
