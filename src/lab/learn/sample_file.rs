//! Files of samples.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | magic `KNKSAMPL` |
//! | 4 | version, 2 |
//! | 4 | bytes of a sample, 40 |
//!
//! Groups of samples follow up to the end:
//!
//! | bytes | content |
//! |---|---|
//! | 4 | number of samples |
//! | 8 | their checksum |
//! | 40 each | the samples ([`Sample::to_bytes`]) |
//!
//! All numbers are little-endian. A file is complete after every group, so a file can grow game by
//! game.
//!
//! [Training positions](super::training_positions) of other programs can be read too, in groups of
//! 4,096.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::training_positions::{self, SkippedRecords};
use super::{LearnError, Sample};
use crate::file;
use crate::record::GameReader;

const MAGIC: [u8; 8] = *b"KNKSAMPL";
const VERSION: u32 = 2;
const HEADER: usize = 16;
const GROUP_HEADER: usize = 12;
/// Training positions of a group.
const GROUP: usize = 1 << 12;
/// Most samples of a group.
const GREATEST_GROUP: usize = 1 << 24;
const KIND: &str = "sample file";

/// The samples of a file.
#[derive(Clone, Debug, Default)]
pub struct SampleSet {
    /// In the order of the file.
    pub samples: Vec<Sample>,
    /// Checksum of the samples, which identifies the file.
    pub checksum: u64,
    /// Training positions that cannot be read.
    pub skipped: SkippedRecords,
}

impl SampleSet {
    /// Subtracts `bias` centipawns from the scores, and multiplies the rest by `factor`: engines
    /// differ in the unit of their scores, and in how much these favour the side to move.
    pub fn convert_scores(&mut self, bias: f32, factor: f32) {
        for sample in &mut self.samples {
            sample.score = ((f32::from(sample.score) - bias) * factor).round() as i16;
        }
        // A run resumes only with the same conversion.
        self.checksum ^= u64::from(bias.to_bits()) << 32 | u64::from(factor.to_bits());
    }

    /// Appends the samples of another set.
    pub fn append(&mut self, other: SampleSet) {
        self.samples.extend(other.samples);
        // The rotation makes the checksum depend on the order of the sets.
        self.checksum = self.checksum.rotate_left(1) ^ other.checksum;
    }

    /// Reads a whole file and refuses an empty one.
    ///
    /// # Errors
    /// As [`read`](SampleSet::read); [`LearnError::NoSamples`].
    pub fn read_some(path: &Path) -> Result<SampleSet, LearnError> {
        let set = SampleSet::read(path)?;
        if set.samples.is_empty() { Err(LearnError::NoSamples(path.to_owned())) } else { Ok(set) }
    }

    /// Reads a whole file.
    ///
    /// # Errors
    /// [`LearnError::Read`]; [`LearnError::NotA`]; [`LearnError::Corrupt`] if a sample file is
    /// damaged; [`LearnError::Records`] if training positions cannot be read further.
    pub fn read(path: &Path) -> Result<SampleSet, LearnError> {
        let mut set = SampleSet::default();
        let mut reader = SampleReader::open(path)?;
        while let Some(checksum) = reader.read_group(&mut set.samples)? {
            set.checksum = set.checksum.rotate_left(1) ^ checksum;
        }
        set.skipped = reader.skipped;
        Ok(set)
    }
}

/// Reads a file of samples group by group.
pub struct SampleReader {
    path: PathBuf,
    file: BufReader<File>,
    /// Set if the file has training positions of another program.
    positions: Option<GameReader>,
    skipped: SkippedRecords,
    /// Number of samples read so far.
    count: usize,
    bytes: Vec<u8>,
}

impl SampleReader {
    /// Opens a file.
    ///
    /// # Errors
    /// As [`SampleSet::read`].
    pub fn open(path: &Path) -> Result<SampleReader, LearnError> {
        let file = file::open(path).map_err(LearnError::read(path))?;
        let file = BufReader::with_capacity(1 << 20, file);
        let mut reader = SampleReader {
            path: path.to_owned(),
            file,
            positions: None,
            skipped: SkippedRecords::default(),
            count: 0,
            bytes: vec![0; HEADER],
        };
        reader.fill(HEADER)?;
        if !reader.bytes.starts_with(&MAGIC) {
            let positions = training_positions::is_promised(path).then(|| GameReader::open(path));
            let Some(Ok(positions)) = positions else {
                let kind = file::other_kind(path, &reader.bytes);
                let named =
                    |kind| io::Error::new(io::ErrorKind::InvalidData, format!("it is {kind}"));
                return Err(match kind {
                    Some(kind) => LearnError::Read(path.to_owned(), named(kind)),
                    None => LearnError::NotA(path.to_owned(), KIND),
                });
            };
            reader.positions = Some(positions);
            return Ok(reader);
        }
        if reader.bytes != header() {
            let numbers = reader.bytes[MAGIC.len()..].as_chunks().0.iter();
            let found: Vec<u32> = numbers.map(|&bytes| u32::from_le_bytes(bytes)).collect();
            return Err(reader.corrupt(format!("version and bytes of a sample are {found:?}")));
        }
        Ok(reader)
    }

