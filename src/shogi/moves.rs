//! Moves and move lists.

use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;

use arrayvec::ArrayVec;

use super::{HandPiece, Square};

/// A move: a board move with or without promotion, or a drop. It need not be legal. Two bytes, also
/// as `Option<Move>`.
///
/// ```
/// use kankei::shogi::{HandPiece, Move, Origin};
/// let mv: Move = "P*5e".parse().expect("a move in USI notation");
/// assert_eq!(mv.origin(), Origin::Hand(HandPiece::Pawn));
/// assert_eq!((mv.to().to_string(), mv.to_string()), ("5e".to_owned(), "P*5e".to_owned()));
/// ```
///
/// Bits 0-6 destination, 7-13 origin (0..81) or 81 + kind of the dropped piece, 14 promotion, 15
/// always set.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

/// The origin of a moved piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A square.
    Board(Square),
    /// The mover's hand.
    Hand(HandPiece),
}

const SET: u16 = 1 << 15;
const PROMOTION: u16 = 1 << 14;
const DROP: u16 = 81;

/// Capacity for the moves of any accepted position. 593 is the largest known number with both
/// kings. A few more are possible if a king is missing or the piece counts exceed a set.
pub const MAX_MOVES: usize = 640;

/// The moves of one position.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

impl Move {
    #[inline]
    const fn pack(bits: u16) -> Move {
        match NonZeroU16::new(bits | SET) {
            Some(bits) => Move(bits),
            None => unreachable!(),
        }
    }

    /// A board move without promotion.
    pub const fn board(from: Square, to: Square) -> Move {
        Move::pack((from.index() as u16) << 7 | to.index() as u16)
    }

    /// A board move with promotion.
    pub const fn promotion(from: Square, to: Square) -> Move {
        Move::pack(PROMOTION | (from.index() as u16) << 7 | to.index() as u16)
    }

    /// A drop.
    pub const fn drop(piece: HandPiece, to: Square) -> Move {
        Move::pack((DROP + piece.index() as u16) << 7 | to.index() as u16)
    }

    /// Destination.
    pub const fn to(self) -> Square {
        Square::from_bit((self.0.get() & 127) as u32)
    }

    /// The origin of the piece.
    #[inline]
    pub const fn origin(self) -> Origin {
        let origin = self.origin_bits();
        match Square::from_index(origin as usize) {
            Some(from) => Origin::Board(from),
            None => Origin::Hand(HandPiece::ALL[(origin - DROP) as usize]),
        }
    }

    /// The origin square; `None` for a drop.
    pub const fn from(self) -> Option<Square> {
        Square::from_index(self.origin_bits() as usize)
    }

    /// Whether the piece promotes.
    pub const fn is_promotion(self) -> bool {
        self.0.get() & PROMOTION != 0
    }

    /// The same move on the board rotated by 180 degrees.
    pub const fn flip(self) -> Move {
        let to = self.to().flip();
        match self.origin() {
            Origin::Hand(piece) => Move::drop(piece, to),
            Origin::Board(from) if self.is_promotion() => Move::promotion(from.flip(), to),
            Origin::Board(from) => Move::board(from.flip(), to),
        }
    }

    /// The move as 16 bits, never 0; for packed tables.
    pub const fn to_bits(self) -> u16 {
        self.0.get()
    }

    /// The move for [`to_bits`](Move::to_bits); `None` for values that are not a move.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        let (to, origin) = (bits & 127, bits >> 7 & 127);
        let is_known = bits & SET != 0 && to < 81 && origin < DROP + 7 && origin != to;
        let promotes_drop = origin >= DROP && bits & PROMOTION != 0;
        if is_known && !promotes_drop { Some(Move::pack(bits)) } else { None }
    }

    /// The origin as a number: 0 to 80 for squares, 81 to 87 for kinds in hand.
    #[inline]
    pub const fn origin_index(self) -> usize {
        self.origin_bits() as usize
    }

    const fn origin_bits(self) -> u16 {
        self.0.get() >> 7 & 127
    }
}

impl fmt::Display for Move {
    /// USI form: `7g7f`, `8h2b+`, `P*5e`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.origin() {
            Origin::Board(from) => {
                write!(f, "{from}{}{}", self.to(), if self.is_promotion() { "+" } else { "" })
            }
            Origin::Hand(piece) => write!(f, "{}*{}", piece.letter(), self.to()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl FromStr for Move {
    type Err = ();

    /// Parses USI notation. Returns an error for any text that is not exactly one move.
    fn from_str(text: &str) -> Result<Move, ()> {
        if !text.is_ascii() || text.len() < 4 || text.len() > 5 {
            return Err(());
        }
        let to: Square = text[2..4].parse()?;
        if let Some(letter) = text[..2].strip_suffix('*') {
            let piece = letter.chars().next().and_then(HandPiece::from_letter).ok_or(())?;
            return if text.len() == 4 { Ok(Move::drop(piece, to)) } else { Err(()) };
        }
        let from: Square = text[..2].parse()?;
        match &text[4..] {
            _ if from == to => Err(()),
            "" => Ok(Move::board(from, to)),
            "+" => Ok(Move::promotion(from, to)),
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_round_trips() {
        assert_eq!(size_of::<Option<Move>>(), 2);
        for to in Square::all() {
            for from in Square::all().filter(|&from| from != to) {
                for mv in [Move::board(from, to), Move::promotion(from, to)] {
                    assert_eq!(mv.to_string().parse(), Ok(mv));
                    assert_eq!(Move::from_bits(mv.to_bits()), Some(mv));
                    assert_eq!((mv.origin(), mv.to()), (Origin::Board(from), to));
                    assert_eq!(mv.from(), Some(from));
                    assert_eq!(mv.flip().from(), Some(from.flip()));
                    assert_eq!(mv.flip().flip(), mv);
                }
            }
            for piece in HandPiece::ALL {
                let mv = Move::drop(piece, to);
                assert_eq!(mv.to_string().parse(), Ok(mv));
                assert_eq!(Move::from_bits(mv.to_bits()), Some(mv));
                assert_eq!((mv.origin(), mv.to()), (Origin::Hand(piece), to));
                assert_eq!(mv.from(), None);
                assert_eq!(mv.flip(), Move::drop(piece, to.flip()));
            }
        }
        for bad in ["", "7g7", "7g7g", "p*5e", "P*5e+", "K*5e", "7g7f++", "7g7f-", "00", "歩五五"]
        {
            assert!(bad.parse::<Move>().is_err(), "{bad}");
        }
    }
}
