//! Sets of squares.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::table::table;
use super::{Color, Square};

/// A set of squares: bit `sq.index()` of a 128-bit word. Bits 81 and up are always clear.
///
/// ```
/// use kankei::shogi::{Bitboard, Square};
/// let corner: Bitboard = [Square::new(0, 0), Square::new(8, 8)].into_iter().flatten().collect();
/// assert_eq!(corner.len(), 2);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Bitboard(u128);

const ALL_BITS: u128 = (1 << 81) - 1;
/// Lowest bit (rank a) of each file: all bits of the board, divided by the pattern of one file.
const RANK_A_BITS: u128 = ALL_BITS / 0x1ff;

/// Shape [color][number of ranks].
const FAR_RANKS: [[Bitboard; 4]; 2] = table![color in 2 => table![count in 4 => {
    let upper = RANK_A_BITS * ((1 << count) - 1);
    Bitboard(if color == 0 { upper } else { upper << (9 - count) })
}]];

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All 81 squares.
    pub const ALL: Bitboard = Bitboard(ALL_BITS);

    /// Creates a set from bits; bits above 80 are ignored.
    pub const fn from_bits(bits: u128) -> Bitboard {
        Bitboard(bits & ALL_BITS)
    }

    /// Creates a set from bits that are known to lie on the board.
    #[inline]
    pub(in crate::shogi) const fn from_board_bits(bits: u128) -> Bitboard {
        debug_assert!(bits & !ALL_BITS == 0);
        Bitboard(bits)
    }

    /// The bits; the bit index is the square index.
    pub const fn to_bits(self) -> u128 {
        self.0
    }

    /// The set of one square.
    pub const fn square(sq: Square) -> Bitboard {
        Bitboard(1 << sq.index())
    }

    /// The nine squares of a file (0 = file 1).
    pub const fn file(file: usize) -> Bitboard {
        Bitboard(0x1ff << (file * 9))
    }

    /// The `count` (up to 3) ranks farthest from `color`'s own edge, the last rank first.
    pub const fn far_ranks(color: Color, count: usize) -> Bitboard {
        FAR_RANKS[color.index()][count]
    }

    /// Whether `sq` is in the set.
    pub const fn contains(self, sq: Square) -> bool {
        // Two words of 64 bits, because a shift of 128 bits takes several instructions.
        let [low, high] = [self.0 as u64, (self.0 >> 64) as u64];
        (if sq.index() < 64 { low } else { high }) >> (sq.index() % 64) & 1 != 0
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the sets share a square.
    pub const fn intersects(self, other: Bitboard) -> bool {
        self.0 & other.0 != 0
    }

    /// Number of squares.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there are at least two squares.
    pub const fn has_many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The square of lowest index.
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_bit(self.0.trailing_zeros())) }
    }

    /// Adds a square.
    pub const fn insert(&mut self, sq: Square) {
        self.0 |= 1 << sq.index();
    }

    /// Adds the square if it is absent, removes it if it is present.
    pub const fn toggle(&mut self, sq: Square) {
        self.0 ^= 1 << sq.index();
    }

    /// Moves every square one step forward from `color`'s view. The set must not contain squares on
    /// the last rank (pawns are never there).
    #[inline]
    pub const fn forward(self, color: Color) -> Bitboard {
        match color {
            Color::Black => Bitboard(self.0 >> 1),
            Color::White => Bitboard(self.0 << 1),
        }
    }

    /// All squares of the files without a square of the set. The set must have at most one square
    /// per file (unpromoted pawns of one side).
    #[inline]
    pub const fn empty_files(self) -> Bitboard {
        // Per file: 256 - pawn keeps bit 8 only if the file has no pawn. The file is then filled
        // from that bit.
        let rank_i = RANK_A_BITS << 8;
        let without = (rank_i.wrapping_sub(self.0) & rank_i) >> 8;
        Bitboard(rank_i ^ rank_i.wrapping_sub(without))
    }

    /// The union of the sets that `part` returns for the squares of this set.
    pub fn union_of(self, part: impl Fn(Square) -> Bitboard) -> Bitboard {
        self.iter().fold(Bitboard::EMPTY, |union, sq| union | part(sq))
    }

    /// The squares in ascending order.
    pub const fn iter(self) -> Squares {
        Squares { low: self.0 as u64, high: (self.0 >> 64) as u64 }
    }
}

