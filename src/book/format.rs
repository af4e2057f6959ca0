//! The formats of book files.

use std::io::{self, Read, Seek, SeekFrom};

use super::ybb::MAGIC;

/// The format of a book, by its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BookFormat {
    /// YaneuraOu's text format, or no book at all.
    Text,
    /// YaneuraOu's binary format (`.ybb`).
    Binary,
}

impl BookFormat {
    /// The format of a file. The next read starts at its first byte.
    pub fn of(file: &mut (impl Read + Seek)) -> io::Result<BookFormat> {
        let mut head = Vec::new();
        file.seek(SeekFrom::Start(0))?;
        file.take(MAGIC.len() as u64).read_to_end(&mut head)?;
        file.rewind()?;
        Ok(if head == MAGIC { BookFormat::Binary } else { BookFormat::Text })
    }
}
