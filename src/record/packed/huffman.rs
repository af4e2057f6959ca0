//! Positions in 256 bits.
//!
//! One bit for the side to move, seven for the square of each king (Black's first), then the other
//! 79 squares from 1a, file by file, and the pieces in hand, Black's first. An empty square is the
//! bit 0. A piece on the board is the code of its kind, then two bits in the order of the format:
//! whether it is promoted, and whether it is White's; a gold has no bit for promotion. A piece in
//! hand has another code, then the bit of its owner. A piece on the board takes as many bits as a
//! piece in hand and an empty square, so all positions with 40 pieces take exactly 256 bits.

use crate::record::Fault;
use crate::record::bits::{Bits, Codes};
use crate::shogi::{BoardContent, Color, HandPiece, Piece, PieceKind, Position, Square};

/// Pieces of a whole set, kings left out.
const PIECES: usize = 38;
const BITS: usize = 256;

/// The codes of a format.
pub(super) struct Coding {
    board: Codes,
    hand: Codes,
    /// Whether the bit of the owner precedes that of promotion on the board.
    is_color_first: bool,
}

/// PackedSfen of YaneuraOu.
pub(super) const PACKED_SFEN: Coding = Coding {
    board: [
        (0b01, 2),
        (0b0011, 4),
        (0b1011, 4),
        (0b0111, 4),
        (0b0_1111, 5),
        (0b01_1111, 6),
        (0b11_1111, 6),
    ],
    hand: [
        (0b00, 2),
        (0b0001, 4),
        (0b0101, 4),
        (0b0011, 4),
        (0b0111, 4),
        (0b00_1111, 6),
        (0b01_1111, 6),
    ],
    is_color_first: false,
};

/// HuffmanCodedPos of Apery, cshogi and dlshogi.
pub(super) const HCP: Coding = Coding {
    board: [
        (0b01, 2),
        (0b0011, 4),
        (0b0111, 4),
        (0b1011, 4),
        (0b0_1111, 5),
        (0b01_1111, 6),
        (0b11_1111, 6),
    ],
    hand: [
        (0b00, 2),
        (0b0001, 4),
        (0b0011, 4),
        (0b0101, 4),
        (0b0111, 4),
        (0b01_1111, 6),
        (0b11_1111, 6),
    ],
    is_color_first: true,
};

impl Coding {
    /// The position in 32 bytes; `None` unless it has both kings and all other pieces.
    pub fn encode(&self, pos: &Position) -> Option<[u8; 32]> {
        let content = pos.content();
        let is_whole_set =
            HandPiece::ALL.into_iter().all(|held| content.count(held) == held.set_size());
        let kings = pos.kings().filter(|_| is_whole_set)?;
        let mut bits = Bits::default();
        bits.push(u32::from(pos.side_to_move() == Color::White), 1);
        kings.iter().for_each(|sq| bits.push(sq.index() as u32, 7));
        for piece in content.board {
            let Some(piece) = piece else {
                bits.push(0, 1);
                continue;
            };
            let Some(held) = piece.kind.hand_piece() else { continue };
            bits.push_kind(&self.board, held);
            let flags = [piece.kind.is_promoted(), piece.color == Color::White];
            match held {
                HandPiece::Gold => bits.push(flags[1].into(), 1),
                _ => {
                    bits.push(flags[usize::from(self.is_color_first)].into(), 1);
                    bits.push(flags[usize::from(!self.is_color_first)].into(), 1);
                }
            }
        }
        for color in Color::ALL {
            for held in HandPiece::ALL {
                for _ in 0..content.hands[color.index()][held.index()] {
                    bits.push_kind(&self.hand, held);
                    bits.push(u32::from(color == Color::White), 1);
                }
            }
        }
        Some(bits.to_bytes())
    }

    /// Board, hands and side to move of 32 bytes.
    pub fn decode(&self, bytes: &[u8; 32]) -> Result<BoardContent, Fault> {
        let mut bits = Bits::of(bytes);
        let mut content = BoardContent::default();
        let ends = || Fault::unexpected("a position in 256 bits", &hex(bytes));
        content.side = if bits.pull(1) == 1 { Color::White } else { Color::Black };
        for color in Color::ALL {
            let sq = Square::from_index(bits.pull(7) as usize);
            let place = &mut content.board[sq.ok_or_else(ends)?.index()];
            if place.replace(Piece::new(color, PieceKind::King)).is_some() {
                return Err(ends());
            }
        }
        let mut pieces = 0;
        for place in content.board.iter_mut().filter(|place| place.is_none()) {
            if bits.peek(1) == 0 {
                bits.at += 1;
                continue;
            }
            *place = Some(self.read_piece(&mut bits).ok_or_else(ends)?);
            pieces += 1;
        }
        for _ in pieces..PIECES {
            let held = bits.pull_kind(&self.hand).ok_or_else(ends)?;
            content.hands[bits.pull(1) as usize][held.index()] += 1;
        }
        if bits.at == BITS { Ok(content) } else { Err(ends()) }
    }

    fn read_piece(&self, bits: &mut Bits) -> Option<Piece> {
        let held = bits.pull_kind(&self.board)?;
        let mut flag = || bits.pull(1) == 1;
        let (first, second) = match held {
            HandPiece::Gold => (self.is_color_first && flag(), !self.is_color_first && flag()),
            _ => (flag(), flag()),
        };
        let (promoted, white) = if self.is_color_first { (second, first) } else { (first, second) };
        let color = if white { Color::White } else { Color::Black };
        let kind = if promoted { held.kind().promoted()? } else { held.kind() };
        Some(Piece::new(color, kind))
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_round_trip() {
        for sfen in [
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
            "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1",
            "4k4/9/9/9/9/9/9/9/4K4 w r2b4g4s4n4l18pR 1",
            "+R+B+N+L+S+P3/9/4k4/9/4K4/9/9/9/3+p+s+l+n+b+r w 4G2S2N2L16P 1",
        ] {
            let pos = Position::from_sfen(sfen).expect(sfen);
            for coding in [&PACKED_SFEN, &HCP] {
                let bytes = coding.encode(&pos).expect(sfen);
                let content = coding.decode(&bytes).expect("a position");
                assert_eq!(content.board, pos.content().board, "{sfen}");
                assert_eq!(content.hands, pos.content().hands, "{sfen}");
                assert_eq!(content.side, pos.side_to_move(), "{sfen}");
            }
        }
    }

    #[test]
    fn positions_of_fewer_pieces_have_no_code() {
        for sfen in ["4k4/9/9/9/9/9/9/9/4K4 b G 1", "4k4/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1"] {
            let pos = Position::from_sfen(sfen).expect(sfen);
            assert!(PACKED_SFEN.encode(&pos).is_none() && HCP.encode(&pos).is_none());
        }
        assert!(PACKED_SFEN.decode(&[0; 32]).is_err());
        assert!(HCP.decode(&[0xff; 32]).is_err());
    }
}
