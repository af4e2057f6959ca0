//! Blocks of numbers in LEB128 encoding.
//!
//! ```text
//! 17 bytes  "COMPRESSED_LEB128"
//! u32       number of bytes that follow
//! bytes     signed numbers: 7 bits per byte, low bits first; the highest bit means that another
//!           byte follows; the next bit of the last byte is the sign
//! ```
//!
//! A 16-bit number needs at most three bytes.

use std::io::{self, Read, Seek, Write};

use super::input::{Input, refused};
use crate::eval::learned::file::WeightsError;

/// The first bytes of a block.
pub(super) const MAGIC: &[u8; 17] = b"COMPRESSED_LEB128";

/// A block whose numbers are counted but not yet read.
pub(super) struct Block {
    field: &'static str,
    /// Number of numbers in the block.
    pub numbers: u64,
    /// Number of unread bytes.
    left: u64,
    /// The bytes that were read last, and the position of the next one.
    piece: Vec<u8>,
    at: usize,
}

/// Number of bytes per read.
const PIECE: usize = 1 << 14;

impl Block {
    /// Reads the header of a block and counts its numbers.
    pub fn begin<R: Read + Seek>(
        input: &mut Input<R>,
        field: &'static str,
    ) -> Result<Block, WeightsError> {
        if !input.starts_with(MAGIC)? {
            return Err(refused(field, "no COMPRESSED_LEB128 block found"));
        }
        input.bytes(field, MAGIC.len())?;
        let left = u64::from(input.u32(field)?);
        let mut numbers = 0;
        // Count the last byte of each number.
        input.look_ahead(field, left, |bytes| {
            numbers += bytes.iter().filter(|&&byte| byte < 0x80).count() as u64;
        })?;
        Ok(Block { field, numbers, left, piece: Vec::new(), at: 0 })
    }

    /// Number of unread bytes.
    pub fn bytes(&self) -> u64 {
        self.left
    }

    /// Fills `numbers`.
    pub fn read<R: Read + Seek>(
        &mut self,
        input: &mut Input<R>,
        numbers: &mut [i16],
    ) -> Result<(), WeightsError> {
        for number in numbers {
            *number = self.number(input)?;
        }
        Ok(())
    }

    /// Returns an error if bytes remain after the last number.
    pub fn end(&self) -> Result<(), WeightsError> {
        match self.left + (self.piece.len() - self.at) as u64 {
            0 => Ok(()),
            left => Err(refused(self.field, format!("{left} bytes after the last number"))),
        }
    }

    #[inline]
    fn number<R: Read + Seek>(&mut self, input: &mut Input<R>) -> Result<i16, WeightsError> {
        let mut number = 0;
        for shift in [0, 7, 14] {
            let byte = self.byte(input)?;
            number |= i32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                let unused = 32 - 7 - shift;
                let number = number << unused >> unused;
                return i16::try_from(number)
                    .map_err(|_| refused(self.field, format!("{number} does not fit in 16 bits")));
            }
        }
        Err(refused(self.field, "a number has more than three bytes"))
    }

    #[inline]
    fn byte<R: Read + Seek>(&mut self, input: &mut Input<R>) -> Result<u8, WeightsError> {
        if self.at == self.piece.len() {
            self.refill(input)?;
        }
        let byte = self.piece[self.at];
        self.at += 1;
        Ok(byte)
    }

    #[cold]
    fn refill<R: Read + Seek>(&mut self, input: &mut Input<R>) -> Result<(), WeightsError> {
        let count = self.left.min(PIECE as u64);
        if count == 0 {
            return Err(refused(self.field, "the block ends within a number"));
        }
        self.piece = input.bytes(self.field, count as usize)?;
        self.left -= count;
        self.at = 0;
        Ok(())
    }
}

/// Writes numbers as a block.
///
/// # Errors
/// Returns the error of writing to `out`.
pub fn write(out: &mut impl Write, numbers: &[i16]) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(numbers.len());
    for &number in numbers {
        let mut left = number;
        loop {
            let low = (left & 0x7f) as u8;
            left >>= 7;
            // Only the sign remains, and the byte already contains it.
            if left == -i16::from(low >> 6) {
                bytes.push(low);
                break;
            }
            bytes.push(low | 0x80);
        }
    }
    out.write_all(MAGIC)?;
    out.write_all(&(bytes.len() as u32).to_le_bytes())?;
    out.write_all(&bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn read(bytes: Vec<u8>) -> Result<Vec<i16>, String> {
        let text = |error: WeightsError| error.to_string();
        let mut input = Input::new(Cursor::new(bytes)).expect("I/O in memory cannot fail");
        let mut block = Block::begin(&mut input, "numbers").map_err(text)?;
        let mut numbers = vec![0; block.numbers as usize];
        block.read(&mut input, &mut numbers).map_err(text)?;
        block.end().map_err(text)?;
        assert_eq!(input.left(), 0);
        Ok(numbers)
    }

    #[test]
    fn numbers_round_trip_in_the_shortest_encoding() {
        let numbers: Vec<i16> = (i16::MIN..=i16::MAX).collect();
        let mut bytes = Vec::new();
        write(&mut bytes, &numbers).expect("I/O in memory cannot fail");
        let expected: usize = numbers
            .iter()
            .map(|number| match number {
                -64..=63 => 1,
                -8_192..=8_191 => 2,
                _ => 3,
            })
            .sum();
        assert_eq!(bytes.len(), MAGIC.len() + 4 + expected);
        assert_eq!(read(bytes), Ok(numbers));
    }

    #[test]
    fn broken_blocks_are_refused() {
        let block = |length: u32, bytes: &[u8]| {
            let mut block = MAGIC.to_vec();
            block.extend(length.to_le_bytes());
            block.extend(bytes);
            read(block).expect_err("broken")
        };
        assert!(block(3, &[0x80, 0x80, 0x80]).contains("after the last number"));
        assert!(block(4, &[0x80, 0x80, 0x80, 0]).contains("more than three bytes"));
        assert!(block(3, &[0x80, 0x80, 0x02]).contains("32768 does not fit in 16 bits"));
        assert!(block(9, &[1]).contains("truncated: 9 bytes needed, 1 left"));
        assert!(read(vec![0; 40]).expect_err("no block").contains("no COMPRESSED_LEB128"));
    }
}
