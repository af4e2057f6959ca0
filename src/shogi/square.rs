//! Squares of the 9x9 board.

use std::fmt;
use std::str::FromStr;

use super::Color;

/// A square, file-major: 1a = 0, 1b = 1, ... 9i = 80. Printed in USI notation (`7g`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// Number of squares.
    pub const COUNT: usize = 81;

    /// The square with this file (0 = file 1) and rank (0 = rank a), if both are below 9.
    pub const fn new(file: usize, rank: usize) -> Option<Square> {
        if file < 9 && rank < 9 { Some(Square((file * 9 + rank) as u8)) } else { None }
    }

    /// The square with this index, if it is below 81.
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < Square::COUNT { Some(Square(index as u8)) } else { None }
    }

    /// Creates a square from an index known to be below 81 (bits of a
    /// [`Bitboard`](super::Bitboard)).
    #[inline]
    pub(in crate::shogi) const fn from_bit(index: u32) -> Square {
        debug_assert!(index < 81);
        Square(index as u8)
    }

    /// 0..81, file-major.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0 (file 1, Black's right) to 8 (file 9).
    pub const fn file(self) -> usize {
        self.0 as usize / 9
    }

    /// 0 (rank a, White's edge) to 8 (rank i).
    pub const fn rank(self) -> usize {
        self.0 as usize % 9
    }

    /// The square on the board rotated by 180 degrees: 1a <-> 9i.
    pub const fn flip(self) -> Square {
        Square(80 - self.0)
    }

    /// The square on the board mirrored left to right: 1a <-> 9a.
    pub const fn mirror(self) -> Square {
        Square(((8 - self.file()) * 9 + self.rank()) as u8)
    }

    /// The square from `color`'s side: unchanged for Black, rotated for White.
    #[inline]
    pub const fn relative(self, color: Color) -> Square {
        match color {
            Color::Black => self,
            Color::White => self.flip(),
        }
    }

    /// The square `files` to Black's left and `ranks` down, if it is on the board.
    #[inline]
    pub const fn offset(self, files: i32, ranks: i32) -> Option<Square> {
        let (file, rank) = (self.file() as i32 + files, self.rank() as i32 + ranks);
        if file < 0 || rank < 0 {
            return None;
        }
        Square::new(file as usize, rank as usize)
    }

    /// All squares, 1a to 9i.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + Clone {
        (0..81).map(Square)
    }

    /// The squares of a rank (0 = rank a, up to 8) in drawing order: file 9 first.
    pub fn of_rank(rank: usize) -> impl Iterator<Item = Square> {
        (0..9).rev().filter_map(move |file| Square::new(file, rank))
    }

    /// Whether the square is in the promotion zone of `color` (its three farthest ranks).
    pub const fn is_promotion_zone(self, color: Color) -> bool {
        self.relative(color).rank() < 3
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file() + 1, (b'a' + self.rank() as u8) as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl FromStr for Square {
    type Err = ();

    /// Parses USI notation, `1a` to `9i`.
    fn from_str(text: &str) -> Result<Square, ()> {
        match text.as_bytes() {
            &[file @ b'1'..=b'9', rank @ b'a'..=b'i'] => {
                Square::new((file - b'1') as usize, (rank - b'a') as usize).ok_or(())
            }
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_index_round_trip() {
        for sq in Square::all() {
            assert_eq!(sq.to_string().parse(), Ok(sq));
            assert_eq!(Square::from_index(sq.index()), Some(sq));
            assert_eq!(sq.flip().flip(), sq);
            assert_eq!(sq.mirror().mirror(), sq);
        }
        assert_eq!("1a".parse::<Square>().map(Square::index), Ok(0));
        assert_eq!("9i".parse::<Square>().map(Square::index), Ok(80));
        for bad in ["", "0a", "1j", "1A", "11a", "a1"] {
            assert!(bad.parse::<Square>().is_err(), "{bad}");
        }
    }
}
