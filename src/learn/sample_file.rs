//! Files of samples.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | magic `KNKSAMPL` |
//! | 4 | version, 1 |
//! | 4 | bytes of a sample, 88 |
//! | 88 each | the samples ([`Sample::to_bytes`]) |
//! | 8 | number of samples |
//! | 8 | checksum of the samples |
//!
//! All numbers are little-endian.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::sample::Role;
use super::{LearnError, Sample};
use crate::file::AtomicFile;

const MAGIC: [u8; 8] = *b"KNKSAMPL";
const VERSION: u32 = 1;
const HEADER: usize = 16;
const FOOTER: usize = 16;
/// Samples read at a time.
const BLOCK: usize = 1 << 16;
const KIND: &str = "file of samples";

/// The samples of a file.
#[derive(Clone, Debug, Default)]
pub struct SampleSet {
    /// In the order of the file.
    pub samples: Vec<Sample>,
    /// Checksum of the samples, which tells files apart.
    pub checksum: u64,
}

impl SampleSet {
    /// Where each unit begins that is learned as a whole: a sample with those of the other moves
    /// behind it. One more than there are units.
    pub fn unit_starts(&self) -> Vec<u32> {
        let begins = |sample: &Sample| sample.role != Role::Other;
        let starts = self.samples.iter().enumerate().filter(|(at, s)| *at == 0 || begins(s));
        let end = self.samples.len();
        starts.map(|(at, _)| at as u32).chain([end as u32]).collect()
    }

    /// Adds the samples of another set behind these, their scores multiplied by `factor`: engines
    /// differ in what they call a centipawn.
    pub fn append(&mut self, other: SampleSet, factor: f32) {
        let scaled = |score: i16| (f32::from(score) * factor).round() as i16;
        let samples = other.samples.into_iter();
        self.samples.extend(samples.map(|s| Sample { score: scaled(s.score), ..s }));
        // Like the checksum of a file: it tells sets apart, in what order they were put together too.
        self.checksum = self.checksum.rotate_left(1) ^ other.checksum;
    }

    /// Reads a whole file.
    ///
    /// # Errors
    /// [`LearnError::Read`]; [`LearnError::Broken`] if it is no file of samples or is damaged.
    pub fn read(path: &Path) -> Result<SampleSet, LearnError> {
        let bytes = std::fs::read(path)
            .map_err(|source| LearnError::Read { path: path.to_owned(), source })?;
        SampleSet::from_bytes(&bytes).map_err(|reason| LearnError::Broken {
            path: path.to_owned(),
            kind: KIND,
            reason,
        })
    }

    /// The samples of a file's bytes, or what is wrong with them.
    fn from_bytes(bytes: &[u8]) -> Result<SampleSet, String> {
        let split = bytes.split_first_chunk::<HEADER>();
        let Some((header, rest)) = split.filter(|(header, _)| header[..8] == MAGIC) else {
            return Err("it does not begin like one".to_owned());
        };
        let [_, layout] = words(header);
        let (version, size) = (layout as u32, layout >> 32);
        if version != VERSION || size != Sample::BYTES as u64 {
            return Err(format!("version {version} with samples of {size} bytes"));
        }
        let Some((body, footer)) = rest.split_last_chunk::<FOOTER>() else {
            return Err("it is cut off".to_owned());
        };
        let [count, checksum] = words(footer);
        let (records, rest) = body.as_chunks::<{ Sample::BYTES }>();
        if records.len() as u64 != count || !rest.is_empty() {
            return Err(format!("{count} samples promised, {} found", records.len()));
        }
        let found = records.iter().fold(0, add_to_checksum);
        if found != checksum {
            return Err(format!("checksum {found:016x} instead of {checksum:016x}"));
        }
        // Block by block: the bytes and the samples together are large enough.
        let mut samples = Vec::with_capacity(records.len());
        for block in records.chunks(BLOCK) {
            let read: Vec<Option<Sample>> = block.par_iter().map(Sample::from_bytes).collect();
            if let Some(bad) = read.iter().position(Option::is_none) {
                return Err(format!("sample {} is out of range", samples.len() + bad));
            }
            samples.extend(read.into_iter().flatten());
        }
        Ok(SampleSet { samples, checksum })
    }
}

