//! Bounds-checked input of a file.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use crate::eval::learned::file::WeightsError;

/// A file that is being read. Allocates only for numbers that the file is long enough to contain.
pub(super) struct Input<R> {
    reader: BufReader<R>,
    len: u64,
    at: u64,
}

/// Largest number of bytes per read.
const CHUNK: usize = 1 << 16;

/// Creates an error with a field and the problem with it.
pub(super) fn refused(field: &'static str, reason: impl Into<String>) -> WeightsError {
    WeightsError::Nnue { field, reason: reason.into() }
}

impl<R: Read + Seek> Input<R> {
    /// Creates an input of the whole file, from its start.
    pub fn new(mut reader: R) -> io::Result<Input<R>> {
        let len = reader.seek(SeekFrom::End(0))?;
        reader.rewind()?;
        let capacity = CHUNK.min(usize::try_from(len).unwrap_or(CHUNK));
        Ok(Input { reader: BufReader::with_capacity(capacity, reader), len, at: 0 })
    }

    /// Length of the file in bytes.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Number of unread bytes.
    pub fn left(&self) -> u64 {
        self.len - self.at
    }

    /// Subtracts `bytes` from the unread bytes. Returns an error if the file has too few.
    fn claim(&mut self, field: &'static str, bytes: u64) -> Result<(), WeightsError> {
        if bytes > self.left() {
            let left = self.left();
            return Err(refused(field, format!("truncated: {bytes} bytes needed, {left} left")));
        }
        self.at += bytes;
        Ok(())
    }

    /// Whether the next bytes are `bytes`. Does not consume them.
    pub fn starts_with(&mut self, bytes: &[u8]) -> io::Result<bool> {
        if (bytes.len() as u64) > self.left() {
            return Ok(false);
        }
        let mut next = vec![0; bytes.len()];
        self.reader.read_exact(&mut next)?;
        self.reader.seek_relative(-(bytes.len() as i64))?;
        Ok(next == bytes)
    }

    /// Reads `count` bytes.
    pub fn bytes(&mut self, field: &'static str, count: usize) -> Result<Vec<u8>, WeightsError> {
        self.claim(field, count as u64)?;
        let mut bytes = vec![0; count];
        self.reader.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// Reads a number.
    pub fn u32(&mut self, field: &'static str) -> Result<u32, WeightsError> {
        let mut bytes = [0; 4];
        self.claim(field, 4)?;
        self.reader.read_exact(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    /// Reads `count` numbers.
    pub fn i32s(&mut self, field: &'static str, count: usize) -> Result<Vec<i32>, WeightsError> {
        let bytes = self.bytes(field, 4 * count)?;
        Ok(bytes.as_chunks().0.iter().map(|&number| i32::from_le_bytes(number)).collect())
    }

    /// Fills `numbers`.
    pub fn i16s(&mut self, field: &'static str, numbers: &mut [i16]) -> Result<(), WeightsError> {
        self.claim(field, 2 * numbers.len() as u64)?;
        let mut bytes = [0; 4_096];
        for numbers in numbers.chunks_mut(bytes.len() / 2) {
            let bytes = &mut bytes[..2 * numbers.len()];
            self.reader.read_exact(bytes)?;
            for (number, bytes) in numbers.iter_mut().zip(bytes.as_chunks().0) {
                *number = i16::from_le_bytes(*bytes);
            }
        }
        Ok(())
    }

    /// Calls `visit` with the next bytes, in chunks, and does not consume them.
    pub fn look_ahead(
        &mut self,
        field: &'static str,
        bytes: u64,
        mut visit: impl FnMut(&[u8]),
    ) -> Result<(), WeightsError> {
        self.claim(field, bytes)?;
        self.at -= bytes;
        let mut left = bytes;
        while left > 0 {
            let piece = self.reader.fill_buf()?;
            if piece.is_empty() {
                return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
            }
            let taken = piece.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            visit(&piece[..taken]);
            self.reader.consume(taken);
            left -= taken as u64;
        }
        self.reader.seek(SeekFrom::Start(self.at))?;
        Ok(())
    }
}
