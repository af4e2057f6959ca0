//! Bits of packed positions, the lowest first.

use crate::shogi::HandPiece;

/// A prefix code: the bits of each kind, the first one lowest, and their number.
pub(super) type Codes = [(u32, usize); HandPiece::COUNT];

/// Most bits of a code.
const LONGEST: usize = 6;

/// Up to 320 bits, written or read from the first to the last.
#[derive(Default)]
pub(super) struct Bits {
    words: [u64; 5],
    /// Bits written or read so far.
    pub at: usize,
}

impl Bits {
    pub fn of(bytes: &[u8]) -> Bits {
        let mut words = [0; 5];
        for (word, bytes) in words.iter_mut().zip(bytes.chunks(8)) {
            let mut whole = [0; 8];
            whole[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_le_bytes(whole);
        }
        Bits { words, at: 0 }
    }

    pub fn to_bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        for (bytes, word) in bytes.chunks_mut(8).zip(self.words) {
            bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
        }
        bytes
    }

    /// Writes a value of `count` bits. Panics beyond the end.
    pub fn push(&mut self, value: u32, count: usize) {
        let (word, shift) = (self.at / 64, self.at % 64);
        self.words[word] |= u64::from(value) << shift;
        if shift + count > 64 {
            self.words[word + 1] |= u64::from(value) >> (64 - shift);
        }
        self.at += count;
    }

    pub fn push_kind(&mut self, codes: &Codes, held: HandPiece) {
        let (code, length) = codes[held.index()];
        self.push(code, length);
    }

    /// The next bits, which are not read; zeros beyond the end.
    pub fn peek(&self, count: usize) -> u32 {
        let (word, shift) = (self.at / 64, self.at % 64);
        let part = |at: usize| self.words.get(at).copied().unwrap_or(0);
        let mut value = part(word) >> shift;
        if shift + count > 64 {
            value |= part(word + 1) << (64 - shift);
        }
        (value & ((1 << count) - 1)) as u32
    }

    /// Reads the next bits; zeros beyond the end.
    pub fn pull(&mut self, count: usize) -> u32 {
        let value = self.peek(count);
        self.at += count;
        value
    }

    /// Reads the kind whose code follows; `None` if none does.
    pub fn pull_kind(&mut self, codes: &Codes) -> Option<HandPiece> {
        let bits = self.peek(LONGEST);
        let is_next = |held: &HandPiece| {
            let (code, length) = codes[held.index()];
            bits & ((1 << length) - 1) == code
        };
        let held = HandPiece::ALL.into_iter().find(is_next)?;
        self.at += codes[held.index()].1;
        Some(held)
    }
}
