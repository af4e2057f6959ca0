//! Checkpoint files, from which a learning run is resumed.
//!
//! A zstd frame with checksum: magic, the name of the run, then the body that the run writes.
//! Numbers are little-endian. Text and rows of floats are preceded by their length.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

use super::LearnError;
use crate::file::{self, AtomicFile};

const MAGIC: [u8; 8] = *b"KNKCHKP6";
const KIND: &str = "checkpoint";
/// Level 1 is hardly slower than the disk, and still compresses untouched weights.
const ZSTD_LEVEL: i32 = 1;
/// Longest name of a run, bytes. A longer one means that the file is damaged.
const MAX_NAME: u64 = 1 << 16;
const BUFFER_BYTES: usize = 1 << 20;

/// Writes the body of a checkpoint.
pub struct CheckpointWriter(BufWriter<zstd::Encoder<'static, AtomicFile>>);

/// Reads the body of a checkpoint.
pub struct CheckpointReader(BufReader<zstd::Decoder<'static, BufReader<File>>>);

/// Writes a complete checkpoint or none. `run` names the run: one run can resume another's
/// checkpoint only if their names are equal.
pub(super) fn write(
    path: &Path,
    run: &str,
    body: impl FnOnce(&mut CheckpointWriter) -> io::Result<()>,
) -> Result<(), LearnError> {
    let write = || -> io::Result<()> {
        let mut encoder = zstd::Encoder::new(AtomicFile::create(path)?, ZSTD_LEVEL)?;
        encoder.include_checksum(true)?;
        let mut out = CheckpointWriter(BufWriter::with_capacity(BUFFER_BYTES, encoder));
        out.0.write_all(&MAGIC)?;
        out.number(run.len() as u64)?;
        out.0.write_all(run.as_bytes())?;
        body(&mut out)?;
        out.0.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?.finish()
    };
    write().map_err(LearnError::write(path))
}

/// Reads the body of a checkpoint of the run named `run`.
pub(crate) fn read<T>(
    path: &Path,
    run: &str,
    body: impl FnOnce(&mut CheckpointReader) -> io::Result<T>,
) -> Result<T, LearnError> {
    let corrupt = |error: io::Error| LearnError::Corrupt(path.to_owned(), KIND, error.to_string());
    let open = || -> io::Result<CheckpointReader> {
        let decoder = zstd::Decoder::new(file::open(path)?)?;
        Ok(CheckpointReader(BufReader::with_capacity(BUFFER_BYTES, decoder)))
    };
    let mut input = open().map_err(LearnError::read(path))?;
    let mut magic = [0; MAGIC.len()];
    if input.0.read_exact(&mut magic).is_err() || magic != MAGIC {
        return Err(LearnError::NotA(path.to_owned(), KIND));
    }
    let found = input.name().map_err(corrupt)?;
    if found != run {
        let reason = format!("the checkpoint is of {found}, this run is {run}");
        return Err(LearnError::OtherRun(path.to_owned(), reason));
    }
    body(&mut input).map_err(corrupt)
}

impl CheckpointWriter {
    /// Writes a number.
    pub fn number(&mut self, number: u64) -> io::Result<()> {
        self.0.write_all(&number.to_le_bytes())
    }

    /// Writes a float.
    pub fn float(&mut self, float: f64) -> io::Result<()> {
        self.number(float.to_bits())
    }

    /// Writes a row of floats, preceded by its length.
    pub fn floats(&mut self, floats: &[f32]) -> io::Result<()> {
        self.number(floats.len() as u64)?;
        floats.iter().try_for_each(|float| self.0.write_all(&float.to_le_bytes()))
    }

    /// Writes a row of 64-bit floats, without its length.
    pub fn doubles(&mut self, doubles: &[f64]) -> io::Result<()> {
        doubles.iter().try_for_each(|&double| self.float(double))
    }
}

impl CheckpointReader {
    /// Reads a number.
    pub fn number(&mut self) -> io::Result<u64> {
        Ok(u64::from_le_bytes(self.bytes()?))
    }

    /// Reads a float.
    pub fn float(&mut self) -> io::Result<f64> {
        self.number().map(f64::from_bits)
    }

    /// Reads a row of floats, which has `len` elements or none.
    pub fn floats(&mut self, len: usize) -> io::Result<Vec<f32>> {
        let found = self.number()?;
        if found != 0 && found != len as u64 {
            return Err(io::Error::other(format!("{found} weights instead of {len}")));
        }
        (0..found).map(|_| self.bytes().map(f32::from_le_bytes)).collect()
    }

    /// Reads a row of `len` 64-bit floats.
    pub fn doubles(&mut self, len: usize) -> io::Result<Vec<f64>> {
        (0..len).map(|_| self.float()).collect()
    }

    /// Checks that the body has been read completely. Reading past the last byte also verifies the
    /// checksum.
    pub fn end(&mut self) -> io::Result<()> {
        match self.0.read(&mut [0])? {
            0 => Ok(()),
            _ => Err(io::Error::other("it is longer than expected")),
        }
    }

    fn name(&mut self) -> io::Result<String> {
        let len = self.number()?;
        if len > MAX_NAME {
            return Err(io::Error::other(format!("a name of {len} bytes")));
        }
        let mut name = vec![0; len as usize];
        self.0.read_exact(&mut name)?;
        String::from_utf8(name).map_err(io::Error::other)
    }

    fn bytes<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.0.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}
