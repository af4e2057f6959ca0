//! The formats of book files.

use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use super::ybb::MAGIC;
use crate::file::other_kind;

/// Bytes at the start of a file that decide on its format.
const HEAD: u64 = 4096;
/// Size of an entry of Apery's books, bytes. The first eight are the key, the lowest byte first.
const APERY_ENTRY: usize = 16;

/// The format of a book, by its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BookFormat {
    /// YaneuraOu's text format, or no book at all.
    Text,
    /// YaneuraOu's binary format (`.ybb`).
    Binary,
    /// A file of this kind, which cannot be read.
    Other(&'static str),
}

/// A book of Apery (`book.bin`): entries of 16 bytes, sorted by their keys. Such a book cannot be
/// read, because its keys are Zobrist hashes, and no document describes their random numbers.
const APERY: &str = "a book of Apery";

impl BookFormat {
    /// The format of a file. The next read starts at its first byte.
    pub fn of(path: &Path, file: &mut (impl Read + Seek)) -> io::Result<BookFormat> {
        let len = file.seek(SeekFrom::End(0))?;
        file.rewind()?;
        let mut head = Vec::new();
        file.take(HEAD).read_to_end(&mut head)?;
        file.rewind()?;
        Ok(BookFormat::of_head(path, &head, len))
    }

    fn of_head(path: &Path, head: &[u8], len: u64) -> BookFormat {
        if head.starts_with(MAGIC) {
            return BookFormat::Binary;
        }
        if let Some(kind) = other_kind(path, head) {
            return BookFormat::Other(kind);
        }
        let keys = || head.chunks_exact(APERY_ENTRY).map(key);
        // A text can have sorted keys by chance, but no zeros, which counts and scores have.
        let is_apery = head.contains(&0)
            && len.is_multiple_of(APERY_ENTRY as u64)
            && keys().is_sorted()
            && keys().next() < keys().next_back();
        if is_apery { BookFormat::Other(APERY) } else { BookFormat::Text }
    }
}

/// The key of an entry of Apery.
fn key(entry: &[u8]) -> u64 {
    u64::from_le_bytes(*entry.first_chunk().expect("16 bytes"))
}