    /// The training positions so far that cannot be read.
    pub fn skipped(&self) -> &SkippedRecords {
        &self.skipped
    }

    fn corrupt(&self, reason: String) -> LearnError {
        LearnError::Corrupt(self.path.clone(), KIND, reason)
    }

    /// Reads `count` bytes; false at the end of the file.
    fn fill(&mut self, count: usize) -> Result<bool, LearnError> {
        self.bytes.clear();
        let read = (&mut self.file).take(count as u64).read_to_end(&mut self.bytes);
        read.map(|read| read == count).map_err(LearnError::read(&self.path))
    }

    fn cut_off(&self) -> LearnError {
        self.corrupt("it is cut short".to_owned())
    }

    /// Number and checksum of the samples of the next group; `None` at the end of the file.
    fn group_header(&mut self) -> Result<Option<(usize, u64)>, LearnError> {
        if !self.fill(GROUP_HEADER)? {
            return if self.bytes.is_empty() { Ok(None) } else { Err(self.cut_off()) };
        }
        let (count, checksum) =
            self.bytes.split_first_chunk().expect("fill reads the requested length");
        let count = u32::from_le_bytes(*count) as usize;
        if count > GREATEST_GROUP {
            return Err(self.corrupt(format!("a group of {count} samples")));
        }
        let checksum = checksum.first_chunk().expect("fill reads the requested length");
        Ok(Some((count, u64::from_le_bytes(*checksum))))
    }

    /// Bytes of the header and the first `groups` groups.
    fn length_of(mut self, groups: u64) -> Result<u64, LearnError> {
        let mut length = HEADER as u64;
        for group in 0..groups {
            let Some((count, _)) = self.group_header()? else {
                return Err(self.corrupt(format!("{group} groups of samples instead of {groups}")));
            };
            let bytes = count * Sample::BYTES;
            self.file.seek_relative(bytes as i64).map_err(LearnError::read(&self.path))?;
            length += (GROUP_HEADER + bytes) as u64;
        }
        let size = self.file.get_ref().metadata().map_err(LearnError::read(&self.path))?.len();
        if size < length { Err(self.cut_off()) } else { Ok(length) }
    }

    /// Appends the samples of the next group to `samples` and returns their checksum; `None` at the
    /// end of the file.
    ///
    /// # Errors
    /// As [`SampleSet::read`].
    pub fn read_group(&mut self, samples: &mut Vec<Sample>) -> Result<Option<u64>, LearnError> {
        if let Some(positions) = &mut self.positions {
            let before = samples.len();
            let skipped = &mut self.skipped;
            let read = training_positions::read(positions, GROUP, samples, skipped)?;
            return Ok((read > 0).then(|| checksum(&samples[before..])));
        }
        let Some((count, checksum)) = self.group_header()? else { return Ok(None) };
        if !self.fill(count * Sample::BYTES)? {
            return Err(self.cut_off());
        }
        let found = checksum_of(&self.bytes);
        if found != checksum {
            let reason = format!("checksum {found:016x} instead of {checksum:016x}");
            return Err(self.corrupt(reason));
        }
        let (records, _) = self.bytes.as_chunks::<{ Sample::BYTES }>();
        let records = records.par_iter().with_min_len(1 << 8);
        let read: Vec<Option<Sample>> = records.map(Sample::from_bytes).collect();
        if let Some(bad) = read.iter().position(Option::is_none) {
            return Err(self.corrupt(format!("sample {} is out of range", self.count + bad)));
        }
        samples.extend(read.into_iter().flatten());
        self.count += count;
        Ok(Some(checksum))
    }
}

fn header() -> Vec<u8> {
    [&MAGIC[..], &VERSION.to_le_bytes(), &(Sample::BYTES as u32).to_le_bytes()].concat()
}

