//! Piece indices: a number for every place of a non-king piece. Learned weights use them as
//! coordinates. Shogi programs call this number BonaPiece.
//!
//! Layout, as one side sees it. The first column lists own pieces, then enemy pieces:
//!
//! | first | kind | indices |
//! |---|---|---|
//! | 0, 19 | pawns in hand | 19 each: n-th pawn = first + n, n in 1..=18 |
//! | 38, 43 | lances in hand | 5 each, n in 1..=4 |
//! | 48, 53 | knights in hand | 5 each |
//! | 58, 63 | silvers in hand | 5 each |
//! | 68, 73 | golds in hand | 5 each |
//! | 78, 81 | bishops in hand | 3 each, n in 1..=2 |
//! | 84, 87 | rooks in hand | 3 each |
//! | 90, 171 | pawns on board | 81 each: first + square |
//! | 252, 333 | lances | 81 each |
//! | 414, 495 | knights | 81 each |
//! | 576, 657 | silvers | 81 each |
//! | 738, 819 | golds and all pieces that move like golds | 81 each |
//! | 900, 981 | bishops | 81 each |
//! | 1062, 1143 | horses | 81 each |
//! | 1224, 1305 | rooks | 81 each |
//! | 1386, 1467 | dragons | 81 each |
//!
//! For each kind in hand, no piece has the index `first + 0`.
//!
//! Source: the list of Bonanza's piece relations (Hoki 2006), in the usual numbering.

use std::num::NonZeroU16;

use crate::shogi::{Color, HandPiece, Piece, PieceKind, Place, Square};

/// One place of one non-king piece as one side sees it, 0..1548.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PieceIndex(u16);

/// The weights of one piece with every other piece, by piece index.
pub type PieceRow = [i16; PieceIndex::COUNT];

/// First indices of own pieces in hand, by [`HandPiece`]. The enemy's pieces follow `set_size + 1`
/// indices later.
const HAND_FIRST: [u16; HandPiece::COUNT] = [0, 38, 48, 58, 68, 78, 84];

/// One row of 162 indices per kind of movement: 81 for own pieces, then 81 for enemy pieces.
const BOARD_KINDS: [PieceKind; 9] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Gold,
    PieceKind::Bishop,
    PieceKind::Horse,
    PieceKind::Rook,
    PieceKind::Dragon,
];

const HANDS: u16 = 90;
const SQUARES: u16 = Square::COUNT as u16;

/// First index of own pieces of each kind on the board, then of enemy pieces. `None` for kings.
static BOARD_FIRST: [[Option<NonZeroU16>; PieceKind::COUNT]; 2] = {
    let mut first = [[None; PieceKind::COUNT]; 2];
    let mut row = 0;
    while row < BOARD_KINDS.len() {
        let own = HANDS + 2 * row as u16 * SQUARES;
        let kind = BOARD_KINDS[row].index();
        first[0][kind] = NonZeroU16::new(own);
        first[1][kind] = NonZeroU16::new(own + SQUARES);
        row += 1;
    }
    let golds =
        [PieceKind::ProPawn, PieceKind::ProLance, PieceKind::ProKnight, PieceKind::ProSilver];
    let mut at = 0;
    while at < golds.len() {
        first[0][golds[at].index()] = first[0][PieceKind::Gold.index()];
        first[1][golds[at].index()] = first[1][PieceKind::Gold.index()];
        at += 1;
    }
    first
};

impl PieceIndex {
    /// Number of indices.
    pub const COUNT: usize = 1548;
    /// Number of indices of pieces in hand. The indices of pieces on the board follow.
    pub const HAND_COUNT: usize = HANDS as usize;
    /// Number of places: those in hand, and the squares.
    pub(super) const PLACES: usize = PieceIndex::HAND_COUNT + Square::COUNT;
    /// The index of an empty slot: no pawn in the own hand. No piece has it.
    pub const NONE: PieceIndex = PieceIndex(0);

    /// The index of a place as `view` sees it. For White, the board is rotated by 180 degrees. The
    /// pieces of `view` are own pieces. Returns `None` for kings.
    #[inline]
    pub const fn new(place: Place, view: Color) -> Option<PieceIndex> {
        match place {
            Place::Board(sq, piece) => {
                let enemy = (piece.color as usize) ^ (view as usize);
                match BOARD_FIRST[enemy][piece.kind.index()] {
                    Some(first) => Some(PieceIndex(first.get() + sq.relative(view).index() as u16)),
                    None => None,
                }
            }
            Place::Hand(color, held, n) => {
                debug_assert!(n >= 1 && n <= held.set_size());
                let enemy = (color as u16) ^ (view as u16);
                let first = HAND_FIRST[held.index()] + enemy * (held.set_size() as u16 + 1);
                Some(PieceIndex(first + n as u16))
            }
        }
    }

    /// The index with this number. Returns `None` if the number is 1548 or more.
    #[inline]
    pub const fn from_index(index: usize) -> Option<PieceIndex> {
        if index < PieceIndex::COUNT { Some(PieceIndex(index as u16)) } else { None }
    }

