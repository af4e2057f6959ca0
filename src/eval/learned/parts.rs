//! The parts of a learned evaluation: the parts of a weights file, and one table of the terms of
//! the value. Header, file, value, explanation and reports read the table. A new term needs a bit
//! of [`Parts`], a [`Term`] and its row here.

use std::ops::{Index, IndexMut};

use bitflags::bitflags;

use super::king_view::KingView;
use super::threats::THREATS;
use super::triangle::TRIANGLE;
use crate::eval::index::PieceIndex;

bitflags! {
    /// The parts of a file.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Parts: u16 {
        /// KK, both kings.
        const KK = 1;
        /// The tempo.
        const TEMPO = 1 << 1;
        /// KKP, both kings and a piece.
        const KKP = 1 << 2;
        /// PP, two pieces.
        const PP = 1 << 3;
        /// KPP, a king and two pieces.
        const KPP_TABLE = 1 << 4;
        /// A retired form: KPP in 8 bits.
        const NARROW_TABLE = 1 << 5;
        /// KPP, as products.
        const FACTORS = 1 << 6;
        /// A network.
        const NETWORK = 1 << 7;
        /// The network is the whole value.
        const STANDALONE = 1 << 8;
        /// Piece values that differ from the [engine's](crate::eval::material::PieceValues::ENGINE).
        const PIECE_VALUES = 1 << 9;
        /// The threats.
        const THREATS = 1 << 10;
    }
}

/// A term of the value that is a table of weights of 16 bits. k, K': the kings; i, j: pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// KK(k, K'): both kings.
    Kk,
    /// tempo(k, K'): the value of having the move.
    Tempo,
    /// The sum over the pieces i of KKP(k, K', i): both kings and a piece.
    Kkp,
    /// The sum over the pairs of pieces of PP(i, j): two pieces, independent of the kings.
    Pp,
    /// The sum over the attacked pieces: the piece, its cheapest attacker, and whether it is defended.
    Threats,
}

/// The features of a term. All shapes except `KingsToMove` and `Threats` use Black's view, and their
/// weights are antisymmetric under rotation of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermShape {
    /// Both kings. Shape `[3645]` by [`KingView::pair`].
    Kings,
    /// Both kings in the view of the side to move, which gains the weight. Shape `[3645]`.
    KingsToMove,
    /// Both kings and a piece. Shape `[3645][1548]`.
    KingsAndPiece,
    /// Two pieces. Shape `[TRIANGLE]` by [`triangle_index`](super::triangle_index).
    Pair,
    /// An attacked piece in the view of the side to move, which gains the weight. Shape `[THREATS]`
    /// by [`each_threat`](super::threats::each_threat).
    Threats,
}

struct Row {
    name: &'static str,
    part: Parts,
    shape: TermShape,
}

/// The rows of [`Term::ALL`].
const ROWS: [Row; Term::COUNT] = [
    Row { name: "KK", part: Parts::KK, shape: TermShape::Kings },
    Row { name: "tempo", part: Parts::TEMPO, shape: TermShape::KingsToMove },
    Row { name: "KKP", part: Parts::KKP, shape: TermShape::KingsAndPiece },
    Row { name: "PP", part: Parts::PP, shape: TermShape::Pair },
    Row { name: "threats", part: Parts::THREATS, shape: TermShape::Threats },
];

impl Term {
    /// Number of terms.
    pub const COUNT: usize = Term::ALL.len();

    /// All terms, in the order of a file.
    pub const ALL: [Term; 5] = [Term::Kk, Term::Tempo, Term::Kkp, Term::Pp, Term::Threats];

    /// The terms of two shapes, for loops that the compiler unrolls.
    pub(crate) const OF_KINGS_AND_PIECE: [Term; count(TermShape::KingsAndPiece)] =
        of_shape(TermShape::KingsAndPiece);
    pub(crate) const OF_PAIR: [Term; count(TermShape::Pair)] = of_shape(TermShape::Pair);

    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        ROWS[self as usize].name
    }

    /// Its bit in the header of a file.
    pub const fn part(self) -> Parts {
        ROWS[self as usize].part
    }

    /// Its features.
    #[inline]
    pub const fn shape(self) -> TermShape {
        ROWS[self as usize].shape
    }

    /// Number of its weights.
    pub const fn size(self) -> usize {
        match self.shape() {
            TermShape::Kings | TermShape::KingsToMove => KingView::PAIRS,
            TermShape::KingsAndPiece => KingView::PAIRS * PieceIndex::COUNT,
            TermShape::Pair => TRIANGLE,
            TermShape::Threats => THREATS,
        }
    }

    /// Whether the side to move gains its weights, instead of Black.
    pub const fn is_of_side_to_move(self) -> bool {
        matches!(self.shape(), TermShape::KingsToMove | TermShape::Threats)
    }

    /// Whether its weights belong to pieces.
    pub const fn has_pieces(self) -> bool {
        matches!(self.shape(), TermShape::KingsAndPiece | TermShape::Pair | TermShape::Threats)
    }
}

/// Number of the terms of a shape.
const fn count(shape: TermShape) -> usize {
    let (mut at, mut count) = (0, 0);
    while at < ROWS.len() {
        if ROWS[at].shape as u8 == shape as u8 {
            count += 1;
        }
        at += 1;
    }
    count
}

const fn of_shape<const N: usize>(shape: TermShape) -> [Term; N] {
    let (mut found, mut at, mut count) = ([Term::ALL[0]; N], 0, 0);
    while at < ROWS.len() {
        if ROWS[at].shape as u8 == shape as u8 {
            found[count] = Term::ALL[at];
            count += 1;
        }
        at += 1;
    }
    found
}

/// One item for each term.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms<T>([T; Term::COUNT]);

impl<T> Terms<T> {
    /// Calls a function for each term, in order.
    #[inline]
    pub fn from_fn(item: impl FnMut(Term) -> T) -> Terms<T> {
        Terms(Term::ALL.map(item))
    }
}

impl<T> Index<Term> for Terms<T> {
    type Output = T;

    #[inline]
    fn index(&self, term: Term) -> &T {
        &self.0[term as usize]
    }
}

impl<T> IndexMut<Term> for Terms<T> {
    #[inline]
    fn index_mut(&mut self, term: Term) -> &mut T {
        &mut self.0[term as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_term_has_a_bit_and_a_name_of_its_own() {
        for (at, &term) in Term::ALL.iter().enumerate() {
            assert_eq!(term as usize, at);
            assert_eq!(term.part().bits().count_ones(), 1);
            for other in &Term::ALL[..at] {
                assert!(!term.part().intersects(other.part()) && term.name() != other.name());
            }
        }
    }
}