/// The bytes of a group.
fn group_bytes(samples: &[Sample]) -> Vec<u8> {
    let mut bytes = vec![0; GROUP_HEADER];
    bytes.extend(samples.iter().flat_map(Sample::to_bytes));
    let checksum = checksum_of(&bytes[GROUP_HEADER..]);
    bytes[..4].copy_from_slice(&(samples.len() as u32).to_le_bytes());
    bytes[4..GROUP_HEADER].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// The checksum of samples.
pub(crate) fn checksum(samples: &[Sample]) -> u64 {
    checksum_of(&samples.iter().flat_map(Sample::to_bytes).collect::<Vec<u8>>())
}

/// The checksum of the bytes of samples, computed over 64-bit words.
fn checksum_of(samples: &[u8]) -> u64 {
    samples.as_chunks::<8>().0.iter().fold(0_u64, |sum, &word| {
        (sum.rotate_left(23) ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}

/// Writes a file of groups of samples, completely or not at all.
///
/// # Errors
/// [`LearnError::Write`].
pub fn write_samples<'a>(
    path: &Path,
    groups: impl Iterator<Item = &'a [Sample]>,
) -> Result<(), LearnError> {
    let groups: Vec<Vec<u8>> = groups.map(group_bytes).collect();
    file::write(path, &[header(), groups.concat()].concat()).map_err(LearnError::write(path))
}

/// A file of samples that grows group by group and is complete after each.
pub struct GrowingSamples {
    path: PathBuf,
    file: File,
}

impl GrowingSamples {
    /// Creates a file, or opens one and truncates it after its first `groups` groups.
    ///
    /// # Errors
    /// [`LearnError::Write`]; [`LearnError::NotA`], or [`LearnError::Corrupt`] if it has fewer
    /// groups.
    pub fn open(path: &Path, groups: u64) -> Result<GrowingSamples, LearnError> {
        let failed = LearnError::write(path);
        let mut options = OpenOptions::new();
        let mut file = options.write(true).create_new(groups == 0).open(path).map_err(failed)?;
        if groups == 0 {
            file.write_all(&header()).map_err(failed)?;
        } else {
            let whole = SampleReader::open(path)?.length_of(groups)?;
            file.set_len(whole).map_err(failed)?;
            file.seek(SeekFrom::End(0)).map_err(failed)?;
        }
        Ok(GrowingSamples { path: path.to_owned(), file })
    }

    /// Appends a group.
    ///
    /// # Errors
    /// [`LearnError::Write`].
    pub fn write(&mut self, samples: &[Sample]) -> Result<(), LearnError> {
        let bytes = group_bytes(samples);
        self.file.write_all(&bytes).map_err(LearnError::write(&self.path))
    }

    /// Waits until all groups are on the disk.
    ///
    /// # Errors
    /// [`LearnError::Write`].
    pub fn sync(&self) -> Result<(), LearnError> {
        self.file.sync_all().map_err(LearnError::write(&self.path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::Position;

    #[test]
    fn files_round_trip_and_damage_is_noticed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("samples.bin");
        let sample = Sample { score: 30, ..Sample::even(&Position::startpos()) };
        let samples = [sample, Sample { ply: 5, ..sample }];
        write_samples(&path, samples.chunks(2)).expect("space");
        assert_eq!(SampleSet::read(&path).expect("samples").samples, samples);

        let sound = std::fs::read(&path).expect("a file");
        let damaged = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = sound.clone();
            change(&mut bytes);
            let path = folder.path().join("damaged.bin");
            std::fs::write(&path, bytes).expect("written");
            SampleSet::read(&path).expect_err("damaged").to_string()
        };
        assert!(damaged(&|bytes| bytes[0] = b'x').contains("not a sample file"));
        assert!(
            damaged(&|bytes| bytes[8] = 9).contains("version and bytes of a sample are [9, 40]")
        );
        assert!(damaged(&|bytes| bytes.truncate(20)).contains("cut short"));
        assert!(damaged(&|bytes| drop(bytes.drain(50..60))).contains("cut short"));
        assert!(damaged(&|bytes| bytes[HEADER + 60] ^= 1).contains("checksum"));
        assert!(damaged(&|bytes| bytes[HEADER..][..4].fill(0xff)).contains("4294967295 samples"));
        let error = SampleSet::read(&folder.path().join("none")).expect_err("no file").to_string();
        assert!(error.contains("none"), "{error}");
    }

    #[test]
    fn growing_files_continue_after_their_groups() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("samples.bin");
        let sample = Sample { score: 30, ..Sample::even(&Position::startpos()) };
        let other = Sample { ply: 5, ..sample };
        let mut growing = GrowingSamples::open(&path, 0).expect("a file");
        for group in [&[sample, other][..], &[], &[other]] {
            growing.write(group).expect("space");
        }
        assert!(GrowingSamples::open(&path, 0).is_err(), "there is one");
        assert!(GrowingSamples::open(&path, 4).is_err(), "there are three groups");
        let whole = std::fs::read(&path).expect("a file");
        std::fs::write(&path, &whole[..whole.len() - 1]).expect("written");
        assert!(SampleSet::read(&path).is_err(), "cut off");
        let mut growing = GrowingSamples::open(&path, 2).expect("two whole groups");
        growing.write(&[other]).expect("space");
        assert_eq!(std::fs::read(&path).expect("a file"), whole);
        assert_eq!(SampleSet::read(&path).expect("samples").samples, [sample, other, other]);
    }
}