    /// The number of the index, 0..1548.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The place in a hand or on the board, whatever stands there, below
    /// [`PLACES`](PieceIndex::PLACES).
    #[inline]
    pub(super) const fn place(self) -> usize {
        if self.0 < HANDS { self.index() } else { (HANDS + (self.0 - HANDS) % SQUARES) as usize }
    }

    /// The same place as the other side sees it: own and enemy are swapped, and the board is
    /// rotated by 180 degrees. An involution. It maps [`NONE`](PieceIndex::NONE) to itself.
    #[inline]
    pub fn turned(self) -> PieceIndex {
        TURNED[self.index()]
    }

    /// The same place after the board is mirrored left to right. Pieces in hand stay. An
    /// involution.
    #[inline]
    pub fn mirrored(self) -> PieceIndex {
        MIRRORED[self.index()]
    }

    /// All indices, including those that no piece has.
    pub fn all() -> impl DoubleEndedIterator<Item = PieceIndex> + ExactSizeIterator + Clone {
        (0..PieceIndex::COUNT as u16).map(PieceIndex)
    }

    /// The place with this index in `view`. Promoted pieces that move like golds are returned as
    /// golds. Returns `None` for the indices that no piece in hand has.
    pub fn to_place(self, view: Color) -> Option<Place> {
        let owner = |enemy: bool| if enemy { !view } else { view };
        if self.0 < HANDS {
            let held = HandPiece::ALL.into_iter().rfind(|h| HAND_FIRST[h.index()] <= self.0)?;
            let (rest, slots) = (self.0 - HAND_FIRST[held.index()], held.set_size() as u16 + 1);
            let n = u32::from(rest % slots);
            return (n > 0).then(|| Place::Hand(owner(rest >= slots), held, n));
        }
        let (row, rest) = ((self.0 - HANDS) / (2 * SQUARES), (self.0 - HANDS) % (2 * SQUARES));
        let sq = Square::from_index(usize::from(rest % SQUARES))?.relative(view);
        let piece = Piece::new(owner(rest >= SQUARES), BOARD_KINDS[usize::from(row)]);
        Some(Place::Board(sq, piece))
    }
}

static TURNED: [PieceIndex; PieceIndex::COUNT] = compute_images(true);
static MIRRORED: [PieceIndex; PieceIndex::COUNT] = compute_images(false);

/// Maps every index to the index after a rotation by 180 degrees (`turned`) or a mirroring.
const fn compute_images(turned: bool) -> [PieceIndex; PieceIndex::COUNT] {
    let mut images = [PieceIndex::NONE; PieceIndex::COUNT];
    let mut held = 0;
    while held < HandPiece::COUNT {
        let (first, slots) = (HAND_FIRST[held], HandPiece::ALL[held].set_size() as u16 + 1);
        let mut n = 0;
        while n < 2 * slots {
            // An index without a piece in hand maps to itself. `PieceIndex::NONE` is one of them.
            let other = if turned && n % slots > 0 { (n + slots) % (2 * slots) } else { n };
            images[(first + n) as usize] = PieceIndex(first + other);
            n += 1;
        }
        held += 1;
    }
    let mut at = 0;
    while at < 2 * BOARD_KINDS.len() as u16 * SQUARES {
        let (row, side, square) = (at / (2 * SQUARES), at / SQUARES % 2, at % SQUARES);
        let (side, square) = if turned {
            (1 - side, SQUARES - 1 - square)
        } else {
            (side, (8 - square / 9) * 9 + square % 9)
        };
        images[(HANDS + at) as usize] = PieceIndex(HANDS + (2 * row + side) * SQUARES + square);
        at += 1;
    }
    images
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_match_the_kinds_and_the_ends_are_correct() {
        for (row, kind) in BOARD_KINDS.into_iter().enumerate() {
            let first = HANDS + 2 * row as u16 * SQUARES;
            let both = BOARD_FIRST.map(|firsts| firsts[kind.index()].map(NonZeroU16::get));
            assert_eq!(both, [Some(first), Some(first + SQUARES)]);
        }
        let mut first = 0;
        for held in HandPiece::ALL {
            assert_eq!(HAND_FIRST[held.index()], first);
            first += 2 * (held.set_size() as u16 + 1);
        }
        assert_eq!(first, HANDS);
        let king = Piece::new(Color::Black, PieceKind::King);
        let sq = Square::from_index(0).expect("on the board");
        assert_eq!(PieceIndex::new(Place::Board(sq, king), Color::Black), None);
        assert_eq!(PieceIndex::NONE.to_place(Color::Black), None);
        assert_eq!(PieceIndex::from_index(PieceIndex::COUNT), None);
    }

    #[test]
    fn images_match_the_places() {
        for index in PieceIndex::all() {
            assert_eq!(index.turned().turned(), index);
            assert_eq!(index.mirrored().mirrored(), index);
            assert_eq!(index.turned().mirrored(), index.mirrored().turned());
            let Some(place) = index.to_place(Color::Black) else { continue };
            assert_eq!(PieceIndex::new(place, Color::White), Some(index.turned()));
            let mirrored = match place {
                Place::Board(sq, piece) => Place::Board(sq.mirror(), piece),
                Place::Hand(..) => place,
            };
            assert_eq!(PieceIndex::new(mirrored, Color::Black), Some(index.mirrored()));
        }
    }
}
