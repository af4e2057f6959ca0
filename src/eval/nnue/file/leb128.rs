//! Blocks of packed numbers.
//!
//! ```text
//! 17 bytes  "COMPRESSED_LEB128"
//! u32       number of bytes that follow
//! bytes     signed numbers: 7 bits a byte, low bits first; the highest bit says that another byte
//!           follows, the next one of the last byte is the sign
//! ```
//!
//! A number of 16 bits needs three bytes at most.

use std::io::{self, Read, Seek, Write};

use super::input::{Input, refused};
use crate::eval::learned::file::WeightsError;

/// How a block begins.
pub(super) const MAGIC: &[u8; 17] = b"COMPRESSED_LEB128";

/// A block whose numbers have been counted, and are to be read.
pub(super) struct Block {
    field: &'static str,
    /// How many numbers it holds.
    pub numbers: u64,
    /// Bytes not read yet.
    left: u64,
    /// The bytes read last, and where the next one is.
    piece: Vec<u8>,
    at: usize,
}

/// Bytes read at a time.
const PIECE: usize = 1 << 14;

impl Block {
    /// Reads the head of a block and counts its numbers.
    pub fn begin<R: Read + Seek>(
        input: &mut Input<R>,
        field: &'static str,
    ) -> Result<Block, WeightsError> {
        if !input.starts_with(MAGIC)? {
            return Err(refused(field, "no COMPRESSED_LEB128 block where one is expected"));
        }
        input.bytes(field, MAGIC.len())?;
        let left = u64::from(input.u32(field)?);
        let mut numbers = 0;
        // The last byte of each number.
        input.look_ahead(field, left, |bytes| {
            numbers += bytes.iter().filter(|&&byte| byte < 0x80).count() as u64;
        })?;
        Ok(Block { field, numbers, left, piece: Vec::new(), at: 0 })
    }

    /// Bytes not read yet.
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

    /// Refuses bytes that belong to no number.
    pub fn end(&self) -> Result<(), WeightsError> {
        match self.left + (self.piece.len() - self.at) as u64 {
            0 => Ok(()),
            left => Err(refused(self.field, format!("{left} bytes after its last number"))),
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
                    .map_err(|_| refused(self.field, format!("{number} is beyond 16 bits")));
            }
        }
        Err(refused(self.field, "a number of more than three bytes"))
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
            return Err(refused(self.field, "it ends within a number"));
        }
        self.piece = input.bytes(self.field, count as usize)?;
        self.left -= count;
        self.at = 0;
        Ok(())
    }
}

/// Writes numbers as a block.
pub(super) fn write(out: &mut impl Write, numbers: &[i16]) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(numbers.len());
    for &number in numbers {
        let mut left = number;
        loop {
            let low = (left & 0x7f) as u8;
            left >>= 7;
            // Nothing but the sign is left, and the byte shows it.
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
        let mut input = Input::new(Cursor::new(bytes)).expect("in memory");
        let mut block = Block::begin(&mut input, "numbers").map_err(text)?;
        let mut numbers = vec![0; block.numbers as usize];
        block.read(&mut input, &mut numbers).map_err(text)?;
        block.end().map_err(text)?;
        assert_eq!(input.left(), 0);
        Ok(numbers)
    }

    #[test]
    fn numbers_round_trip_in_the_shortest_form() {
        let numbers: Vec<i16> = (i16::MIN..=i16::MAX).collect();
        let mut bytes = Vec::new();
        write(&mut bytes, &numbers).expect("in memory");
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
        assert!(block(3, &[0x80, 0x80, 0x80]).contains("after its last number"));
        assert!(block(4, &[0x80, 0x80, 0x80, 0]).contains("more than three bytes"));
        assert!(block(3, &[0x80, 0x80, 0x02]).contains("32768 is beyond 16 bits"));
        assert!(block(9, &[1]).contains("truncated: 9 bytes needed, 1 left"));
        assert!(read(vec![0; 40]).expect_err("no block").contains("no COMPRESSED_LEB128"));
    }
}