/// Two numbers side by side.
fn words(bytes: &[u8; 16]) -> [u64; 2] {
    let word = |at: usize| std::array::from_fn(|byte| bytes[at + byte]);
    [u64::from_le_bytes(word(0)), u64::from_le_bytes(word(8))]
}

/// The checksum of samples, continued by one more.
fn add_to_checksum(sum: u64, record: &[u8; Sample::BYTES]) -> u64 {
    let (words, _) = record.as_chunks::<8>();
    words.iter().fold(sum, |sum, &word| {
        (sum.rotate_left(23) ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}

/// Writes a file of samples one by one; it appears when it is complete.
pub struct SampleWriter {
    path: PathBuf,
    file: AtomicFile,
    count: u64,
    checksum: u64,
}

impl SampleWriter {
    /// Begins a file.
    ///
    /// # Errors
    /// [`LearnError::Write`].
    pub fn create(path: &Path) -> Result<SampleWriter, LearnError> {
        let create = || -> io::Result<AtomicFile> {
            let mut file = AtomicFile::create(path)?;
            file.write_all(&MAGIC)?;
            file.write_all(&VERSION.to_le_bytes())?;
            file.write_all(&(Sample::BYTES as u32).to_le_bytes())?;
            Ok(file)
        };
        let file =
            create().map_err(|source| LearnError::Write { path: path.to_owned(), source })?;
        Ok(SampleWriter { path: path.to_owned(), file, count: 0, checksum: 0 })
    }

    /// Adds a sample.
    ///
    /// # Errors
    /// [`LearnError::Write`].
    pub fn write(&mut self, sample: &Sample) -> Result<(), LearnError> {
        let record = sample.to_bytes();
        self.checksum = add_to_checksum(self.checksum, &record);
        self.count += 1;
        let path = &self.path;
        let failed = |source| LearnError::Write { path: path.clone(), source };
        self.file.write_all(&record).map_err(failed)
    }

    /// Puts the file in its place and returns the number of its samples.
    ///
    /// # Errors
    /// [`LearnError::Write`].
    pub fn finish(self) -> Result<u64, LearnError> {
        let SampleWriter { path, mut file, count, checksum } = self;
        let finish = || -> io::Result<()> {
            file.write_all(&count.to_le_bytes())?;
            file.write_all(&checksum.to_le_bytes())?;
            file.finish()
        };
        finish().map_err(|source| LearnError::Write { path, source })?;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::Label;
    use super::*;
    use crate::shogi::Position;

    #[test]
    fn files_round_trip_and_damage_is_noticed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("samples.bin");
        let label =
            Label { score: 30, half_points: 1, same_side: true, ply: 4, role: Role::Position };
        let sample = Sample::new(&Position::startpos(), label).expect("two kings");
        let samples = [sample, Sample { ply: 5, ..sample }];
        let mut writer = SampleWriter::create(&path).expect("a file");
        for sample in &samples {
            writer.write(sample).expect("space");
        }
        assert!(!path.exists());
        assert_eq!(writer.finish().expect("space"), 2);
        assert_eq!(SampleSet::read(&path).expect("samples").samples, samples);

        let sound = std::fs::read(&path).expect("a file");
        let damaged = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = sound.clone();
            change(&mut bytes);
            SampleSet::from_bytes(&bytes).expect_err("damaged")
        };
        assert!(damaged(&|bytes| bytes[0] = b'x').contains("begin"));
        assert!(damaged(&|bytes| bytes[8] = 9).contains("version 9"));
        assert!(damaged(&|bytes| bytes.truncate(20)).contains("cut off"));
        assert!(damaged(&|bytes| drop(bytes.drain(50..60))).contains("2 samples promised"));
        assert!(damaged(&|bytes| bytes[HEADER + 100] ^= 1).contains("checksum"));
        let error = SampleSet::read(&folder.path().join("none")).expect_err("no file").to_string();
        assert!(error.contains("none"), "{error}");
    }
}
