//! Piece kinds, pieces with an owner, and the kinds that can be held in hand.

use std::fmt;

use super::{Color, Square};

/// The kind of a piece on the board, including promotion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum PieceKind {
    /// Pawn (fu).
    Pawn,
    /// Lance (kyo).
    Lance,
    /// Knight (keima).
    Knight,
    /// Silver (gin).
    Silver,
    /// Gold (kin).
    Gold,
    /// Bishop (kaku).
    Bishop,
    /// Rook (hisha).
    Rook,
    /// King (gyoku).
    King,
    /// Promoted pawn (tokin).
    ProPawn,
    /// Promoted lance (narikyo).
    ProLance,
    /// Promoted knight (narikei).
    ProKnight,
    /// Promoted silver (narigin).
    ProSilver,
    /// Promoted bishop, horse (uma).
    Horse,
    /// Promoted rook, dragon (ryu).
    Dragon,
}

impl PieceKind {
    /// Number of kinds.
    pub const COUNT: usize = 14;

    /// All kinds, in index order.
    pub const ALL: [PieceKind; 14] = [
        PieceKind::Pawn,
        PieceKind::Lance,
        PieceKind::Knight,
        PieceKind::Silver,
        PieceKind::Gold,
        PieceKind::Bishop,
        PieceKind::Rook,
        PieceKind::King,
        PieceKind::ProPawn,
        PieceKind::ProLance,
        PieceKind::ProKnight,
        PieceKind::ProSilver,
        PieceKind::Horse,
        PieceKind::Dragon,
    ];

    /// 0..14.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The promoted form; `None` for gold, king and promoted pieces.
    #[inline]
    pub const fn promoted(self) -> Option<PieceKind> {
        match self {
            PieceKind::Pawn => Some(PieceKind::ProPawn),
            PieceKind::Lance => Some(PieceKind::ProLance),
            PieceKind::Knight => Some(PieceKind::ProKnight),
            PieceKind::Silver => Some(PieceKind::ProSilver),
            PieceKind::Bishop => Some(PieceKind::Horse),
            PieceKind::Rook => Some(PieceKind::Dragon),
            _ => None,
        }
    }

    /// The promoted form, or the same kind if it cannot promote.
    #[inline]
    pub const fn promoted_or_same(self) -> PieceKind {
        const FORMS: [PieceKind; PieceKind::COUNT] = {
            let mut forms = PieceKind::ALL;
            let mut at = 0;
            while at < PieceKind::COUNT {
                if let Some(promoted) = forms[at].promoted() {
                    forms[at] = promoted;
                }
                at += 1;
            }
            forms
        };
        FORMS[self.index()]
    }

    /// The kind of this piece in the hand of its captor; `None` for the king.
    #[inline]
    pub const fn hand_piece(self) -> Option<HandPiece> {
        match self {
            PieceKind::Pawn | PieceKind::ProPawn => Some(HandPiece::Pawn),
            PieceKind::Lance | PieceKind::ProLance => Some(HandPiece::Lance),
            PieceKind::Knight | PieceKind::ProKnight => Some(HandPiece::Knight),
            PieceKind::Silver | PieceKind::ProSilver => Some(HandPiece::Silver),
            PieceKind::Gold => Some(HandPiece::Gold),
            PieceKind::Bishop | PieceKind::Horse => Some(HandPiece::Bishop),
            PieceKind::Rook | PieceKind::Dragon => Some(HandPiece::Rook),
            PieceKind::King => None,
        }
    }

    /// This kind in hand; `None` for the king and for promoted pieces, which cannot be dropped.
    pub fn droppable(self) -> Option<HandPiece> {
        self.hand_piece().filter(|held| held.kind() == self)
    }

    /// Whether the piece is promoted.
    pub const fn is_promoted(self) -> bool {
        self as u8 >= PieceKind::ProPawn as u8
    }

    /// The uppercase SFEN letter of the unpromoted kind.
    pub const fn letter(self) -> char {
        match self.hand_piece() {
            Some(held) => held.letter(),
            None => 'K',
        }
    }
}

/// The seven kinds that can be held in hand and dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum HandPiece {
    /// Pawn.
    Pawn,
    /// Lance.
    Lance,
    /// Knight.
    Knight,
    /// Silver.
    Silver,
    /// Gold.
    Gold,
    /// Bishop.
    Bishop,
    /// Rook.
    Rook,
}

impl HandPiece {
    /// Number of kinds.
    pub const COUNT: usize = 7;

    /// All kinds, in index order.
    pub const ALL: [HandPiece; 7] = [
        HandPiece::Pawn,
        HandPiece::Lance,
        HandPiece::Knight,
        HandPiece::Silver,
        HandPiece::Gold,
        HandPiece::Bishop,
        HandPiece::Rook,
    ];

    /// 0..7.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The kind of this piece on the board after a drop.
    #[inline]
    pub const fn kind(self) -> PieceKind {
        // The kinds that can be held come first, in the same order.
        PieceKind::ALL[self.index()]
    }

    /// Number of pieces of this kind in a full set.
    pub const fn set_size(self) -> u32 {
        [18, 4, 4, 4, 4, 2, 2][self.index()]
    }

    /// The uppercase USI letter.
    pub const fn letter(self) -> char {
        ['P', 'L', 'N', 'S', 'G', 'B', 'R'][self.index()]
    }

    /// Parses an uppercase USI letter.
    pub fn from_letter(letter: char) -> Option<HandPiece> {
        HandPiece::ALL.into_iter().find(|piece| piece.letter() == letter)
    }
}

/// A piece with its owner. `Option<Piece>` takes two bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Owner.
    pub color: Color,
    /// Kind, including promotion.
    pub kind: PieceKind,
}

impl Piece {
    /// A piece of `color`.
    pub const fn new(color: Color, kind: PieceKind) -> Piece {
        Piece { color, kind }
    }

    /// Whether this is an unpromoted pawn, lance or knight without any move from `sq`.
    pub fn is_dead_on(self, sq: Square) -> bool {
        let rank = sq.relative(self.color).rank();
        match self.kind {
            PieceKind::Pawn | PieceKind::Lance => rank == 0,
            PieceKind::Knight => rank < 2,
            _ => false,
        }
    }
}

impl fmt::Display for Piece {
    /// SFEN form: `P`, `+p`, ...
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind.is_promoted() {
            f.write_str("+")?;
        }
        let letter = self.kind.letter();
        match self.color {
            Color::Black => write!(f, "{letter}"),
            Color::White => write!(f, "{}", letter.to_ascii_lowercase()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_index_orders_are_fixed() {
        assert_eq!(size_of::<Option<Piece>>(), 2);
        for (i, kind) in PieceKind::ALL.into_iter().enumerate() {
            assert_eq!(kind.index(), i);
            if let Some(promoted) = kind.promoted() {
                assert!(promoted.is_promoted());
                assert_eq!(promoted.hand_piece(), kind.hand_piece());
            }
        }
        for (i, held) in HandPiece::ALL.into_iter().enumerate() {
            assert_eq!(held.index(), i);
            assert_eq!(held.kind().hand_piece(), Some(held));
            assert_eq!(HandPiece::from_letter(held.letter()), Some(held));
        }
    }
}
