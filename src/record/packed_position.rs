//! A position in 34 bytes, for large position files.
//!
//! ```text
//! side to move     1 bit
//! kings            7 bits each, Black's first: the square, or 81 for a missing king
//! pieces in hand   6 bits each, Black's first: how many follow
//! board            the other squares in index order: 0 for an empty one, else 1, kind, 1 bit for
//!                  White, 1 bit for promoted (not after a gold)
//! hands            the kinds, Black's first
//! ```
//!
//! Kinds use a prefix code that is short for frequent kinds: pawn 0; lance 100, knight 101, silver
//! 110; gold 1110; bishop 11110, rook 11111. A piece takes no more bits in hand than on the board.
//! All 38 pieces on the board therefore need the most bits: 27 + 41 empty squares + 200 = 268 bits.

use thiserror::Error;

use super::bits::{Bits, Codes};
use crate::shogi::{BoardContent, Color, HandPiece, Piece, PieceKind, Position, SfenError, Square};

/// A position in packed form: board, hands and side to move. Equal positions have equal bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PackedPosition([u8; PackedPosition::BYTES]);

/// The reason why bytes are not a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UnpackError {
    /// The bytes end within a piece or give a square outside the board.
    #[error("the bits do not encode a position")]
    Bits,
    /// Correctly encoded, but the position cannot be played.
    #[error(transparent)]
    Invalid(#[from] SfenError),
}

/// Square number of a missing king.
const NO_KING: u32 = 81;
const CODES: Codes =
    [(0b0, 1), (0b001, 3), (0b101, 3), (0b011, 3), (0b0111, 4), (0b01111, 5), (0b11111, 5)];

impl PackedPosition {
    /// Size in bytes.
    pub const BYTES: usize = 34;

    /// Packs a position without its history.
    pub fn of(pos: &Position) -> PackedPosition {
        let mut bits = Bits::default();
        bits.push(pos.side_to_move().index() as u32, 1);
        for color in Color::ALL {
            bits.push(pos.king(color).map_or(NO_KING, |sq| sq.index() as u32), 7);
        }
        for color in Color::ALL {
            bits.push(pos.hand(color).iter().map(|(_, count)| count).sum(), 6);
        }
        for sq in Square::all() {
            match pos.piece_on(sq) {
                None => bits.push(0, 1),
                Some(Piece { color, kind }) => {
                    let Some(held) = kind.hand_piece() else { continue };
                    bits.push(1, 1);
                    bits.push_kind(&CODES, held);
                    bits.push(color.index() as u32, 1);
                    if held != HandPiece::Gold {
                        bits.push(u32::from(kind.is_promoted()), 1);
                    }
                }
            }
        }
        for color in Color::ALL {
            for (held, count) in pos.hand(color).iter() {
                (0..count).for_each(|_| bits.push_kind(&CODES, held));
            }
        }
        PackedPosition(bits.to_bytes())
    }

    /// Wraps bytes without a check; [`content`](PackedPosition::content) validates them.
    pub fn from_bytes(bytes: [u8; PackedPosition::BYTES]) -> PackedPosition {
        PackedPosition(bytes)
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8; PackedPosition::BYTES] {
        &self.0
    }

    /// Decodes the content.
    ///
    /// # Errors
    /// [`UnpackError::Bits`]. Does not check whether the position can be played.
    pub fn content(&self) -> Result<BoardContent, UnpackError> {
        read(&mut Bits::of(&self.0)).ok_or(UnpackError::Bits)
    }

    /// Decodes the position, without history.
    ///
    /// # Errors
    /// [`UnpackError`] if the bytes are not a playable position.
    pub fn unpack(&self) -> Result<Position, UnpackError> {
        Ok(Position::from_pieces(&self.content()?)?)
    }
}

fn read(bits: &mut Bits) -> Option<BoardContent> {
    let mut content = BoardContent { side: pull_color(bits), ..BoardContent::default() };
    for color in Color::ALL {
        let king = bits.pull(7);
        if king != NO_KING {
            let place = content.board.get_mut(king as usize).filter(|sq| sq.is_none())?;
            *place = Some(Piece::new(color, PieceKind::King));
        }
    }
    let held = [bits.pull(6), bits.pull(6)];
    for square in content.board.iter_mut().filter(|square| square.is_none()) {
        if bits.pull(1) == 0 {
            continue;
        }
        let held = bits.pull_kind(&CODES)?;
        let color = pull_color(bits);
        let promoted = held != HandPiece::Gold && bits.pull(1) == 1;
        let kind = if promoted { held.kind().promoted()? } else { held.kind() };
        *square = Some(Piece::new(color, kind));
    }
    for color in Color::ALL {
        for _ in 0..held[color.index()] {
            content.hands[color.index()][bits.pull_kind(&CODES)?.index()] += 1;
        }
    }
    (bits.at <= 8 * PackedPosition::BYTES).then_some(content)
}

fn pull_color(bits: &mut Bits) -> Color {
    Color::ALL[bits.pull(1) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_round_trip() {
        for sfen in [
            crate::shogi::STARTPOS,
            "1GK3+r2/1S2G4/PPPP+p+p3/9/4b4/4B4/3+P+P4/1+R2g2s1/4k2g1 b SNLPsnl9p 1",
            "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSN1 w - 1",
            "4k4/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1",
            "4k4/9/9/9/9/9/9/9/4K4 w 2r2b4g4s4n4l18p 1",
            "+l+n+sgkg+s+n+l/1+r5+b1/+p+p+p+p+p+p+p+p+p/9/9/9/+P+P+P+P+P+P+P+P+P/1+B5+R1/+L+N+SGKG+S+N+L b - 1",
        ] {
            let pos = Position::from_sfen(sfen).expect(sfen);
            let packed = PackedPosition::of(&pos);
            assert_eq!(packed.unpack().map(|pos| pos.to_sfen()), Ok(sfen.to_owned()));
            assert_eq!(PackedPosition::from_bytes(*packed.as_bytes()), packed);
        }
    }

    #[test]
    fn bytes_that_are_not_a_position_are_rejected() {
        let unpack = |byte: u8| PackedPosition::from_bytes([byte; PackedPosition::BYTES]).unpack();
        assert!(matches!(unpack(0xff), Err(UnpackError::Bits)));
        assert!(unpack(0).is_err() && unpack(0x55).is_err() && unpack(0xaa).is_err());
    }
}