/// Iterator over the squares of a [`Bitboard`].
#[derive(Clone)]
pub struct Squares {
    low: u64,
    high: u64,
}

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.low != 0 {
            let bit = self.low.trailing_zeros();
            self.low &= self.low - 1;
            Some(Square::from_bit(bit))
        } else if self.high != 0 {
            let bit = self.high.trailing_zeros() + 64;
            self.high &= self.high - 1;
            Some(Square::from_bit(bit))
        } else {
            None
        }
    }

    // Two loops over 64-bit words instead of one over a pair: move generation uses internal
    // iteration.
    #[inline]
    fn fold<B, F: FnMut(B, Square) -> B>(self, init: B, mut f: F) -> B {
        let mut acc = init;
        let mut word = self.low;
        while word != 0 {
            acc = f(acc, Square::from_bit(word.trailing_zeros()));
            word &= word - 1;
        }
        let mut word = self.high;
        while word != 0 {
            acc = f(acc, Square::from_bit(word.trailing_zeros() + 64));
            word &= word - 1;
        }
        acc
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = (self.low.count_ones() + self.high.count_ones()) as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    fn into_iter(self) -> Squares {
        self.iter()
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, sq| set | Bitboard::square(sq))
    }
}

macro_rules! set_operator {
    ($trait:ident, $method:ident, $assign:ident, $assign_method:ident, $op:tt) => {
        impl $trait for Bitboard {
            type Output = Bitboard;
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 $op other.0)
            }
        }
        impl $assign for Bitboard {
            fn $assign_method(&mut self, other: Bitboard) {
                self.0 = self.0 $op other.0;
            }
        }
    };
}
set_operator!(BitAnd, bitand, BitAndAssign, bitand_assign, &);
set_operator!(BitOr, bitor, BitOrAssign, bitor_assign, |);
set_operator!(BitXor, bitxor, BitXorAssign, bitxor_assign, ^);

impl Not for Bitboard {
    type Output = Bitboard;

    fn not(self) -> Bitboard {
        Bitboard(self.0 ^ ALL_BITS)
    }
}

impl fmt::Display for Bitboard {
    /// Nine lines, file 9 on the left, `X` for squares of the set.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in 0..9 {
            let mark = |sq| if self.contains(sq) { "X" } else { "." };
            writeln!(f, "{}", Square::of_rank(rank).map(mark).collect::<Vec<_>>().join(" "))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses the drawing that `Display` of [`Bitboard`] prints.
    fn drawn(text: &str) -> Bitboard {
        let marks: Vec<char> = text.chars().filter(|c| "X.".contains(*c)).collect();
        assert_eq!(marks.len(), 81);
        let marked = |sq: &Square| marks[sq.rank() * 9 + 8 - sq.file()] == 'X';
        Square::all().filter(marked).collect()
    }

    #[test]
    fn drawings_set_operations_and_iteration_agree() {
        let board = drawn(
            ". . . . . . . . X
             . . . . . . . . .
             . . X . . . . . .
             . . . . . . . . .
             . . . . X . . . .
             . . . . . . . . .
             . . . . . . . . .
             . . . . . . . . .
             X . . . . . . . .",
        );
        assert_eq!(drawn(&board.to_string()), board);
        assert_eq!(board.len(), 4);
        assert_eq!(board.iter().count(), 4);
        assert_eq!(board.iter().collect::<Bitboard>(), board);
        assert_eq!(board.first(), Square::new(0, 0));
        assert_eq!(!!board, board);
        assert_eq!((!board).len(), 77);
        let mut folded = Vec::new();
        board.iter().for_each(|sq| folded.push(sq));
        assert_eq!(folded, board.iter().collect::<Vec<_>>());
        assert!(folded.is_sorted());
    }

    #[test]
    fn empty_files_are_the_files_without_a_pawn() {
        for pawn in Square::all() {
            assert_eq!(Bitboard::square(pawn).empty_files(), !Bitboard::file(pawn.file()));
        }
        let full_rank: Bitboard = Square::of_rank(6).collect();
        assert_eq!(full_rank.empty_files(), Bitboard::EMPTY);
        assert_eq!(Bitboard::EMPTY.empty_files(), Bitboard::ALL);
    }
}
